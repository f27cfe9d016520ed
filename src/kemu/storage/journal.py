"""What both journals share: a write that waits for its commit."""

from asyncio import Future
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from kemu.storage.store import Append, MatchRow, tended


class Write(NamedTuple):
    """Appends to be kept together, and who waits for them."""

    appends: Sequence[Append]
    done: "Future[None]"


def settle(writes: Sequence[Write], failures: Sequence[Exception | None]) -> None:
    """Tell those who wait."""
    for write, failure in zip(writes, failures, strict=True):
        if write.done.cancelled():
            continue
        if failure is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(failure)


def columns(row: MatchRow, process: str) -> tuple[Any, ...]:
    """A row for the table of matches: id, game, host, status, public, rated, created, tended, owner, row."""
    terms = row.terms
    known = (terms.id, terms.game, terms.host, row.status, terms.public, terms.rated, terms.created)
    return (*known, tended(row), process, msgspec.json.encode(row).decode())
