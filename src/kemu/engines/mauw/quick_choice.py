"""Players of MAUW that do not search: the greedy one, a yardstick, and a quick choice as people make it.

A quick choice sees what people see at a glance, and misses what they miss. What there is to see is a motif with a
difficulty, see `chance_to_notice` in `kemu.engines.capabilities`. People look at their own columns first. They overlook
attacks and blocks, spend jokers for little, and forget what others do next.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from kemu.core.game import AnyGame, Seat
from kemu.engines.capabilities import NEEDS_SEARCH, chance_to_notice
from kemu.engines.mauw.log import consistent_state
from kemu.games.mauw.actions import GIVE_IN, PlayCard, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import MAUI, NO_FACE, State, Zone, score, worth
from kemu.games.mauw.turns import DEALT

A = TypeVar("A")

Worth: TypeAlias = Callable[[Zone], float]
"""What a zone is worth."""

DIFFICULTIES: Final = {
    "attack": 0.7,  # the association with a warrior of another zone
    "block": 0.7,  # a card on the bare Mauw of another zone
    "joker": 1.2,  # that a joker is better kept for more
    "next": 2.0,  # that the others can block what lies bare
    "count": NEEDS_SEARCH,  # which cards are still to come
}
"""Of each motif."""

NOISE: Final = 40.0
"""Without any attention, a quick choice misjudges the points of an action by about so many."""

JOKER_POINTS: Final = 12.0
"""What a joker in the hand is worth to whoever keeps it."""

BARE_RISK: Final = 0.25
"""The part of the most valuable bare column that whoever fears a block gives up in thought."""


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


def quick_choice(game: Mauw, view: Any, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Takes what seems to give the best lead, of the actions that it notices."""

    def notices(motif: str) -> bool:
        return dice.random() < chance_to_notice(attention, DIFFICULTIES[motif])

    noticed = [action for action in actions if (motif := _motif(view, action)) is None or notices(motif)] or actions
    leads = Greedy(game, worth=safe_score if notices("next") else score).leads(view, noticed)
    price = JOKER_POINTS if notices("joker") else 0.0
    noise = NOISE * (1 - attention)
    seeming = [
        lead - price * (card_from_hand(action) == MAUI) + dice.gauss(0, noise)
        for lead, action in zip(leads, noticed, strict=True)
    ]
    best = max(seeming)
    return dice.choice([action for action, points in zip(noticed, seeming, strict=True) if points == best])


def safe_score(zone: Zone) -> float:
    """The score of a zone of which the most valuable bare column may be blocked."""
    bare = max((worth(column) for column in zone if column.top == NO_FACE), default=0)
    return score(zone) - BARE_RISK * bare


def _motif(view: Any, action: Any) -> str | None:
    """What must be noticed for an action to be thought of; None if it is plain to see."""
    if not isinstance(action, PlayCard) or action.owner == view["seat"]:
        return None
    return "block" if view["zones"][action.owner][action.column]["top"] is None else "attack"
