"""What is seen of a match: the board, who plays, the actions to choose from, the log and a prompt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from textwrap import wrap
from typing import Any, ClassVar, Final

from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Container, Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Label, OptionList, Static

from kemu.core.display import Board, Room
from kemu.core.game import CHANCE, SPECTATOR, AnyView, Seat
from kemu.games import screen as screen_view
from kemu.play.clock import NoClock
from kemu.terminal.full_screen.board import BoardWidget, Selection
from kemu.terminal.full_screen.dialogs import action_options
from kemu.terminal.match import TerminalMatch
from kemu.terminal.screen import colour
from kemu.terminal.words import outcome_sentence, seat_name, time_text

WIDE_COLUMNS: Final = 78
"""So many columns have room for the side beside the board."""

SIDE_COLUMNS: Final = (26, 40)
BOARD_MARGIN: Final = 2
OTHER_LINES: Final = 4  # title, two lines of the prompt, keys
TOO_SMALL: Final = "Kemu needs at least 40 columns and 16 lines; kemu play --plain needs less."


@dataclass(frozen=True)
class SeatLine:
    """What is shown of a seat."""

    name: str
    facts: Sequence[str]
    on_turn: bool
    thinking: bool = False
    left_ms: int | None = None  # None: time is not counted


def _lines(seat: SeatLine) -> tuple[Sequence[str], bool]:
    """All of a seat that changes how many lines it takes."""
    return seat.facts, seat.thinking


class PlayersPanel(Widget):
    """One block for each seat: whose turn it is, name, clock, and what the seat has."""

    DEFAULT_CSS = "PlayersPanel { height: auto; }"
    COMPONENT_CLASSES = {"players--turn", "players--soft", "players--short"}  # noqa: RUF012  Textual's word
    SHORT_MS = 30_000

    def __init__(self, inks: Mapping[str, str]) -> None:
        super().__init__()
        self._inks = inks
        self._seats: Sequence[SeatLine] = ()

    def show(self, seats: Sequence[SeatLine]) -> None:
        """Show these seats."""
        layout = [_lines(seat) for seat in seats] != [_lines(seat) for seat in self._seats]
        self._seats = seats
        self.refresh(layout=layout)

    def render(self) -> Text:
        """The blocks under each other; with more than two seats without empty lines between."""
        blocks = [self._block(seat) for seat in self._seats]
        return Text("\n" if len(blocks) > 2 else "\n\n").join(blocks)

    def _block(self, seat: SeatLine) -> Text:
        turn, soft, short = (self._style(name) for name in ("turn", "soft", "short"))
        head = Text.assemble(("▶ " if seat.on_turn else "  ", turn), (seat.name, turn if seat.on_turn else ""))
        if seat.left_ms is not None:
            time = time_text(seat.left_ms)
            head.append(" " * max(1, self.size.width - head.cell_len - len(time)))
            head.append(time, short if seat.left_ms < self.SHORT_MS else turn if seat.on_turn else soft)
        facts = (line for fact in seat.facts for line in wrap(fact, max(1, self.size.width - 2)))
        lines = [head, *(Text(f"  {line}", soft) for line in facts)]
        if seat.thinking:
            lines.append(Text("  is thinking…", turn))
        block = Text("\n").join(lines)
        colour(block, self._inks)
        return block

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"players--{name}", partial=True)


class LogPanel(VerticalScroll, can_focus=True):
    """The actions so far, one line for each actor's actions in a row, the last one in view."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.border_title = "Log"
        self._lines = Static(id="log-lines")

    def compose(self) -> ComposeResult:
        """Only the lines."""
        yield self._lines

    def show(self, log: Sequence[tuple[Seat, str]], names: Mapping[Seat, str]) -> None:
        """Show a log with the names of those who act."""
        rows, number = Table.grid(padding=(0, 1)), 0
        rows.add_column(justify="right", style="dim")
        rows.add_column(style="dim", no_wrap=True)
        rows.add_column()
        for actor, entries in groupby(log, key=itemgetter(0)):
            actions = [line for _, line in entries]
            number += len(actions)
            rows.add_row(str(number), names[actor], Text(" ".join(actions)))
        self._lines.update(rows)
        self.scroll_end(animate=False)


