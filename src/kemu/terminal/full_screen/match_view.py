"""The view of a match: the board, the players, the actions to choose from, the log and a prompt."""

from collections.abc import Iterable, Sequence
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
from kemu.core.game import SPECTATOR, AnyView, Seat
from kemu.games import screen as screen_view
from kemu.terminal.full_screen.board import BoardWidget, Selection
from kemu.terminal.full_screen.dialogs import action_options
from kemu.terminal.match import TerminalMatch
from kemu.terminal.screen import colour, outcome_sentence, seat_name, time_text

WIDE_COLUMNS: Final = 78
"""The least columns that have room for the side beside the board."""

SIDE_COLUMNS: Final = (26, 40)
BOARD_MARGIN: Final = 2
OTHER_LINES: Final = 4  # title, two lines of the prompt, keys
TOO_SMALL: Final = "Kemu needs at least 40 columns and 16 lines; kemu play --plain needs less."


class PlayersPanel(Widget):
    """One block for each seat: whose turn it is, name, clock, and what the seat has."""

    COMPONENT_CLASSES = {"players--turn", "players--soft", "players--short"}  # noqa: RUF012  Textual's word
    SHORT_MS = 30_000

    def __init__(self, match: TerminalMatch) -> None:
        super().__init__()
        self._match = match
        self._viewer: Seat = SPECTATOR
        self._thinking: Seat | None = None

    def show(self, viewer: Seat, thinking: Seat | None) -> None:
        """Show the seats to a viewer; a bot may be thinking at one of them."""
        self._viewer, self._thinking = viewer, thinking
        self.refresh(layout=True)

    def render(self) -> Text:
        """Draw the blocks under each other; with more than two seats without empty lines between."""
        match, shown = self._match, screen_view(self._match.game.key)
        view = match.view(self._viewer)
        facts = [shown.facts(match.game, view, seat) if shown else () for seat in range(match.game.seats)]
        text = Text("\n" if len(facts) > 2 else "\n\n").join(map(self._block, range(len(facts)), facts))
        colour(text, (shown or match.text).INK)
        return text

    def _block(self, seat: Seat, facts: Sequence[str]) -> Text:
        on_turn = seat == self._match.table.turn
        turn, soft, short = (self._style(name) for name in ("turn", "soft", "short"))
        block = Text.assemble(("▶ " if on_turn else "  ", turn), (self._match.name(seat), turn if on_turn else ""))
        if self._match.timed:
            left_ms = self._match.local.remaining()[seat]
            time = time_text(left_ms)
            block.append(" " * max(1, self.size.width - block.cell_len - len(time)))
            block.append(time, short if left_ms < self.SHORT_MS else turn if on_turn else soft)
        for fact in facts:
            block.append("".join(f"\n  {line}" for line in wrap(fact, max(1, self.size.width - 2))), soft)
        return block.append("\n  is thinking…", turn) if seat == self._thinking else block

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"players--{name}", partial=True)


