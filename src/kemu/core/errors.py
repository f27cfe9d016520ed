"""What can go wrong, each with a stable code that a program can act on and a sentence for people."""

from typing import ClassVar


class KemuError(ValueError):
    """The root of every error that bad input can cause."""

    code: ClassVar[str] = "error"


class ParseError(KemuError):
    """A text or document cannot be read."""

    code = "parse-error"


class IllegalAction(KemuError):
    """The rules do not allow this action in this state."""

    code = "illegal-action"


class UnknownGame(KemuError):
    """No game has this key."""

    code = "unknown-game"


class OptionError(KemuError):
    """A game has no such option, or the option no such value."""

    code = "bad-option"
