"""The greedy player of MAUW, a yardstick: it takes the action with the best immediate difference of scores."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from kemu.core.game import AnyGame, Seat
from kemu.engines.mauw.information_set import consistent_state
from kemu.games.mauw.actions import GIVE_IN, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import MAUI, State, Zone, score
from kemu.games.mauw.turns import DEALT

A = TypeVar("A")

Worth: TypeAlias = Callable[[Zone], float]
"""What a zone is worth."""


class Greedy:
    """Looks at the scores when an action has had its effect: its own less the best of the others.

    It supposes that nobody answers what it does, that every gain is put where its owner then stands best, and that
    cards drawn do not matter. Among equals it keeps its jokers and then takes any.
    """

    name: Final = "greedy"

    def __init__(self, game: AnyGame, seed: int | None = None, worth: Worth = score) -> None:
        assert isinstance(game, Mauw), "the greedy player plays MAUW"
        self._game = game
        self._source = random.Random(seed)
        self._worth = worth

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """One of the actions with the best difference of scores."""
        if len(actions) == 1:
            return actions[0]
        leads = self.leads(view, actions)
        plays: Sequence[Any] = actions
        ranks = [(lead, card_from_hand(each) != MAUI) for lead, each in zip(leads, plays, strict=True)]
        best = max(ranks)
        return self._source.choice([each for each, rank in zip(actions, ranks, strict=True) if rank == best])

    def leads(self, view: Any, actions: Sequence[Any]) -> list[float]:
        """By how much each action lets this seat lead, by the worth of the zones."""
        state = consistent_state(self._game, view)
        return [self._lead(self._game.apply(state, each), view["seat"]) for each in actions]

    def _lead(self, state: State, seat: Seat) -> float:
        """The own zone's worth less that of the best other one, once what is under way has had its effect."""
        name = state.step.name
        if name in DEALT and name != "refill":
            # Any card will do: what is drawn is not laid in this turn, and the face of a Mauw does not matter.
            return self._lead(self._game.apply(state, self._game.actions(state)[0]), seat)
        if name in ("defend", "press"):
            return self._lead(self._game.apply(state, GIVE_IN), seat)
        if name == "put":
            leads = [self._lead(self._game.apply(state, each), seat) for each in self._game.actions(state)]
            return max(leads) if state.turn == seat else min(leads)
        worths = [self._worth(zone) for zone in state.zones]
        return worths[seat] - max(worths[:seat] + worths[seat + 1 :])
