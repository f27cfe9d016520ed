"""The tree search: principal variation search that asks the threat search at every node.

Scores are for the side to move. A win or loss by a line is WINS less the plies it takes and always proved: threats
need no proof of defence, and stones that are left out cannot answer the threat that stands.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    FLAG,
    NUMBER,
    NUMBER_ROWS,
    WORD_ROWS,
    ZERO,
    bit,
    borrowing,
    has_several,
    inlined,
    recursive,
    tuple_type,
)
from kemu.engines.moeraki.evaluation import (
    EVALUATION_CONTEXT,
    FIRST_LINE,
    LARGEST,
    EvaluationContext,
    closed_areas,
    evaluate,
    rank,
)
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, empty_hollows, marae_points
from kemu.engines.moeraki.ordering import history_row, late_move_reduction, rank_moves, record_cutoff, take_best
from kemu.engines.moeraki.packed import (
    NO_STONE,
    entry_move,
    is_starter,
    move_cell,
    move_tane,
    other_tane,
    own_tane,
    pack_tanes,
    pack_win,
    win_plies,
)
from kemu.engines.moeraki.pattern_sums import begin_patterns, lay_in_patterns, rank_patterns
from kemu.engines.moeraki.tables import HOLLOWS, Words
from kemu.engines.moeraki.tane import add_placements, placement_after
from kemu.engines.moeraki.threats import (
    FAILS,
    GIVEN_UP,
    NODES,
    ROOT_DEPTH,
    SELECTIVE,
    STOP,
    THREAT_CONTEXT,
    THREAT_LIMIT,
    TOTAL_LIMIT,
    TREE_NODES,
    UNKNOWN,
    ThreatContext,
    answers,
    find_short_win,
    winning,
)
from kemu.engines.moeraki.transposition import (
    NO_SCORE,
    PROVEN,
    SIDES,
    WINDOW,
    WINS,
    Sides,
    Window,
    new_entry,
    probe,
    store,
    usable_score,
)

MARAE_WINS: Final = 20_000
INFINITE: Final = 32_000

EXTENSION: Final = 2
"""So many plies below depth 0 a side that must defend itself is still searched."""

DEEPEST: Final = 64
LEAF_THREATS: Final = 4
"""Nodes of the threat search for one question at a leaf of a selective search; for each ply before it twice as many."""

# What follows is for selective searches only.
SHALLOW: Final = 4
MARGINS: Final = (0, 400, 650)
"""At a depth up to SHALLOW the evaluation stands if it is beyond the window by so much for each ply, by variant."""

FEW_DEPTH: Final = 3
FEW_MOVES: Final = 8
"""At a depth up to FEW_DEPTH only the first moves are tried, so many for each ply."""

LONE_DEPTH: Final = 4
"""From this depth on a position that the table does not know is searched one ply less deep."""


class TreeContext(NamedTuple):
    """What the tree search works on, apart from the position."""

    threats: ThreatContext
    evaluation: EvaluationContext
    table: Words  # transposition table, which threads may share
    moves: Numbers  # by ply: the moves to try
    ranks: Numbers  # by ply: the ranks of hollows and of moves; sums of the evaluation
    history: Numbers  # how much was cut off by stones in each hollow, see `ordering`


TREE_CONTEXT: Final = tuple_type(
    TreeContext, THREAT_CONTEXT, EVALUATION_CONTEXT, WORD_ROWS, NUMBER_ROWS, NUMBER_ROWS, NUMBER_ROWS
)


@borrowing
def full_board(sides: Sides, ball: np.uint64, variant: int) -> int:
    """The score once all hollows are filled without a line."""
    if variant == BEGINNER:
        return 0
    closed = closed_areas(sides.tanes)
    lead = marae_points(sides.own, HOLLOWS, ball, closed) - marae_points(sides.other, HOLLOWS, ball, closed)
    if lead == 0:
        lead = 1 if is_starter(sides.tanes) else -1
    return MARAE_WINS if lead > 0 else -MARAE_WINS


@inlined
def list_moves(sides: Sides, cells: np.uint64, ply: int, context: TreeContext) -> int:
    """Writes the moves to try with stones on these cells, and their ranks; returns how many they are."""
    ranks, moves, evaluation = context.ranks[ply], context.moves[ply], context.evaluation
    selective = context.threats.counters[SELECTIVE] != 0
    rank(sides.own, sides.other, FIRST_LINE if selective else 0, evaluation, ranks)
    if selective:
        rank_patterns(sides, cells, ranks, evaluation.weights)
    entry = probe(sides, context.table)
    first = entry_move(entry) if entry != ZERO else NO_STONE
    count = rank_moves(cells, ranks, context.history[history_row(sides, selective)], move_cell(first), moves)
    if evaluation.variant == MASTER and own_tane(sides.tanes) == 0:
        count = add_placements(sides, evaluation.ball, first, count, moves, ranks)
    return count


@inlined
def threat_limit(depth: int, counters: Numbers) -> int:
    """The nodes that the threat search gets for one question at a position to be searched so deep."""
    limit = counters[THREAT_LIMIT]
    return limit if counters[SELECTIVE] == 0 else min(limit, LEAF_THREATS << min(max(depth, 0), 10))


@inlined
def score_without_search(
    sides: Sides, depth: int, window: Window, ply: int, harmless: bool, context: TreeContext
) -> int:
    """The score of a position that is over, decided by threats or in the table; NO_SCORE for any other.

    It counts the position, and once the limit of nodes is met it sets GIVEN_UP and returns 0.
    """
    own, other, _ = sides
    threats, counters = context.threats, context.threats.counters
    counters[TREE_NODES] += 1
    if counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]:
        counters[GIVEN_UP] = 1
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
    return WINS - ply - win_plies(win) if win > FAILS else NO_SCORE


@borrowing
def defences(own: np.uint64, other: np.uint64, depth: int, context: ThreatContext) -> tuple[np.uint64, int]:
    """The cells to try against what the opponent threatens, and his win by threats as `find_win` gives it."""
    empty = empty_hollows(own, other, context.ball)
    must = winning(other, context.lines) & empty
    if must != ZERO:
        return must, pack_win(1, 0)
    if depth <= 0:
        return empty, UNKNOWN
    win = find_short_win(other, own, threat_limit(depth, context.counters), context)
    return (answers(other, own, context) if win > FAILS else empty), win


@borrowing
def after_move(sides: Sides, move: int) -> Sides:
    """The position after a move, from the opponent's side, who keeps his Tane if he has it in hand."""
    tanes = pack_tanes(other_tane(sides.tanes), move_tane(move) | own_tane(sides.tanes), not is_starter(sides.tanes))
    return Sides(sides.other, sides.own | bit(move_cell(move)), tanes)


