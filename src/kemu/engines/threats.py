"""Wins, defences and rescues by the rules alone: whole turns are played out, whatever decisions they consist of.

A turn of the seat to act goes on for as long as that seat decides; then come the decisions of the others, until the
turn is back. An action loses if the others can win before that, whatever the seat decides in the rest of its own turn.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from kemu.core.game import CHANCE, AnyGame, AnyView, Seat
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis, ThreatLine

MOST_STATES: Final = 20_000
"""The number of states that are looked at before the search gives up."""

MOST_DECISIONS: Final = 12
"""The number of decisions of the loser that are looked at."""

Analyse: TypeAlias = Callable[[Any], ThreatAnalysis[Any]]
"""Returns what can be proved of a state."""

Reflex: TypeAlias = Callable[[Any, Any, Sequence[Any]], Sequence[Any]]
"""Returns the actions that win at once or keep the opponent from it, from game, state and legal actions."""


class _TooLarge(Exception):
    """Raised when turns have too many continuations."""


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
    search = _Search(game, seat, most)
    try:
        safe = tuple(action for action in actions if not search.loses(game.apply(state, action)))
    except _TooLarge:
        return ThreatAnalysis(wins)
    return ThreatAnalysis(wins, safe if len(safe) < len(actions) else (), lost=not safe)


def _wins(game: AnyGame, state: Any, seat: Seat) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.winners == (seat,)


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


def last_decisions(game: AnyGame, states: Sequence[Any], seat: Seat) -> list[int]:
    """Return the numbers of the last states in which a seat was to act, the latest first."""
    return [ply for ply, state in enumerate(states) if game.turn(state) == seat][: -MOST_DECISIONS - 1 : -1]


def find_rescue(
    game: AnyGame, states: Sequence[Any], plies: Iterable[int], analyse: Analyse
) -> RescueAnalysis[Any] | None:
    """Return the last decision before a loss was proved, None if the proof gives up or all decisions come after it.

    Takes all states of an open game and the numbers of those in which the loser decided, the latest first.
    """
    lines: tuple[ThreatLine, ...] = ()
    for ply in plies:
        found = analyse(states[ply])
        if found.lost is None:
            return None
        if not found.lost:
            held = any(game.apply(states[ply], action) == states[ply + 1] for action in found.stops)
            if held or not found.stops:
                return RescueAnalysis(ply, lines=lines)
            return RescueAnalysis(ply, found.stops, found.lines)
        lines = found.lines
    return None


class ReflexBot:
    """Wins at once or keeps the opponent from winning at once; otherwise it takes any action."""

    name: Final = "reflex"

    def __init__(self, reflex: Reflex, game: AnyGame, seed: int | None = None) -> None:
        self._reflex = reflex
        self._game = game
        self._source = random.Random(seed)

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """Return an action that the reflex finds, else any."""
        state = self._game.decode(view["position"])
        return self._source.choice(self._reflex(self._game, state, actions) or actions)
