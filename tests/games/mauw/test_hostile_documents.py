"""Documents that were tampered with are refused with ParseError, or are positions that can be played."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kemu.core.errors import ParseError
from kemu.core.laws import play
from kemu.games.mauw.documents import cards_seen, mauw_lying
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State, deck

STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    3,
    4,
    12,
    13,
    499,
    500,
    10**30,
    0.5,
    "",
    "7",
    "m",
    "m=7",
    "m=s",
    "s",
    [],
    {},
]
STRANGE += ["7>1A", "m=2>2B", "s>1A", "deal", "draw", "defend", "parry", "press", "take", "put", "refill", "turn"]


def tampered(document: Any, source: random.Random) -> Any:
    """A copy with one value, somewhere, replaced, dropped or taken from elsewhere in the document."""
    document = copy.deepcopy(document)
    places: list[tuple[Any, Any]] = []

    def visit(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            places.append((node, key))
            visit(node[key])

    visit(document)
    node, key = source.choice(places)
    other, elsewhere = source.choice(places)
    action = source.randrange(4)
    if action == 0:
        node[key] = source.choice(STRANGE)
    elif action == 1:
        del node[key]
    elif action == 2:
        node[key] = copy.deepcopy(other[elsewhere])
    elif isinstance(node[key], int):
        node[key] += source.choice((-1, 1))
    return document


def play_on(game: Mauw, state: State, source: random.Random) -> None:
    """Every position that is accepted keeps its cards for as long as it is played."""
    for _ in range(40):
        assert sum(cards_seen(state)) + mauw_lying(state) == sum(deck(game.players))
        assert game.decode(game.encode(state)) == state
        actions = game.actions(state)
        assert (game.turn(state) is None) == (not actions)
        if not actions:
            return
        state = game.apply(state, source.choice(actions))


@settings(max_examples=300)
@given(st.integers(2, 6), st.randoms(use_true_random=False), st.integers(0, 250), st.integers(1, 2))
def test_tampered_documents(players: int, source: random.Random, length: int, times: int) -> None:
    game = Mauw(players)
    states, _ = play(game, source.randrange, length)
    document = game.encode(states[-1])
    for _ in range(times):
        document = tampered(document, source)
    refused, state = None, None
    try:
        state = game.decode(document)
    except ParseError as error:
        refused = str(error)
    if state is None:
        assert refused
        assert refused.endswith(".")
        assert "\n" not in refused
    else:
        play_on(game, state, source)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_document_is_of_its_own_number_of_players(players: int) -> None:
    game = Mauw(players)
    document = game.encode(game.initial())
    for other in {2, 3, 4, 5, 6} - {players}:
        with pytest.raises(ParseError, match=f"'hands' must have {other} entries"):
            Mauw(other).decode(document)
