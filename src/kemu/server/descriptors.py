"""How many files and connections this process may have open."""

import contextlib
from typing import Final

try:
    import resource
except ImportError:  # on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

UNLIMITED: Final = 100_000
"""What is taken for the limit where the system has none."""


def descriptor_limit() -> int:
    """The limit of this process."""
    if resource is None:
        return UNLIMITED
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if limit == resource.RLIM_INFINITY else limit


def raise_descriptor_limit() -> None:
    """Let this process and its workers open as many as the system allows."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # macOS names a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