class MatchView(Container):
    """Shows a match to one viewer and reports the action that a person chooses."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "unselect", show=False)]

    @dataclass
    class Chosen(Message):
        """A person chose an action."""

        action: Any

    def __init__(self, match: TerminalMatch) -> None:
        super().__init__()
        self._match = match
        self._screen_view = screen_view(match.game.key)
        self._viewer: Seat = SPECTATOR
        self._selection = Selection({})
        self._hint: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """Show the board on the left, the rest beside it, or under it on a narrow screen."""
        inks = (self._screen_view or self._match.text).INK
        yield Label(TOO_SMALL, id="too-small", markup=False)
        with Container(id="main"):
            with Center(id="board-pane"):
                yield BoardWidget(inks)
            with Vertical(id="side"):
                yield PlayersPanel(self._match)
                yield OptionList(id="choices", markup=False, compact=True)
                with VerticalScroll(id="log", can_focus=True):
                    yield Static(id="log-lines")
        with Vertical(id="prompt"):
            yield Label(id="now", markup=False)
            yield Label(id="detail", markup=False)

    def on_mount(self) -> None:
        """Name the parts of the side, and explain each place that the cursor comes to."""
        self.query_one("#choices").border_title = "Choose"
        self.query_one("#log").border_title = "Log"
        self.watch(self.query_one(BoardWidget), "cursor", self._explain)

    def on_resize(self) -> None:
        """Draw the board for the new size."""
        self._show_board()

    @property
    def actions(self) -> list[Any]:
        """The actions that the viewer can choose from, none while somebody else is to act."""
        return list(self._selection.paths)

    def show(self, viewer: Seat, thinking: Seat | None = None) -> None:
        """Show the match as it is now to this viewer; a bot may be thinking at a seat."""
        self._viewer, self._hint = viewer, ()
        match, table, view = self._match, self._match.table, self._view()
        acts = table.turn is not None and not match.bots[table.turn] and viewer != SPECTATOR
        self._selection = Selection(
            {action: self._path(view, action) for action in match.game.actions(table.state)} if acts else {}
        )
        self._show_board()
        self.query_one(PlayersPanel).show(viewer, thinking)
        self._show_choices()
        self._show_log()
        self.query_one("#now", Label).update(self._now(view))
        self._explain(self.query_one(BoardWidget).cursor)

    def show_hint(self, action: Any) -> None:
        """Mark an action and say what it does."""
        self._hint = self._selection.paths[action]
        self._show_board()
        ((text, words),) = self.explained([action])
        self.say(f"Hint: {text}, {words}.")

    def show_clocks(self) -> None:
        """Show the clocks as they are now."""
        self.query_one(PlayersPanel).refresh()

    def focus_choice(self) -> None:
        """Let the keyboard choose: on the board if something there can be pointed at, else in the list."""
        if self._selection.targets:
            self.query_one(BoardWidget).focus()
        elif self._selection.listed:
            self.query_one("#choices").focus()
            self._say_listed(0)

    def explained(self, actions: Iterable[Any]) -> list[tuple[str, str]]:
        """Return the text of each action and what it does."""
        game, view = self._match.game, self._view()
        return [(game.format(action), self._match.text.explain(game, view, action)) for action in actions]

    def say(self, words: str) -> None:
        """Show a sentence in the second line of the prompt."""
        detail = self.query_one("#detail", Label)
        detail.update(words)
        detail.remove_class("refused")

    def refuse(self, words: str) -> None:
        """Show why something cannot be done."""
        self.say(words)
        self.query_one("#detail").add_class("refused")
        self.app.bell()

    def on_board_widget_picked(self, event: BoardWidget.Picked) -> None:
        """Add a place to the selection; an action is chosen once it is decided."""
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
        """Choose an action of the list."""
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
        """Return the board of the game, or its drawing, where nothing can be pointed at."""
        game, view = self._match.game, self._view()
        if self._screen_view is None:
            return Board(tuple(self._match.text.draw(game, view).splitlines()), {})
        columns, lines = self.app.size
        return self._screen_view.board(game, view, Room(columns - SIDE_COLUMNS[0] - BOARD_MARGIN, lines - OTHER_LINES))

    def _show_choices(self) -> None:
        """List the actions that cannot be pointed at."""
        choices, listed = self.query_one("#choices", OptionList), self._selection.listed
        choices.clear_options()
        choices.add_options(action_options(self.explained(listed)))
        choices.display = bool(listed)
        choices.highlighted = 0 if listed else None

    def _show_log(self) -> None:
        """Show the actions so far, one line for the actions of a seat in a row, with the last one in view."""
        match, rows, number = self._match, Table.grid(padding=(0, 1)), 0
        rows.add_column(justify="right", style="dim")
        rows.add_column(style="dim", no_wrap=True)
        rows.add_column()
        for actor, entries in groupby(match.table.log(self._viewer), key=itemgetter(0)):
            actions = [line for _, line in entries]
            number += len(actions)
            rows.add_row(str(number), seat_name(match.text, match.game, actor), Text(" ".join(actions)))
        self.query_one("#log-lines", Static).update(rows)
        self.query_one("#log").scroll_end(animate=False)

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
