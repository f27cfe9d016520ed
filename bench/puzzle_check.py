"""Puzzles checked by other code than the maker's:

    python bench/puzzle_check.py --count 200 --keep checked.jsonl

Draws puzzles of Moeraki-Kemu and Mū tōrere at random and looks for a second solution. In Moeraki-Kemu a plain search
plays by the geometry of the standalone verifier `kemu.certificates.verify`, with nothing of the engines: for each stone
that the puzzle calls wrong it asks whether the opponent wins by threats, if need be after quiet stones, and whether the
solver does. Where a wrong stone need not lose, as in the beginner's game, it also looks for a pairing by which the
opponent blocks every line. What is left open is tried again with ten times the nodes and one more quiet stone. Endings
are played out with the reference rules. In Mū tōrere every state is valued by sweeps over the rules, without the
solver. Prints for how many puzzles every wrong action is refuted, how many have actions that this search leaves open,
and how many have a second solution. With `--keep` it can be stopped and taken up.
"""

import argparse
import json
import random
import time
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kemu.certificates.verify import AREAS, BOARD, DIAGONALS, NAME, SIDES
from kemu.study.puzzles.puzzle import Puzzle, shipped_puzzles

LOST, WON, DRAWN, OPEN = -1, 1, 0, None
DEPTHS = (1, 3, 5, 7, 9, 11, 13)
ATTEMPTS = ((1, 1), (2, 10))
"""Quiet stones of each attempt, and by how much its nodes are multiplied."""


class LineSearch:
    """Whether a side, to move, completes a line by force; boards are bit masks of the standalone verifier."""

    def __init__(self, ball: int, nodes: int) -> None:
        self.lines = [area for area in AREAS if area.bit_count() == 4 and not area & ball] + SIDES
        for line in DIAGONALS:
            self.lines += [line & (ball - 1), line & -2 * ball] if line & ball else [line]
        self.ball, self.left = ball, nodes
        self.known: dict[tuple[int, int, int], bool] = {}

    def holes(self, own: int, other: int) -> int:
        """The hollows that complete a line."""
        found = 0
        for line in self.lines:
            missing = line & ~own
            if missing & (missing - 1) == 0 and not missing & (other | self.ball):
                found |= missing
        return found

    def attacks(self, own: int, other: int, depth: int) -> bool:
        """Whether the first side, to move, wins within so many plies by threats; TimeoutError beyond the limit."""
        key = (own, other, depth)
        if key in self.known:
            return self.known[key]
        self.left -= 1
        if self.left < 0:
            raise TimeoutError
        self.known[key] = found = self._attacks(own, other, depth)
        return found

    def _attacks(self, own: int, other: int, depth: int) -> bool:
        if self.holes(own, other):
            return True
        must = self.holes(other, own)
        if depth < 3 or must & (must - 1):
            return False
        for stone in _bits(must or self.pair_hollows(own, other)):
            threats = self.holes(own | stone, other)
            if threats & (threats - 1) or (threats and self.attacks(own | stone, other | threats, depth - 2)):
                return True
        return False

    def pair_hollows(self, own: int, other: int) -> int:
        """The hollows of lines that lack just two."""
        found = 0
        for line in self.lines:
            missing = line & ~own
            if missing.bit_count() == 2 and not missing & (other | self.ball):
                found |= missing
        return found

    def wins(self, own: int, other: int) -> bool:
        """Whether the first side, to move, wins by threats, however many."""
        return any(self.attacks(own, other, depth) for depth in DEPTHS)

    def refutes(self, attacker: int, defender: int, quiet: int) -> bool:
        """Whether the attacker, to move, wins by threats after at most so many quiet stones."""
        if self.wins(attacker, defender):
            return True
        must = self.holes(defender, attacker)
        if not quiet or must & (must - 1):
            return False
        empty = BOARD & ~(attacker | defender | self.ball)
        return any(self._answered(attacker | stone, defender, quiet - 1) for stone in _bits(must or empty))

    def _answered(self, attacker: int, defender: int, quiet: int) -> bool:
        """Whether the attacker wins against every answer."""
        if self.holes(defender, attacker) or not self.wins(attacker, defender):
            return False
        empty = BOARD & ~(attacker | defender | self.ball)
        threats = self.holes(attacker, defender)
        answers = threats or empty
        return bool(threats & (threats - 1)) or all(
            self.refutes(attacker, defender | stone, quiet) for stone in _bits(answers)
        )

    def holds(self, keeper: int, attacker: int) -> bool:
        """Whether the keeper, to move, can block every line of the attacker: by one stone and then by pairs."""
        must = self.holes(attacker, keeper)
        if must & (must - 1):
            return False
        empty = BOARD & ~(attacker | keeper | self.ball)
        return any(self._paired(self._open_lines(attacker, keeper | stone)) for stone in _bits(must or empty))

    def _open_lines(self, attacker: int, keeper: int) -> list[int]:
        """The empty hollows of each line that the attacker may still complete, those with few first."""
        left = {line & ~attacker for line in self.lines if not line & (keeper | self.ball)}
        return sorted(left, key=int.bit_count)

    def _paired(self, lines: list[int], pairs: tuple[int, ...] = (), used: int = 0) -> bool:
        """Whether each line can be given two hollows of its own, which no other pair has."""
        self.left -= 1
        if self.left < 0:
            raise TimeoutError
        lines = [line for line in lines if not any(pair & line == pair for pair in pairs)]
        if not lines:
            return True
        free = _bits(min(lines, key=lambda line: (line & ~used).bit_count()) & ~used)
        return any(
            self._paired(lines, (*pairs, first | second), used | first | second)
            for number, first in enumerate(free)
            for second in free[:number]
        )


