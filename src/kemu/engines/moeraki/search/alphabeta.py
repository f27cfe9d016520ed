"""The tree search: principal variation search that asks the threat search at every node.

Scores are for the side to move. A win or loss by a line is WINS less the plies it takes and always proved: threats
need no proof of defence, and stones that are left out cannot answer the threat that stands.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.moeraki.board import packed
from kemu.engines.moeraki.board.kernel import BEGINNER, MASTER, barred_by, empty_hollows, marae_points, winning
from kemu.engines.moeraki.board.packed import Sides, U
from kemu.engines.moeraki.board.tables import DEEPEST, HOLLOWS
from kemu.engines.moeraki.prove import control
from kemu.engines.moeraki.prove.threats import FAILS, UNKNOWN, ThreatContext, answers, find_short_win
from kemu.engines.moeraki.search import ordering
from kemu.engines.moeraki.value.evaluation import FIRST_LINE, LARGEST, EvaluationContext, Window, evaluate, rank
from kemu.engines.moeraki.value.expected_tiles import placement_after
from kemu.engines.moeraki.value.patterns import begin_patterns, lay_in_patterns, rank_patterns
from kemu.engines.words import ZERO, bit, has_several

WINS: Final = 30_000
PROVEN: Final = 29_000
"""Scores beyond this, either way, are wins by a line."""

MARAE_WINS: Final = 20_000
INFINITE: Final = 32_000
NO_SCORE: Final = 32_001

UPPER, LOWER, EXACT = range(1, 4)
"""Kinds of scores of an entry."""

EXTENSION: Final = 2
"""Plies below depth 0 to which a side that must defend itself is still searched."""

LEAF_THREATS: Final = 4
"""Nodes of the threat search for one question at a leaf of a selective search; for each ply before it twice as many."""

# What follows is for selective searches only.
SHALLOW: Final = 4
MARGINS: Final = (0, 400, 650)
"""At a depth up to SHALLOW the evaluation stands if it is beyond the window by this much for each ply, by variant."""

FEW_DEPTH: Final = 3
FEW_MOVES: Final = 8
"""At a depth up to FEW_DEPTH only the first moves are tried, FEW_MOVES for each ply."""

LONE_DEPTH: Final = 4
"""From this depth on a position that the table does not know is searched one ply less deep."""


# The transposition table: scores and best moves of positions, shared by threads


@no_refcount
def table_row(sides: Sides, table: WordRows) -> int:
    """Return the row of a position in the table."""
    return packed.position_slot(sides.own, sides.other ^ (U(sides.tanes) << U(45)), table.shape[0])


@no_refcount
def probe(sides: Sides, table: WordRows) -> np.uint64:
    """Return the entry of a position, 0 if there is none.

    The keys are mixed with the entry, so that two threads that write at once leave a row that fits no position.
    """
    slot = table_row(sides, table)
    entry = table[slot, 3]
    same = (table[slot, 0] ^ entry) == sides.own and (table[slot, 1] ^ entry) == sides.other
    return entry if same and (table[slot, 2] ^ entry) == U(sides.tanes) else ZERO


@no_refcount
def usable_score(entry: np.uint64, depth: int, window: Window, ply: int) -> int:
    """Return the score that an entry gives to a search to this depth in this window, NO_SCORE if it gives none."""
    score = packed.entry_score(entry)
    score += -ply if score > PROVEN else ply if score < -PROVEN else 0
    if packed.entry_depth(entry) < depth and -PROVEN <= score <= PROVEN:
        return NO_SCORE
    bound = packed.entry_bound(entry)
    if bound == EXACT or (bound == LOWER and score >= window.beta) or (bound == UPPER and score <= window.alpha):
        return score
    return NO_SCORE


@no_refcount
def new_entry(move: int, score: int, depth: int, window: Window, ply: int) -> np.uint64:
    """Return the entry for what a search to this depth in this window found at this distance from the root."""
    bound = UPPER if score <= window.alpha else LOWER if score >= window.beta else EXACT
    score += ply if score > PROVEN else -ply if score < -PROVEN else 0
    return packed.pack_entry(move, bound, depth, score)


@no_refcount
def store(sides: Sides, entry: np.uint64, table: WordRows) -> None:
    """Put the entry of a position into the table, in place of whatever has the same row."""
    slot = table_row(sides, table)
    table[slot, 0], table[slot, 1] = sides.own ^ entry, sides.other ^ entry
    table[slot, 2], table[slot, 3] = U(sides.tanes) ^ entry, entry


# The search


class TreeContext(NamedTuple):
    """The arrays of the tree search and its parts, apart from the position."""

    threats: ThreatContext
    evaluation: EvaluationContext
    table: WordRows  # transposition table, which threads may share
    moves: NumberRows  # by ply: the moves to try
    ranks: NumberRows  # by ply: the ranks of hollows and of moves; sums of the evaluation
    history: NumberRows  # how much was cut off by stones in each hollow, see `ordering`


@no_refcount
def full_board(sides: Sides, ball: np.uint64, variant: int) -> int:
    """Return the score once all hollows are filled without a line."""
    if variant == BEGINNER:
        return 0
    closed = barred_by(sides.tanes)
    lead = marae_points(sides.own, HOLLOWS, ball, closed) - marae_points(sides.other, HOLLOWS, ball, closed)
    if lead == 0:
        lead = 1 if packed.is_starter(sides.tanes) else -1
    return MARAE_WINS if lead > 0 else -MARAE_WINS


@inlined
def list_moves(sides: Sides, cells: np.uint64, ply: int, context: TreeContext) -> int:
    """Write the moves to try with stones on these cells, and their ranks, and return how many they are."""
    ranks, moves, evaluation = context.ranks[ply], context.moves[ply], context.evaluation
    selective = context.threats.counters[control.SELECTIVE] != 0
    rank(sides.own, sides.other, FIRST_LINE if selective else 0, evaluation, ranks)
    if selective:
        rank_patterns(sides, cells, ranks, evaluation.weights)
    entry = probe(sides, context.table)
    first = packed.entry_move(entry) if entry != ZERO else packed.NO_STONE
    count = ordering.rank_moves(
        cells, ranks, context.history[ordering.history_row(sides, selective)], packed.move_cell(first), moves
    )
    if evaluation.variant == MASTER and packed.own_tane(sides.tanes) == 0:
        count = ordering.add_placements(sides, evaluation.ball, first, count, moves, ranks)
    return count


@inlined
def threat_limit(depth: int, counters: Numbers) -> int:
    """Return the nodes that the threat search gets for one question at a position to be searched to this depth."""
    limit = counters[control.THREAT_LIMIT]
    return limit if counters[control.SELECTIVE] == 0 else min(limit, LEAF_THREATS << min(max(depth, 0), 10))


@inlined
def score_without_search(
    sides: Sides, depth: int, window: Window, ply: int, harmless: bool, context: TreeContext
) -> int:
    """Return the score of a position that is over, decided by threats or in the table; NO_SCORE for any other.

    It counts the position, and once the limit of nodes is met it sets GIVEN_UP and returns 0.
    """
    own, other, _ = sides
    threats, counters = context.threats, context.threats.counters
    counters[control.TREE_NODES] += 1
    if control.is_spent(counters):
        counters[control.GIVEN_UP] = 1
        return 0
    empty = empty_hollows(own, other, threats.ball)
    if empty == ZERO:
        return full_board(sides, threats.ball, context.evaluation.variant)
    if winning(own, threats.lines) & empty != ZERO:
        return WINS - ply - 1
    if has_several(winning(other, threats.lines) & empty):
        return -(WINS - ply - 2)
    entry = probe(sides, context.table)
    known = usable_score(entry, depth, window, ply) if entry != ZERO else NO_SCORE
    if known != NO_SCORE or harmless:
        return known
    win = find_short_win(own, other, threat_limit(depth, counters), threats)
    return WINS - ply - packed.win_plies(win) if win > FAILS else NO_SCORE


@no_refcount
def defences(own: np.uint64, other: np.uint64, depth: int, context: ThreatContext) -> tuple[np.uint64, int]:
    """Return the cells to try against what the opponent threatens, and his win by threats as `find_win` gives it."""
    empty = empty_hollows(own, other, context.ball)
    must = winning(other, context.lines) & empty
    if must != ZERO:
        return must, packed.pack_win(1, 0)
    if depth <= 0:
        return empty, UNKNOWN
    win = find_short_win(other, own, threat_limit(depth, context.counters), context)
    return (answers(other, own, context) if win > FAILS else empty), win


@no_refcount
def after_move(sides: Sides, move: int) -> Sides:
    """Return the position after a move, from the opponent's side, who keeps his Tane if he has it in hand."""
    tanes = packed.pack_tanes(
        packed.other_tane(sides.tanes),
        packed.move_tane(move) | packed.own_tane(sides.tanes),
        not packed.is_starter(sides.tanes),
    )
    return Sides(sides.other, sides.own | bit(packed.move_cell(move)), tanes)


