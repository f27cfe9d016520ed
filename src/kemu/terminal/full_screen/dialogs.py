"""Screens that ask or tell one thing."""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

AfterMatch: TypeAlias = Literal["again", "look", "new", "quit"]
"""What is wanted after the end of a match."""

LEFT_RIGHT: list[BindingType] = [
    Binding("left", "app.focus_previous", show=False),
    Binding("right", "app.focus_next", show=False),
]


class YesNo(ModalScreen[bool]):
    """Asks one question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        *LEFT_RIGHT,
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question and two buttons."""
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", id="yes")
                yield Button("No (n)", id="no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer by a button."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Answer by a key."""
        self.dismiss(answer)


class TextPage(ModalScreen[None]):
    """A page of text, such as the rules."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,r", "dismiss", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """The text, which scrolls where it is longer than the screen."""
        with VerticalScroll(classes="dialog page") as page:
            page.border_title = self._title
            page.border_subtitle = "Esc closes"
            yield Static(self._text, markup=False)


class HandoverScreen(Screen[None]):
    """Covers the whole screen until the next person is alone with it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "dismiss", "I am ready")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name_to_come = name

    def compose(self) -> ComposeResult:
        """Who is to look now."""
        with Vertical(classes="handover"):
            yield Center(Label(f"Pass the keyboard to {self._name_to_come}.", markup=False, classes="title"))
            yield Center(Label("Press Enter when only you see the screen."))
            yield Center(Button(f"I am {self._name_to_come}"))

    def on_button_pressed(self) -> None:
        """Ready."""
        self.dismiss()


class ResultDialog(ModalScreen[AfterMatch]):
    """How a match ended, and what next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,l", "after('look')", "Look at the board"),
        Binding("p", "after('again')", "Play again"),
        Binding("n", "after('new')", "New game"),
        Binding("q", "after('quit')", "Quit"),
        *LEFT_RIGHT,
    ]

    def __init__(self, sentences: Sequence[str], again: str) -> None:
        super().__init__()
        self._sentences = sentences
        self._again = again

    def compose(self) -> ComposeResult:
        """The sentences and four buttons."""
        first, *rest = self._sentences
        with Vertical(classes="dialog"):
            yield Label(first, markup=False, classes="title")
            for sentence in rest:
                yield Label(sentence, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{self._again} (p)", id="again")
                yield Button("Look (l)", id="look")
                yield Button("New (n)", id="new")
                yield Button("Quit (q)", id="quit")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The id of a button is what is wanted."""
        self.action_after(cast("AfterMatch", event.button.id))

    def action_after(self, wanted: AfterMatch) -> None:
        """What is wanted, by a key."""
        self.dismiss(wanted)


class ActionDialog(ModalScreen[str | None]):
    """All legal actions with what they do; typing narrows the list, so that an action can also be typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close"),
        Binding("down", "list", show=False),
    ]

    def __init__(self, actions: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._actions = actions  # text and explanation

    def compose(self) -> ComposeResult:
        """A line to type in and the list."""
        with Vertical(classes="dialog actions") as dialog:
            dialog.border_title = "Actions"
            dialog.border_subtitle = "type or choose, Esc closes"
            typed = Input(placeholder="such as " + self._actions[0][0], compact=True)
            typed.cursor_blink = False
            yield typed
            yield OptionList(*self._options(""), markup=False, compact=True)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Only the actions that begin with what was typed."""
        shown = self.query_one(OptionList)
        shown.clear_options()
        shown.add_options(self._options(event.value))
        shown.highlighted = 0 if shown.options else None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What was typed, or the only action that begins so."""
        options = self._options(event.value)
        self.dismiss(options[0].id if len(options) == 1 else event.value.strip() or None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The action that was chosen."""
        self.dismiss(event.option_id)

    def action_list(self) -> None:
        """From the line to the list."""
        self.query_one(OptionList).focus()

    def _options(self, typed: str) -> list[Option]:
        return action_options([each for each in self._actions if each[0].lower().startswith(typed.strip().lower())])


def action_options(actions: Sequence[tuple[str, str]]) -> list[Option]:
    """Actions by text and explanation, as options whose id is the text."""
    width = max((len(text) for text, _ in actions), default=0)
    return [Option(f"{text:{width}}  {words}", id=text) for text, words in actions]
