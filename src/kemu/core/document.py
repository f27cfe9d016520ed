"""Reading JSON that strangers wrote: each check returns the value or raises ParseError with one sentence."""

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from kemu.core.errors import ParseError

Document: TypeAlias = dict[str, Any]
"""A JSON object: a position, a view or a record."""


def quote(value: object) -> str:
    """A value for an error message, cut so that a hostile one stays one short line of plain characters."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else text[:37] + "..."


def read_object(value: object, name: str, required: Sequence[str], optional: Sequence[str] = ()) -> Document:
    """A JSON object with these fields and no others."""
    if not isinstance(value, dict):
        raise ParseError(f"{name} must be a JSON object, not {quote(value)}.")
    for field in required:
        if field not in value:
            raise ParseError(f"{name} needs a field '{field}'.")
    for field in value:
        if field not in required and field not in optional:
            raise ParseError(f"{name} has no field {quote(field)}; it has {', '.join((*required, *optional))}.")
    return value


def read_text(value: object, name: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise ParseError(f"{name} must be a text, not {quote(value)}.")
    return value


def read_number(value: object, name: str, least: int, most: int | None = None) -> int:
    """A whole number from `least` to `most`."""
    if type(value) is not int or value < least or (most is not None and value > most):
        limit = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise ParseError(f"{name} must be a whole number {limit}, not {quote(value)}.")
    return value


def read_list(value: object, name: str, length: int | None = None) -> list[Any]:
    """A list, of this length if one is given."""
    if not isinstance(value, list):
        raise ParseError(f"{name} must be a list, not {quote(value)}.")
    if length is not None and len(value) != length:
        raise ParseError(f"{name} must have {length} entries, not {len(value)}.")
    return value


def read_texts(value: object, name: str) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(read_text(text, f"Entry {number} of {name}") for number, text in enumerate(read_list(value, name), 1))
