"""Many samples for the calibration of MAUW: python bench/mauw_calibration.py --players 2 --games 600

Plays games of the search against itself on the kernel, each with a number of playouts drawn by lot, and searches some
positions of each with the budget of a review. What it writes is what `bench/calibration.py mauw players=2 --fit` reads;
on the kernel a position costs a tenth of what it takes there. Goes on where it was stopped.
"""

import argparse
import json
import random
from hashlib import sha256
from pathlib import Path

import numpy as np
from calibration import Sample, read

from kemu.engines.compiled import compiled
from kemu.engines.mauw.hands import empty_memory
from kemu.engines.mauw.layout import CARDS, MOST_PLAYERS, PLAYERS, STATE_SIZE, Numbers
from kemu.engines.mauw.learner import MOST_STATES
from kemu.engines.mauw.legal import actor
from kemu.engines.mauw.player import player
from kemu.engines.mauw.search import SETTINGS
from kemu.engines.mauw.selfplay import Plan, hide, make_record, play_game
from kemu.engines.mauw.tree import VISITS, Belief, Tree, clear_tree, grow, make_tree, most_visited
from kemu.engines.mauw.weights import Weights, shipped_nets

PLAYOUTS = (40, 150, 600)
SAMPLES = 16
"""Positions of each game."""


@compiled
def value_of(state: Numbers, weights: Weights, tree: Tree, playouts: int, seed: int) -> float:
    """The value of the best line for the seat that acts, as a search of so many playouts finds it."""
    public, players = np.empty(STATE_SIZE, np.int64), int(state[PLAYERS])
    cards, held = np.empty((1, 1, CARDS), np.int64), np.empty((1, 1, players), np.int64)
    hide(state, actor(state), public, cards[0, 0], held[0, 0])
    clear_tree(tree)
    grow(Belief(public, np.ones(1), cards, held, empty_memory()), tree, SETTINGS, weights, playouts, np.uint64(seed))
    best = most_visited(tree, 0)
    return float(2 * tree.totals[best] / tree.nodes[VISITS, best] - 1)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--players", type=int, default=2)
    words.add_argument("--games", type=int, default=600)
    words.add_argument("--folder", type=Path, default=Path("calibration"))
    chosen = words.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    file = chosen.folder / f"mauw-{chosen.players}.samples"
    done = {sample.game for sample in read(file)} if file.exists() else set()
    weights, tree = shipped_nets()[chosen.players], make_tree(player.review.second + 1)
    record = make_record(MOST_STATES)
    for number in range(chosen.games):
        if number in done:
            continue
        dice, shares = random.Random(f"calibration {chosen.players} {number}"), np.zeros(MOST_PLAYERS)
        plan = Plan(chosen.players, dice.choice(PLAYOUTS), SETTINGS)
        count = play_game(plan, weights, tree, np.uint64(dice.getrandbits(64)), record, shares)
        searched = np.flatnonzero(record.counts[:count] > 1)
        with file.open("a") as out:
            for at in sorted(dice.sample(searched.tolist(), min(SAMPLES, len(searched)))):
                state = record.states[at].astype(np.int64)
                value = value_of(state, weights, tree, player.review.second, dice.getrandbits(32))
                position = sha256(state.tobytes()).hexdigest()[:16]
                if abs(value) < 1:
                    sample = Sample(number, number, position, round(value, 4), float(shares[actor(state)]))
                    out.write(json.dumps(sample) + "\n")


if __name__ == "__main__":
    main()
