"""Tasks for worker processes: one that counts, and others that refuse, fail, hang or end their process."""

import itertools
import os
import threading
from collections.abc import Iterator

from msgspec import Struct

from kemu.core.errors import IllegalAction
from kemu.work.pool import MOST_LINE_BYTES
from kemu.work.tasks import AnalysisLine, AnalysisStep, LinesQuestion, Task


class CountQuestion(Struct, frozen=True):
    """How far to count."""

    to: int = 3


class Count(Struct, frozen=True):
    """A number, and the process that counted."""

    number: int
    nice: int = 0
    process: int = 0
    text: str = ""


def count(question: CountQuestion) -> Iterator[Count]:
    """Count up to a number."""
    for number in range(question.to):
        yield Count(number, os.nice(0), os.getpid())


def refuse(question: CountQuestion) -> Iterator[Count]:
    """Refuse after the first answer."""
    yield Count(0)
    raise IllegalAction("This is not allowed.")


def end(question: CountQuestion) -> Iterator[Count]:
    """End the process after the first answer."""
    yield Count(0)
    os._exit(1)


def fail(question: CountQuestion) -> Iterator[Count]:
    """Fail after the first answer, as no task should."""
    yield Count(0)
    raise KeyError("secret")


def hang(question: CountQuestion) -> Iterator[Count]:
    """Hang after the first answer."""
    yield Count(0)
    threading.Event().wait()


def long(question: CountQuestion) -> Iterator[Count]:
    """Answer with a longer line than a server reads."""
    yield Count(0, text="x" * MOST_LINE_BYTES)


def endless(question: LinesQuestion) -> Iterator[AnalysisStep]:
    """An analysis that never ends and needs no engine."""
    for number in itertools.count(1):
        yield AnalysisStep(0, [AnalysisLine("1-0", 0.5, ["1-0"])], number, number)


COUNT = Task("tests.work.tasks:COUNT", "analysis", count, CountQuestion, Count)
REFUSE = Task("tests.work.tasks:REFUSE", "analysis", refuse, CountQuestion, Count)
END = Task("tests.work.tasks:END", "analysis", end, CountQuestion, Count)
FAIL = Task("tests.work.tasks:FAIL", "analysis", fail, CountQuestion, Count)
HANG = Task("tests.work.tasks:HANG", "analysis", hang, CountQuestion, Count)
LONG = Task("tests.work.tasks:LONG", "analysis", long, CountQuestion, Count)
ENDLESS = Task("tests.work.tasks:ENDLESS", "analysis", endless, LinesQuestion, AnalysisStep)
