"""Asynchronous work in tests, on a loop of its own, whatever loops the thread of the test has already."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def on_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Do the work; a browser test may have left a loop running in this thread, so another thread does it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
