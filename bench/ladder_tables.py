"""The ladder of MAUW for any number of players: tables of levels drawn by lot, and Elo by who wins.

python -m bench.ladder_tables --players 4 --games 200 1 2 3 4 5 6 7

A table of four or six tells of all the levels at it, so that this takes far fewer games than `kemu arena`, which lets
one level meet several of another. Every table is another deal; one of a single level says nothing and is not played.
"""

import argparse
import random
from itertools import pairwise

from kemu.bots.arena import Job, Setting, play
from kemu.bots.ratings import Result, expected_score, ratings
from kemu.core.game import options
from kemu.games import game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="from the weakest to the strongest")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    given = options(game("mauw", players=chosen.players))
    setting = Setting("mauw", given, tuple(chosen.bots), chosen.games, seed=chosen.seed)
    dice = random.Random(chosen.seed)
    played: list[list[Result]] = []
    while len(played) < chosen.games:
        seats = tuple(dice.choices(chosen.bots, k=chosen.players))
        if len(set(seats)) > 1:
            number = len(played)
            found = play(setting, Job(number, number, (seats[0], seats[1]), seats, given))
            played.append([tuple(zip(seats, found.shares, strict=True))])
    rated = ratings(played, chosen.seed)
    for name in chosen.bots:
        print(f"{name:8} {rated[name].elo:+5.0f}   {rated[name].low:+.0f} to {rated[name].high:+.0f}")
    for weak, strong in pairwise(chosen.bots):
        step = rated[strong].elo - rated[weak].elo
        print(f"{strong} against {weak}: {step:+.0f} Elo, as {expected_score(step):.1%} of two players")


if __name__ == "__main__":
    main()