@inlined
def lay_stone(sides: Sides, move: int, ply: int, context: TreeContext) -> None:
    """Writes the states of the patterns after a move for the next ply."""
    if context.evaluation.variant != BEGINNER:
        digit = 1 if is_starter(sides.tanes) else 2
        weights = context.evaluation.weights
        lay_in_patterns(context.ranks[ply], context.ranks[ply + 1], move_cell(move), digit, weights)


@borrowing
def reply_with_tane(after: Sides, move: int, context: EvaluationContext) -> int:
    """The best Tane that the opponent, to move now, can place before his stone; 0 if there is none."""
    if context.variant != MASTER or own_tane(after.tanes) != 0:
        return 0
    return placement_after(after.own, after.other, other_tane(after.tanes), move_cell(move), context.ball)


@inlined
def score_by_evaluation(
    sides: Sides, depth: int, window: Window, ply: int, defending: bool, context: TreeContext
) -> int:
    """The evaluation at a leaf, and where so shallow a search would hardly bring it back below beta; else NO_SCORE."""
    if (depth <= 0 and not defending) or depth <= -EXTENSION or ply >= DEEPEST - 2:
        return evaluate(sides, window, context.evaluation, context.ranks[ply])
    alpha, beta = window
    selective = context.threats.counters[SELECTIVE] != 0
    if not selective or defending or depth > SHALLOW or beta > alpha + 1 or abs(beta) >= LARGEST:
        return NO_SCORE
    score = evaluate(sides, window, context.evaluation, context.ranks[ply])
    return score if score - MARGINS[context.evaluation.variant] * depth >= beta else NO_SCORE


