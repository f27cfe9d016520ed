"""What every figure is given with: the processor, and a fixed piece of plain Python measured in the same run."""

import platform
import time
from pathlib import Path


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def yardstick() -> float:
    """Processor seconds for a million steps of a small loop, the best of three."""
    return min(_run() for _ in range(3))


def _run() -> float:
    start = time.process_time()
    table: dict[int, int] = {}
    for step in range(1_000_000):
        table[step & 1023] = table.get(step & 511, 0) + step
    return time.process_time() - start
