"""Screens that ask or tell one thing."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from kemu.games import manifest
from kemu.terminal.screen import joined_lines

AfterMatch: TypeAlias = Literal["again", "look", "new", "quit"]
"""Choice after the end of a match."""

Answer = TypeVar("Answer")


class AnswerDialog(ModalScreen[Answer]):
    """Sentences, and a button and a key for each answer; Escape is another key for one of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, sentences: Sequence[str], answers: Mapping[str, tuple[Answer, str]], escape: str) -> None:
        super().__init__()
        self._sentences = sentences
        self._answers = answers  # by key, with the word on the button
        self._escape = escape

    def compose(self) -> ComposeResult:
        """Show the sentences, the first of several as a title, and the buttons."""
        with Vertical(classes="dialog"):
            for number, sentence in enumerate(self._sentences):
                title = number == 0 and len(self._sentences) > 1
                yield Label(sentence, markup=False, classes="title" if title else None)
            with Horizontal(classes="buttons"):
                for key, (answer, word) in self._answers.items():
                    yield Button(f"{word} ({key})", action=f"screen.dismiss({answer!r})")

    def on_key(self, event: events.Key) -> None:
        """Answer by a key."""
        key = self._escape if event.key == "escape" else event.key
        if key in self._answers:
            event.stop()
            self.dismiss(self._answers[key][0])


class YesNo(AnswerDialog[bool]):
    """Asks one question."""

    def __init__(self, question: str) -> None:
        super().__init__([question], {"y": (True, "Yes"), "n": (False, "No")}, escape="n")


class ResultDialog(AnswerDialog[AfterMatch]):
    """The end of a match, and the choice of what comes next."""

    def __init__(self, sentences: Sequence[str], again: str) -> None:
        words: dict[str, tuple[AfterMatch, str]] = {
            "p": ("again", again),
            "l": ("look", "Look"),
            "n": ("new", "New"),
            "q": ("quit", "Quit"),
        }
        super().__init__(sentences, words, escape="l")


class RulesPage(ModalScreen[None]):
    """The rules of a game in short, and more text under them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,r", "dismiss", "Close")]

    def __init__(self, key: str, more: str = "") -> None:
        super().__init__()
        self._known, self._more = manifest(key), more

    def compose(self) -> ComposeResult:
        """Show the text, which scrolls where it is longer than the screen."""
        with VerticalScroll(classes="dialog page") as page:
            page.border_title = self._known.title
            page.border_subtitle = "Esc closes"
            yield Static(joined_lines(self._known.how_to_play) + self._more, markup=False)


class HandoverScreen(Screen[None]):
    """Covers the whole screen until the next person is alone with it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "dismiss", "I am ready")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name_to_come = name

    def compose(self) -> ComposeResult:
        """Name the next person."""
        with Vertical(classes="handover"):
            yield Center(Label(f"Pass the keyboard to {self._name_to_come}.", markup=False, classes="title"))
            yield Center(Label("Press Enter when only you see the screen."))
            yield Center(Button(f"I am {self._name_to_come}", action="screen.dismiss"))


class ActionDialog(ModalScreen[str | None]):
    """All legal actions with what they do; typing narrows the list, so that an action can also be typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close"),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self, actions: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._actions = actions  # text and explanation

    def compose(self) -> ComposeResult:
        """Show a line to type in and the list."""
        with Vertical(classes="dialog actions") as dialog:
            dialog.border_title = "Actions"
            dialog.border_subtitle = "type or choose, Esc closes"
            typed = Input(placeholder="such as " + self._actions[0][0], compact=True)
            typed.cursor_blink = False
            yield typed
            yield OptionList(*self._options(""), markup=False, compact=True)

    def on_input_changed(self, event: Input.Changed) -> None:
        """List only the actions that begin with what was typed."""
        shown = self.query_one(OptionList)
        shown.clear_options()
        shown.add_options(self._options(event.value))
        shown.highlighted = 0 if shown.options else None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer what was typed, or the only action that begins so."""
        options = self._options(event.value)
        self.dismiss(options[0].id if len(options) == 1 else event.value.strip() or None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer the action that was chosen."""
        self.dismiss(event.option_id)

    def _options(self, typed: str) -> list[Option]:
        return action_options([each for each in self._actions if each[0].lower().startswith(typed.strip().lower())])


def action_options(actions: Sequence[tuple[str, str]]) -> list[Option]:
    """Return options for actions by text and explanation; the id of each is the text."""
    width = max((len(text) for text, _ in actions), default=0)
    return [Option(f"{text:{width}}  {words}", id=text) for text, words in actions]
