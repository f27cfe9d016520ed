"""Tasks for the tests of parallel work, in a module that other processes can import."""

import os
import signal
from pathlib import Path


def square(task: str) -> str | None:
    """The square of a number; nothing for odd ones. "kill PATH" kills its process the first time."""
    if task.startswith("kill "):
        marker = Path(task.removeprefix("kill "))
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "survived"
    return str(int(task) ** 2) if int(task) % 2 == 0 else None


def wait_for_end(task: str) -> str | None:
    """Like `square`, but from 3 on a task takes until its process is ended."""
    if int(task) >= 3:
        signal.pause()
    return square(task)


def kill(task: str) -> str | None:
    """Kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return None
