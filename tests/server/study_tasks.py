"""Tasks for study workers: one that counts, one that refuses, one that ends its process."""

import os
from collections.abc import Iterator
from typing import Any

from kemu.core.errors import IllegalAction


def count(question: Any) -> Iterator[dict[str, Any]]:
    """Count up to a number."""
    for number in range(question["to"]):
        yield {"number": number, "nice": os.nice(0)}


def refuse(question: Any) -> Iterator[dict[str, Any]]:
    """Refuse after the first document."""
    yield {"number": 0}
    raise IllegalAction("This is not allowed.")


def end(question: Any) -> Iterator[dict[str, Any]]:
    """End the process after the first document."""
    yield {"number": 0}
    os._exit(1)
