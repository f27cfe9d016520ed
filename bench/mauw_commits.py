"""The search of MAUW against that of another checkout of Kemu: each deal once for each seat of the new search.

python bench/mauw_commits.py OTHER/src --players 2 --ms 100 --deals 100
python bench/mauw_commits.py OTHER/src --players 4 --nodes 3000 --other-nodes 1000 --keep FILE

All other seats are played by the other checkout. Prints the new search's share of the victories after each deal.
"""

import argparse
import json
from pathlib import Path
from statistics import fmean

from checkouts import Engine, add_budgets, engines, error_95

from kemu.core.game import CHANCE
from kemu.games.mauw.rules import Mauw
from kemu.play.dealer import Dealer


def play(game: Mauw, seats: list[Engine], seed: int) -> tuple[int, ...]:
    """The winners of a game with the cards that a seed deals."""
    dealer, state = Dealer(seed), game.initial()
    logs: list[list[str]] = [[] for _ in seats]
    for engine in set(seats):
        engine.begin("mauw", str(game.players))
    while (turn := game.turn(state)) is not None:
        choices = game.actions(state)
        if turn == CHANCE:
            action = dealer.deal(game.odds(state))
        elif len(choices) == 1:
            action = choices[0]
        else:
            position = json.dumps([game.view(state, turn), logs[turn], seed])
            action = game.parse(seats[turn].choose(position))
        for each, log in enumerate(logs):
            log.append(game.seen(state, action, each))
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.winners


def deal_share(game: Mauw, ours: Engine, theirs: Engine, seed: int) -> float:
    """The share of the victories of ours over all seats of one deal."""
    shares = []
    for seat in range(game.players):
        seats = [theirs] * game.players
        seats[seat] = ours
        winners = play(game, seats, seed)
        shares.append(1 / len(winners) if seat in winners else 0.0)
    return fmean(shares)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_budgets(words)
    words.add_argument("--players", type=int, default=2)
    words.add_argument("--deals", type=int, default=50)
    words.add_argument("--keep", type=Path, help="a file to which every deal is added, so that a match can go on")
    chosen = words.parse_args()
    ours, theirs = engines(chosen)
    game, setting = Mauw(chosen.players), [chosen.players, ours.budget, theirs.budget]
    kept = chosen.keep.read_text().splitlines() if chosen.keep and chosen.keep.exists() else []
    shares = {seed: share for *found, seed, share in map(json.loads, kept) if found == setting}
    for seed in range(chosen.deals):
        if seed not in shares:
            shares[seed] = deal_share(game, ours, theirs, seed)
            if chosen.keep:
                with chosen.keep.open("a") as file:
                    file.write(json.dumps([*setting, seed, shares[seed]]) + "\n")
        found = list(shares.values())
        print(f"{game.players} players: {fmean(found):.1%} ± {error_95(found):.1%} of {len(found)} deals;", end=" ")
        print(f"ours {ours.speed()}; theirs {theirs.speed()}", flush=True)


if __name__ == "__main__":
    main()
