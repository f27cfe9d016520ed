"""The learner of Moeraki-Kemu for `kemu train`: games of the search against itself, fitting, a bot with weights.

The games begin with random openings. The evaluation learns from their quiet positions. The move ordering learns from
cutoffs: positions within the searches for which the transposition table knows a stone that was good enough.

A batch depends on its weights, its seed and the sources alone, so that batches can be played by any number of
processes, in any order, and played again.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.engines.analysis import Budget
from kemu.engines.arrays import Words, dump_arrays, load_arrays
from kemu.engines.capabilities import Epoch, SearchBot
from kemu.engines.moeraki.board import kernel, packed
from kemu.engines.moeraki.board.tables import HOLLOW_BIT, STONE_COUNT
from kemu.engines.moeraki.learn import fit
from kemu.engines.moeraki.learn.fit import LEARNED, Floats, RankFit, Samples
from kemu.engines.moeraki.search.alphabeta import LOWER, PROVEN
from kemu.engines.moeraki.search.root import Root
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.engines.moeraki.search.workspace import THREATS, Workspace
from kemu.engines.moeraki.value import patterns
from kemu.engines.moeraki.value.evaluation import LOGIT, ORDER
from kemu.engines.moeraki.value.patterns import Weights, dump_weights, load_weights, shipped_weights
from kemu.games.moeraki.board import MOERAKI
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.rules import MoerakiKemu

VARIANTS_PLAYED: Final = (kernel.BASIC, kernel.MASTER)
"""In the beginner's game nothing but lines counts, of which the search proves more than it could learn."""

OPENING_STONES: Final = (2, 20)
"""How many random stones a game begins with, at least and at most."""

RANDOM_GAMES: Final = 0.25
RANDOM_STONES: Final = 0.06
"""Share of the games with random stones, and of such stones: they lead to positions that no search would choose."""

TABLE_ROWS: Final = 1 << 14

COLUMNS: Final = {
    "own": np.uint64,  # the stones of the side to move
    "other": np.uint64,
    "tanes": np.int64,  # both Tane and who placed the ball, see `packed`
    "ball": np.int64,  # its cell
    "variant": np.int64,
    "expected": np.float64,  # the expected score of the side to move, by the search
    "result": np.float64,  # the score of the side to move at the end: 1, 0.5 or 0
    "game": np.int64,  # its number in the batch
}
"""The arrays of a batch with their types, an element for each quiet position."""

CUTOFF_COLUMNS: Final = {
    "cutoff_own": np.uint64,
    "cutoff_other": np.uint64,
    "cutoff_ball": np.int64,
    "cutoff_variant": np.int64,
    "cutoff_stone": np.int64,  # the cell of the stone that cut off
}
"""The same for cutoffs."""

ROWS_ASKED: Final = 2
"""Rows of the transposition table that are looked at for a cutoff after each search."""


def play_games(weights: Sequence[Weights], games: int, nodes: int, seed: int) -> dict[str, NDArray[Any]]:
    """Return what games teach that the search plays with the weights of each variant: all columns, by their names.

    `nodes` are those of each action.
    """
    table = np.zeros((TABLE_ROWS, 4), np.uint64)
    workspaces = [
        Workspace(np.array([variant, 0, 0, 0, kernel.NOWHERE], np.uint64), table, weights[variant])
        for variant in VARIANTS_PLAYED
    ]
    rows: list[tuple[Any, ...]] = []
    cutoffs: list[tuple[int, ...]] = []
    for number in range(games):
        dice = random.Random(f"{seed}/{number}")
        rows += ((*row, number) for row in _play(dice.choice(workspaces), nodes, dice, cutoffs))
    return _arrays(COLUMNS, rows) | _arrays(CUTOFF_COLUMNS, cutoffs)


def _arrays(kinds: Mapping[str, Any], rows: Sequence[tuple[Any, ...]]) -> dict[str, NDArray[Any]]:
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {name: np.array(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)}