@inlined
def lay_stone(sides: Sides, move: int, ply: int, context: TreeContext) -> None:
    """Write the states of the patterns after a move for the next ply."""
    if context.evaluation.variant != BEGINNER:
        digit = 1 if packed.is_starter(sides.tanes) else 2
        weights = context.evaluation.weights
        lay_in_patterns(context.ranks[ply], context.ranks[ply + 1], packed.move_cell(move), digit, weights)


@no_refcount
def reply_with_tane(after: Sides, move: int, context: EvaluationContext) -> int:
    """Return the best Tane that the opponent, to move now, can place before his stone; 0 if there is none."""
    if context.variant != MASTER or packed.own_tane(after.tanes) != 0:
        return 0
    return placement_after(after.own, after.other, packed.other_tane(after.tanes), packed.move_cell(move), context.ball)


@inlined
def score_by_evaluation(
    sides: Sides, depth: int, window: Window, ply: int, defending: bool, context: TreeContext
) -> int:
    """Return the evaluation at a leaf, and where a shallow search would hardly change it; else NO_SCORE."""
    if (depth <= 0 and not defending) or depth <= -EXTENSION or ply >= DEEPEST - 2:
        return evaluate(sides, window, context.evaluation, context.ranks[ply])
    alpha, beta = window
    selective = context.threats.counters[control.SELECTIVE] != 0
    if not selective or defending or depth > SHALLOW or beta > alpha + 1 or abs(beta) >= LARGEST:
        return NO_SCORE
    score = evaluate(sides, window, context.evaluation, context.ranks[ply])
    return score if score - MARGINS[context.evaluation.variant] * depth >= beta else NO_SCORE


