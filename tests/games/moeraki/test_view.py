"""Views: the position with what follows from it, the same for all."""

import random
from typing import Any

import msgspec
import pytest

from kemu.core.game import SPECTATOR
from kemu.core.laws import play as random_play
from kemu.games.moeraki.position import View
from kemu.games.moeraki.rules import MoerakiKemu
from tests.games.moeraki.positions import BASIC, BEGINNER, MASTER, play
from tests.games.moeraki.test_tane import DOWN_LEFT, FOR_BOTH


@pytest.mark.parametrize("moves", ["", "@f6 a3", FOR_BOTH, f"{DOWN_LEFT} Ti8sw"])
def test_every_seat_and_the_spectator_see_the_same(moves: str) -> None:
    state = play(MASTER, moves)
    assert MASTER.view(state, 0) == MASTER.view(state, 1) == MASTER.view(state, SPECTATOR)


def test_a_view_holds_position_tiles_barred_areas_what_is_seen_scores_and_who_is_asked() -> None:
    state = play(MASTER, f"{DOWN_LEFT} Ti8nw e5 a3 f4")
    assert MASTER.view(state, 0) == {
        "position": MASTER.encode(state),
        "tiles": [{"at": "g6", "tribe": 0, "worth": "1"}, {"at": "h7", "tribe": 1, "worth": "1"}],
        "barred": ["h9", "g10", "f11"],
        "sees": [None, ["h9", "g10", "f11"]],
        "scores": ["1", "1"],
        "asked": {
            "seat": 0,
            "areas": ["f5"],
            "sees": {
                "Tf5ne": ["g6", "h7"],
                "Tf5nw": ["e6", "d7", "c8", "b9"],
                "Tf5se": ["g4", "h3", "i2"],
                "Tf5sw": ["e4", "d3", "c2"],
            },
        },
    }


def test_half_tiles_are_worth_a_half() -> None:
    view: Any = BASIC.view(play(BASIC, "@f6 j6 k5 k7"), 0)
    assert view["tiles"] == [{"at": "k6", "tribe": 1, "worth": "1/2"}]
    assert view["scores"] == ["0", "1/2"]
    assert view["asked"] is None


@pytest.mark.parametrize(("game", "scores"), [(BEGINNER, None), (BASIC, ["0", "0"]), (MASTER, ["0", "0"])])
def test_there_is_no_score_in_the_beginners_game(game: MoerakiKemu, scores: object) -> None:
    view: Any = game.view(game.initial(), 0)
    assert view["scores"] == scores
    assert view["position"]["ball"] is None


@pytest.mark.parametrize("game", [BEGINNER, BASIC, MASTER, MoerakiKemu(eye=True, swap=True)])
def test_every_view_is_a_view_of_the_schema_and_has_no_other_field(game: MoerakiKemu) -> None:
    for seed in range(4):
        states, _ = random_play(game, random.Random(seed).randrange)
        for state in states:
            view = game.view(state, 0)
            # Converting drops fields that the type does not have, so that the rest must equal the whole.
            assert msgspec.json.encode(msgspec.convert(view, View), order="sorted") == msgspec.json.encode(
                view, order="sorted"
            )
