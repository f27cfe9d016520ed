"""The forecast of a game: how it ends in quick games that are played on from a position.

In a quick game a stone that wins or that stops a win comes first. Any other stone is drawn by its rank in the move
ordering, and a Tane is placed where it gains most tiles, the more readily the fewer hollows are left.
"""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import numpy as np

from kemu.engines.analysis import Forecast, LikelyEnding, Prediction
from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import Sides, U, outcome_reason, outcome_winner
from kemu.engines.moeraki.board.tables import AREA_BIT, LINES, MASKS, STONE_COUNT
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.value import evaluation
from kemu.engines.moeraki.value.evaluation import EvaluationContext, Window
from kemu.engines.moeraki.value.expected_tiles import best_placement, tane_gain
from kemu.engines.moeraki.value.patterns import RANKS, begin_patterns, rank_patterns, shipped_array
from kemu.engines.words import ZERO, bit, drop_lowest, lowest, next_random, popcount, signed
from kemu.games.moeraki import board
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

GAMES: Final = 400
DIGITS: Final = 3
"""Digits of every number of a forecast."""

PATIENCE: Final = 16
"""Eighths of a tile that a Tane must gain on an empty board; towards the end less, down to nothing."""


@no_refcount
def draw_stone(sides: Sides, empty: np.uint64, context: EvaluationContext, ranks: Numbers, stream: np.uint64) -> Any:
    """Return the cell of a stone drawn by its rank, as a softmax, and the stream of random numbers."""
    first = 0 if context.variant == kernel.BEGINNER else evaluation.FIRST_LINE
    evaluation.rank(sides.own, sides.other, first, context, ranks)
    if context.variant != kernel.BEGINNER:
        begin_patterns(sides, ranks, context.weights)
        rank_patterns(sides, empty, ranks, context.weights)
    best, chosen = -np.inf, 0
    while empty != ZERO:
        cell = lowest(empty)
        empty = drop_lowest(empty)
        stream, word = next_random(stream)
        # The largest of logits with Gumbel noise is a draw from their softmax.
        noise = -np.log(-np.log(((word >> U(11)) + 0.5) / 2**53))
        worth = ranks[cell] / evaluation.RANK_LOGIT + noise
        if worth > best:
            best, chosen = worth, cell
    return chosen, stream


@no_refcount
def choose_tane(state: Words) -> int:
    """Return the placement of a Tane that gains most, KEEP if none gains enough."""
    seat = signed(state[kernel.TURN])
    own, other, ball = kernel.stones_of(state)
    opposing = state[kernel.TANES + 1 - seat]
    tane = best_placement(own, other, ball, kernel.offers(state, seat), opposing)
    if tane == 0:
        return kernel.KEEP
    left = popcount(kernel.empty_hollows(own, other, ball))
    enough = tane_gain(own, other, ball, U(tane), opposing) * STONE_COUNT > PATIENCE * left
    return kernel.tane_action(tane) if enough else kernel.KEEP


@no_refcount
def play_quick_game(state: Words, rules: Words, context: EvaluationContext, ranks: Numbers, stream: np.uint64) -> Any:
    """Play a state to its end, and return the stream of random numbers."""
    lines = LINES[signed(rules[kernel.EYE_OPTION]), signed(state[kernel.BALL_AT])]
    while state[kernel.STEP] != U(kernel.OVER):
        if state[kernel.STEP] != U(kernel.LAY):
            kernel.apply(state, rules, choose_tane(state))
            continue
        sides = kernel.sides_of(state, rules)
        empty = kernel.empty_hollows(sides.own, sides.other, context.ball)
        if kernel.may_swap(state, rules):
            if context.variant != kernel.BEGINNER:
                begin_patterns(sides, ranks, context.weights)
            if evaluation.evaluate(sides, Window(-evaluation.LARGEST, evaluation.LARGEST), context, ranks) < 0:
                kernel.apply(state, rules, kernel.SWAP)
                continue
        forced = kernel.winning(sides.own, lines) & empty
        if forced == ZERO:
            forced = kernel.winning(sides.other, lines) & empty
        if forced != ZERO:
            cell = lowest(forced)
        else:
            cell, stream = draw_stone(sides, empty, context, ranks, stream)
        kernel.apply(state, rules, cell)
    return stream


