"""Mū tōrere in text."""

import pytest

from kemu.games.mu_torere import text
from kemu.games.mu_torere.rules import Move, MuTorere

STAR = """\
               ·1

    ○8         ┄          ●2
       ┄       ┄       ┄
         ┄     ┄     ┄
          ┄    ┄    ┄
            ┄     ┄
○7  ┄ ┄ ┄ ┄    ●0   ┄ ┄ ┄ ┄   ●3
            ┄     ┄
          ┄    ┄    ┄
         ┄     ┄     ┄
       ┄       ┄       ┄
    ○6         ┄          ●4

               ○5

● Black   ○ White"""


def test_the_star() -> None:
    game = MuTorere()
    assert text.draw(game, game.view(game.apply(game.initial(), Move(1, 0)), 0)) == STAR


@pytest.mark.parametrize("arms", range(4, 17, 2))
def test_every_star_fits_and_shows_every_point(arms: int) -> None:
    game = MuTorere(arms=arms)
    picture = text.draw(game, game.view(game.initial(), 0))
    lines = picture.splitlines()
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 80
    assert picture.count("●") == picture.count("○") == arms // 2 + 1
    assert all(str(point) in picture for point in range(arms + 1))


def test_in_sentences() -> None:
    game = MuTorere()
    assert text.tell(game, game.view(game.initial(), 0)).splitlines() == [
        "Black stands on 1, 2, 3, 4.",
        "White stands on 5, 6, 7, 8.",
        "Empty is the pūtahi.",
    ]


def test_a_position_that_came_back_is_told() -> None:
    game = MuTorere()
    state = game.decode({"points": "BBBBWWWW.", "turn": 0, "past": [["BBBBWWWW.", 0]]})
    assert text.tell(game, game.view(state, 0)).endswith("This position has come up 2 times.")


def test_an_action_in_words() -> None:
    game = MuTorere()
    assert text.explain(game, game.view(game.initial(), 0), Move(1, 0)) == "from 1 to the pūtahi"


def test_the_seats() -> None:
    assert [text.seat_name(MuTorere(), seat) for seat in (0, 1)] == ["Black", "White"]
