"""Measurements that every benchmark shares: the processor, a yardstick, and the error of a mean."""

import platform
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import stdev


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def yardstick() -> float:
    """Return the processor seconds of a fixed loop in plain Python, a quarter of a million steps."""
    start = time.process_time()
    table: dict[int, int] = {}
    for step in range(250_000):
        table[step & 1023] = table.get(step & 511, 0) + step
    return time.process_time() - start


def error_95(values: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of a mean; half of everything for a single value."""
    return 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.5
