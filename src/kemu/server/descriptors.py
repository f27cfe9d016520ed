"""How many files and connections this process may have open."""

import contextlib
import sys
from typing import Final

if sys.platform != "win32":  # which has no such limit
    import resource

UNLIMITED: Final = 100_000
"""What is taken for the limit where the system has none."""


def descriptor_limit() -> int:
    """The limit of this process."""
    if sys.platform == "win32":
        return UNLIMITED
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if limit == resource.RLIM_INFINITY else limit


def raise_descriptor_limit() -> None:
    """Let this process and its workers open as many as the system allows."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # macOS names a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
