"""Errors that bad input causes: each has a stable code that a program can act on, and a sentence for people."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self


class KemuError(ValueError):
    """The root of every error that bad input can cause."""

    code: ClassVar[str] = "error"
    reason: str = ""  # for IllegalAction: which rule refuses the action; empty where the code says everything
    values: Mapping[str, Any] = {}  # what the sentence names, as JSON

    def __init_subclass__(cls, code: str = "") -> None:
        """Give a kind of error its code; without one it has that of the kind it derives from."""
        cls.code = code or cls.code

    def __str__(self) -> str:
        """Return the sentence; what it quotes of a stranger's file steers no terminal, so control characters go."""
        sentence = super().__str__()
        if sentence.isprintable():
            return sentence
        return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in sentence)

    def located(self, place: str) -> Self:
        """Name the place of the fault.

        Args:
            place: Where the fault is, such as `Action 3`.

        Returns:
            The same error with the place before its sentence.
        """
        error = copy.copy(self)
        error.args = (f"{place}: {self}",)
        return error

    def document(self) -> dict[str, Any]:
        """Write the error as JSON.

        Returns:
            Its code and message, and its reason and values if there are any.
        """
        details = {"reason": self.reason, "values": dict(self.values)}
        return {"code": self.code, "message": str(self)} | {name: each for name, each in details.items() if each}


class ParseError(KemuError):
    """A text or document cannot be read."""

    code = "parse-error"


class IllegalAction(KemuError):
    """The rules do not allow this action in this state.

    `reason` is a stable word of the game, such as "not-empty", and `values` are what its sentence names, so that a
    client can explain the refusal in any language. They say no more than the seat to act knows.
    """

    code = "illegal-action"

    def __init__(self, message: str, reason: str = "", **values: Any) -> None:
        super().__init__(message)
        self.reason, self.values = reason, values


class UnknownGame(KemuError):
    """No game has this key."""

    code = "unknown-game"


class OptionError(KemuError):
    """A game has no such option, or the option no such value."""

    code = "bad-option"


class UnknownSeat(KemuError):
    """A game has no seat of this number."""

    code = "unknown-seat"


class MissingPart(KemuError, ImportError):
    """A part of the installation is needed and not there; the sentence says what to install."""

    code = "missing-part"
