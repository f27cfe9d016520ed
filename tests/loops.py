"""Asynchronous work in tests, on a loop of its own: a browser test may have left one running in this thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def on_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Do the work and give what comes of it."""
    return apart(lambda: asyncio.run(work))


def apart(work: Callable[..., T], *arguments: Any) -> T:
    """Call what begins a loop of its own, in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *arguments).result()
