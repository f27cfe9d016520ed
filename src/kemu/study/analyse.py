"""The analysis of a position, step by step: each document knows more than the one before.

The functions are tasks of worker processes. A question is a JSON object, and so is every document; a question that
cannot be answered raises KemuError.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from kemu.bots.analysis import AnalystCache, seat_to_act
from kemu.bots.registry import require_player
from kemu.core.document import Document, read_mapping, read_number, read_object, read_text, read_texts
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.core.record import replay
from kemu.engines.analysis import Analysis, Budget, Line
from kemu.games import game, manifest

FIRST_MS: Final = 40
"""The first search is short, so that there is a line to look at at once."""

STEP_MS: Final = 150
"""Every later one goes on so long; between two of them a task can be ended."""

LONGEST_MS: Final = 60_000
"""An analysis ends after so much searching."""

MOST_LINES: Final = 32
REFUTING_STEPS: Final = 30
"""After so many searches without a proof an answer counts as not refuted."""

_ANALYSTS: Final = AnalystCache()


class SeatSituation(NamedTuple):
    """What the seat to act sees, with its log; the state itself is for what is open to all."""

    game: AnyGame
    state: Any
    seat: Seat
    view: Any
    log: Sequence[str]


def analyse(question: Document) -> Iterator[Document]:
    """The best lines of a position, until all of them are proved or the time is spent.

    A question has `game`, `options`, `position` (null for the start), `actions` and `lines`. A seat is analysed by its
    view and its log alone. The first document has what does not depend on a search: `ownership`,
    `prediction` and `odds`.
    """
    situation = situation_of(question, ("lines",))
    lines = read_number(question.get("lines", 1), "'lines'", 1, MOST_LINES)
    facts = _facts(situation)
    for found in _searches(situation, lines):
        yield {"seat": situation.seat, **_document(situation.game, found), **facts}
        facts = {}


def refute(question: Document) -> Iterator[Document]:
    """The reply that wins to each action of a side that is lost, one document for each of its actions.

    A document has `answer`, the reply `action` (null if the answer ends the game or the same seat acts again) and
    `proven` of the winner, null if no proof was found; `left` counts the answers that follow.
    """
    situation = situation_of(question)
    chosen, actions = situation.game, situation.game.actions(situation.state)
    for number, action in enumerate(actions, start=1):
        reply = _reply(situation, chosen.apply(situation.state, action))
        yield {"answer": chosen.format(action), **reply, "left": len(actions) - number}


def read_states(question: object, more: Sequence[str] = ()) -> tuple[AnyGame, list[Any]]:
    """The game of a question and all states from its position through its actions; it may have more fields."""
    fields = read_object(question, "A question", ("game",), ("options", "position", "actions", *more))
    chosen = _make(read_text(fields["game"], "'game'"), read_mapping(fields.get("options", {}), "'options'"))
    texts, position = read_texts(fields.get("actions", []), "'actions'"), fields.get("position")
    first = None if position is None else chosen.decode(read_mapping(position, "'position'"))
    return chosen, list(replay(chosen, texts, first))


def situation_of(question: Document, more: Sequence[str] = ()) -> SeatSituation:
    """What the seat to act sees; a log from another position than the start says nothing of what was before it."""
    chosen, states = read_states(question, more)
    seat = seat_to_act(chosen, states[-1])
    texts = question.get("actions", []) if question.get("position") is None else []
    log = [chosen.seen(state, chosen.parse(text), seat) for state, text in zip(states, texts, strict=False)]
    return SeatSituation(chosen, states[-1], seat, chosen.view(states[-1], seat), log)


def _make(key: str, options: Document) -> AnyGame:
    try:
        return game(key, **options)
    except TypeError:
        raise OptionError(f"These options do not make a game of {key}.") from None


def _facts(situation: SeatSituation) -> Document:
    """What the engine says of a position without a search."""
    player, facts = require_player(situation.game), Document()
    if player.ownership and not manifest(situation.game.key).hidden:
        facts["ownership"] = dict(player.ownership(situation.game, situation.state))
    if player.prediction and not manifest(situation.game.key).hidden:
        found = player.prediction(situation.game, situation.state)
        if found is not None:
            facts["prediction"] = asdict(found)
    if player.draw_odds:
        facts["odds"] = dict(player.draw_odds(situation.game, situation.view, situation.log))
    return facts


def _searches(situation: SeatSituation, lines: int) -> Iterator[Analysis[Any]]:
    """What one search after another has found, with all nodes and milliseconds so far."""
    analyst, nodes, spent, ms = _ANALYSTS.analyst(situation.game), 0, 0, FIRST_MS
    while spent < LONGEST_MS:
        found = analyst.analyse(situation.view, situation.log, Budget(ms=ms), lines, 0)
        nodes, spent = nodes + found.nodes, spent + max(found.ms, 1)
        yield Analysis(found.lines, nodes, spent, found.depth)
        if all(line.proven for line in found.lines) or found.ms < ms // 2:  # nothing is left to find
            return
        ms = STEP_MS


def _reply(before: SeatSituation, state: Any) -> Document:
    """How the winner goes on in the state after an action of the loser."""
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


def _document(chosen: AnyGame, found: Analysis[Any]) -> Document:
    lines = [
        {
            "action": chosen.format(line.action),
            "score": _score(chosen, line),
            "pv": [chosen.format(action) for action in line.pv],
            "proven": line.proven,
        }
        for line in found.lines
    ]
    return {"lines": lines, "nodes": found.nodes, "ms": found.ms, "depth": found.depth}


def _score(chosen: AnyGame, line: Line[Any]) -> float:
    """The expected score of the side to act after a line: 1 for a win, 0 for a loss, by the curve of the engine."""
    curve = require_player(chosen).expected_score
    plain = (1 + line.value) / 2
    return round(plain if line.proven or curve is None else curve(chosen, line.value), 4)
