"""Damages bytes, texts and JSON documents at random, with the values that have broken programs before."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

HOSTILE_BYTES = (
    *(b"\0", b"\x1b[2J\x1b]0;x\x07", b"\r\n\r\n", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf"),
    *(b"-1", b"1e999", b"99999999999999999999", b"NaN", b"0x10", b"%00", b"..%2f", b"\xd9\xa4", b"\xe2\x80\xae"),
    *(b"[" * 3000, b'{"a":' * 3000, b"(" * 3000, b'"', b"\\u0000", b"\\ud800", b"{}", b"null", b"true", b"a" * 5000),
)
HOSTILE_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, 1e308, 2**31, 2**63, 10**40, "", " ", "\0", "\x1b]0;x\x07", "\ud800", "\u202e"),
    *("m=7", "f6", "0", "constructor", "__class__", "x" * 5000, [], {}, [[]], [None] * 50, {"": 0}, {"seat": 0}),
)
CHANGES = 4
"""The most changes of one input."""


def damaged_bytes(source: Random, seed: bytes) -> bytes:
    """Return a copy of bytes with some places changed, dropped, doubled or replaced."""
    data = bytearray(seed)
    for _ in range(source.randint(1, CHANGES)):
        start = source.randint(0, len(data))
        end = min(len(data), start + source.choice((0, 1, 2, 8, 64)))
        change = source.randrange(5)
        if change == 0:
            data[start:end] = b""
        elif change == 1:
            data[start:start] = data[start:end] * source.choice((1, 2, 300))
        elif change == 2:
            data[start:end] = source.choice(HOSTILE_BYTES)
        elif change == 3:
            data[start:end] = source.randbytes(end - start)
        else:
            place = source.randint(0, len(data))
            data[start:end] = data[place : place + end - start]
    return bytes(data)


def damaged_document(source: Random, seed: Any) -> Any:
    """Return a copy of a JSON document with some values replaced, dropped, cut, tripled or moved to another place."""
    document = [deepcopy(seed)]
    for _ in range(source.randint(1, CHANGES)):
        places = [*_places(document)]
        holder, key = source.choice(places)
        if isinstance(holder, dict) and source.random() < 0.3:
            del holder[key]
        elif isinstance(holder[key], list) and source.random() < 0.3:
            holder[key] = source.choice((holder[key][:-1], holder[key] * 3))
        elif source.random() < 0.3:
            other, place = source.choice(places)
            holder[key] = deepcopy(other[place])
        else:
            holder[key] = deepcopy(source.choice(HOSTILE_VALUES))
    return document[0]


def json_bytes(document: Any) -> bytes:
    """Return a document as JSON; lone surrogates are escaped, which JSON allows."""
    return json.dumps(document).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in [*(value if isinstance(value, dict) else range(len(value)))]:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
