"""What `kemu train` asks of Moeraki-Kemu: games of the search against itself, fitting, and a bot with given weights."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.learning import Epoch
from kemu.engines.moeraki.evaluation import LOGIT
from kemu.engines.moeraki.kernel import BEGINNER
from kemu.engines.moeraki.linear_fit import LEARNED, Floats, Samples, features, step
from kemu.engines.moeraki.pattern_fit import descend, pattern_logits, pattern_parameters
from kemu.engines.moeraki.pattern_sums import LARGEST_WORTH
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.selfplay import BatchPlan, play_games
from kemu.engines.moeraki.workspace import Weights, shipped_weights
from kemu.games.moeraki.options import VARIANTS

HELD_OUT: Final = 8
"""One game of so many is not trained on."""

RESULT_SHARE: Final = 0.5
"""How much of the target is the result of the game; the rest is what the search expected."""


def dump_weights(weights: Sequence[Weights]) -> bytes:
    """The weights of all variants as a file: `counted` and `worths`, a row for each variant."""
    counted, worths = zip(*weights, strict=True)
    return dump_arrays({"counted": np.array(counted, np.int32), "worths": np.array(worths, np.int16)})


def load_weights(data: bytes) -> tuple[Weights, ...]:
    """The weights of all variants from such a file."""
    arrays = load_arrays(data)
    return tuple(map(Weights, arrays["counted"].astype(np.int64), arrays["worths"].astype(np.int64)))


class _Part(NamedTuple):
    """The positions of one variant, and the worths of patterns that are fitted to them, in logits."""

    samples: Samples
    parameters: NDArray[np.int64]
    left: NDArray[np.int64]
    worths: Floats  # one more than there are parameters, which stays 0
    squares: Floats

    @property
    def patterns(self) -> Floats:
        """What the patterns say of each position, in logits."""
        return pattern_logits(self.parameters, self.left, self.worths)


@dataclass(frozen=True)
class MoerakiLearner:
    """The learner of Moeraki-Kemu."""

    batch_games: int = 100
    nodes: int = 1_000  # for each action of self-play
    test_nodes: int = 2_000  # for each action of a bot with given weights
    options: Sequence[Mapping[str, Any]] = ({"variant": "basic"}, {"variant": "master"})
    opening_actions: Sequence[int] = (5, 6, 7, 8, 9)  # the ball and four to eight stones

    def weights_in_use(self) -> bytes:
        """The weights that come with Kemu."""
        return dump_weights(shipped_weights())

    def untrained_weights(self) -> bytes:
        """Nothing counts: a search sees no more than wins and the end of the game."""
        untrained = [Weights(counted.copy(), np.zeros_like(worths)) for counted, worths in shipped_weights()]
        for counted, _ in untrained:
            counted[:LEARNED] = 0
        return dump_weights(untrained)

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The quiet positions of some games, see `selfplay`."""
        plan = BatchPlan(self.batch_games, self.nodes, seed)
        return dump_arrays(play_games(load_weights(weights), plan))

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """An epoch is a step of Newton's method for lines and tiles, then a pass over all positions for patterns."""
        whole = load_weights(weights)
        parts = _by_variant([load_arrays(each) for each in samples], whole)
        begin = [each.counted[:LEARNED] / LOGIT for each in whole]
        logits, dice = list(begin), np.random.default_rng(seed)
        for number in range(1, epochs + 1):
            for variant, part in enumerate(parts):
                given = part.samples._replace(given=part.patterns)
                logits[variant] = step(given, logits[variant], begin[variant])
                if variant != BEGINNER:
                    _fit_patterns(part, logits[variant], dice)
            whole = tuple(map(_whole_weights, whole, logits, parts))
            losses = [_loss(parts, logits, held_out) for held_out in (False, True)]
            yield Epoch(number, losses[0], losses[1], dump_weights(whole))

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        return WeightedBot(game, load_weights(weights), seed, Budget(nodes=self.test_nodes))


class WeightedBot:
    """Searches with weights of its own."""

    name: Final = "weighted"

    def __init__(self, game: AnyGame, weights: Sequence[Weights], seed: int, budget: Budget) -> None:
        rules: Any = game
        self._game = game
        self._searcher = Searcher(rules, weights[VARIANTS.index(rules.variant)])
        self._source = random.Random(seed)
        self._budget = budget

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The action that the search finds best."""
        if len(actions) == 1:
            return actions[0]
        state = self._game.decode(view["position"])
        return self._searcher.search(state, self._budget, seed=self._source.getrandbits(32)).action


def _by_variant(batches: Sequence[Mapping[str, NDArray[Any]]], weights: Sequence[Weights]) -> list[_Part]:
    """The positions of all batches, those of each variant apart."""
    joined = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    found = []
    for variant, (counted, worths) in enumerate(weights):
        positions = {name: column[joined["variant"] == variant] for name, column in joined.items()}
        target = RESULT_SHARE * positions["result"] + (1 - RESULT_SHARE) * positions["expected"]
        held_out = positions["game"] % HELD_OUT == HELD_OUT - 1
        samples = Samples(features(positions, counted), np.zeros(len(target)), target, held_out)
        left = 56 - np.bitwise_count(positions["own"] | positions["other"]).astype(np.int64)
        begin = np.append(worths / LOGIT, np.zeros((1, 2)), axis=0)
        found.append(_Part(samples, pattern_parameters(positions), left, begin, np.zeros_like(begin)))
    return found


def _fit_patterns(part: _Part, logits: Floats, dice: np.random.Generator) -> None:
    """Moves the worths of patterns by all positions that are trained on."""
    samples = part.samples
    chosen = dice.permutation(np.flatnonzero(~samples.held_out))
    given = samples.features[chosen] @ logits
    descend(part.parameters[chosen], part.left[chosen], given, samples.target[chosen], part.worths, part.squares)


def _whole_weights(weights: Weights, logits: Floats, part: _Part) -> Weights:
    """The weights in whole numbers."""
    counted = weights.counted.copy()
    counted[:LEARNED] = np.rint(logits * LOGIT)
    worths = np.clip(np.rint(part.worths[:-1] * LOGIT), -LARGEST_WORTH, LARGEST_WORTH)
    return Weights(counted, worths.astype(np.int64))


def _loss(parts: Sequence[_Part], logits: Sequence[Floats], held_out: bool) -> float:
    """The mean cross entropy on games that were held out, or on those that were not."""
    losses = []
    for part, weights in zip(parts, logits, strict=True):
        score = part.samples.features @ weights + part.patterns
        losses.append((np.logaddexp(0, score) - part.samples.target * score)[part.samples.held_out == held_out])
    return float(np.concatenate(losses).mean())
