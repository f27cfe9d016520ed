"""Who works on leaves: processes of this machine, or a Ray cluster (`kemu[cluster]`)."""

import importlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

from kemu.cluster.errors import WorkersLost
from kemu.core.errors import OptionError

Work = Callable[[str], str | None]
"""What is done with a leaf: a function of a module, so that other processes can import it."""

Workers = Callable[[Work, Sequence[str]], Generator["LeafResult", None, None]]
"""Who works on leaves: gives the result of each as it comes."""

LOCAL_PROCESSES: Final = 2
PROCESSES_A_CORE: Final = 4
MOST_BREAKS: Final = 3
"""Pools of processes that break one after the other without any result before the work is given up."""

STARTED_HERE: Final = ("local", "auto")
"""Addresses of a cluster that is started now, and of one that runs on this machine already."""

CONNECT_SECONDS: Final = 10
LAST_PORT: Final = 65_535


class LeafResult(NamedTuple):
    """A leaf, its result, None if nothing was found, and the time it took."""

    leaf: str
    result: str | None
    seconds: float


def chosen_workers(processes: int = LOCAL_PROCESSES, cluster: str | None = None) -> Workers:
    """So many processes of this machine, only this one if it is one, or instead the cluster at an address.

    Raises OptionError if the machine has far fewer cores.
    """
    if cluster is not None:
        return partial(ray_results, address=cluster)
    most = PROCESSES_A_CORE * (os.cpu_count() or 1)
    if processes > most:
        raise OptionError(f"{processes} processes are too many for this machine; take at most {most}.")
    return results_here if processes == 1 else partial(local_results, processes=processes)


def results_here(work: Work, leaves: Sequence[str]) -> Generator[LeafResult, None, None]:
    """The results of leaves in their order, by this process."""
    return (timed(work, leaf) for leaf in leaves)


def timed(work: Work, leaf: str) -> LeafResult:
    """The result of a leaf with the time it took."""
    begin = time.perf_counter()
    result = work(leaf)
    return LeafResult(leaf, result, time.perf_counter() - begin)


def local_results(
    work: Work, leaves: Sequence[str], processes: int = LOCAL_PROCESSES
) -> Generator[LeafResult, None, None]:
    """The results of leaves as they come; the leaves of a process that is killed are handed out again.

    All processes end at once when the generator is closed or this process ends, whatever they are working on. Raises
    WorkersLost if they are killed again and again.
    """
    left, breaks, context = list(leaves), 0, get_context("spawn")
    while left:
        reader, writer = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(processes, context, _end_with_pipe, (reader,))
        try:
            for future in as_completed([pool.submit(timed, work, leaf) for leaf in left]):
                done = future.result()
                left.remove(done.leaf)
                breaks = 0
                yield done
        except BrokenProcessPool:
            breaks += 1
            if breaks == MOST_BREAKS:
                raise WorkersLost(
                    f"The processes were killed {MOST_BREAKS} times before any had a result; if memory was short, try"
                    " fewer."
                ) from None
        finally:
            writer.close()
            pool.shutdown(cancel_futures=True)
            reader.close()


def ray_results(work: Work, leaves: Sequence[str], address: str) -> Generator[LeafResult, None, None]:
    """The same on a Ray cluster at an address; "local" starts one on this machine. Ray retries what was killed.

    The first call connects this process to the cluster, until it ends. Raises OptionError without Ray or a cluster.
    """
    cluster = _connected(address)
    remote = cluster.remote(max_retries=-1)(timed)
    shared = cluster.put(work)  # it may hold large weights, which are sent to each machine once
    waiting = [remote.remote(shared, leaf) for leaf in leaves]
    try:
        while waiting:
            ready, waiting = cluster.wait(waiting)
            for each in ready:
                yield LeafResult(*cluster.get(each))
    finally:
        for each in waiting:
            cluster.cancel(each)


def _connected(address: str) -> Any:
    """Ray, connected to the cluster at an address."""
    if address not in STARTED_HERE:
        _require_listener(address)
    try:
        cluster: Any = importlib.import_module("ray")
    except ImportError:
        raise OptionError("A cluster needs Ray: install kemu[cluster].") from None
    if not cluster.is_initialized():
        place = None if address == "local" else address
        try:
            cluster.init(address=place, include_dashboard=False, log_to_driver=False)
        except (OSError, RuntimeError, ValueError) as error:
            reason = str(error).partition("\n")[0].rstrip(".")
            raise OptionError(f"There is no cluster at '{address}': {reason}.") from error
    return cluster


def _require_listener(address: str) -> None:
    """Raise OptionError unless something listens at an address: Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal() or int(port) > LAST_PORT:
        raise OptionError(f"A cluster is local, HOST:PORT or ray://HOST:PORT, not '{address}'.")
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except OSError:
        raise OptionError(f"No cluster answers at {address}.") from None


def _end_with_pipe(reader: Connection) -> None:
    """Ends this process as soon as the other end of a pipe is closed, by its owner or because the owner ended.

    Ctrl-C goes to all processes of a terminal; the owner's end is what ends this one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        reader.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
