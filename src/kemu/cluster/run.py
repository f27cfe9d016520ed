"""Runs a piece of work to its end, from wherever an earlier run was stopped."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from kemu.cluster.leaves import LeafStore, Progress
from kemu.cluster.workers import LeafResult


class Report(NamedTuple):
    """How far a piece of work is, how fast this run is, and how long the rest may take."""

    progress: Progress
    leaves_per_minute: float
    minutes_left: float


async def finish_leaves(
    store: LeafStore,
    work: str,
    leaves: Iterable[str],
    results: Callable[[Sequence[str]], Iterator[LeafResult]],
    report: Callable[[Report], None],
) -> dict[str, str]:
    """What was found for the leaves of a piece of work, once none is open; each result is stored before it is reported.

    `results` gives the open leaves to workers, see `kemu.cluster.workers`.
    """
    await store.add(work, leaves)
    begin = time.perf_counter()
    for done, (leaf, result, seconds) in enumerate(results(await store.open_leaves(work)), start=1):
        await store.finish(work, leaf, result, seconds)
        rate = 60 * done / (time.perf_counter() - begin)
        progress = await store.progress(work)
        report(Report(progress, rate, progress.left / rate))
    return await store.results(work)
