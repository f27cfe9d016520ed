"""A head that the tests kill: python head.py DATABASE, with a line of output for every leaf that is stored."""

import asyncio
import sys

from kemu.cluster.leaves import LeafStore
from kemu.cluster.run import Report, finish_leaves
from kemu.cluster.workers import local_results
from tests.cluster.squares import wait_for_end

LEAVES = [str(number) for number in range(6)]


def write(report: Report) -> None:
    """A line with the number of leaves that are open."""
    sys.stdout.write(f"{report.progress.left}\n")
    sys.stdout.flush()


def main() -> None:
    """Works on leaves of which the last three never end."""
    store = LeafStore(sys.argv[1])
    asyncio.run(finish_leaves(store, "squares", LEAVES, lambda left: local_results(wait_for_end, left), write))


if __name__ == "__main__":
    main()
