"""A small policy on batched Moeraki-Kemu, in numpy alone: it learns to beat random play in less than two minutes.

    python examples/moeraki_policy.py

The policy looks at the 7×7 points around each hollow, at own stones, the other's stones and the ball there, and scores
the hollow by one weight for each of them, the same weights for all hollows. It learns by REINFORCE: the weights move
along the sum of what made each choice of a game more likely, by what the game was worth.
"""

import time

import numpy as np
from numpy.typing import NDArray

from kemu.adapters.gymnasium import KemuVectorEnv
from kemu.games.moeraki.board import HOLLOWS, SIZE

REACH = 3
PLANES = 3
SEAT = 1  # it lays the first stone
Reals = NDArray[np.float32]


def places() -> NDArray[np.int64]:
    """By hollow: the cells around it, in a plane with an empty margin."""
    width = 2 * (SIZE + REACH) + 1
    steps = [(dx, dy) for dy in range(-REACH, REACH + 1) for dx in range(-REACH, REACH + 1) if (dx + dy) % 2 == 0]
    return np.array(
        [[(at.y + SIZE + REACH + dy) * width + at.x + SIZE + REACH + dx for dx, dy in steps] for at in HOLLOWS]
    )


PLACES = places()
FEATURES = PLANES * PLACES.shape[1]


def features(observations: NDArray[np.uint8]) -> Reals:
    """By lane and hollow: what lies around it."""
    planes = np.pad(observations[:, :PLANES], ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH)))
    around = planes.reshape(len(planes), PLANES, -1)[:, :, PLACES]
    return around.transpose(0, 2, 1, 3).reshape(len(planes), len(HOLLOWS), FEATURES).astype(np.float32)


def probabilities(scores: Reals, masks: NDArray[np.int8]) -> Reals:
    """The chance of each hollow by its score; none for those that are not empty."""
    scores = np.where(masks[:, : len(HOLLOWS)] == 1, scores, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)


def train(steps: int, lanes: int = 128, rate: float = 0.02, seed: int = 0) -> tuple[Reals, list[float]]:
    """The weights after so many steps, and the rewards of all games on the way."""
    source = np.random.default_rng(seed)
    environment = KemuVectorEnv("moeraki-kemu", lanes, seat=SEAT, variant="beginner")
    observations, infos = environment.reset(seed=seed)
    weights, traces = np.zeros(FEATURES, np.float32), np.zeros((lanes, FEATURES), np.float32)
    rewards: list[float] = []
    while steps:
        steps -= 1
        seen = features(observations)
        chances = probabilities(seen @ weights, infos["action_mask"])
        actions = (chances.cumsum(axis=1) > source.random((lanes, 1)) * 0.999999).argmax(axis=1)
        traces += seen[np.arange(lanes), actions] - np.einsum("lh,lhf->lf", chances, seen)
        observations, worth, ended, _, infos = environment.step(actions)
        rewards += worth[ended].tolist()
        baseline = float(np.mean(rewards[-500:])) if rewards else 0.0
        if ended.any():
            weights += rate * ((worth[ended] - baseline) @ traces[ended]).astype(np.float32) / int(ended.sum())
            traces[ended] = 0
    return weights, rewards


def main() -> None:
    start = time.perf_counter()
    _, rewards = train(1500)
    for part in np.array_split(np.array(rewards), 6):
        print(f"{len(part):5} games: {(part.mean() + 1) / 2:.1%} of the points against random play")
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