@inlined
def depth_to_search(sides: Sides, depth: int, defending: bool, context: TreeContext) -> int:
    """Return how deep to search a position instead of `depth`: less if no move to begin with is known."""
    if context.threats.counters[control.SELECTIVE] == 0 or defending or depth < LONE_DEPTH:
        return depth
    return depth - 1 if probe(sides, context.table) == ZERO else depth


@inlined
def moves_to_try(count: int, depth: int, window: Window, counters: Numbers) -> int:
    """Return how many of `count` moves to try unless all of them lose, where there is no threat to defend against."""
    few = counters[control.SELECTIVE] != 0 and depth <= FEW_DEPTH and window.beta == window.alpha + 1
    return min(count, FEW_MOVES * depth) if few else count


@inlined
def extended_plies(counters: Numbers) -> int:
    """Return the ply up to which the answers to threats do not count as part of the depth."""
    depth = counters[control.ROOT_DEPTH]
    return 2 * depth if counters[control.SELECTIVE] == 0 else 3 * depth // 2


@recursive
def search(sides: Sides, depth: int, window: Window, ply: int, harmless: bool, context: TreeContext) -> int:
    """Return the score of a position for the side to move, exact within the window; 0 once the search is given up.

    `ply` counts from the root. `harmless` says that no win by threats needs to be looked for.
    """
    known = score_without_search(sides, depth, window, ply, harmless, context)
    if known != NO_SCORE:
        return known
    counters, beta = context.threats.counters, window.beta
    cells, threat = defences(sides.own, sides.other, depth, context.threats)
    defending = threat > FAILS
    known = score_by_evaluation(sides, depth, window, ply, defending, context)
    if known != NO_SCORE:
        return known
    # A win that was not found here will not be found with the smaller limit of the next ply.
    harmless_reply = threat == FAILS or (
        threat == UNKNOWN and threat_limit(depth, counters) < counters[control.THREAT_LIMIT]
    )
    depth = depth_to_search(sides, depth, defending, context)
    count = list_moves(sides, cells, ply, context)
    tried = count if defending else moves_to_try(count, depth, window, counters)
    following = depth if defending and ply < extended_plies(counters) else depth - 1
    best_move, floor = packed.NO_STONE, window.alpha
    # The stones left out lose to the threat that stands.
    best = -(WINS - ply - 1 - packed.win_plies(threat)) if defending else -INFINITE
    for number in range(count):
        if number >= tried and best > -PROVEN:
            break
        move = ordering.take_best(number, count, context.moves[ply], context.ranks[ply])
        after = after_move(sides, move)
        lay_stone(sides, move, ply, context)
        tane = reply_with_tane(after, move, context.evaluation)
        high = beta if number == 0 else floor + 1
        reduction = 0 if defending else ordering.late_move_reduction(number, depth)
        while True:
            rest = following - reduction
            value = -search(after, rest, Window(-high, -floor), ply + 1, harmless_reply, context)
            if tane != 0 and value > floor:
                placed = Sides(after.own, after.other, after.tanes | tane)
                low = -min(high, value)
                value = min(value, -search(placed, rest, Window(low, -floor), ply + 1, harmless_reply, context))
            if counters[control.GIVEN_UP] != 0:
                return 0
            if value <= floor or (reduction == 0 and (high == beta or value >= beta)):
                break
            # Better than expected: once more to the full depth, then with the full window.
            high = high if reduction > 0 else beta
            reduction = 0
        best_move = move if value > best else best_move
        best, floor = max(best, value), max(floor, value)
        if best >= beta:
            row = ordering.history_row(sides, counters[control.SELECTIVE] != 0)
            ordering.record_cutoff(context.history[row], context.moves[ply], number, depth, row != 0)
            break
    store(sides, new_entry(best_move, best, depth, window, ply), context.table)
    return best


@no_refcount
def score_position(
    own: np.uint64, other: np.uint64, tanes: int, depth: int, bounds: tuple[int, int], fields: Any
) -> int:
    """Return what `search` finds one ply from the root, for calls from Python.

    `bounds` are alpha and beta, `fields` is the `plain_tuple` of a TreeContext.
    """
    context = TreeContext(ThreatContext(*fields[:5]), EvaluationContext(*fields[5:9]), *fields[9:])
    sides, evaluation = Sides(own, other, tanes), context.evaluation
    if evaluation.variant != BEGINNER:
        begin_patterns(sides, context.ranks[1], evaluation.weights)
    return search(sides, depth, Window(*bounds), 1, False, context)
