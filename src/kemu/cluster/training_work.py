"""What the workers of a training do. They import no more than that: a process for games needs no database."""

import json
from base64 import b64encode
from typing import Final, NamedTuple

from kemu.bots.pairs import Pairing, SeededMaker, play_pair
from kemu.engines.learning import Learner
from kemu.games import game

PAIRS_A_LEAF: Final = 4


def play_batch(learner: Learner, weights: bytes, leaf: str) -> str:
    """The samples of the batch with this seed, in Base64."""
    return b64encode(learner.play_batch(weights, int(leaf))).decode("ascii")


class Contest(NamedTuple):
    """Whose pairs are played."""

    game: str
    learner: Learner
    new: bytes
    old: bytes
    seed: int


def play_pairs(contest: Contest, leaf: str) -> str:
    """The scores of the new weights in some pairs, from the one with this number on, as JSON."""
    learner = contest.learner

    def maker(weights: bytes) -> SeededMaker:
        return lambda chosen, seed: learner.bot(chosen, weights, seed)

    players = maker(contest.new), maker(contest.old)
    scores = []
    for number in range(int(leaf), int(leaf) + PAIRS_A_LEAF):
        chosen = game(contest.game, **learner.options[number % len(learner.options)])
        scores.append(play_pair(Pairing(chosen, players, learner.opening_actions, f"{contest.seed}/{number}")))
    return json.dumps(scores)
