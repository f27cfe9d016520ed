"""What searches and proofs say of the positions of a record: the facts of all that is told of a game that was played.

Each position is searched for the seat that acts there and from what it may know. Review, retry and coach judge an
action by `judge`, so that they never contradict each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import hypot
from typing import Any, Final

from kemu.analysis.grades import loss_points
from kemu.bots.engines import capability, expected_score, require_player, threats
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import CHANCE, AnyGame, Outcome, Seat
from kemu.core.record import Record, replay, seat_log
from kemu.engines.analysis import CLEAR, Analysis, Budget, Comparer, Comparison, Line, ThreatLine, Verdict, read_verdict
from kemu.engines.capabilities import CardReader, ThreatFinder
from kemu.games import game, manifest

MOST_ACTIONS: Final = 2_000
"""A longer record is refused: its review would take too long."""

ALL_LINES: Final = 10_000
"""More than any state has actions."""

UNKNOWN_ERROR: Final = 0.1
"""Standard error of a value for an engine that does not tell its own."""

MOST_ERROR: Final = 0.999
"""The greatest value that is not certain."""


@dataclass(frozen=True)
class Alternative:
    """What one search says of an action, for the seat that takes it."""

    score: float  # the expected score, from 0 to 1
    error: float  # its standard error
    line: tuple[str, ...]
    verdict: Verdict | None


@dataclass(frozen=True)
class Facts:
    """What is known of a position, for the seat to act.

    `choices` has the actions that one search has compared, the best one first; it is empty after a first look. `stops`
    are the actions after which the others have no forced win, if others are proved to allow one, and `lost` says
    whether every action loses, by proof.
    """

    seat: Seat
    expected: float
    line: tuple[str, ...]  # the best action and how the game may go on, as far as nothing hidden and no chance is in it
    verdict: Verdict | None = None
    choices: Mapping[str, Alternative] = field(default_factory=dict)
    stops: frozenset[str] = frozenset()
    lost: bool | None = None
    threats: tuple[ThreatLine, ...] = ()  # of the others

    @property
    def is_lost(self) -> bool:
        """Whether every action is proved to lose."""
        by_search = bool(self.choices) and all(_is(each.verdict, "loss") for each in self.choices.values())
        return by_search or self.lost is True or _is(self.verdict, "loss")


def is_clear(best: Alternative, other: Alternative) -> bool:
    """Return whether one search tells a better choice from a worse one."""
    return best.score - other.score > CLEAR * hypot(best.error, other.error)


@dataclass(frozen=True)
class ActionWorth:
    """What an action is worth beside the best one of its position.

    `loss` is in points of a hundred, 0 if the search cannot tell the two apart. `loses` says whether it is proved to
    lose where another action is not, and `shown` whether the search of the position itself showed what the action
    lost. `after` is its expected score, `None` if it was not searched.
    """

    best: Alternative
    after: float | None
    loss: float | None
    loses: bool
    shown: bool


def judge(facts: Facts, text: str, after: Verdict | None, seats: int) -> ActionWorth:
    """Return what an action is worth.

    Takes what is known of the position, and what is proved of the one after the action, for the same seat.
    """
    best, choice = _best(facts), facts.choices.get(text)
    if facts.is_lost:
        return ActionWorth(best, 0.0, 0.0, loses=False, shown=True)
    if _is(after, "win"):
        return ActionWorth(best, 1.0, 0.0, loses=False, shown=True)
    missed = bool(facts.stops) and text not in facts.stops and not (choice and _is(choice.verdict, "win"))
    loses = missed or _is(after, "loss") or (choice is not None and _is(choice.verdict, "loss"))
    shown = missed or (choice is not None and _is(choice.verdict, "loss"))
    if loses:
        return ActionWorth(best, 0.0, loss_points(best.score, 0.0, seats), loses=True, shown=shown)
    if choice is None:
        return ActionWorth(best, None, None, loses=False, shown=False)
    score = 0.5 if _is(after, "draw") else choice.score
    loss = loss_points(best.score, score, seats) if is_clear(best, replace(choice, score=score)) else 0.0
    return ActionWorth(best, score, loss, loses=False, shown=True)


def _best(facts: Facts) -> Alternative:
    """Return the best choice: one that stops what must be stopped, if another is proved to lose."""
    for text, choice in facts.choices.items():
        if not facts.stops or text in facts.stops or _is(choice.verdict, "win"):
            return choice
    return Alternative(facts.expected, 0.0, facts.line, facts.verdict)


def _is(verdict: Verdict | None, result: str) -> bool:
    return verdict is not None and verdict.result == result


class Positions:
    """The states of a record, and searches of them; raises ParseError, IllegalAction or OptionError."""

    def __init__(self, record: Record) -> None:
        if len(record.actions) > MOST_ACTIONS:
            raise OptionError(f"A review takes records of at most {MOST_ACTIONS} actions; this one has more.")
        self.game: AnyGame = game(record.game, **record.options)
        self.texts = record.actions
        self.states: Sequence[Any] = list(replay(self.game, record.actions))
        self.result = record.result
        self.hidden = manifest(record.game).hidden
        self._analyst = require_player(self.game).analyst(self.game, None, 1)

    def turn(self, ply: int) -> Seat | None:
        """Return the seat to act at a ply, `None` once the rules have ended the game."""
        return self.game.turn(self.states[ply])

    @cached_property
    def decisions(self) -> Sequence[int]:
        """The plies at which a seat acted or was to act, not the dealer."""
        return [ply for ply in range(len(self.states)) if self.turn(ply) not in (None, CHANCE)]

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by the rules, `None` if they did not end the game."""
        return self.game.outcome(self.states[-1])

    @property
    def is_open_pair(self) -> bool:
        """Whether two play and see the same."""
        return not self.hidden and self.game.seats == 2

    def choices(self, ply: int) -> int:
        """Return how many actions a seat could choose from."""
        return len(self.game.actions(self.states[ply]))

    def look(self, ply: int, budget: Budget) -> Facts:
        """Return what a first look at a position finds."""
        best = self.search(ply, budget).lines[0]
        return Facts(self._seat(ply), self._expected(best.value), self._pv(best), read_verdict(best.proven))

    def search(self, ply: int, budget: Budget, lines: int = 1) -> Analysis[Any]:
        """Return the best lines of the position after `ply` actions."""
        # The number of the ply is all that the random numbers depend on: nothing hidden does.
        return self._analyst.analyse(self._view(ply), self._log(ply), budget, lines, ply)

    def facts(self, ply: int, budget: Budget, action: str | None = None) -> Facts:
        """Return what is known of a position, with this action among those compared, or the one that was taken."""
        text = action or (self.texts[ply] if ply < len(self.texts) else None)
        taken = self.game.actions(self.states[ply])[0] if text is None else self.game.parse(text)
        found, choices = self._compared(ply, budget, taken), dict[str, Alternative]()
        for line, error in zip(found.lines, found.errors, strict=True):
            choices[self.game.format(line.action)] = self._choice(line, error)
        first = found.lines[0]
        fact = Facts(self._seat(ply), self._expected(first.value), self._pv(first), read_verdict(first.proven), choices)
        return self._with_threats(fact, ply)

    def searched(self, ply: int, text: str) -> str:
        """Return the action that a search tells in the place of this one, itself unless others come to the same."""
        reader = capability(self.game, CardReader)
        if reader is None:
            return text
        return self.game.format(reader.alike(self.game, self._view(ply), self.game.parse(text)))

    def _compared(self, ply: int, budget: Budget, action: Any) -> Comparison[Any]:
        analyst: object = self._analyst
        if isinstance(analyst, Comparer):
            return analyst.compare(self._view(ply), self._log(ply), budget, action, ply)
        lines = self.search(ply, budget, ALL_LINES).lines
        return Comparison(lines, tuple(0.0 if line.proven else UNKNOWN_ERROR for line in lines))

    def _choice(self, line: Line[Any], error: float) -> Alternative:
        high, low = (max(-MOST_ERROR, min(MOST_ERROR, line.value + each)) for each in (error, -error))
        spread = (self._expected(high) - self._expected(low)) / 2 if error else 0.0
        return Alternative(self._expected(line.value), spread, self._pv(line), read_verdict(line.proven))

    def _with_threats(self, fact: Facts, ply: int) -> Facts:
        """Return facts with the proofs of wins and defences, in open games whose engine has them."""
        if self.hidden or capability(self.game, ThreatFinder) is None:
            return fact
        found = threats(self.game, self._view(ply))
        stops = frozenset(map(self.game.format, found.stops)) if not found.wins and not found.lost else frozenset[str]()
        return replace(fact, stops=stops, lost=found.lost and not found.wins, threats=found.lines)

    def _expected(self, value: float) -> float:
        return expected_score(self.game, value)

    def _pv(self, line: Line[Any]) -> tuple[str, ...]:
        return tuple(map(self.game.format, line.pv[:1] if self.hidden else line.pv))

    def _seat(self, ply: int) -> Seat:
        seat = self.turn(ply)
        if seat is None or seat == CHANCE:
            raise IllegalAction("Nobody is to act there.")
        return seat

    def _view(self, ply: int) -> Any:
        return self.game.view(self.states[ply], self._seat(ply))

    def _log(self, ply: int) -> Sequence[str]:
        return self._logs[self._seat(ply)][:ply]

    @cached_property
    def _logs(self) -> Sequence[Sequence[str]]:
        """The log of each seat."""
        return [seat_log(self.game, self.states, self.texts, seat) for seat in range(self.game.seats)]


def end_verdict(outcome: Outcome, seat: Seat) -> Verdict:
    """Return the assessment of a finished game for a seat."""
    if not outcome.winners:
        return Verdict("draw")
    return Verdict("win" if seat in outcome.winners else "loss", 0)
