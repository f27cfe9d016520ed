"""Analyses of positions: documents that grow, for boards, and one answer to each request of `kemu analyse`.

`analyse`, `refute` and `graph` are tasks of worker processes. A question is a JSON object, and so is every document;
each document knows more than the one before. A question that cannot be answered raises KemuError.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final, NamedTuple

from kemu.analysis.explorer import canonical
from kemu.bots.engines import capability, expected_score, require_player
from kemu.bots.registry import LadderBot, level_number
from kemu.core.document import Document, quote, read_json, read_mapping, read_number, read_object, read_text, read_texts
from kemu.core.errors import IllegalAction, KemuError, OptionError, ParseError, UnknownGame
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, AnyView, Seat
from kemu.core.record import LARGEST, replay, seat_log
from kemu.engines.analysis import Analysis, Budget, Line
from kemu.engines.capabilities import ONE_SECOND, Analyst, CardReader, Forecaster, Solver
from kemu.games import game, manifest

FIRST_MS: Final = 40
"""The first search is short, so that there is a line to look at at once."""

STEP_MS: Final = 150
"""How long every later search lasts; between two of them a task can be ended."""

LONGEST_MS: Final = 60_000
"""The searching after which an analysis ends."""

MOST_LINES: Final = 32
REFUTING_STEPS: Final = 30
"""The number of searches without a proof after which an answer counts as not refuted."""

REQUEST_FIELDS: Final = (
    *("id", "options", "actions", "position", "view", "budget", "lines", "level", "seat", "seed"),
    "legal",  # what Kemu tells a program that plays as a bot; the engines know it themselves
)
MOST_REQUESTED_LINES: Final = 100

KEPT_ANALYSTS: Final = 4
"""The number of analysts that are kept for the next question."""

MOST_POSITIONS: Final = 300
"""Larger graphs are not drawn."""


class SeatSituation(NamedTuple):
    """The view and the log of the seat to act; the state itself is for what is open to all."""

    game: AnyGame
    state: Any
    seat: Seat
    view: AnyView
    log: Sequence[str]


@lru_cache(maxsize=KEPT_ANALYSTS)
def kept_analyst(chosen: AnyGame) -> Analyst:
    """Return the analyst of a game, which may keep what it has found; raises OptionError if nothing can search it."""
    return require_player(chosen).analyst(chosen, None, 1)


# Tasks of worker processes.


def analyse(question: Document) -> Iterator[Document]:
    """Yield the best lines of a position, until all of them are proved or the time is spent.

    A question has `game`, `options`, `position` (null for the start), `actions` and `lines`. A seat is analysed by its
    view and its log alone. The first document has what does not depend on a search: `ownership`,
    `prediction` and `odds`.
    """
    situation = situation_of(question, ("lines",))
    lines = read_number(question.get("lines", 1), "'lines'", 1, MOST_LINES)
    facts = _facts(situation)
    for found in _searches(situation, lines):
        document = _document(situation.game, found, lambda line: {"score": _score(situation.game, line)})
        yield {"seat": situation.seat, **document, "depth": found.depth, **facts}
        facts = {}


def refute(question: Document) -> Iterator[Document]:
    """Yield the reply that wins to each action of a side that is lost, one document for each of its actions.

    A document has `answer`, the reply `action` (null if the answer ends the game or the same seat acts again) and
    `proven` of the winner, null if no proof was found; `left` counts the answers that follow.
    """
    situation = situation_of(question)
    chosen, actions = situation.game, situation.game.actions(situation.state)
    for number, action in enumerate(actions, start=1):
        reply = _reply(situation, chosen.apply(situation.state, action))
        yield {"answer": chosen.format(action), **reply, "left": len(actions) - number}


def read_states(question: object, more: Sequence[str] = ()) -> tuple[AnyGame, list[Any]]:
    """Return the game of a question and all states from its position through its actions; it may have more fields."""
    fields = read_object(question, "A question", ("game",), ("options", "position", "actions", *more))
    chosen, position = _read_game(fields), fields.get("position")
    texts = read_texts(fields.get("actions", []), "'actions'")
    first = None if position is None else chosen.decode(read_mapping(position, "'position'"))
    return chosen, list(replay(chosen, texts, first))


def situation_of(question: Document, more: Sequence[str] = ()) -> SeatSituation:
    """Return what the seat to act sees; a log from another position than the start says nothing of what was before."""
    chosen, states = read_states(question, more)
    texts = question.get("actions", []) if question.get("position") is None else []
    return _seen_by(chosen, states, texts, None)


# Requests of `kemu analyse`.


def answer_text(text: str) -> str:
    """Return the answer to a line of JSON, as a line of JSON; that to a bad line is an error such as ParseError."""
    try:
        if len(text) > LARGEST:
            raise ParseError(f"A request has at most {LARGEST} characters; this one has more.")
        request = read_json(text)
    except KemuError as error:
        return json.dumps({"id": None, "error": error.document()})
    return json.dumps(answer(request), ensure_ascii=False)


def answer(request: object) -> Document:
    """Return the answer to a request; that to a bad one has code and sentence."""
    name = request.get("id") if isinstance(request, dict) else None
    try:
        return {"id": name, **_answer(read_object(request, "A request", ("game",), REQUEST_FIELDS))}
    except KemuError as error:
        return {"id": name, "error": error.document()}


def _answer(fields: Document) -> Document:
    chosen = _read_game(fields)
    seed = read_number(fields.get("seed", 0), "'seed'", 0, 1 << 62)
    lines = read_number(fields.get("lines", 1), "'lines'", 1, MOST_REQUESTED_LINES)
    budget = _read_budget(fields["budget"]) if "budget" in fields else None
    situation = _requested(chosen, fields, seed)
    if "level" in fields:
        return _at_level(situation, fields["level"], seed, budget)
    found = kept_analyst(chosen).analyse(situation.view, situation.log, budget or ONE_SECOND, lines, seed)
    document = _document(chosen, found, lambda line: {"value": line.value})
    best = document["lines"][0]
    return {"action": best["action"], "value": best["value"], **document}


def _read_budget(value: object) -> Budget:
    fields = read_object(value, "'budget'", (), ("nodes", "ms"))
    if len(fields) != 1:
        raise ParseError("'budget' must have either 'nodes' or 'ms'.")
    return Budget(**{name: read_number(number, f"'{name}'", 1, 10**9) for name, number in fields.items()})


def _requested(chosen: AnyGame, fields: Document, seed: int) -> SeatSituation:
    """Return what the seat to act sees, from a position, from all actions, or from the log of one seat."""
    if "position" in fields and "actions" in fields:
        raise ParseError("A request has either 'actions' or 'position', not both.")
    seat = read_number(fields["seat"], "'seat'", 0, chosen.seats - 1) if "seat" in fields else None
    texts = read_texts(fields.get("actions", []), "'actions'")
    reader = capability(chosen, CardReader)
    is_log = reader is not None and any(map(reader.hides, texts))
    if "view" in fields or is_log:
        if seat is None:
            raise ParseError("The log or the view of one seat needs a field 'seat'.")
        view = fields["view"] if "view" in fields or reader is None else reader.view_from_log(chosen, seat, texts, seed)
        return SeatSituation(chosen, _state_of(chosen, seat, view), seat, view, texts)
    states = [chosen.decode(fields["position"])] if "position" in fields else list(replay(chosen, texts))
    return _seen_by(chosen, states, texts, seat)


def _state_of(chosen: AnyGame, seat: Seat, view: AnyView) -> Any:
    """Return a state in which the seat to act has a view, which must be one that the game could have shown."""
    read_mapping(view, "'view'")
    try:
        state = kept_analyst(chosen).state(view)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ParseError(f"'view' is not a view of {chosen.key}.") from None
    if chosen.view(state, seat) != view:
        raise ParseError(f"'view' is not what seat {seat} sees in any position of {chosen.key}.")
    _seat_to_act(chosen, state, seat)
    return state


def _at_level(situation: SeatSituation, level: object, seed: int, budget: Budget | None) -> Document:
    """Return the action of the bot of a level, without lines."""
    chosen = situation.game
    player = require_player(chosen)
    levels = len(player.levels(chosen))
    number = level_number(str(level), levels) if type(level) in (int, str) else None
    if number is None:
        raise ParseError(f"'level' must be a number from 1 to {levels}, not {quote(level)}.")
    begin, actions = time.perf_counter(), chosen.actions(situation.state)
    action = LadderBot(chosen, player, number, seed, budget).choose(situation.view, situation.log, actions)
    ms = round(1000 * (time.perf_counter() - begin))
    return {"action": chosen.format(action), "value": None, "lines": [], "nodes": None, "ms": ms}


# What both have in common.


def make(key: str, options: Document) -> AnyGame:
    """Return a game with options from a question; raises OptionError if they do not make one."""
    try:
        return game(key, **options)
    except TypeError:
        raise OptionError(f"These options do not make a game of {key}.") from None


def _read_game(fields: Document) -> AnyGame:
    return make(read_text(fields["game"], "'game'"), read_mapping(fields.get("options", {}), "'options'"))


def _seen_by(chosen: AnyGame, states: Sequence[Any], texts: Sequence[str], wanted: Seat | None) -> SeatSituation:
    """Return what the seat to act sees in the last state."""
    seat = _seat_to_act(chosen, states[-1], wanted)
    log = seat_log(chosen, states, texts, seat)
    return SeatSituation(chosen, states[-1], seat, chosen.view(states[-1], seat), log)


def _seat_to_act(chosen: AnyGame, state: Any, wanted: Seat | None) -> Seat:
    """Return the seat to act; raises IllegalAction if no seat is, or another than the wanted one."""
    turn = chosen.turn(state)
    if turn is None:
        raise IllegalAction("The game is over, so there is no action to find.")
    if turn == CHANCE:
        raise IllegalAction("The dealer is to act, so there is no action to find.")
    if wanted is not None and wanted != turn:
        raise IllegalAction(f"Seat {turn} is to act, not seat {wanted}.")
    return turn


def _facts(situation: SeatSituation) -> Document:
    """Return what the engine says of a position without a search."""
    facts: Document = {}
    forecaster, reader = capability(situation.game, Forecaster), capability(situation.game, CardReader)
    if forecaster and not manifest(situation.game.key).hidden:
        found = forecaster.forecast(situation.game, situation.state)
        if found is not None:
            facts |= asdict(found)
    if reader:
        facts["odds"] = dict(reader.draw_odds(situation.game, situation.view, situation.log))
    return facts


def _searches(situation: SeatSituation, lines: int) -> Iterator[Analysis[Any]]:
    """Yield what one search after another has found, with all nodes and milliseconds so far."""
    searcher, nodes, spent, ms = kept_analyst(situation.game), 0, 0, FIRST_MS
    while spent < LONGEST_MS:
        found = searcher.analyse(situation.view, situation.log, Budget(ms=ms), lines, 0)
        nodes, spent = nodes + found.nodes, spent + max(found.ms, 1)
        yield Analysis(found.lines, nodes, spent, found.depth)
        if all(line.proven for line in found.lines) or found.ms < ms // 2:  # nothing is left to find
            return
        ms = STEP_MS


def _reply(before: SeatSituation, state: Any) -> Document:
    """Return the winner's continuation after an action of the loser."""
    chosen = before.game
    turn, outcome = chosen.turn(state), chosen.outcome(state)
    if outcome is not None:
        return {"action": None, "proven": None if before.seat in outcome.winners else "win in 0"}
    if turn is None or turn < 0:
        return {"action": None, "proven": None}
    after = SeatSituation(chosen, state, turn, chosen.view(state, turn), ())
    for _, found in zip(range(REFUTING_STEPS), _searches(after, 1), strict=False):
        line: Line[Any] = found.lines[0]
        if line.proven:
            break
    if turn == before.seat:  # it is asked for something more
        lost = line.proven and line.proven.replace("loss", "win") if line.value < 0 else None
        return {"action": None, "proven": lost}
    return {"action": chosen.format(line.action), "proven": line.proven if line.value > 0 else None}


