"""Why a piece of work cannot go on. What was stored before stays stored."""

from kemu.core.errors import KemuError


class LeavesUnavailable(KemuError):
    """The database of leaves cannot be read or written."""

    code = "unavailable"


class WorkersLost(KemuError):
    """Processes were killed again and again before any of them had a result."""

    code = "workers-lost"
