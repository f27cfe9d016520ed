"""Tasks for study workers: one that counts, and others that refuse, fail, or end their process."""

import itertools
import os
from collections.abc import Iterator
from typing import Any

from kemu.core.errors import IllegalAction
from kemu.server.jobs.worker_process import MOST_LINE_BYTES


def count(question: Any) -> Iterator[dict[str, Any]]:
    """Count up to a number."""
    for number in range(question["to"]):
        yield {"number": number, "nice": os.nice(0), "process": os.getpid()}


def refuse(question: Any) -> Iterator[dict[str, Any]]:
    """Refuse after the first document."""
    yield {"number": 0}
    raise IllegalAction("This is not allowed.")


def end(question: Any) -> Iterator[dict[str, Any]]:
    """End the process after the first document."""
    yield {"number": 0}
    os._exit(1)


def fail(question: Any) -> Iterator[dict[str, Any]]:
    """Fail after the first document, as no task should."""
    yield {"number": 0}
    raise KeyError("secret")


def long(question: Any) -> Iterator[dict[str, Any]]:
    """Answer with a longer line than a server reads."""
    yield {"number": 0, "text": "x" * MOST_LINE_BYTES}


def endless(question: Any) -> Iterator[dict[str, Any]]:
    """An analysis that never ends and needs no engine."""
    line = {"action": "1-0", "score": 0.5, "pv": ["1-0"], "proven": None}
    for number in itertools.count(1):
        yield {"seat": 0, "lines": [line], "nodes": number, "ms": number}
