"""Time to prove, the prover of lines against the search: python bench/proof_time.py [POSITIONS] [SECONDS] [FOLDER]

The positions are those of bench/hard_positions.json, of the beginner's game. Each is given to both, one after the
other, for at most SECONDS (20) of processor time; the search is that of the working tree in FOLDER, with its .venv, or
that of this one. Only positions that the prover shows to be won or lost count: the search has no proof of a draw before
the last hollows. Prints the time of both and the geometric mean of the ratios; a search that gave up counts with its
limit, so that the mean is too small rather than too great.

python bench/proof_time.py --collect POSITIONS SECONDS FOLDER   writes the file again: of the first POSITIONS of
bench/verdicts.py those 50 that are won or lost and for which the product of both times is greatest, so that they are
as hard for the one as for the other.

Both keep their tables from one position to the next, as in play; they are filled once before the first.
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
HARD_POSITIONS = 50
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


def collect(positions: int, seconds: int, folder: Path | None) -> None:
    """Writes the won and lost positions for which the product of both times is greatest."""
    searcher, prover, found = Searcher(GAME), Prover(), list[tuple[float, int, object]]()
    with search_of(folder, seconds) as time_of_search:
        for number in range(positions):
            state = position(number, searcher)
            result, new = prover.time_of(state, seconds)
            if result in ("won", "lost"):
                found.append((new * time_of_search(state), number, GAME.encode(state)))
    found.sort(key=lambda each: -each[0])
    hardest = [document for _, _, document in found[:HARD_POSITIONS]]
    FILE.write_text(json.dumps(hardest, indent=0) + "\n", encoding="utf-8")


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


def main(positions: int, seconds: int, folder: Path | None) -> None:
    states = [GAME.decode(each) for each in json.loads(FILE.read_text(encoding="utf-8"))[:positions]]
    with search_of(folder, seconds) as time_of_search:
        compare(states, seconds, time_of_search)


def compare(states: list[State], seconds: int, time_of_search: Callable[[State], float]) -> None:
    """Prints the times for each position and the mean of the ratios so far."""
    prover, ratios, by_both = Prover(), list[float](), 0
    for number, state in enumerate(states, 1):
        result, new = prover.time_of(state, seconds)
        if result in (None, "drawn"):
            print(f"{number}: {result or 'open'} after {new:.2f} s, left out", flush=True)
            continue
        old = time_of_search(state)
        by_both += old < seconds
        ratios.append(max(old, 1e-4) / max(new, 1e-4))
        mean = exp(sum(map(log, ratios)) / len(ratios))
        print(
            f"{number}: {result}, prover {new:.2f} s, search {old:.2f} s; {len(ratios)} positions, "
            f"{by_both} decided by both, mean of the ratios {mean:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    collecting = sys.argv[1:2] == ["--collect"]
    given = sys.argv[2:] if collecting else sys.argv[1:]
    given += ("1000" if collecting else "50", "20", "")[len(given) :]
    (collect if collecting else main)(int(given[0]), int(given[1]), Path(given[2]) if given[2] else None)
