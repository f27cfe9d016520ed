"""The full-screen application: its colours, the start screen, and the way from there to matches."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Final

from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from kemu.bots import bots, default_bot
from kemu.bots.registry import level_title
from kemu.core.document import read_option
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import AnyGame, options
from kemu.games import game, game_keys, manifest, text
from kemu.games import screen as screen_view
from kemu.games import series as series_rules
from kemu.terminal.full_screen.dialogs import RulesPage
from kemu.terminal.full_screen.match_screen import MatchScreen
from kemu.terminal.full_screen.match_view import WIDE_COLUMNS
from kemu.terminal.match import HUMAN, Seating, TerminalMatch, clock_terms, following_match, new_match
from kemu.terminal.puzzles import NEXT, solve_puzzles
from kemu.terminal.screen import PlainScreen, joined_lines

BOT_PAUSE_S: Final = 0.5
"""So long a bot takes at least, so that people can follow."""

# The dark and the light theme: the colours of Textual, then those that only `kemu.tcss` names.
COLOURS: Final = {
    "primary": ("#4fd0a4", "#0b6a50"),
    "secondary": ("#e8c07a", "#8a5a17"),
    "error": ("#ff9b82", "#9c2f17"),
    "foreground": ("#ece6d8", "#1b2829"),
    "background": ("#0e1517", "#f5efe3"),
    "surface": ("#172124", "#fffdf8"),
    "panel": ("#22302f", "#ece3d1"),
}
OWN_COLOURS: Final = {
    "field": ("#24363a", "#e6dac2"),
    "target": ("#31534d", "#cfe0cf"),
    "soft": ("#a9b4ae", "#55605d"),
    "line": ("#3d5054", "#c9b994"),
}

CLOCKS: Final = ("3+2", "5+5", "10+10", "30+20")
SERIES_WINS: Final = (3, 5, 7, 10)
TITLES: Final = {"#games": "Game", "#options": "Match", "#seats": "Players", "#rules": "Rules"}


def _theme(name: str, number: int) -> Theme:
    """Return the theme of a column; the colours that Textual uses under several names are given once."""
    own: dict[str, str] = {each: pair[number] for each, pair in OWN_COLOURS.items()}
    colours: dict[str, Any] = {each: pair[number] for each, pair in COLOURS.items()}
    gold, green = colours["secondary"], colours["primary"]
    variables = {"footer-key-foreground": gold, **own}
    return Theme(name, accent=gold, warning=gold, success=green, dark=number == 0, variables=variables, **colours)


DARK: Final = _theme("kemu-dark", 0)
LIGHT: Final = _theme("kemu-light", 1)

# In the order of ANSI: black, red, green, yellow, blue, magenta, cyan, white; games name these in their INK.
DARK_INKS: Final = TerminalTheme(
    (14, 21, 23),
    (236, 230, 216),
    [
        *((44, 59, 62), (255, 127, 108), (111, 214, 140), (255, 209, 102)),
        *((122, 170, 255), (222, 160, 255), (110, 220, 235), (236, 230, 216)),
    ],
)
LIGHT_INKS: Final = TerminalTheme(
    (245, 239, 227),
    (27, 40, 41),
    [
        *((27, 40, 41), (184, 44, 26), (22, 112, 54), (146, 88, 0)),
        *((24, 76, 176), (118, 40, 160), (0, 96, 120), (236, 227, 209)),
    ],
)

_LIGHT_GROUNDS: Final = ("7", "15")


def default_theme() -> str:
    """Return the theme for the ground that the terminal names in COLORFGBG, or the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if ground in _LIGHT_GROUNDS else DARK.name


