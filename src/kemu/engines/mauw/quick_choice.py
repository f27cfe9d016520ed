"""A quick choice in MAUW: what people see at a glance, and what they miss.

Whatever there is to see is a motif with a difficulty; see `kemu.engines.player.chance_to_notice`. People look at their
own columns first. They overlook attacks and blocks, spend jokers for little, and forget what others do next.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

from kemu.engines.mauw.greedy import Greedy
from kemu.engines.player import NEEDS_SEARCH, chance_to_notice
from kemu.games.mauw.actions import PlayCard, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import MAUI, NO_FACE, Zone, score, worth

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
