"""What an action of MAUW is worth in points, for a coach: what it gains, takes and saves, and what a joker is worth."""

from collections.abc import Mapping
from typing import Any, Final

from kemu.engines.mauw.log import AnyView, consistent_state
from kemu.games.mauw.actions import GIVE_IN, card_from_hand
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import MAUI, State, score
from kemu.games.mauw.turns import DEALT

JOKER_POINTS: Final = 12
"""Value of a joker kept in the hand."""


def stakes(game: Mauw, view: AnyView, action: Any) -> Mapping[str, int]:
    """Return by name how many points an action is about, if nobody answers it; what is 0 is left out.

    `gain` goes to the seat itself, `takes` is what another seat loses by it, `of` that seat, `saves` what giving in
    instead would lose, and `joker` what the joker that it spends would be worth in the hand.
    """
    state, seat = consistent_state(game, view), view["seat"]
    before, after = _scores(state), _scores(_settled(game, game.apply(state, action)))
    changes = {other: before[other] - after[other] for other in range(game.players) if other != seat}
    loser = max(changes, key=lambda other: changes[other])
    found = {"gain": after[seat] - before[seat], "takes": changes[loser]}
    if found["takes"] > 0:
        found["of"] = loser
    if action != GIVE_IN and GIVE_IN in game.actions(state):
        found["saves"] = after[seat] - _scores(_settled(game, game.apply(state, GIVE_IN)))[seat]
    if card_from_hand(action) == MAUI:
        found["joker"] = JOKER_POINTS
    return {name: points for name, points in found.items() if points > 0 or name == "of"}


def _scores(state: State) -> list[int]:
    return [score(zone) for zone in state.zones]


def _settled(game: Mauw, state: State) -> State:
    """Return the state once what is under way has had its effect: nobody answers, gains lie where they count most."""
    while True:
        name = state.step.name
        if name in DEALT and name != "refill":
            # Any card will do: what is drawn is not played in this turn, and the face of a Mauw does not matter.
            state = game.apply(state, game.actions(state)[0])
        elif name in ("defend", "press"):
            state = game.apply(state, GIVE_IN)
        elif name == "put":
            placed = [game.apply(state, each) for each in game.actions(state)]
            state = max(placed, key=lambda each: _scores(each)[state.turn])
        else:
            return state
