"""Pictures are well-formed, show what the view holds, and show no more than it."""

import random
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import kemu
from kemu.cli.app import app
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.core.laws import play
from tests.games.mauw.positions import position
from tests.laws.choices import TWINS, each_game
from tests.outside_package import OutsideGame

SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: object, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(str(picture)).iter(f"{SVG}{name}"))


def texts(picture: object) -> list[str | None]:
    return [element.text for element in elements(picture, "text")]


def last_state(game: AnyGame, seed: int, longest: int) -> Any:
    return play(game, random.Random(seed).randrange, longest)[0][-1]


@each_game
def test_every_state_has_a_picture_for_every_viewer(key: str, options: dict[str, Any]) -> None:
    game = kemu.game(key, **options)
    for seed in range(3):
        states, _ = play(game, random.Random(seed).randrange, 300)
        for state in states[::7]:
            for seat in (None, *range(game.seats)):
                picture = kemu.picture(game, state, seat)
                assert picture._repr_svg_() == str(picture)
                assert elements(picture, "title")


def test_moeraki_shows_ball_stones_tiles_and_tane() -> None:
    game = kemu.game("moeraki-kemu")
    *_, state = kemu.replay(game, ["@f6", "d8", "i11", "e7", "i9", "f8", "h10"])
    fills = [circle.get("fill") for circle in elements(kemu.picture(game, state), "circle")]
    assert (fills.count("#0d5a44"), fills.count("#f4f8f6"), fills.count("#b3854e")) == (3, 3, 1)
    document: Any = {
        "ball": "f6",
        "stones": [["c9", "d10", "e9"], ["d8", "i11", "i9"]],
        "tane": [{"at": "d9", "looks": "se"}, None],
        "turn": 1,
    }
    view: Any = game.view(game.decode(document), 0)
    assert len(elements(kemu.picture(game, game.decode(document)), "path")) == 1 + len(view["barred"])


def test_moeraki_marks_the_stone_that_somebody_is_asked_about() -> None:
    game = kemu.game("moeraki-kemu")
    rings = {}
    for seed in range(6):
        states, _ = play(game, random.Random(seed).randrange, 60)
        for state in states:
            circles = elements(kemu.picture(game, state), "circle")
            rings[state.step is not None] = sum(circle.get("r") == "9.4" for circle in circles)
    assert rings == {True: 1, False: 0}


@pytest.mark.parametrize("arms", [8, 16])
def test_mu_torere_shows_every_man(arms: int) -> None:
    game = kemu.game("mu-torere", arms=arms)
    fills = [circle.get("fill") for circle in elements(kemu.picture(game, game.initial()), "circle")]
    assert fills.count("#2b3534") == fills.count("#f3e9d6") == arms // 2


def test_mauw_shows_the_hand_of_the_seat_alone() -> None:
    game, state = position(hands=["7 2 s m", "1 1 1 1"], zones=["##7 # . #m=s"])
    own, watched = texts(kemu.picture(game, state, 0)), texts(kemu.picture(game, state))
    assert "hand of player 1" in own
    assert not [text for text in watched if text and text.startswith("hand")]
    assert sorted(text or "" for text in set(own) - set(watched)) == ["2", "?", "hand of player 1"]


def test_mauw_shows_what_was_played_inside_a_turn() -> None:
    game = kemu.game("mauw")
    shown = set()
    for seed in range(3):
        states, _ = play(game, random.Random(seed).randrange, 200)
        shown |= {text for state in states for text in texts(kemu.picture(game, state)) if text and "played" in text}
    assert shown


def test_a_picture_depends_on_no_secret() -> None:
    game, compared = kemu.game("mauw", players=3), 0
    for seed in range(4):
        state = last_state(game, seed, 90)
        for seat in range(game.seats):
            for twin in TWINS["mauw"](game, state, seat, random.Random(seed)):
                compared += twin != state
                assert kemu.picture(game, twin, seat) == kemu.picture(game, state, seat)
                assert kemu.picture(game, twin) == kemu.picture(game, state)
    assert compared > 8


def test_a_game_without_a_picture_module_is_drawn_in_text(outside_game: OutsideGame) -> None:
    game = kemu.game("nim", sticks=5)
    (line,) = texts(kemu.picture(game, game.initial()))[:1]
    assert line
    assert "|" in line


def test_the_command_prints_a_picture() -> None:
    game = kemu.game("mauw")
    *_, state = kemu.replay(game, ["~1", "~2"])
    command = ["picture", "mauw", "--actions", "~1 ~2", "--seat", "1"]
    assert CliRunner().invoke(app, command).output == f"{kemu.picture(game, state, 1)}\n"
    placed = ["picture", "mu-torere", "--position", '{"points": "BBBBWWWW.", "turn": 0}']
    star = kemu.game("mu-torere")
    assert CliRunner().invoke(app, placed).output == f"{kemu.picture(star, star.initial())}\n"
    assert isinstance(CliRunner().invoke(app, ["picture", "mauw", "--seat", "2"]).exception, OptionError)
