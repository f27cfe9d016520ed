"""Requests to the engines as JSON objects, and their responses: the protocol of `kemu analyse`."""

import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from kemu.bots.ladder import LadderBot, level_number
from kemu.bots.registry import require_player
from kemu.core.document import Document, quote, read_json, read_mapping, read_number, read_object, read_text, read_texts
from kemu.core.errors import IllegalAction, KemuError, ParseError
from kemu.core.game import CHANCE, AnyGame, Seat
from kemu.core.record import LARGEST, replay
from kemu.engines.analysis import Analysis, Budget
from kemu.engines.player import ONE_SECOND, Analyst
from kemu.games import game

FIELDS: Final = ("id", "options", "actions", "position", "view", "budget", "lines", "level", "seat", "seed")
MOST_LINES: Final = 100
_KEPT: Final = 4
"""The number of analysts that are kept for the next request."""


@dataclass(frozen=True)
class Situation:
    """What the seat to act sees, and its log."""

    game: AnyGame
    view: Any
    log: Sequence[str]


class AnalystCache:
    """The analysts used last, which may keep what they have found."""

    def __init__(self) -> None:
        self._analysts: OrderedDict[AnyGame, Analyst] = OrderedDict()

    def analyst(self, chosen: AnyGame) -> Analyst:
        """The analyst of a game; raises OptionError if nothing can search it."""
        if chosen not in self._analysts:
            self._analysts[chosen] = _analyst(chosen)
        self._analysts.move_to_end(chosen)
        if len(self._analysts) > _KEPT:
            self._analysts.popitem(last=False)
        return self._analysts[chosen]


class AnalysisHandler:
    """Answers one request after another."""

    def __init__(self) -> None:
        self._analysts = AnalystCache()

    def answer_text(self, text: str) -> str:
        """The answer to a line of JSON, as a line of JSON; to a bad line it is an error such as ParseError."""
        try:
            if len(text) > LARGEST:
                raise ParseError(f"A request has at most {LARGEST} characters; this one has more.")
            request = read_json(text)
        except KemuError as error:
            return json.dumps(_refusal(None, error))
        return json.dumps(self.answer(request), ensure_ascii=False)

    def answer(self, request: object) -> Document:
        """The answer to a request; a bad one gets code and sentence."""
        name = request.get("id") if isinstance(request, dict) else None
        try:
            fields = read_object(request, "A request", ("game",), FIELDS)
            return {"id": name, **self._answer(fields)}
        except KemuError as error:
            return _refusal(name, error)

    def _answer(self, fields: Document) -> Document:
        options = read_mapping(fields.get("options", {}), "'options'")
        chosen = game(read_text(fields["game"], "'game'"), **options)
        seed = read_number(fields.get("seed", 0), "'seed'", 0, 1 << 62)
        lines = read_number(fields.get("lines", 1), "'lines'", 1, MOST_LINES)
        budget = _budget(fields["budget"]) if "budget" in fields else None
        situation = _situation(chosen, fields, seed)
        if "level" in fields:
            return _at_level(situation, fields["level"], seed, budget)
        found = self._analysts.analyst(chosen).analyse(situation.view, situation.log, budget or ONE_SECOND, lines, seed)
        return _document(chosen, found)


def _analyst(chosen: AnyGame) -> Analyst:
    return require_player(chosen).analyst(chosen, None, 1)


def _refusal(name: Any, error: KemuError) -> Document:
    return {"id": name, "error": {"code": error.code, "message": str(error)}}


def _budget(value: object) -> Budget:
    fields = read_object(value, "'budget'", (), ("nodes", "ms"))
    if len(fields) != 1:
        raise ParseError("'budget' must have either 'nodes' or 'ms'.")
    return Budget(**{name: read_number(number, f"'{name}'", 1, 10**9) for name, number in fields.items()})


def _situation(chosen: AnyGame, fields: Document, seed: int) -> Situation:
    """What the seat to act sees, from a position, from all actions, or from the log of one seat."""
    if "position" in fields and "actions" in fields:
        raise ParseError("A request has either 'actions' or 'position', not both.")
    seat = read_number(fields["seat"], "'seat'", 0, chosen.seats - 1) if "seat" in fields else None
    texts = read_texts(fields.get("actions", []), "'actions'")
    recall = require_player(chosen).recall
    is_log = recall is not None and any(map(recall.hides, texts))
    if "view" in fields or is_log:
        if seat is None:
            raise ParseError("The log or the view of one seat needs a field 'seat'.")
        view = fields["view"] if "view" in fields or recall is None else recall.view(chosen, seat, texts, seed)
        return Situation(chosen, _checked(chosen, seat, view), texts)
    states = [chosen.decode(fields["position"])] if "position" in fields else list(replay(chosen, texts))
    turn = seat_to_act(chosen, states[-1], seat)
    steps = zip(states, texts, strict=False)
    log = [chosen.seen(state, chosen.parse(text), turn) for state, text in steps]
    return Situation(chosen, chosen.view(states[-1], turn), log)


def _checked(chosen: AnyGame, seat: Seat, view: Any) -> Any:
    """A view of the seat to act, which must be one that the game itself could have shown."""
    read_mapping(view, "'view'")
    try:
        state = _analyst(chosen).state(view)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ParseError(f"'view' is not a view of {chosen.key}.") from None
    if chosen.view(state, seat) != view:
        raise ParseError(f"'view' is not what seat {seat} sees in any position of {chosen.key}.")
    seat_to_act(chosen, state, seat)
    return view


def seat_to_act(chosen: AnyGame, state: Any, wanted: Seat | None = None) -> Seat:
    """The seat to act, which must be the wanted one if any is; IllegalAction if no seat is to act."""
    turn = chosen.turn(state)
    if turn is None:
        raise IllegalAction("The game is over, so that there is no action to find.")
    if turn == CHANCE:
        raise IllegalAction("The dealer is to act, so that there is no action to find.")
    if wanted is not None and wanted != turn:
        raise IllegalAction(f"Seat {turn} is to act, not seat {wanted}.")
    return turn


def _at_level(situation: Situation, level: object, seed: int, budget: Budget | None) -> Document:
    """The action of the bot of a level, without lines."""
    chosen = situation.game
    player = require_player(chosen)
    levels = len(player.levels(chosen))
    number = level_number(str(level), levels) if type(level) in (int, str) else None
    if number is None:
        raise ParseError(f"'level' must be a number from 1 to {levels} or a name, not {quote(level)}.")
    begin = time.perf_counter()
    actions = chosen.actions(_analyst(chosen).state(situation.view))
    action = LadderBot(chosen, player, number, seed, budget).choose(situation.view, situation.log, actions)
    ms = round(1000 * (time.perf_counter() - begin))
    return {"action": chosen.format(action), "value": None, "lines": [], "nodes": None, "ms": ms}


def _document(chosen: AnyGame, found: Analysis[Any]) -> Document:
    lines = [
        {
            "action": chosen.format(line.action),
            "value": line.value,
            "pv": [chosen.format(action) for action in line.pv],
            "proven": line.proven,
        }
        for line in found.lines
    ]
    best = lines[0]
    return {"action": best["action"], "value": best["value"], "lines": lines, "nodes": found.nodes, "ms": found.ms}
