"""Views of Mū tōrere have exactly the fields of their type."""

import random

import msgspec
import pytest

from kemu.core.game import SPECTATOR
from kemu.core.laws import play
from kemu.games.mu_torere.rules import MuTorere, View


@pytest.mark.parametrize("game", [MuTorere(), MuTorere(flank="opening"), MuTorere(arms=6, repetition=False)])
def test_every_view_is_a_view_of_the_schema_and_has_no_other_field(game: MuTorere) -> None:
    for seed in range(5):
        states, _ = play(game, random.Random(seed).randrange, 100)
        for state in states:
            view = game.view(state, SPECTATOR)
            # Converting drops fields that the type does not have, so that the rest must equal the whole.
            assert msgspec.convert(view, View) == view
