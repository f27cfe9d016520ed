"""Play on a full screen: whole games by keys and mouse, hidden hands, offers, clocks and small terminals."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList, Select

from kemu.core.record import Record
from kemu.play.terms import GameClock
from kemu.terminal.full_screen.app import KemuApp, StartScreen
from kemu.terminal.full_screen.board import BoardWidget
from kemu.terminal.full_screen.dialogs import ActionDialog, HandoverScreen, ResultDialog, RulesPage, YesNo
from kemu.terminal.full_screen.match_screen import MatchScreen
from kemu.terminal.match import Seating, loaded_match
from tests.loops import on_a_loop
from tests.outside_package import OutsideGame
from tests.terminal.pilots import (
    AppPilot,
    actions,
    click,
    label,
    match_of,
    now_playing,
    point,
    press,
    screen_of,
    settle,
    text_of,
)

pytestmark = pytest.mark.usefixtures("home")


async def play_to_the_end(pilot: AppPilot, most: int) -> None:
    """Press Enter wherever the keyboard is: on the nearest place, on the first action of a list, on a button."""
    for _ in range(most):
        if isinstance(pilot.app.screen, ResultDialog):
            return
        await press(pilot, "enter")
    raise AssertionError(f"no end after {most} times Enter")


LONG = [pytest.mark.no_cover, pytest.mark.slow]
"""Marks of games that run no more lines than the short one does."""


@pytest.mark.parametrize(
    ("key", "names", "options", "most"),
    [
        ("moeraki-kemu", ("human", "random"), {"variant": "beginner"}, 80),
        pytest.param("mu-torere", ("human", "random"), {}, 200, marks=LONG),
        pytest.param("moeraki-kemu", ("random", "human"), {"variant": "master"}, 150, marks=LONG),
        pytest.param("mauw", ("human", "random"), {}, 400, marks=LONG),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_whole_game_is_played_with_the_enter_key(
    key: str, names: tuple[str, ...], options: dict[str, Any], most: int
) -> None:
    async def play() -> None:
        async with screen_of(match_of(key, *names, **options)) as pilot:
            await play_to_the_end(pilot, most)
            match = now_playing(pilot)
            assert match.table.outcome
            assert not match.table.ended_by_players
            kept = Record.from_text(match.file.path.read_bytes())
            assert kept.actions == match.table.record().actions

    on_a_loop(play())


def test_a_game_of_another_package_is_played_from_the_list_of_its_actions(outside_game: OutsideGame) -> None:
    async def play() -> None:
        async with screen_of(match_of(outside_game.key, "human", "4", sticks=9)) as pilot:
            choices = pilot.app.screen.query_one("#choices", OptionList)
            assert [str(option.prompt) for option in choices.options] == ["1  leaves 8", "2  leaves 7", "3  leaves 6"]
            assert label(pilot, "now") == "First is to act."
            assert "|||||||||" in text_of(pilot)
            await press(pilot, "down", "enter")
            assert actions(pilot)[0] == "2"
            await play_to_the_end(pilot, 9)
            assert now_playing(pilot).table.outcome

    on_a_loop(play())


def test_the_mouse_lays_stones_and_the_arrow_keys_move_the_cursor() -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human", variant="basic")) as pilot:
            await click(pilot, "f6")
            await click(pilot, "c9")
            assert actions(pilot) == ("@f6", "c9")
            await click(pilot, "c9")
            assert label(pilot, "detail") == "c9: nothing can be done there now."
            board = pilot.app.screen.query_one(BoardWidget)
            board.cursor = "f8"
            await press(pilot, "down", "right")
            assert board.cursor == "g7"
            assert label(pilot, "detail") == "g7: a stone into this hollow"
            await press(pilot, "space")
            assert actions(pilot) == ("@f6", "c9", "g7")

    on_a_loop(play())


def test_a_tane_is_put_by_area_and_view_or_kept_by_the_list() -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human")) as pilot:
            await point(pilot, "f6", "h8", "a3", "j8", "a5", "i9", "i7")
            assert label(pilot, "now") == "Manaia may put the Tane on i8, or keep the tiles."
            choices = pilot.app.screen.query_one("#choices", OptionList)
            assert [option.id for option in choices.options] == ["-"]
            await point(pilot, "i8")
            assert not choices.display
            await press(pilot, "escape")
            assert choices.display
            await point(pilot, "i8")
            await point(pilot, "h7")
            assert actions(pilot)[-1] == "Ti8sw"
            await press(pilot, "u")
            await point(pilot, "j8")
            choices.focus()
            await press(pilot, "enter")
            assert actions(pilot)[-1] == "-"

    on_a_loop(play())


def test_a_joker_is_named_from_a_list() -> None:
    async def play() -> None:
        async with screen_of(match_of("mauw", "human", "random")) as pilot:
            await point(pilot, "m")
            assert label(pilot, "detail").endswith("actions")
            await point(pilot, "1B")
            assert isinstance(pilot.app.focused, OptionList)
            await press(pilot, "down", "down", "enter")
            assert "m=3>1B" in actions(pilot)

    on_a_loop(play())


def test_no_hand_is_seen_before_its_owner_is_ready() -> None:
    async def play() -> None:
        async with screen_of(match_of("mauw", "human", "human")) as pilot:
            match = now_playing(pilot)
            below = next(screen for screen in pilot.app.screen_stack if isinstance(screen, MatchScreen))
            for owner in ("Player 1", "Player 2"):
                assert isinstance(pilot.app.screen, HandoverScreen)
                assert f"Pass the keyboard to {owner}." in text_of(pilot)
                assert "Hand" not in text_of(pilot)
                # Under the cover, too, lies what a spectator sees.
                assert "Hand" not in below.query_one(BoardWidget).render().plain
                assert set(match.table.log(-2)) >= set(log_lines(below))
                await press(pilot, "enter")
                assert "Hand" in text_of(pilot)
                assert "~?" in text_of(pilot)
                await press(pilot, "enter", "enter")
            assert match.table.plies > 8

    on_a_loop(play())


def log_lines(screen: MatchScreen) -> list[tuple[int, str]]:
    """The log that is shown, as pairs of the dealer and a line."""
    table = screen.query_one("#log-lines").render()
    return [(-1, line) for line in str(table).split() if line.startswith("~")]


def test_taking_back_a_draw_and_giving_up_are_as_in_plain_lines() -> None:
    async def play() -> None:
        async with screen_of(match_of("mu-torere", "human", "human")) as pilot:
            await press(pilot, "u")
            assert label(pilot, "detail") == "There is nothing to take back."
            await point(pilot, "1")
            await press(pilot, "u")
            assert actions(pilot) == ("1-0",)  # White has not acted yet
            await press(pilot, "d")
            assert isinstance(pilot.app.screen, YesNo)
            await press(pilot, "n")
            assert isinstance(pilot.app.screen, MatchScreen)
            await press(pilot, "g", "n", "g")
            assert "White, give up this game?" in text_of(pilot)
            await press(pilot, "right", "enter", "d", "y")
            assert "A draw by agreement." in text_of(pilot)
            await press(pilot, "l")
            assert label(pilot, "now") == "A draw by agreement."
            await press(pilot, "p")
            assert now_playing(pilot).table.outcome is None
            await press(pilot, "g", "y")
            assert "White wins: resignation." in text_of(pilot)

    on_a_loop(play())


def test_against_a_bot_there_are_hints_and_takebacks_but_no_draw() -> None:
    async def play() -> None:
        async with screen_of(match_of("mu-torere", "human", "random")) as pilot:
            await press(pilot, "h")
            assert label(pilot, "detail").startswith("Hint: ")
            await press(pilot, "d")
            assert label(pilot, "detail").startswith("Bots agree to no draw")
            await point(pilot, "1")
            assert len(actions(pilot)) == 2
            await press(pilot, "u")
            assert actions(pilot) == ()
        async with screen_of(match_of("mu-torere", "human", "human")) as pilot:
            await press(pilot, "h")
            assert label(pilot, "detail") == "Hints are for your turn in a match against bots."

    on_a_loop(play())


def test_an_action_can_be_typed_or_picked_from_all() -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human")) as pilot:
            await press(pilot, "a")
            assert isinstance(pilot.app.screen, ActionDialog)
            pilot.app.screen.query_one(Input).value = "@F"
            await settle(pilot)
            assert [option.id for option in pilot.app.screen.query_one(OptionList).options] == ["@f4", "@f6", "@f8"]
            await press(pilot, "down", "down", "enter")
            assert actions(pilot) == ("@f6",)
            await press(pilot, "a", "c", "9", "enter")
            assert actions(pilot) == ("@f6", "c9")
            await press(pilot, "a", "z", "enter")
            assert "An action is" in label(pilot, "detail")
            await press(pilot, "a", "escape", "a", "enter")
            assert actions(pilot) == ("@f6", "c9")

    on_a_loop(play())


def test_two_bots_are_watched() -> None:
    async def play() -> None:
        async with screen_of(match_of("mu-torere", "random", "random")) as pilot:
            assert isinstance(pilot.app.screen, ResultDialog)
            await press(pilot, "l", "a")
            assert isinstance(pilot.app.screen, MatchScreen)

    on_a_loop(play())


def test_a_series_goes_on_with_the_next_game_and_shows_the_scale(home: Path) -> None:
    async def play() -> None:
        async with screen_of(None) as pilot:
            pilot.app.screen.query_one("#series", Select).value = 3
            await press(pilot, "s", "g", "y")
            assert "Uira" in text_of(pilot)
            assert "Next game" in text_of(pilot)
            await press(pilot, "enter", "g", "y", "p", "g", "y")
            assert "The series goes to ○ 3." in text_of(pilot)
            await press(pilot, "n")
            assert isinstance(pilot.app.screen, StartScreen)

    on_a_loop(play())
    assert len(list((home / "records").iterdir())) == 3


class Watch:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


def test_clocks_are_shown_and_end_the_match_whatever_lies_over_it() -> None:
    async def play() -> None:
        now = Watch()
        match = match_of("mu-torere", seating=Seating(["human", "human"], clock=GameClock(65, 5), now=now))
        async with screen_of(match) as pilot:
            await point(pilot, "1")
            assert text_of(pilot).count("1:05") == 2
            now.ms = 60_100
            tick(pilot)
            await settle(pilot)
            assert "0:04.9" in text_of(pilot)
            await press(pilot, "r")
            assert isinstance(pilot.app.screen, RulesPage)
            now.ms = 70_000
            tick(pilot)
            await settle(pilot)
            assert "Black wins: time." in text_of(pilot)

    on_a_loop(play())


def tick(pilot: AppPilot) -> None:
    """What the interval does, now."""
    next(screen for screen in pilot.app.screen_stack if isinstance(screen, MatchScreen))._tick()


def test_the_time_can_be_up_at_the_moment_of_an_action() -> None:
    async def play() -> None:
        now = Watch()
        match = match_of("mu-torere", seating=Seating(["human", "human"], clock=GameClock(60), now=now))
        async with screen_of(match) as pilot:
            await point(pilot, "1")
            screen = pilot.app.screen
            assert isinstance(screen, MatchScreen)
            now.ms = 61_000
            screen._take(match.parse("8-1"))
            await settle(pilot)
            assert actions(pilot) == ("1-0",)
            assert "Black wins: time." in text_of(pilot)

    on_a_loop(play())


def test_the_start_screen_makes_any_match(outside_game: OutsideGame) -> None:
    async def play() -> None:
        async with screen_of(None) as pilot:
            screen = pilot.app.screen
            await press(pilot, "down", "down")
            screen.query(".option").results(Select).__next__().value = 4
            await settle(pilot)
            seats = list(screen.query(".seat").results(Select))
            assert len(seats) == 4
            seats[1].value = "random"
            screen.query_one("#clock", Select).value = "5+5"
            await press(pilot, "s")
            table = now_playing(pilot).table
            assert (table.game.key, table.game.seats, table.terms.clock) == ("mauw", 4, GameClock(300, 5))
            assert [player.name for player in table.players if player] == ["human", "random", "3", "3"]
            await press(pilot, "n")
            await press(pilot, "end", "r", "escape")
            sticks = pilot.app.screen.query_one(".option", Input)
            sticks.value = "many"
            await press(pilot, "enter", "enter")
            assert label(pilot, "refusal") == 'sticks is a number from 1 to 100, not "many".'
            await press(pilot, "p")
            assert label(pilot, "refusal").startswith("There are no puzzles for nim;")
            sticks.value = "5"
            pilot.app.screen.query_one("#begin").focus()
            await press(pilot, "s")  # the button takes no second Enter within its effect
            assert json.loads(now_playing(pilot).file.path.read_text())["options"] == {"sticks": 5}
            await press(pilot, "n", "q")
        assert pilot.app.return_code == 0

    on_a_loop(play())


def test_the_start_screen_sets_puzzles_in_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = io.StringIO()
    typed = iter(["?", ""])  # the solution of one puzzle, and leave at the next
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))

    async def main() -> None:
        async with screen_of(None) as pilot:
            await press(pilot, "p")
            assert "kemu puzzle" in label(pilot, "refusal")  # this terminal cannot be handed over
            monkeypatch.setattr(KemuApp, "suspend", lambda app: redirect_stdout(lines))
            await press(pilot, "p")
            assert isinstance(pilot.app.screen, StartScreen)

    on_a_loop(main())
    assert lines.getvalue().count("an empty line leaves") == 2
    assert "The solution: " in lines.getvalue()
    assert next(typed, None) is None


def test_where_nothing_can_be_written_the_start_screen_says_so(home: Path) -> None:
    home.touch()

    async def play() -> None:
        async with screen_of(None) as pilot:
            await press(pilot, "s")
            assert "cannot be written" in label(pilot, "refusal")
            await press(pilot, "q")

    on_a_loop(play())


def test_an_action_that_cannot_be_written_is_not_taken(home: Path) -> None:
    async def play() -> None:
        async with screen_of(match_of("mu-torere", "human", "human")) as pilot:
            (file,) = (home / "records").iterdir()
            file.unlink()
            file.parent.rmdir()
            file.parent.touch()
            await point(pilot, "1")
            assert "cannot be written" in label(pilot, "detail")
            assert actions(pilot) == ()

    on_a_loop(play())


def test_a_record_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(Record("mu-torere", {}, ("1-0",), ("Ann", "random")).to_text())

    async def play() -> None:
        async with screen_of(loaded_match(file, Seating(seed=1))) as pilot:
            assert len(actions(pilot)) == 2
            assert "White (random bot)" in text_of(pilot)

    on_a_loop(play())
    assert len(Record.from_text(file.read_bytes()).actions) == 2


@pytest.mark.parametrize(
    ("size", "readable"),
    [((120, 40), "╭───╮"), ((60, 30), "Manaia"), ((39, 24), "needs at least 40 columns"), ((80, 15), "and 16 lines")],
)
def test_every_size_shows_something_readable(size: tuple[int, int], readable: str) -> None:
    async def play() -> None:
        async with screen_of(match_of("moeraki-kemu", "human", "human"), size) as pilot:
            await point(pilot, "f6", "c9")
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert readable in text_of(pilot)

    on_a_loop(play())


@pytest.mark.parametrize(("told", "theme"), [("0;15", "kemu-light"), ("15;0", "kemu-dark"), ("", "kemu-dark")])
def test_the_theme_fits_the_terminal_and_can_be_switched(
    monkeypatch: pytest.MonkeyPatch, told: str, theme: str
) -> None:
    monkeypatch.setenv("COLORFGBG", told)

    async def play() -> None:
        async with screen_of(match_of("mu-torere")) as pilot:
            assert pilot.app.theme == theme
            await press(pilot, "t")
            assert pilot.app.theme != theme
            await press(pilot, "t")
            assert pilot.app.theme == theme

    on_a_loop(play())
