"""Pictures of the full screen, compared character by character and colour by colour."""

from pathlib import Path

import pytest

from kemu.terminal.full_screen.app import LIGHT
from tests.loops import on_a_loop
from tests.terminal.pilots import compare_picture, match_of, point, press, screen_of

FOLDER = Path(__file__).parent / "pictures"
DOCS = Path(__file__).parent.parent.parent / "docs" / "pictures"

MOERAKI = ("f6", "h8", "a3", "j8", "a5", "i9", "i7", "i8", "h7", "d8", "e9", "d10", "c9", "h2", "c3", "g9")

pytestmark = pytest.mark.usefixtures("home")


def test_the_start_screen() -> None:
    async def play() -> None:
        async with screen_of(None) as pilot:
            compare_picture(pilot, FOLDER / "start.svg")

    on_a_loop(play())


def test_a_match_of_moeraki_kemu_as_the_guide_shows_it() -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human")) as pilot:
            await point(pilot, *MOERAKI)
            compare_picture(pilot, DOCS / "terminal.svg")

    on_a_loop(play())


def test_the_star_in_light_colours() -> None:
    async def play() -> None:
        async with screen_of(match_of("mu-torere", "human", "human"), (100, 34)) as pilot:
            pilot.app.theme = LIGHT.name
            await point(pilot, "1", "8")
            compare_picture(pilot, FOLDER / "star.svg")

    on_a_loop(play())


def test_a_joker_is_named_in_mauw() -> None:
    async def play() -> None:
        async with screen_of(match_of("mauw", "human", "random")) as pilot:
            await point(pilot, "m", "1B")
            compare_picture(pilot, FOLDER / "joker.svg")

    on_a_loop(play())


def test_a_narrow_terminal() -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human"), (48, 30)) as pilot:
            await press(pilot, "g")
            compare_picture(pilot, FOLDER / "narrow.svg")

    on_a_loop(play())
