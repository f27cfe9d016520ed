"""How long the strong solution of Mū tōrere takes, and how much memory, beside the yardstick."""

import multiprocessing
import sys
import time

from yardstick import yardstick

from kemu.engines.mu_torere.solver import solve
from kemu.games.mu_torere.rules import MuTorere


def measure(arms: int, flank: str) -> tuple[int, float, float]:
    """States, seconds with the census, and the peak memory of a fresh process in MiB."""
    start = time.perf_counter()
    states = solve(MuTorere(arms=arms, flank=flank)).census().states
    elapsed = time.perf_counter() - start
    return states, elapsed, _peak()


def _peak() -> float:
    if sys.platform == "win32":
        return float("nan")
    import resource

    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def main() -> None:
    print(f"yardstick {yardstick():.3f} s")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for arms, flank in ((8, "always"), (12, "always"), (16, "always"), (16, "opening")):
            states, elapsed, peak = pool.apply(measure, (arms, flank))
            cost = f"{elapsed:7.2f} s = {elapsed / yardstick():6.1f} yardsticks, {peak:5.0f} MiB"
            print(f"{arms:2} arms, {flank:7} {states:7} states {cost}")


if __name__ == "__main__":
    main()
