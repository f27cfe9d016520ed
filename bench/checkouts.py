"""Engines of several checkouts of Kemu in one match: each is a process of its own, see engine_process.py."""

import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from statistics import stdev

HERE = Path(__file__).parent


class Engine:
    """A process that plays with the sources of one folder."""

    def __init__(self, sources: Path, kind: str, limit: int) -> None:
        command = [sys.executable, str(HERE / "engine_process.py")]
        environment = {**os.environ, "PYTHONPATH": str(sources)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.budget = f"{kind} {limit}"
        self.nodes = self.microseconds = self.asked = 0

    def begin(self, game: str, option: str) -> None:
        """Begins a game with empty tables."""
        self._ask(f"new {game} {option}")

    def choose(self, position: str) -> str:
        """The action in a position, which is told as engine_process.py says."""
        action, nodes, microseconds = self._ask(f"go {self.budget} {position}")
        self.nodes, self.microseconds = self.nodes + int(nodes), self.microseconds + int(microseconds)
        self.asked += 1
        return action

    def speed(self) -> str:
        """The processor time of an action, and of a node."""
        if not self.asked:
            return "not asked"
        return (
            f"{self.microseconds / self.asked / 1000:.1f} ms an action, {self.microseconds / self.nodes:.3f} µs a node"
        )

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().split()


def add_budgets(words: ArgumentParser) -> None:
    """The arguments for the other checkout and for both budgets."""
    words.add_argument("sources", type=Path, help="the folder src of the other checkout")
    words.add_argument("--ms", type=int, default=200)
    words.add_argument("--nodes", type=int)
    words.add_argument("--other-ms", type=int)
    words.add_argument("--other-nodes", type=int)


def engines(chosen: Namespace) -> tuple[Engine, Engine]:
    """The engine of this checkout and that of the other one."""
    kind = "nodes" if chosen.nodes else "ms"
    limit = chosen.nodes or chosen.ms
    other = (chosen.other_nodes if chosen.nodes else chosen.other_ms) or limit
    return Engine(HERE.parent / "src", kind, limit), Engine(chosen.sources, kind, other)


def error_95(shares: list[float]) -> float:
    """Half the width of the interval of 95 % of a mean."""
    return 1.96 * stdev(shares) / len(shares) ** 0.5 if len(shares) > 1 else 0.5
