"""A piece of work for the tests of the cluster, in a module that other processes can import."""

import os
import signal
from pathlib import Path


def square(leaf: str) -> str | None:
    """The square of a number; nothing for odd ones. "kill PATH" kills its process the first time."""
    if leaf.startswith("kill "):
        marker = Path(leaf.removeprefix("kill "))
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "survived"
    return str(int(leaf) ** 2) if int(leaf) % 2 == 0 else None


def wait_for_end(leaf: str) -> str | None:
    """Like `square`, but from 3 on a leaf takes until its process is ended."""
    if int(leaf) >= 3:
        signal.pause()
    return square(leaf)


def kill(leaf: str) -> str | None:
    """Kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return None
