"""A process that works for study: reviews and analyses, step by step, several of them in turns.

Each line that comes in is a request of `study_workers`; it is answered by one line with the next document of a stream.
"""

import json
import os
import sys
from collections.abc import Callable, Generator
from typing import Any, Final

from kemu.core.errors import KemuError
from kemu.core.manifest import load

NICENESS: Final = 10
"""How far behind bots and the server itself this process stands."""

TASKS: Final[dict[str, str]] = {}
"""By task, the import path of a function from a question to the documents of its answer; each takes a moment."""

Streams = dict[str, Generator[dict[str, Any], None, None]]


def answer(streams: Streams, request: dict[str, Any]) -> dict[str, Any]:
    """The next document of a stream, nothing if it has ended, or why it cannot go on."""
    for closed in request["closed"]:
        if closed in streams:
            streams.pop(closed).close()
    name = request["stream"]
    if name not in streams:
        if "task" not in request:
            return {"code": "study-failed", "message": "The work was interrupted; try again."}
        task: Callable[[Any], Any] = load(request["task"])
        streams[name] = task(request["question"])
    try:
        return {"document": next(streams[name])}
    except StopIteration:
        ended = {}
    except KemuError as error:
        ended = {"code": error.code, "message": str(error)}
    del streams[name]
    return ended


def main() -> None:
    """Answer until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    streams: Streams = {}
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(streams, json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
