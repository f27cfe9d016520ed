"""Wins and defences by the rules alone: whole turns are played out, whatever decisions they consist of.

A turn of the seat to act goes on for as long as that seat decides; then come the decisions of the others, until the
turn is back. An action loses if the others can win before that, whatever the seat decides in the rest of its own turn.
"""

from collections.abc import Sequence
from typing import Any, Final

from kemu.core.game import CHANCE, AnyGame, Seat
from kemu.engines.analysis import ThreatAnalysis

MOST_STATES: Final = 20_000
"""How many states are looked at before the search gives up."""


class _TooLarge(Exception):
    """The turns have too many ways to go on."""


def search_turns(game: AnyGame, state: Any, most: int = MOST_STATES) -> ThreatAnalysis[Any]:
    """The actions that win at once, and those that keep the others from winning in their next turn if not all do.

    Takes a state of an open game in which a seat is to act. Nothing is said to stop a loss if the search would have to
    look at more than `most` states.
    """
    seat = game.turn(state)
    if seat is None or seat == CHANCE:
        return ThreatAnalysis()
    actions = game.actions(state)
    wins = tuple(action for action in actions if _wins(game, game.apply(state, action), seat))
    try:
        return ThreatAnalysis(wins, _safe(game, state, actions, _Search(game, seat, most)))
    except _TooLarge:
        return ThreatAnalysis(wins)


def _wins(game: AnyGame, state: Any, seat: Seat) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.winners == (seat,)


def _safe(game: AnyGame, state: Any, actions: Sequence[Any], search: "_Search") -> tuple[Any, ...]:
    safe = tuple(action for action in actions if not search.loses(game.apply(state, action)))
    return safe if len(safe) < len(actions) else ()


class _Search:
    """Looks at the rest of a seat's turn and at the next turn of the others."""

    def __init__(self, game: AnyGame, seat: Seat, most: int) -> None:
        self._game = game
        self._seat = seat
        self._left = most

    def loses(self, state: Any) -> bool:
        """Whether the others can win before the seat has its next turn; its own turn may still go on."""
        turn = self._count(state)
        if turn is None:
            return self._lost(state)
        if turn == self._seat:
            return all(self.loses(self._game.apply(state, action)) for action in self._game.actions(state))
        return self._can_win(state, turn)

    def _can_win(self, state: Any, turn: Seat) -> bool:
        """Whether the others, who act now, can win before the seat acts again; the dealer may be on their side."""
        for action in self._game.actions(state):
            after = self._game.apply(state, action)
            following = self._count(after)
            if following is None:
                if self._lost(after):
                    return True
            elif following != self._seat and self._can_win(after, following):
                return True
        return False

    def _count(self, state: Any) -> Seat | None:
        self._left -= 1
        if self._left < 0:
            raise _TooLarge
        return self._game.turn(state)

    def _lost(self, state: Any) -> bool:
        outcome = self._game.outcome(state)
        return outcome is not None and bool(outcome.winners) and self._seat not in outcome.winners
