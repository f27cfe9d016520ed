"""A head that the tests kill: python head.py FILE, with a line of output for every task that is stored."""

import sys
from functools import partial
from pathlib import Path

from kemu.work.parallel import Progress, TaskStore, finish_tasks, local_results
from tests.work.squares import wait_for_end

TASKS = [str(number) for number in range(6)]


def write(progress: Progress) -> None:
    """A line with the number of tasks that are left."""
    sys.stdout.write(f"{progress.left}\n")
    sys.stdout.flush()


def main() -> None:
    """Works on tasks of which the last three never end."""
    results = partial(local_results, wait_for_end, processes=2)
    finish_tasks(TaskStore(Path(sys.argv[1])), ("squares",), TASKS, results, write)


if __name__ == "__main__":
    main()