def _bits(board: int) -> list[int]:
    return [1 << number for number in range(board.bit_length()) if board >> number & 1]


def check_lines(puzzle: Puzzle, nodes: int) -> Counter[str]:
    """What the search says of each wrong stone of the first step."""
    position = puzzle.found.position
    boards = [sum(NAME[name] for name in stones) for stones in position["stones"]]
    own, other = boards[position["turn"]], boards[1 - position["turn"]]
    # In the beginner's game a stone that completes no line has not won, so that it need not lose.
    draws = puzzle.found.goal == "win" and puzzle.found.options["variant"] == "beginner"
    return Counter(
        check_stone(NAME[position["ball"]], own | NAME[action], other, draws, nodes)
        for action in puzzle.found.steps[0].refutations
    )


def check_stone(ball: int, laid: int, other: int, draws: bool, nodes: int) -> str:
    """What the search says of a stone that is said to be wrong: refuted, a second solution, or open."""
    for quiet, factor in ATTEMPTS:
        search = LineSearch(ball, nodes * factor)
        try:
            if search.refutes(other, laid, quiet):
                return "refuted"
            # A second solution would be a wrong stone that completes or forces a line.
            if search._answered(laid, other, 0):
                return "second"
        except TimeoutError:
            pass
        try:
            if draws and LineSearch(ball, nodes * factor).holds(other, laid):
                return "refuted"
        except TimeoutError:
            pass
    return "open"


def check_ending(puzzle: Puzzle, seconds: float) -> Counter[str]:
    """The same for an ending, played out by the reference rules."""
    game, state = puzzle.game, puzzle.game.decode(puzzle.found.position)
    end, said = time.process_time() + seconds, Counter[str]()

    @cache
    def winner(state: object) -> int:
        if time.process_time() > end:
            raise TimeoutError
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winners[0]
        turn = game.turn(state)
        assert turn is not None, "the game is not over"
        return turn if any(winner(game.apply(state, each)) == turn for each in game.actions(state)) else 1 - turn

    seat = game.turn(state)
    for action in game.actions(state):
        right = game.format(action) == puzzle.found.steps[0].action
        try:
            wins = winner(game.apply(state, action)) == seat
            said["second" if wins and not right else "unsolved" if right and not wins else "refuted"] += 1
        except TimeoutError:
            said["open"] += 1
    return said


@lru_cache(maxsize=8)
def swept(game: Any) -> dict[Any, int]:
    """The value of every state of a game of Mū tōrere for the side to move, by sweeps until nothing changes."""
    following: dict[Any, tuple[Any, ...]] = {game.initial()._replace(past=()): ()}
    waiting = list(following)
    while waiting:
        state = waiting.pop()
        following[state] = tuple(game.apply(state, each)._replace(past=()) for each in game.actions(state))
        waiting += [each for each in following[state] if each not in following]
        following |= {each: () for each in following[state] if each not in following}
    values: dict[Any, int] = {}
    changed = True
    while changed:
        changed = False
        for state, after in following.items():
            if state not in values:
                results = [values.get(each) for each in after]
                if LOST in results:
                    values[state] = WON
                elif all(each == WON for each in results):
                    values[state] = LOST
                changed |= state in values
    return {state: values.get(state, DRAWN) for state in following}


def check_sweep(puzzle: Puzzle) -> Counter[str]:
    """The same for Mū tōrere."""
    game: Any = puzzle.game
    values, state, said = swept(game), game.decode(puzzle.found.position), Counter[str]()
    step = puzzle.found.steps[0]
    after = {game.format(each): -values[game.apply(state, each)._replace(past=())] for each in game.actions(state)}
    for action in step.refutations:
        said["refuted" if after[action] < after[step.action] else "second"] += 1
    return said


def check(puzzle: Puzzle, nodes: int, seconds: float) -> Counter[str]:
    """What other code says of the wrong actions of a puzzle."""
    if puzzle.key == "mu-torere":
        return check_sweep(puzzle)
    return check_ending(puzzle, seconds) if "marae" in puzzle.found.themes else check_lines(puzzle, nodes)


def main() -> None:
    """Checks puzzles drawn at random and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=20_000, help="positions of the first attempt at a stone")
    parser.add_argument("--seconds", type=float, default=120, help="of the processor for an ending")
    parser.add_argument("--keep", type=Path, help="a file for what was found")
    chosen = parser.parse_args()
    known = dict(map(json.loads, chosen.keep.read_text().splitlines())) if chosen.keep and chosen.keep.exists() else {}
    every = [each for key in ("moeraki-kemu", "mu-torere") for each in shipped_puzzles(key).values()]
    results: Counter[str] = Counter()
    actions: Counter[str] = Counter()
    begin = time.process_time()
    for puzzle in random.Random(chosen.seed).sample(every, min(chosen.count, len(every))):
        said = Counter(known[puzzle.id]) if puzzle.id in known else check(puzzle, chosen.nodes, chosen.seconds)
        if chosen.keep and puzzle.id not in known:
            with chosen.keep.open("a") as file:
                file.write(json.dumps([puzzle.id, said]) + "\n")
        actions += said
        wrong = said["second"] + said["unsolved"]
        results["second solution" if wrong else "open" if said["open"] else "no second solution"] += 1
        if wrong:
            print(puzzle.key, puzzle.id, dict(said), flush=True)
    print(dict(results), "actions:", dict(actions), f"{time.process_time() - begin:.0f} s of the processor")


if __name__ == "__main__":
    main()