def _document(chosen: AnyGame, found: Analysis[Any], worth: Callable[[Line[Any]], Document]) -> Document:
    """Return lines with what each is worth, and what the search has spent."""
    lines = [
        {
            "action": chosen.format(line.action),
            **worth(line),
            "pv": [chosen.format(action) for action in line.pv],
            "proven": line.proven,
        }
        for line in found.lines
    ]
    return {"lines": lines, "nodes": found.nodes, "ms": found.ms}


def _score(chosen: AnyGame, line: Line[Any]) -> float:
    """Return the expected score of the side to act after a line: 1 for a win, 0 for a loss, by the engine's curve."""
    return round((1 + line.value) / 2 if line.proven else expected_score(chosen, line.value), 4)


def graph(question: Document) -> Iterator[Document]:
    """Yield the whole of a small solved game in one document: every position up to symmetry, and what follows it.

    A position has the numbers of those `after` it, its `result` for the side to act and the `plies` to the end, null
    for a draw. `at` is the number of the position asked for, null if no game comes to it.

    Raises UnknownGame if the game is not solved, OptionError if it has too many positions.
    """
    chosen, asked = read_states(question)
    solver = capability(chosen, Solver)
    if solver is None:
        raise UnknownGame(f"{chosen.key} is not solved, so there is no graph of it.")
    numbers: dict[str, int] = {}  # by canonical form
    states: list[Any] = []

    def number(state: Any) -> int:
        found = canonical(chosen, state)
        if found.key not in numbers:
            if len(states) == MOST_POSITIONS:
                raise OptionError(f"With these options the game has more than {MOST_POSITIONS} positions to draw.")
            numbers[found.key] = len(states)
            view: AnyView = chosen.view(state, SPECTATOR)
            states.append(found.symmetries[0].state(chosen.decode(view["position"])))
        return numbers[found.key]

    number(chosen.initial())
    positions: list[Document] = []
    for state in states:  # more are found on the way
        after = dict.fromkeys(number(chosen.apply(state, action)) for action in chosen.actions(state))
        positions.append({"position": chosen.encode(state), "after": list(after)})
    solved = solver.solution(chosen)
    for state, position in zip(states, positions, strict=True):
        position["result"], position["plies"] = solved.value(state)
    yield {"positions": positions, "at": numbers.get(canonical(chosen, asked[-1]).key)}
