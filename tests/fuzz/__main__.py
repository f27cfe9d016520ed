"""Sends damaged bytes to everything that reads a stranger's: `python -m tests.fuzz --seconds 3600 --seed 7`.

The same seed damages the same bytes in the same order. A fault ends the run with the bytes that caused it.
"""

import argparse
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic

from tests.fuzz.targets import Target, file_targets, frame_target, request_targets, try_once


def fuzz(targets: Sequence[Target], seed: int, seconds: float) -> Counter[str]:
    """Have targets read damaged bytes for the same time each; returns how often each did. Raises AssertionError."""
    done = Counter[str]()
    spent = dict.fromkeys((target.name for target in targets), 0.0)
    while sum(spent.values()) < seconds:
        target = min(targets, key=lambda target: spent[target.name])
        start = monotonic()
        try_once(Random(f"{seed} {target.name} {done[target.name]}"), target)
        spent[target.name] += monotonic() - start
        done[target.name] += 1
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as folder, request_targets(Path(folder)) as requests:
        for name, count in fuzz([*file_targets(), frame_target(), *requests], given.seed, given.seconds).items():
            sys.stdout.write(f"{count:8} {name}\n")