@compiled
def play_quick_games(start: Words, rules: Words, arrays: Any, seed: np.uint64, ends: Words) -> None:
    """Play as many quick games from a state as `ends` has rows, and write their last states there.

    `arrays` are the masks and the weights for its ball.
    """
    context = EvaluationContext(bit(start[kernel.BALL_AT]), signed(rules[kernel.VARIANT]), arrays[0], arrays[1])
    ranks, stream = np.zeros(RANKS, np.int64), seed
    for number in range(ends.shape[0]):
        for word in range(kernel.STATE_WORDS):
            ends[number, word] = start[word]
        stream = play_quick_game(ends[number], rules, context, ranks, stream)


@compiled
def write_tiles(ends: Words, tiles: Any) -> None:
    """Write by state and seat the areas where tiles of the seat lie, and those of full tiles."""
    for number in range(ends.shape[0]):
        state = ends[number]
        ball, closed = bit(state[kernel.BALL_AT]), kernel.barred(state[kernel.TANES], state[kernel.TANES + 1])
        laid = kernel.completed(state[kernel.STONES] | state[kernel.STONES + 1] | ball) & ~closed
        for seat in range(2):
            major, full = kernel.majorities(state[kernel.STONES + seat], ball)
            tiles[number, seat, 0], tiles[number, seat, 1] = major & laid, full & laid


def forecast(game: MoerakiKemu, state: State, games: int = GAMES) -> Forecast | None:
    """Return how a game is expected to end from a state; None before the ball lies.

    The same state always has the same forecast. Lead and tiles are those of the games that the Marae decided, or if it
    decided none, those that lie when a game ends.
    """
    if not state.ball:
        return None
    start, rules = kernel_state(game, state), kernel_rules(game)
    variant, ball_at = int(rules[kernel.VARIANT]), int(start[kernel.BALL_AT])
    arrays = MASKS[int(game.eye), ball_at], shipped_array(variant, ball_at)
    ends = np.zeros((games, kernel.STATE_WORDS), np.uint64)
    seed = int.from_bytes(sha256(start.tobytes() + rules.tobytes()).digest()[:8])
    play_quick_games(start, rules, arrays, np.uint64(seed), ends)
    outcomes = [(outcome_winner(last), outcome_reason(last)) for last in ends[:, kernel.LAST].tolist()]
    score = sum(0.5 if winner == kernel.NOBODY else 1 - winner for winner, _ in outcomes) / games
    lead, owners = None, dict[str, float]()
    if variant != kernel.BEGINNER:
        by_marae = np.array([reason == kernel.MARAE for _, reason in outcomes])
        owners = _mean_tiles(ends[by_marae] if by_marae.any() else ends)
        lead = round(sum(owners.values()), DIGITS)
    return Forecast(Prediction(round(score, DIGITS), lead, _endings(outcomes)), owners)


def _mean_tiles(ends: Words) -> dict[str, float]:
    """Return by area the mean of the tile that lies there, positive for seat 0."""
    tiles = np.zeros((len(ends), 2, 2), np.uint64)
    write_tiles(ends, tiles)
    halves = (tiles[..., None] >> np.array(AREA_BIT, np.uint64) & np.uint64(1)).sum(axis=2, dtype=np.int64)
    means = (halves[:, 0] - halves[:, 1]).mean(axis=0) / 2
    return {area.name: round(float(mean), DIGITS) for area, mean in zip(board.AREAS, means, strict=True)}


def _endings(outcomes: Sequence[tuple[int, int]]) -> tuple[LikelyEnding, ...]:
    """Return all endings that came up, the most frequent first."""
    return tuple(
        LikelyEnding(
            kernel.REASONS[reason], None if winner == kernel.NOBODY else winner, round(count / len(outcomes), DIGITS)
        )
        for (winner, reason), count in Counter(outcomes).most_common()
    )
