"""A worker process: works on several streams of answers in turns, `python -m kemu.work.worker NICENESS`.

Each line that comes in is a request; it is answered by one line with the next answer of a stream. A task that fails
ends its own stream alone.
"""

import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from kemu.core.errors import KemuError, ParseError
from kemu.core.manifest import load
from kemu.work.tasks import Task

UNKNOWN_STREAM: Final = "unknown-stream"
"""The code for a stream that began in a process before this one."""


class Request(Struct, frozen=True, omit_defaults=True):
    """Asks for the next answer of a stream; what begins a stream has the path of the task and the question."""

    stream: str
    task: str = ""
    question: Raw | UnsetType = UNSET
    closed: list[str] = []  # streams that nobody reads any more
    is_last: bool = False  # whether no further answer will be asked for


class Reply(Struct, frozen=True, omit_defaults=True):
    """The next answer of a stream, nothing if it has ended, or the reason why it failed."""

    answer: Raw | UnsetType = UNSET
    code: str = ""
    message: str = ""
    fault: str = ""  # where the task failed, for the log


Streams = dict[str, Iterator[Any]]


def answer(streams: Streams, line: bytes) -> Reply:
    """Work on the stream of a request, a line of JSON, for one answer."""
    name = ""
    try:
        request = msgspec.json.decode(line, type=Request)
        name = request.stream
        for closed in request.closed:
            streams.pop(closed, None)
        if name not in streams:
            if request.question is UNSET:
                return Reply(code=UNKNOWN_STREAM)
            task: Task[Any, Any] = load(request.task)
            streams[name] = task.run(msgspec.json.decode(request.question, type=task.question))
        reply = Reply(Raw(msgspec.json.encode(next(streams[name]))))
        if not request.is_last:
            return reply
    except StopIteration:
        reply = Reply()
    except RecursionError:
        reply = Reply(code=ParseError.code, message="This question is nested too deeply.")
    except KemuError as error:
        reply = Reply(code=error.code, message=str(error))
    except Exception as error:  # of one question; the streams of others continue
        reply = Reply(fault=_place(error))
    streams.pop(name, None)
    return reply


def _place(error: Exception) -> str:
    """Return the kind of an error and its place, without its text, which may hold cards or names."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, {os.path.basename(frame.filename)}, line {frame.lineno}"


def main() -> None:
    """Answer until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    streams: Streams = {}
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(streams, line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
