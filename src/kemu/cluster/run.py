"""Runs a piece of work to its end, from wherever an earlier run was stopped."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple, TypeVar

from kemu.cluster.leaves import LeafStore, Progress
from kemu.cluster.workers import LeafResult

T = TypeVar("T")

Results = Callable[[Sequence[str]], Generator[LeafResult, None, None]]
"""Gives leaves to workers, and the result of each as it comes, see `kemu.cluster.workers`."""


class Report(NamedTuple):
    """How far a piece of work is, how fast this run is, and how long the rest may take."""

    progress: Progress  # of the whole piece of work, which may have leaves that this run does not want
    done: int  # of the leaves that this run wants, those of earlier runs among them
    wanted: int
    leaves_per_minute: float
    minutes_left: float


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, on a loop of its own.

    Ctrl-C ends it at once. `asyncio.run` would first wait for the leaf that this process works on, which may take
    minutes.
    """
    with closing(asyncio.new_event_loop()) as loop:
        return loop.run_until_complete(work)


def time_left(minutes: float) -> str:
    """How long something may still take, in words."""
    if minutes < 1:
        return "less than a minute left"
    if minutes < 90:
        return f"about {minutes:.0f} minute{'s' if round(minutes) > 1 else ''} left"
    return f"about {minutes / 60:.1f} hours left"


async def finish_leaves(
    store: LeafStore,
    work: str,
    leaves: Iterable[str],
    results: Results,
    report: Callable[[Report], None],
    enough: Callable[[Mapping[str, str]], bool] | None = None,
) -> dict[str, str]:
    """What was found for the leaves of a piece of work, once none is open; each result is stored before it is reported.

    `enough` is asked before a result is waited for whether those found so far will do; then the rest is left open.
    """
    wanted = dict.fromkeys(leaves)
    await store.add(work, wanted)
    found = await store.results(work)
    # An earlier run may have left others open.
    begin, waiting = time.perf_counter(), [leaf for leaf in await store.open_leaves(work) if leaf in wanted]
    if not waiting or (enough and enough(found)):
        return found
    with closing(results(waiting)) as coming:
        for done, (leaf, result, seconds) in enumerate(coming, start=1):
            await store.finish(work, leaf, result, seconds)
            rate = 60 * done / (time.perf_counter() - begin)
            left = len(waiting) - done
            report(Report(await store.progress(work), len(wanted) - left, len(wanted), rate, left / rate))
            if result is not None:
                found[leaf] = result
            if enough and enough(found):
                break
    return await store.results(work)
