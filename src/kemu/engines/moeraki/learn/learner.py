"""The learner of Moeraki-Kemu for `kemu train`: games of the search against itself, fitting, a bot with weights."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.learning import Epoch, SearchBot
from kemu.engines.moeraki.board.tables import STONE_COUNT
from kemu.engines.moeraki.learn import fit
from kemu.engines.moeraki.learn.fit import LEARNED, Floats, RankFit, Samples
from kemu.engines.moeraki.learn.selfplay import COLUMNS, VARIANTS_PLAYED, play_games
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.engines.moeraki.value.evaluation import LOGIT, ORDER
from kemu.engines.moeraki.value.patterns import LARGEST_RANK, LARGEST_WORTH
from kemu.engines.moeraki.value.weights import Weights, dump_weights, load_weights, shipped_file, shipped_weights
from kemu.games.moeraki.options import VARIANTS

RESULT_SHARE: Final = 0.5
"""How much of the target is the result of the game; the rest is what the search expected."""


HELD_OUT: Final = 8
"""One game in this many is not trained on."""


class _Part(NamedTuple):
    """The positions of one variant, and what is fitted to them, in logits."""

    samples: Samples
    parameters: NDArray[np.uint16]
    left: NDArray[np.int64]
    worths: Floats  # one more than there are parameters, which stays 0
    squares: Floats
    stones: RankFit

    @property
    def patterns(self) -> Floats:
        """The patterns' part of the score of each position, in logits."""
        return fit.pattern_logits(self.parameters, self.left, self.worths)


@dataclass(frozen=True)
class MoerakiLearner:
    """The learner of Moeraki-Kemu."""

    batch_games: int = 100
    nodes: int = 1_500  # for each action of self-play
    test_nodes: int = 2_000  # for each action of a bot with given weights
    options: Sequence[Mapping[str, Any]] = ({"variant": "basic"}, {"variant": "master"})
    opening_actions: Sequence[int] = (5, 6, 7, 8, 9)  # the ball and four to eight stones

    def weights_in_use(self) -> bytes:
        """Return the weights that come with Kemu."""
        return shipped_file()

    def untrained_weights(self) -> bytes:
        """Nothing counts: a search sees no more than wins and the end of the game."""
        untrained = [Weights(*(field.copy() for field in each)) for each in shipped_weights()]
        for counted, worths, ranks in untrained:
            counted[:LEARNED], worths[:], ranks[:] = 0, 0, 0
        return dump_weights(untrained)

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """Return the quiet positions and the cutoffs of some games, see `selfplay`."""
        return dump_arrays(play_games(load_weights(weights), self.batch_games, self.nodes, seed))

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """An epoch is a step of Newton's method for what is counted, then a pass over all positions for patterns."""
        whole = list(load_weights(weights))
        batches = [load_arrays(each) for each in samples]
        joined = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
        parts = _by_variant(joined, whole)
        begin = [each.counted[:LEARNED] / LOGIT for each in whole]
        logits, dice = list(begin), np.random.default_rng(seed)
        for number in range(1, epochs + 1):
            for variant, part in parts.items():
                given = part.samples._replace(given=part.patterns)
                logits[variant] = fit.step(given, logits[variant], begin[variant])
                _fit_patterns(part, logits[variant], dice)
                whole[variant] = _whole_weights(whole[variant], logits[variant], part)
            losses = [_loss(parts, logits, held_out) for held_out in (False, True)]
            yield Epoch(number, losses[0], losses[1], dump_weights(whole))

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """Return the search with these weights."""
        rules: Any = game
        searcher = Searcher(rules, load_weights(weights)[VARIANTS.index(rules.variant)])
        budget = Budget(nodes=self.test_nodes)
        return SearchBot(
            lambda view, log, seed: searcher.search(rules.decode(view["position"]), budget, seed=seed).action, seed
        )


def _by_variant(joined: Mapping[str, NDArray[Any]], weights: Sequence[Weights]) -> dict[int, _Part]:
    """Return the positions of each variant that was played apart."""
    found = {}
    for variant in VARIANTS_PLAYED:
        counted, worths, ranks = weights[variant]
        positions = {name: joined[name][joined["variant"] == variant] for name in COLUMNS}
        target = RESULT_SHARE * positions["result"] + (1 - RESULT_SHARE) * positions["expected"]
        held_out = positions["game"] % HELD_OUT == HELD_OUT - 1
        samples = Samples(fit.features(positions, counted), np.zeros(len(target)), target, held_out)
        left = STONE_COUNT - np.bitwise_count(positions["own"] | positions["other"]).astype(np.int64)
        parameters = fit.open_parameters(fit.pattern_parameters(positions), positions["tanes"])
        begin = np.append(worths / LOGIT, np.zeros((1, 2)), axis=0)
        chosen = joined["cutoff_variant"] == variant
        cutoffs = {name: joined[f"cutoff_{name}"][chosen] for name in ("own", "other", "ball", "stone")}
        stones = RankFit(cutoffs, ranks, counted[ORDER:])
        found[variant] = _Part(samples, parameters, left, begin, np.zeros_like(begin), stones)
    return found


def _fit_patterns(part: _Part, logits: Floats, dice: np.random.Generator) -> None:
    """Move the worths of patterns by all positions that are trained on, and the ranks of stones by all cutoffs."""
    samples = part.samples
    chosen = dice.permutation(np.flatnonzero(~samples.held_out))
    given = samples.features[chosen] @ logits
    fit.descend(part.parameters[chosen], part.left[chosen], given, samples.target[chosen], part.worths, part.squares)
    part.stones.descend(dice.permutation(len(part.stones)))


def _whole_weights(weights: Weights, logits: Floats, part: _Part) -> Weights:
    """Return the weights in whole numbers."""
    counted = weights.counted.copy()
    counted[:LEARNED] = np.rint(logits * LOGIT)
    counted[ORDER:] = part.stones.lines
    worths = np.clip(np.rint(part.worths[:-1] * LOGIT), -LARGEST_WORTH, LARGEST_WORTH)
    return Weights(counted, worths.astype(np.int64), np.clip(part.stones.ranks, -LARGEST_RANK, LARGEST_RANK))


def _loss(parts: Mapping[int, _Part], logits: Sequence[Floats], held_out: bool) -> float:
    """Return the mean cross entropy on games that were held out, or on those that were not."""
    losses = []
    for variant, part in parts.items():
        score = part.samples.features @ logits[variant] + part.patterns
        losses.append((np.logaddexp(0, score) - part.samples.target * score)[part.samples.held_out == held_out])
    return float(np.concatenate(losses).mean())
