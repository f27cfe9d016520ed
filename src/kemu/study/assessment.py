"""What searches say of the positions of a record, each for the seat that acts there and from what it may know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from kemu.bots.registry import require_player
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import CHANCE, AnyGame, Outcome, Seat
from kemu.core.record import Record, replay
from kemu.engines.analysis import Analysis, Budget, Verdict, read_verdict
from kemu.games import game, manifest

MOST_ACTIONS: Final = 2_000
"""A longer record is refused: its review would take too long."""

ALL_LINES: Final = 10_000
"""More than any state has actions."""


@dataclass(frozen=True)
class Assessment:
    """What a search says of one position, for the seat to act."""

    seat: Seat
    expected: float  # the expected score, from 0 to 1
    line: tuple[str, ...]  # the best action and how the game may go on, as far as nothing hidden and no chance is in it
    verdict: Verdict | None = None
    choices: Mapping[str, float] = field(default_factory=dict)  # by action, where one search compares them all


class Positions:
    """The states of a record, and searches of them; ParseError, IllegalAction or OptionError if it is none."""

    def __init__(self, record: Record) -> None:
        if len(record.actions) > MOST_ACTIONS:
            raise OptionError(f"A review takes records of at most {MOST_ACTIONS} actions; this one has more.")
        self.game: AnyGame = game(record.game, **record.options)
        self.texts = record.actions
        self.states: Sequence[Any] = list(replay(self.game, record.actions))
        self.result = record.result
        self.hidden = manifest(record.game).hidden
        self.player = require_player(self.game)
        self._analyst = self.player.analyst(self.game, None, 1)

    def turn(self, ply: int) -> Seat | None:
        """Who acts after so many actions; None once the rules have ended the game."""
        return self.game.turn(self.states[ply])

    @cached_property
    def decisions(self) -> Sequence[int]:
        """The plies at which a seat acted or was to act, not the dealer."""
        return [ply for ply in range(len(self.states)) if self.turn(ply) not in (None, CHANCE)]

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game, None if they did not."""
        return self.game.outcome(self.states[-1])

    def is_chained(self, ply: int) -> bool:
        """Whether an action is worth what the position after it is worth.

        It is in open games of two, unless the dealer acts next; elsewhere one search compares all actions.
        """
        following = self.game.turn(self.states[ply + 1]) if ply + 1 < len(self.states) else None
        return self.is_open_pair and following != CHANCE

    @property
    def is_open_pair(self) -> bool:
        """Whether two play and see the same."""
        return not self.hidden and self.game.seats == 2

    def assess(self, ply: int, budget: Budget) -> Assessment:
        """What a search of the position after so many actions says; a seat must be to act."""
        state = self.states[ply]
        lines = 1 if self.is_chained(ply) else ALL_LINES
        return self._assessment(state, self._search(state, ply, budget, lines))

    def search(self, ply: int, budget: Budget) -> Analysis[Any]:
        """The best line of the position after so many actions."""
        return self._search(self.states[ply], ply, budget, 1)

    def alternatives(self, ply: int, budget: Budget, lines: int) -> tuple[Assessment, Sequence[str]]:
        """The position once more, and the actions that a search for so many lines thinks the best."""
        found = self._search(self.states[ply], ply, budget, lines)
        return self._assessment(self.states[ply], found), [self.game.format(line.action) for line in found.lines]

    def assess_after(self, ply: int, text: str, budget: Budget) -> Assessment:
        """What follows from another action, for the seat that takes it, in open games of two.

        IllegalAction or ParseError if the action is none.
        """
        seat, state = self.turn(ply), self.states[ply]
        assert seat is not None, "somebody acts"
        after = self.game.apply(state, self.game.parse(text))
        turn = self.game.turn(after)
        if turn is None:
            outcome = self.game.outcome(after)
            assert outcome is not None, "nobody acts, so it has ended"
            return Assessment(seat, outcome.shares(2)[seat], (text,), end_verdict(outcome, seat))
        if turn == CHANCE:
            raise IllegalAction("The dealer acts next, so that this action is not judged alone.")
        found = self._assessment(after, self._search(after, ply + 1, budget, 1))
        return for_seat(found, seat, text)

    def expected(self, value: float) -> float:
        """The expected score for the value of a line."""
        curve = self.player.expected_score
        return curve(self.game, value) if curve else (1 + value) / 2

    def _search(self, state: Any, ply: int, budget: Budget, lines: int) -> Analysis[Any]:
        seat = self.game.turn(state)
        assert seat is not None, "somebody acts"
        log = self._logs[seat][:ply]
        # The number of the ply is all that the random numbers depend on: nothing hidden does.
        return self._analyst.analyse(self.game.view(state, seat), log, budget, lines, ply)

    def _assessment(self, state: Any, found: Analysis[Any]) -> Assessment:
        best, seat = found.lines[0], self.game.turn(state)
        assert seat is not None, "somebody acts"
        pv = best.pv[:1] if self.hidden else best.pv
        choices = {self.game.format(line.action): self.expected(line.value) for line in found.lines}
        return Assessment(
            seat,
            self.expected(best.value),
            tuple(map(self.game.format, pv)),
            read_verdict(best.proven),
            choices if len(found.lines) > 1 else {},
        )

    @cached_property
    def _logs(self) -> Sequence[Sequence[str]]:
        """The log of each seat."""
        steps = [(state, self.game.parse(text)) for state, text in zip(self.states[:-1], self.texts, strict=True)]
        return [[self.game.seen(state, action, seat) for state, action in steps] for seat in range(self.game.seats)]


def for_seat(found: Assessment, seat: Seat, *first: str) -> Assessment:
    """An assessment in a game of two from the view of this seat, with actions put before its line."""
    line = (*first, *found.line)
    if found.seat == seat:
        return Assessment(seat, found.expected, line, found.verdict)
    return Assessment(seat, 1 - found.expected, line, found.verdict and found.verdict.reversed())


def end_verdict(outcome: Outcome, seat: Seat) -> Verdict:
    """What the end of a game says for a seat."""
    if not outcome.winners:
        return Verdict("draw")
    return Verdict("win" if seat in outcome.winners else "loss", 0)