def _play(
    workspace: Workspace, nodes: int, dice: random.Random, cutoffs: list[tuple[int, ...]]
) -> Iterator[tuple[Any, ...]]:
    """Return the rows of one game, without its number in the batch; cutoffs are added to those given.

    Positions before a random stone are left out: the result says nothing about them.
    """
    while (state := _opening(workspace, dice)) is None:
        pass
    kept: list[tuple[int, tuple[Any, ...]]] = []
    variant = int(workspace.rules[kernel.VARIANT])
    slip = RANDOM_STONES if dice.random() < RANDOM_GAMES else 0.0
    while state[kernel.STEP] != kernel.OVER:
        quiet = state[kernel.STEP] == kernel.LAY and _is_quiet(workspace, state)
        root = Root(workspace, state, 1, dice.getrandbits(32))
        if quiet and dice.random() < slip:
            kept.clear()
            state = dice.choice(root.candidates).state
            continue
        root.run(Budget(nodes=nodes), 1)
        cutoffs += _cutoffs(workspace, dice)
        best = root.candidates[0]
        if quiet and not root.solved and abs(best.score) <= PROVEN:
            expected = 1 / (1 + np.exp(-best.score / LOGIT))
            kept.append((root.seat, (*workspace.sides(state), workspace.ball_at, variant, expected)))
        state = best.state
    winner = int(packed.outcome_winner(int(state[kernel.LAST])))
    for seat, row in kept:
        yield *row, 0.5 if winner == kernel.NOBODY else float(winner == seat)


def _cutoffs(workspace: Workspace, dice: random.Random) -> Iterator[tuple[int, ...]]:
    """Return the rows of some cutoffs that the transposition table holds."""
    used = np.flatnonzero(workspace.table[:, 3])
    for row in dice.choices(used, k=ROWS_ASKED) if len(used) else ():
        own, other, _, entry = workspace.table[row]
        stone = packed.move_cell(packed.entry_move(entry))
        searched = packed.entry_depth(entry) >= 1 and abs(packed.entry_score(entry)) <= PROVEN
        if searched and packed.entry_bound(entry) == LOWER and stone != packed.NO_STONE:
            yield int(own ^ entry), int(other ^ entry), workspace.ball_at, int(workspace.rules[kernel.VARIANT]), stone


def _opening(workspace: Workspace, dice: random.Random) -> Words | None:
    """Return the ball on a Moeraki and some random stones, None if they end the game or threats decide it."""
    ball = dice.choice([HOLLOW_BIT[hollow] for hollow in MOERAKI])
    workspace.place_ball(ball)
    state = np.zeros(kernel.STATE_WORDS, np.uint64)
    state[kernel.BALL_AT] = kernel.NOWHERE
    kernel.apply(state, workspace.rules, kernel.BALL + ball)
    stones, actions = dice.randint(*OPENING_STONES), np.zeros(kernel.ACTION_COUNT, np.int64)
    while stones or state[kernel.STEP] != kernel.LAY:
        if state[kernel.STEP] == kernel.OVER:
            return None
        # Who is asked for the Tane keeps it: random ones would be thrown away.
        asked = bool(state[kernel.STEP] != kernel.LAY)
        stones -= not asked
        count = kernel.legal(state, workspace.rules, actions)
        kernel.apply(state, workspace.rules, kernel.KEEP if asked else int(dice.choice(actions[:count])))
    return state if _is_quiet(workspace, state) else None


def _is_quiet(workspace: Workspace, state: Words) -> bool:
    """Return whether neither side has a win by threats, with the right to move."""
    own, other, _ = workspace.sides(state)
    workspace.begin(2 * THREATS)
    return workspace.attack(own, other, THREATS) is None and workspace.attack(other, own, THREATS) is None


# Learning from them

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
        return patterns.shipped_file()

    def untrained_weights(self) -> bytes:
        """Nothing counts: a search sees no more than wins and the end of the game."""
        untrained = [Weights(*(field.copy() for field in each)) for each in shipped_weights()]
        for counted, worths, ranks in untrained:
            counted[:LEARNED], worths[:], ranks[:] = 0, 0, 0
        return dump_weights(untrained)

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """Return the quiet positions and the cutoffs of some games."""
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

    def bot(self, game: MoerakiKemu, weights: bytes, seed: int) -> Bot:
        """Return the search with these weights."""
        searcher = Searcher(game, load_weights(weights)[VARIANTS.index(game.variant)])
        budget = Budget(nodes=self.test_nodes)
        return SearchBot(
            lambda view, log, seed: searcher.search(game.decode(view["position"]), budget, seed=seed).action, seed
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
    worths = np.clip(np.rint(part.worths[:-1] * LOGIT), -patterns.LARGEST_WORTH, patterns.LARGEST_WORTH)
    return Weights(
        counted, worths.astype(np.int64), np.clip(part.stones.ranks, -patterns.LARGEST_RANK, patterns.LARGEST_RANK)
    )


def _loss(parts: Mapping[int, _Part], logits: Sequence[Floats], held_out: bool) -> float:
    """Return the mean cross entropy on games that were held out, or on those that were not."""
    losses = []
    for variant, part in parts.items():
        score = part.samples.features @ logits[variant] + part.patterns
        losses.append((np.logaddexp(0, score) - part.samples.target * score)[part.samples.held_out == held_out])
    return float(np.concatenate(losses).mean())
