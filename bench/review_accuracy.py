"""Reviews games of each level against itself: accuracy, what is graded, and whether a grade contradicts a proof.

    python -m bench.review_accuracy moeraki-kemu variant=basic --entrants random 1 3 5 7 --games 40 --workers 2

prints a row for each entrant, ready for docs/study-review.md. The error of an accuracy (95 %) is by games. A *false
praise* is an action graded best or good that is proved to lose where another is not proved to.
"""

import argparse
import json
import math
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import kemu
from kemu.analysis.grades import Grade, Review
from kemu.analysis.review import review
from kemu.bots.arena import Job, Setting, dataset_jobs, play
from kemu.core.game import options
from kemu.core.record import Record

SURE = 1.96
PRAISE = (Grade.BEST, Grade.GOOD)


class Reviewed(NamedTuple):
    """What the review of one game says of all its seats."""

    accuracy: float | None
    blunders: int
    mistakes: int
    hard: int
    false_praise: int


def false_praise(found: Review) -> int:
    """Count the actions that are graded best or good although they are proved to lose what was not lost before."""
    return sum(
        action.grade in PRAISE
        and action.proved_after is not None
        and action.proved_after.result == "loss"
        and (action.proved_before is None or action.proved_before.result != "loss")
        for action in found.actions
    )


def reviewed(setting: Setting, job: Job) -> Reviewed:
    """Play a game and review it."""
    found = review(Record(setting.game, job.options, play(setting, job).actions))
    accuracies = [seat.accuracy for seat in found.seats if seat.accuracy is not None]
    blunders, mistakes = (sum(seat.grades[grade] for seat in found.seats) for grade in (Grade.BLUNDER, Grade.MISTAKE))
    hard = sum(seat.hard for seat in found.seats)
    accuracy = statistics.fmean(accuracies) if accuracies else None
    return Reviewed(accuracy, blunders, mistakes, hard, false_praise(found))


def rows(setting: Setting, entrants: Sequence[str], workers: int) -> Iterator[str]:
    """Yield a row of the table for each entrant."""
    with ProcessPoolExecutor(workers) as pool:
        for entrant in entrants:
            alone = Setting(setting.game, setting.options, (entrant,), setting.openings, seed=setting.seed)
            games = list(dataset_jobs(alone))
            found = list(pool.map(reviewed, [alone] * len(games), games))
            accuracies = [each.accuracy for each in found if each.accuracy is not None]
            spread = statistics.stdev(accuracies) if len(accuracies) > 1 else math.nan
            blunders, mistakes, hard, praise = (sum(column) for column in list(zip(*found, strict=True))[1:])
            yield (
                f"| {entrant} | {statistics.fmean(accuracies):.1f} ± {SURE * spread / math.sqrt(len(accuracies)):.1f} |"
                f" {blunders / len(found):.2f} | {mistakes / len(found):.2f} | {hard / len(found):.2f} | {praise} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("option", nargs="*", help="NAME=VALUE: options of the game")
    parser.add_argument("--entrants", nargs="+", default=["random", "1", "3", "5", "7"])
    parser.add_argument("--games", type=int, default=40, help="games of each entrant against itself")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=25)
    chosen = parser.parse_args()
    named = dict(pair.split("=", 1) for pair in chosen.option)
    game = kemu.game(
        chosen.game, **{name: json.loads(text) if text.isdecimal() else text for name, text in named.items()}
    )
    setting = Setting(chosen.game, options(game), ("random",), chosen.games, seed=chosen.seed)
    print(f"{chosen.game} {' '.join(chosen.option)}, {chosen.games} games of each against itself")
    print("| bot | accuracy | blunders a game | mistakes | hard to see | false praise |\n|---|---|---|---|---|---|")
    for row in rows(setting, chosen.entrants, chosen.workers):
        print(row, flush=True)


if __name__ == "__main__":
    main()