@inlined
def depth_to_search(sides: Sides, depth: int, defending: bool, context: TreeContext) -> int:
    """How deep to search a position that was meant to be searched so deep: less if no move to begin with is known."""
    if context.threats.counters[SELECTIVE] == 0 or defending or depth < LONE_DEPTH:
        return depth
    return depth - 1 if probe(sides, context.table) == ZERO else depth


@inlined
def moves_to_try(count: int, depth: int, window: Window, counters: Numbers) -> int:
    """How many of so many moves to try unless all of them lose, where there is no threat to defend against."""
    few = counters[SELECTIVE] != 0 and depth <= FEW_DEPTH and window.beta == window.alpha + 1
    return min(count, FEW_MOVES * depth) if few else count


@inlined
def extended_plies(counters: Numbers) -> int:
    """Up to which ply the answers to threats do not count as part of the depth."""
    return 2 * counters[ROOT_DEPTH] if counters[SELECTIVE] == 0 else 3 * counters[ROOT_DEPTH] // 2


@recursive(NUMBER(SIDES, NUMBER, WINDOW, NUMBER, FLAG, TREE_CONTEXT))
def search(sides: Sides, depth: int, window: Window, ply: int, harmless: bool, context: TreeContext) -> int:
    """The score of a position for the side to move, exact within the window; 0 once the search is given up.

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
    harmless_reply = threat == FAILS or (threat == UNKNOWN and threat_limit(depth, counters) < counters[THREAT_LIMIT])
    depth = depth_to_search(sides, depth, defending, context)
    count = list_moves(sides, cells, ply, context)
    tried = count if defending else moves_to_try(count, depth, window, counters)
    following = depth if defending and ply < extended_plies(counters) else depth - 1
    best_move, floor = NO_STONE, window.alpha
    # The stones left out lose to the threat that stands.
    best = -(WINS - ply - 1 - win_plies(threat)) if defending else -INFINITE
    for number in range(count):
        if number >= tried and best > -PROVEN:
            break
        move = take_best(number, count, context.moves[ply], context.ranks[ply])
        after = after_move(sides, move)
        lay_stone(sides, move, ply, context)
        tane = reply_with_tane(after, move, context.evaluation)
        high = beta if number == 0 else floor + 1
        reduction = 0 if defending else late_move_reduction(number, depth)
        while True:
            rest = following - reduction
            value = -search(after, rest, Window(-high, -floor), ply + 1, harmless_reply, context)
            if tane != 0 and value > floor:
                placed = Sides(after.own, after.other, after.tanes | tane)
                low = -min(high, value)
                value = min(value, -search(placed, rest, Window(low, -floor), ply + 1, harmless_reply, context))
            if counters[GIVEN_UP] != 0:
                return 0
            if value <= floor or (reduction == 0 and (high == beta or value >= beta)):
                break
            # Better than expected: once more to the full depth, then with the full window.
            high = high if reduction > 0 else beta
            reduction = 0
        best_move = move if value > best else best_move
        best, floor = max(best, value), max(floor, value)
        if best >= beta:
            row = history_row(sides, counters[SELECTIVE] != 0)
            record_cutoff(context.history[row], context.moves[ply], number, depth, row != 0)
            break
    store(sides, new_entry(best_move, best, depth, window, ply), context.table)
    return best


@borrowing
def score_position(
    own: np.uint64, other: np.uint64, tanes: int, depth: int, bounds: tuple[int, int], fields: Any
) -> int:
    """What `search` finds one ply from the root, for calls from Python.

    `bounds` are alpha and beta, `fields` is the `plain_tuple` of a TreeContext.
    """
    alpha, beta = bounds
    ball, lines, threat_table, stack, counters, _, variant, masks, weights, table, moves, ranks, history = fields
    threats = ThreatContext(ball, lines, threat_table, stack, counters)
    evaluation = EvaluationContext(ball, variant, masks, weights)
    context = TreeContext(threats, evaluation, table, moves, ranks, history)
    sides = Sides(own, other, tanes)
    if variant != BEGINNER:
        begin_patterns(sides, ranks[1], weights)
    return search(sides, depth, Window(alpha, beta), 1, False, context)
