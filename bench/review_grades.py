"""Grades of games of level 3 against proofs: python bench/review_grades.py [--games N] [--deeper FACTOR] [--keep FILE]

Reviews games of level 3 against itself with the default budget, in all three variants of Moeraki-Kemu in turn, and
counts: actions by grade and by proof; proved blunders (a win or a draw that was given away) that are called good or
best; and forced losses that are called a mistake or a blunder. The last two must be 0. With a factor, every position
in which a mistake or a blunder was found, and every one before and after an action called good or best that lost
something, is searched again with so many times the budget; what only that search proves is counted apart. Finished
games are kept in a file, so that it can be stopped and taken up.
"""

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

import kemu
from kemu.bots import bot
from kemu.core.game import options
from kemu.core.record import Record
from kemu.engines.analysis import Budget, Verdict
from kemu.games import series
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start
from kemu.study.assessment import Positions
from kemu.study.grades import Grade, ProofGrade, certain_score
from kemu.study.review import review
from kemu.study.reviewed import GradedAction

VARIANTS = ("beginner", "basic", "master")
GOOD, BAD = (Grade.BEST, Grade.GOOD), (Grade.MISTAKE, Grade.BLUNDER)


def played(number: int) -> Record:
    """A game of level 3 against itself."""
    starters = series("moeraki-kemu").starters(kemu.game("moeraki-kemu", variant=VARIANTS[number % 3]))
    game, dealer = starters[number // 3 % len(starters)], Dealer(number)
    match = LocalMatch(start(game, bots_as_players(["3", "3"]), dealer), dealer)
    seed = random.Random(number).getrandbits(32)
    players = [bot("3", game, seed + seat) for seat in range(2)]
    while (seat := match.table.turn) is not None:
        match.act_by(players[seat])
    return Record(game.key, options(game), match.table.record().actions)


def proved_again(positions: Positions, ply: int, budget: Budget) -> Verdict | None:
    """What a deeper search proves of a position, None also at the end of the game."""
    return positions.assess(ply, budget).verdict if positions.turn(ply) is not None else None


def deeper_faults(record: Record, actions: list[GradedAction], budget: Budget) -> Counter[str]:
    """What a deeper search proves against the grades."""
    positions, found = Positions(record), Counter[str]()
    for action in actions:
        if action.grade in BAD and action.proved_before is None:
            found["mistakes searched again"] += 1
            known = proved_again(positions, action.ply, budget)
            found["of them forced losses"] += known is not None and known.result == "loss"
        elif action.grade in GOOD and action.loss and action.proof != ProofGrade.LOST_ANYWAY:
            found["good ones searched again"] += 1
            before, after = (proved_again(positions, ply, budget) for ply in (action.ply, action.ply + 1))
            if before is not None and after is not None:
                own = positions.turn(action.ply + 1) == action.seat
                late = certain_score(after) if own else 1 - certain_score(after)
                found["of them proved blunders"] += late < certain_score(before)
    return found


def counted(record: Record, factor: int) -> Counter[str]:
    """The counts of one game."""
    begin = time.process_time()
    found = review(record)
    counts = Counter({"games": 1, "actions": len(found.actions), "ms": round(1000 * (time.process_time() - begin))})
    for action in found.actions:
        counts[f"grade {action.grade}"] += 1
        counts[f"proof {action.proof}"] += 1
        thrown = action.proof in (ProofGrade.GAVE_WIN, ProofGrade.THREW_DRAW)
        counts["proved blunders called good"] += thrown and action.grade in GOOD
        counts["forced losses called mistakes"] += action.proof == ProofGrade.LOST_ANYWAY and action.grade in BAD
    if factor and found.nodes:
        counts += deeper_faults(record, list(found.actions), Budget(nodes=factor * found.nodes))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--deeper", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("review-grades.jsonl"))
    chosen = parser.parse_args()
    lines = chosen.keep.read_text().splitlines() if chosen.keep.exists() else []
    with chosen.keep.open("a") as out:
        for number in range(len(lines), chosen.games):
            lines.append(json.dumps(counted(played(number), chosen.deeper)))
            out.write(lines[-1] + "\n")
            out.flush()
    total: Counter[str] = Counter()
    for line in lines[: chosen.games]:
        total.update(json.loads(line))
    for name in ("proved blunders called good", "forced losses called mistakes", *sorted(total)):
        print(f"{name:32} {total[name]}")


if __name__ == "__main__":
    main()