class MatchView(Container):
    """Shows a match to one viewer and reports the action that a person chooses."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "unselect", show=False)]

    class Chosen(Message):
        """A person chose an action."""

        def __init__(self, action: Any) -> None:
            self.action = action
            super().__init__()

    def __init__(self, match: TerminalMatch) -> None:
        super().__init__()
        self._match = match
        self._screen_view = screen_view(match.game.key)
        self._viewer: Seat = SPECTATOR
        self._thinking: Seat | None = None
        self._selection = Selection({})
        self._hint: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The board on the left, the rest beside it, or under it on a narrow screen."""
        inks = (self._screen_view or self._match.text).INK
        yield Label(TOO_SMALL, id="too-small", markup=False)
        with Container(id="main"):
            with Center(id="board-pane"):
                yield BoardWidget(inks, id="board")
            with Vertical(id="side"):
                yield PlayersPanel(inks)
                yield OptionList(id="choices", markup=False, compact=True)
                yield LogPanel()
        with Vertical(id="prompt"):
            yield Label(id="now", markup=False)
            yield Label(id="detail", markup=False)

    def on_mount(self) -> None:
        """The list has a title."""
        self.query_one("#choices").border_title = "Choose"

    def on_resize(self) -> None:
        """Another size may have room for another board."""
        self._show_board()

    @property
    def actions(self) -> list[Any]:
        """The actions that the viewer can choose from, none while somebody else is to act."""
        return list(self._selection.paths)

    def show(self, viewer: Seat, thinking: Seat | None = None) -> None:
        """Show the match as it is now to this viewer; a bot may be thinking at a seat."""
        self._viewer, self._thinking, self._hint = viewer, thinking, ()
        match, table, view = self._match, self._match.table, self._view()
        acts = table.turn is not None and not match.bots[table.turn] and viewer != SPECTATOR
        self._selection = Selection(
            {action: self._path(view, action) for action in match.game.actions(table.state)} if acts else {}
        )
        self._show_board()
        self.show_players()
        self._show_choices()
        names = {seat: seat_name(match.text, match.game, seat) for seat in (CHANCE, *range(match.game.seats))}
        self.query_one(LogPanel).show(table.log(viewer), names)
        self.query_one("#now", Label).update(self._now(view))
        self._explain(self.query_one(BoardWidget).cursor)

    def show_hint(self, action: Any) -> None:
        """Mark an action and say what it does."""
        self._hint = self._selection.paths[action]
        self._show_board()
        ((text, words),) = self.explained([action])
        self.say(f"Hint: {text}, {words}.")

    def show_players(self) -> None:
        """Who plays, with the clocks as they are now."""
        match, view, shown = self._match, self._view(), self._screen_view
        timed = not isinstance(match.table.clock.terms, NoClock)
        remaining = match.local.remaining()
        self.query_one(PlayersPanel).show(
            [
                SeatLine(
                    name=match.name(seat),
                    facts=shown.facts(match.game, view, seat) if shown else (),
                    on_turn=seat == match.table.turn,
                    thinking=seat == self._thinking,
                    left_ms=remaining[seat] if timed else None,
                )
                for seat in range(match.game.seats)
            ]
        )

    def focus_choice(self) -> None:
        """Let the keyboard choose: on the board if something there can be pointed at, else in the list."""
        if self._selection.targets:
            self.query_one("#board").focus()
        elif self._selection.listed:
            self.query_one("#choices").focus()
            self._say_listed(0)

    def explained(self, actions: Iterable[Any]) -> list[tuple[str, str]]:
        """The text of each action and what it does."""
        game, view = self._match.game, self._view()
        return [(game.format(action), self._match.text.explain(game, view, action)) for action in actions]

    def say(self, words: str) -> None:
        """A sentence in the second line of the prompt."""
        self._detail(words, refused=False)

    def refuse(self, words: str) -> None:
        """A sentence that says why something cannot be done."""
        self._detail(words, refused=True)
        self.app.bell()

    def _detail(self, words: str, refused: bool) -> None:
        detail = self.query_one("#detail", Label)
        detail.update(words)
        detail.set_class(refused, "refused")

    def on_board_widget_pointed(self, event: BoardWidget.Pointed) -> None:
        """Explain the place under the cursor."""
        self._explain(event.place)

    def on_board_widget_picked(self, event: BoardWidget.Picked) -> None:
        """Go on with the selection; an action is chosen once it is decided."""
        picked = self._selection.pick(event.place)
        if picked is not None:
            self._select(picked)
        elif self._selection.paths:
            self.refuse(f"{event.place}: nothing can be done there now.")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the action of the list, where there is room for the whole sentence."""
        if event.option_list.has_focus:
            self._say_listed(event.option_index)

    def _say_listed(self, index: int) -> None:
        ((text, words),) = self.explained(self._selection.listed[index : index + 1])
        self.say(f"{text}: {words}")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An action of the list is chosen."""
        self.post_message(self.Chosen(self._match.game.parse(event.option_id or "")))

    def action_unselect(self) -> None:
        """Take the selection back."""
        self._select(Selection(self._selection.paths))

    def _select(self, selection: Selection) -> None:
        self._selection = selection
        if selection.decided is not None:
            self.post_message(self.Chosen(selection.decided))
            return
        self._show_board()
        self._show_choices()
        self._explain(self.query_one(BoardWidget).cursor)
        self.focus_choice()

    def _view(self) -> Any:
        return self._match.view(self._viewer)

    def _path(self, view: AnyView, action: Any) -> tuple[str, ...]:
        return self._screen_view.path(self._match.game, view, action) if self._screen_view else ()

    def _show_board(self) -> None:
        outcome, widget = self._match.table.outcome, self.query_one(BoardWidget)
        marks = (
            ("board--chosen", self._selection.chosen),
            ("board--hint", self._hint),
            ("board--won", outcome.at if outcome else ()),
        )
        widget.show(self._board(), self._selection.targets, marks)
        beside = min(max(self.app.size.width - widget.width - BOARD_MARGIN, SIDE_COLUMNS[0]), SIDE_COLUMNS[1])
        self.query_one("#side").styles.width = "100%" if self.app.size.width < WIDE_COLUMNS else beside

    def _board(self) -> Board:
        """The board of the game, or its drawing, where nothing can be pointed at."""
        game, view = self._match.game, self._view()
        if self._screen_view is None:
            return Board(tuple(self._match.text.draw(game, view).splitlines()), {})
        columns, lines = self.app.size
        return self._screen_view.board(game, view, Room(columns - SIDE_COLUMNS[0] - BOARD_MARGIN, lines - OTHER_LINES))

    def _show_choices(self) -> None:
        """The actions that cannot be pointed at."""
        choices, listed = self.query_one("#choices", OptionList), self._selection.listed
        choices.clear_options()
        choices.add_options(action_options(self.explained(listed)))
        choices.display = bool(listed)
        choices.highlighted = 0 if listed else None

    def _now(self, view: AnyView) -> str:
        match = self._match
        if outcome := match.table.outcome:
            return outcome_sentence(outcome, match.name)
        if self._screen_view:
            return self._screen_view.now(match.game, view)
        assert match.table.turn is not None, "it is not over"
        return f"{match.name(match.table.turn)} is to act."

    def _explain(self, place: str | None) -> None:
        """Say what choosing a place would do."""
        actions = self._selection.through(place) if place else []
        explained = list(dict.fromkeys(words for _, words in self.explained(actions)))
        if len(explained) > 1:
            explained = [f"one of {len(actions)} actions"]
        self.say(f"{place}: {explained[0]}" if explained else "")
