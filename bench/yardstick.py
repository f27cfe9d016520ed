"""A fixed piece of plain Python, so that every figure can be given as a ratio measured in the same run."""

import time


def yardstick() -> float:
    """Processor seconds for a million steps of a small loop, the best of three."""
    return min(_run() for _ in range(3))


def _run() -> float:
    start = time.process_time()
    table: dict[int, int] = {}
    for step in range(1_000_000):
        table[step & 1023] = table.get(step & 511, 0) + step
    return time.process_time() - start
