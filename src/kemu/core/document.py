"""Reading JSON that strangers wrote: each check returns the value or raises ParseError with one sentence."""

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from kemu.core.errors import ParseError

Document: TypeAlias = dict[str, Any]
"""A JSON object: a position, a view or a record."""


def quote(value: object) -> str:
    """Return a value for an error message, cut so that a hostile one stays one short line of plain characters."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else text[:37] + "..."


def read_json(text: str) -> Any:
    """Return the value of a JSON text; raises ParseError with the place of an error."""
    try:
        value = json.loads(text)
        if "\\ud" in text.lower():  # an escape of half a character, which may stand alone and then no file can hold it
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError:
        raise ParseError("This JSON holds half of a character.") from None
    except json.JSONDecodeError as error:
        raise ParseError(f"Not JSON at line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise ParseError("This JSON is nested too deeply.") from None
    except ValueError:  # what Python says of a number with thousands of digits
        raise ParseError("This JSON holds a number of thousands of digits.") from None


def read_option(text: str) -> Any:
    """Return the value of an option that a person typed: its JSON value, or else the text itself."""
    try:
        return read_json(text)
    except ParseError:
        return text


def read_mapping(value: object, name: str) -> Document:
    """Return a value that is a JSON object; raises ParseError otherwise."""
    if not isinstance(value, dict):
        raise ParseError(f"{name} must be a JSON object, not {quote(value)}.")
    return value


def read_object(value: object, name: str, required: Sequence[str], optional: Sequence[str] = ()) -> Document:
    """Return a JSON object with these fields and no others; raises ParseError that names the field."""
    fields = read_mapping(value, name)
    for field in required:
        if field not in fields:
            raise ParseError(f"{name} needs a field '{field}'.")
    for field in fields:
        if field not in required and field not in optional:
            raise ParseError(f"{name} has no field {quote(field)}; it has {', '.join((*required, *optional))}.")
    return fields


def read_text(value: object, name: str) -> str:
    """Return a value that is a string; raises ParseError otherwise."""
    if not isinstance(value, str):
        raise ParseError(f"{name} must be a text, not {quote(value)}.")
    return value


def read_number(value: object, name: str, least: int, most: int | None = None) -> int:
    """Return a whole number from `least` to `most`; raises ParseError otherwise."""
    if type(value) is not int or value < least or (most is not None and value > most):
        limit = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise ParseError(f"{name} must be a whole number {limit}, not {quote(value)}.")
    return value


def read_list(value: object, name: str, length: int | None = None) -> list[Any]:
    """Return a list, of this length if one is given; raises ParseError otherwise."""
    if not isinstance(value, list):
        raise ParseError(f"{name} must be a list, not {quote(value)}.")
    if length is not None and len(value) != length:
        raise ParseError(f"{name} must have {length} entries, not {len(value)}.")
    return value


def read_texts(value: object, name: str) -> tuple[str, ...]:
    """Return a list of strings."""
    return tuple(read_text(text, f"Entry {number} of {name}") for number, text in enumerate(read_list(value, name), 1))