class KemuApp(App[None]):
    """Plays matches one after the other; begins with the start screen if there is no match."""

    TITLE = "Kemu"
    CSS_PATH = "kemu.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (40, "-narrow"), (WIDE_COLUMNS, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (16, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("t", "switch_theme", "Theme"),
    ]

    def __init__(self, match: TerminalMatch | None, seating: Seating, pause_s: float = BOT_PAUSE_S) -> None:
        super().__init__()
        self.match = match
        self._seating = seating
        self._pause_s = pause_s
        self.ansi_theme_dark = DARK_INKS
        self.ansi_theme_light = LIGHT_INKS
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = default_theme()

    def on_mount(self) -> None:
        """Begin."""
        self._play()

    @work
    async def _play(self) -> None:
        """Play matches until somebody leaves."""
        while True:
            self.match = self.match or await self.push_screen_wait(StartScreen(self._seating))
            if self.match is None:
                break
            wanted = await self.push_screen_wait(MatchScreen(self.match, self._pause_s))
            if wanted == "quit":
                break
            self.match = following_match(self.match, self._seating) if wanted == "again" else None
        self.exit()

    def action_switch_theme(self) -> None:
        """Switch between dark and light."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name


def play_full_screen(match: TerminalMatch | None, seating: Seating) -> None:
    """Play until somebody leaves, then say where the last match is kept."""
    app = KemuApp(match, seating)
    app.run()
    if app.match:
        over = app.match.table.turn is None
        kept = "The record is" if over else "The game is kept. Go on with: kemu play --load"
        sys.stdout.write(f"{kept} {app.match.file.path}\n")


class StartScreen(Screen[TerminalMatch | None]):
    """Makes a match; dismissed with it, or with `None` if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", "Start"),
        Binding("r", "rules", "Rules"),
        Binding("p", "puzzles", "Puzzles"),
        Binding("t", "app.switch_theme", "Theme"),
        Binding("q,escape", "dismiss", "Quit"),
    ]

    def __init__(self, seating: Seating) -> None:
        super().__init__()
        self._seating = seating
        self._game: AnyGame = game(game_keys()[0])

    def compose(self) -> ComposeResult:
        """Show the games on the left, what is to be chosen on the right."""
        yield Label("Kemu", id="title")
        with Container(id="start"):
            yield OptionList(*(_game_option(key) for key in game_keys()), id="games", markup=False)
            with Vertical(id="form"):
                yield VerticalScroll(id="options", can_focus=False)
                yield VerticalScroll(id="seats", can_focus=False)
                with Horizontal(id="go"):
                    yield Button("Start (s)", id="begin")
                    yield Label(id="refusal", markup=False)
                with VerticalScroll(id="rules"):
                    yield Static(markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Choose the first game."""
        for part, title in TITLES.items():
            self.query_one(part).border_title = title
        self.query_one("#games", OptionList).highlighted = 0

    @on(OptionList.OptionHighlighted, "#games")
    async def game_chosen(self, event: OptionList.OptionHighlighted) -> None:
        """Show the options of another game."""
        self._game = game(event.option_id or "")
        await _fill(self.query_one("#options"), _option_rows(self._game))
        await self._show_seats()
        self.query_one("#rules Static", Static).update(joined_lines(manifest(self._game.key).how_to_play))

    @on(OptionList.OptionSelected, "#games")
    def game_taken(self) -> None:
        """Move to the button that starts the game."""
        self.query_one("#begin").focus()

    @on(Select.Changed, ".option")
    async def option_chosen(self) -> None:
        """Make the game anew; it may have another number of seats."""
        seats = self._game.seats
        with self._refusing():
            self._make()
        if self._game.seats != seats:
            await self._show_seats()

    async def _show_seats(self) -> None:
        levels = [("person", HUMAN), *((f"bot: {level_title(name)}", name) for name in bots(self._game))]
        names, shown = [HUMAN, *[default_bot(self._game)] * self._game.seats], text(self._game.key)
        seats = range(self._game.seats)
        rows = (_select(shown.seat_name(self._game, seat), levels, names[seat], classes="seat") for seat in seats)
        await _fill(self.query_one("#seats"), rows)

    def _make(self) -> None:
        """Make the game of the options that were chosen; raises KemuError if they make none."""
        options = self.query(".option")
        chosen = {control.name or "": control.value for control in options.results(Select)}
        chosen |= {control.name or "": read_option(control.value) for control in options.results(Input)}
        self._game = game(self._game.key, **chosen)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Show why something cannot be done, until something can."""
        refusal = self.query_one("#refusal", Label)
        try:
            yield
        except KemuError as error:
            refusal.update(str(error))
            self.app.bell()
        else:
            refusal.update("")

    @on(Button.Pressed, "#begin")
    def action_start(self) -> None:
        """Make the match, or say why it cannot be made."""
        names = [str(select.value) for select in self.query(".seat").results(Select)]
        clock = str(self.query_one("#clock", Select).value)
        to = self.query_one("#series", Select).value
        seating = replace(self._seating, names=names, clock=clock_terms(clock or None))
        with self._refusing():
            self._make()
            self.dismiss(new_match(self._game, seating, to=int(str(to))))

    def action_rules(self) -> None:
        """Show how the highlighted game is played."""
        self.app.push_screen(RulesPage(self._game.key))

    def action_puzzles(self) -> None:
        """Set puzzles of the highlighted game in plain lines, or say why there are none."""
        with self._refusing():
            shipped_puzzles(self._game.key)
            try:
                with self.app.suspend():
                    solve_puzzles(self._game.key, NEXT, None, PlainScreen())
            except SuspendNotSupported:
                raise OptionError(f"Leave this screen and call: kemu puzzle {self._game.key}") from None


async def _fill(container: Widget, rows: Iterator[Widget]) -> None:
    await container.remove_children()
    await container.mount_all(rows)


def _row(title: str, control: Widget) -> Widget:
    """Return a line with a title and the control that sets what it names."""
    return Horizontal(Label(title, markup=False), control, classes="row")


def _select(title: str, choices: Iterable[tuple[str, Any]], value: Any, **attributes: Any) -> Widget:
    """Return a line to choose one of some values, each with its own title."""
    return _row(title, Select(choices, value=value, allow_blank=False, compact=True, **attributes))


def _option_rows(chosen: AnyGame) -> Iterator[Widget]:
    """Yield a control for each option that people choose, then clock and series."""
    shown = screen_view(chosen.key)
    choices: Mapping[str, Sequence[Any]] = shown.CHOICES if shown else {}
    for name, value in options(chosen).items():
        values = choices.get(name, (False, True) if not shown and isinstance(value, bool) else ())
        if values:
            yield _select(name, [(_value_title(each), each) for each in values], value, name=name, classes="option")
        elif not shown:
            yield _row(name, Input(str(value), compact=True, name=name, classes="option"))
    yield _select("clock", [("none", ""), *((f"{each} minutes+seconds", each) for each in CLOCKS)], "", id="clock")
    named = {wins: f"{name}: {wins} wins" for name, wins in series_rules(chosen.key).LENGTHS.items()}
    lengths = [("one game", 1), *((named.get(wins, f"{wins} wins"), wins) for wins in SERIES_WINS)]
    yield _select("series", lengths, 1, id="series")


def _game_option(key: str) -> Option:
    known = manifest(key)
    return Option(Text.assemble((known.title, "bold"), "\n", known.summary, "\n"), id=key)


def _value_title(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
