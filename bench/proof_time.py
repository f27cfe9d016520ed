"""Time to prove, the prover of lines against the search: python bench/proof_time.py [COUNT] [SECONDS] [FOLDER] [FILE]

The positions are those of bench/hard_positions.json, of the beginner's game, or of FILE: bench/hard_lines.json has the
50 won or lost ones of the first 1,000 of bench/verdicts.py that took the search of fc6a074 longest. Each is given to
both, one after the other, for at most SECONDS (20) of processor time; the search is that of the working tree in FOLDER,
with its .venv, or that of this one. Both keep their tables from one position to the next, as in play. Prints the time
of both and the geometric mean of the ratios, of all positions and of those won or lost. A search that gave up counts
with its limit, so that the mean is too small rather than too great; it has no proof of a draw before the last hollows.

python bench/proof_time.py --collect [POSITIONS]   writes the file again: the first positions of bench/verdicts.py that
take the prover more than HARD_NODES and that it decides within MOST_NODES. That they are hard for the prover, not for
the search, makes the mean too small as well.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp, log
from pathlib import Path

from verdicts import GAME, position

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.lineproof import Board, LineProver, Result
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.translation import kernel_state
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State

FILE = Path(__file__).parent / "hard_positions.json"
HARD_NODES = 5_000
MOST_NODES = 4_000_000
ROUND_NODES = 200_000
WARMING_NODES = 1_000_000
"""For the empty board, so that all tables have been in use."""


def board(state: State) -> tuple[str, Board]:
    """The hollow of the ball, and the stones of the side to move and the other."""
    words = kernel_state(GAME, state)
    return HOLLOWS[state.ball.bit_length() - 1].name, Board(int(words[state.turn]), int(words[1 - state.turn]))


class Prover:
    """The prover of lines, with tables for each hollow of the ball."""

    def __init__(self) -> None:
        self.by_ball: dict[str, LineProver] = {}

    def time_of(self, state: State, seconds: int) -> tuple[Result | None, float]:
        """What the prover shows, and the processor time that it takes."""
        ball, stones = board(state)
        if ball not in self.by_ball:
            self.by_ball[ball] = LineProver(ball)
            self.by_ball[ball].search(0, 0, True, WARMING_NODES)
        prover, nodes = self.by_ball[ball], ROUND_NODES
        begin = time.process_time()
        result: Result | None = None
        while result is None and time.process_time() - begin < seconds:
            result = prover.prove(stones, Budget(nodes=nodes)).result
            nodes *= 2
        return result, min(time.process_time() - begin, seconds)


def collect(wanted: int = 50) -> None:
    """Writes the first positions that take the prover more than HARD_NODES and that it decides."""
    searcher, found, number = Searcher(GAME), list[object](), 0
    while len(found) < wanted:
        state = position(number, searcher)
        ball, stones = board(state)
        verdict = LineProver(ball).prove(stones, Budget(nodes=MOST_NODES))
        if verdict.result and verdict.nodes > HARD_NODES:
            found.append(GAME.encode(state))
            FILE.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
            print(f"{len(found)}: number {number}, {verdict.result}, {verdict.nodes} nodes", flush=True)
        number += 1


@contextmanager
def search_of(folder: Path | None, seconds: int) -> Iterator[Callable[[State], float]]:
    """The processor time of the search for a position, in a process with the code of a working tree."""
    words = [str(folder / ".venv/bin/python") if folder else sys.executable]
    words += [str(Path(__file__).parent / "search_time.py"), str(seconds)]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")} if folder else None
    with subprocess.Popen(words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answered = process.stdin, process.stdout

        def ask(state: State) -> float:
            asked.write(json.dumps(GAME.encode(state)) + "\n")
            asked.flush()
            return float(answered.readline())

        yield ask
        asked.close()


def main(positions: int, seconds: int, folder: Path | None, file: Path) -> None:
    states = [GAME.decode(each) for each in json.loads(file.read_text(encoding="utf-8"))[:positions]]
    with search_of(folder, seconds) as time_of_search:
        compare(states, seconds, time_of_search)


def compare(states: list[State], seconds: int, time_of_search: Callable[[State], float]) -> None:
    """Prints the times for each position and the mean of the ratios so far."""
    prover, ratios, by_both = Prover(), dict[Result, list[float]](won=[], lost=[], drawn=[]), 0
    for number, state in enumerate(states, 1):
        result, new = prover.time_of(state, seconds)
        if result is None:
            print(f"{number}: open after {new:.2f} s, left out", flush=True)
            continue
        old = time_of_search(state)
        by_both += old < seconds
        ratios[result].append(max(old, 1e-4) / max(new, 1e-4))
        decided = ratios["won"] + ratios["lost"]
        print(
            f"{number}: {result}, prover {new:.3f} s, search {old:.3f} s; {by_both} decided by both, mean ratio "
            f"{mean_of(decided + ratios['drawn']):.2f}, of {len(decided)} won or lost {mean_of(decided):.2f}",
            flush=True,
        )


def mean_of(ratios: list[float]) -> float:
    """The geometric mean, 1 of none."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--collect"]:
        collect(*(int(text) for text in sys.argv[2:]))
    else:
        given = [*sys.argv[1:], *("50", "20", "", str(FILE))[len(sys.argv) - 1 :]]
        main(int(given[0]), int(given[1]), Path(given[2]) if given[2] else None, Path(given[3]))
