"""A process that works for study: reviews and analyses, step by step, several of them in turns.

Each line that comes in is a request of `study_workers`; it is answered by one line with the next document of a stream.
A task that fails ends its own stream alone.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable, Generator
from typing import Any, Final

from kemu.bots.registry import engine_player
from kemu.core.document import Document
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.manifest import load
from kemu.games import game

NICENESS: Final = 10
"""How far behind bots and the server itself this process stands."""

TASKS: Final[dict[str, str]] = {
    "review": "kemu.study.review:review_task",
    "retry": "kemu.study.review:retry_task",
    "analyse": "kemu.study.analyse:analyse",
    "refute": "kemu.study.analyse:refute",
    "graph": "kemu.study.graph:graph",
}
"""By task, the import path of a function from a question to the documents of its answer; each takes a moment."""

MOST_STATES_TO_SOLVE: Final = 50_000
"""A game with more takes seconds to solve, and all who study would wait for that: twelve arms are solved, 14 not."""

UNKNOWN_STREAM: Final = "unknown-stream"
"""The code for a stream that began in a process before this one."""

Streams = dict[str, Generator[dict[str, Any], None, None]]


def check_question(question: Document) -> None:
    """Raise OptionError if the game of a question takes too long to solve."""
    asked = question.get("record", question)
    if "game" not in asked:
        return
    chosen = game(asked["game"], **asked.get("options", {}))
    player = engine_player(chosen)
    if player and player.states_to_solve and player.states_to_solve(chosen) > MOST_STATES_TO_SOLVE:
        raise OptionError("With these options the game takes too long to solve here; kemu on your computer can do it.")


def answer(streams: Streams, request: dict[str, Any]) -> dict[str, Any]:
    """The next document of a stream, nothing if it has ended, or why it cannot go on."""
    for closed in request["closed"]:
        if closed in streams:
            streams.pop(closed).close()
    name = request["stream"]
    if name not in streams and "task" not in request:
        return {"code": UNKNOWN_STREAM}
    try:
        if name not in streams:
            task: Callable[[Any], Any] = load(request["task"])
            check_question(request["question"])
            streams[name] = task(request["question"])
        return {"document": next(streams[name])}
    except StopIteration:
        ended = {}
    except KemuError as error:
        ended = {"code": error.code, "message": str(error)}
    except Exception as error:  # of one question; the streams of others go on
        ended = {"code": "study-failed", "fault": _place(error)}
    streams.pop(name, None)
    return ended


def answer_line(streams: Streams, line: bytes) -> dict[str, Any]:
    """The answer to a line of JSON."""
    try:
        request = json.loads(line)
    except RecursionError:
        return {"code": ParseError.code, "message": "This question is nested too deeply."}
    return answer(streams, request)


def _place(error: Exception) -> str:
    """The kind of an error and its place, without its text, which may hold cards or names."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, {os.path.basename(frame.filename)}, line {frame.lineno}"


def main() -> None:
    """Answer until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    streams: Streams = {}
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer_line(streams, line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
