"""Runs a piece of work to its end, from wherever an earlier run was stopped."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from kemu.cluster.leaves import LeafStore, Progress
from kemu.cluster.workers import LeafResult

Results = Callable[[Sequence[str]], Generator[LeafResult, None, None]]
"""Gives leaves to workers, and the result of each as it comes, see `kemu.cluster.workers`."""


class Report(NamedTuple):
    """How far a piece of work is, how fast this run is, and how long the rest may take."""

    progress: Progress
    leaves_per_minute: float
    minutes_left: float


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
            progress = await store.progress(work)
            report(Report(progress, rate, progress.left / rate))
            if result is not None:
                found[leaf] = result
            if enough and enough(found):
                break
    return await store.results(work)
