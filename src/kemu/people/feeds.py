"""Feeds of a player as text: a calendar of deadlines (RFC 5545) and the last notices as Atom (RFC 4287)."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

CALENDAR_TYPE: Final = "text/calendar"
ATOM_TYPE: Final = "application/atom+xml"

LINE_BYTES: Final = 75
"""The longest line of a calendar; a longer one goes on in the next, which begins with a space."""


class Deadline(NamedTuple):
    """A match in which time runs for the player: what it is about, its address, and when (ms) time is over."""

    match: str
    summary: str
    address: str
    at: int


class FeedEntry(NamedTuple):
    """A notice in a feed."""

    id: str
    title: str
    address: str
    at: int


def calendar(deadlines: Iterable[Deadline], now: int) -> str:
    """Return a calendar with an event at each deadline."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kemu//Kemu//EN", "X-WR-CALNAME:Kemu"]
    for each in deadlines:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{each.match}@kemu",
            f"DTSTAMP:{_stamp(now)}",
            f"DTSTART:{_stamp(each.at)}",
            f"DTEND:{_stamp(each.at)}",
            f"SUMMARY:{_text(each.summary)}",
            f"URL:{each.address}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(_folded(line) for line in [*lines, "END:VCALENDAR"])


def atom(entries: Iterable[FeedEntry], address: str, now: int) -> str:
    """Return a feed of notices; `address` is its own."""
    found = list(entries)
    updated = max((entry.at for entry in found), default=now)
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>Kemu</title>\n',
        f"<id>{escape(address)}</id>\n<link rel={quoteattr('self')} href={quoteattr(address)}/>\n",
        f"<updated>{_time(updated)}</updated>\n<author><name>Kemu</name></author>\n",
    ]
    for entry in found:
        parts.append(
            f"<entry>\n<id>{escape(entry.id)}</id>\n<title>{escape(entry.title)}</title>\n"
            f"<link href={quoteattr(entry.address)}/>\n<updated>{_time(entry.at)}</updated>\n</entry>\n"
        )
    return "".join([*parts, "</feed>\n"])


def _stamp(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).isoformat().replace("+00:00", "Z")


def _text(text: str) -> str:
    """Return a text as a value of a calendar."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line in pieces of at most 75 bytes, none of which ends within a character."""
    pieces, piece = [], ""
    for character in line:
        if len(f"{piece}{character}".encode()) > LINE_BYTES:
            pieces.append(piece)
            piece = " "
        piece += character
    return "".join(f"{each}\r\n" for each in (*pieces, piece))
