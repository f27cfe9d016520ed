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
    NUMBERS,
    WORD_ROWS,
    ZERO,
    bit,
    borrowing,
    drop_lowest,
    has_several,
    inlined,
    lowest,
    recursive,
    tuple_type,
)
from kemu.engines.moeraki.evaluation import EVALUATION_CONTEXT, EvaluationContext, closed_areas, evaluate, rank
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, empty_hollows, marae_points
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
from kemu.engines.moeraki.tables import HOLLOWS, Words
from kemu.engines.moeraki.tane import add_placements, placement_after
from kemu.engines.moeraki.threats import (
    FAILS,
    GIVEN_UP,
    NODES,
    ROOT_DEPTH,
    STOP,
    THREAT_CONTEXT,
    TOTAL_LIMIT,
    TREE_NODES,
    UNKNOWN,
    ThreatContext,
    answers,
    find_win,
    winning,
)
from kemu.engines.moeraki.transposition import (
    NO_SCORE,
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
HISTORY_LIMIT: Final = 4000
TRIED_FIRST: Final = 1 << 40


class TreeContext(NamedTuple):
    """What the tree search works on, apart from the position."""

    threats: ThreatContext
    evaluation: EvaluationContext
    table: Words  # transposition table, which threads may share
    moves: Numbers  # by ply: the moves to try, and 64 more for the Tane
    ranks: Numbers  # by ply: the ranks of hollows and of moves; the sums of the evaluation
    history: Numbers  # by hollow, how much was cut off by stones there


TREE_CONTEXT: Final = tuple_type(
    TreeContext, THREAT_CONTEXT, EVALUATION_CONTEXT, WORD_ROWS, NUMBER_ROWS, NUMBER_ROWS, NUMBERS
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


@borrowing
def order_stones(cells: np.uint64, ranks: Numbers, history: Numbers, first: int, moves: Numbers) -> int:
    """Writes the stones to try, the most promising first and `first` before all; returns how many they are."""
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        worth = TRIED_FIRST if cell == first else ranks[cell] * 64 + min(history[cell], HISTORY_LIMIT)
        at = count
        while at > 0 and ranks[64 + at - 1] < worth:
            moves[at], ranks[64 + at] = moves[at - 1], ranks[64 + at - 1]
            at -= 1
        moves[at], ranks[64 + at] = cell, worth
        count += 1
    return count


@inlined
def order_moves(sides: Sides, cells: np.uint64, ply: int, context: TreeContext) -> int:
    """Writes the moves to try with stones on these cells, the most promising first; returns how many they are."""
    ranks, moves, evaluation = context.ranks[ply], context.moves[ply], context.evaluation
    rank(sides.own, sides.other, evaluation, ranks)
    entry = probe(sides, context.table)
    first = entry_move(entry) if entry != ZERO else NO_STONE
    count = order_stones(cells, ranks, context.history, move_cell(first), moves)
    if evaluation.variant == MASTER and own_tane(sides.tanes) == 0:
        count = add_placements(sides, evaluation.ball, first, count, moves)
    return count


@borrowing
def late_move_reduction(number: int, depth: int) -> int:
    """By how much less deep a move is tried first that comes late in the order."""
    if number < 3 or depth < 2:
        return 0
    return 1 if number < 8 else 2 if number < 20 else 3


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
    win = find_win(own, other, threats)
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
    win = find_win(other, own, context)
    return (answers(other, own, context) if win > FAILS else empty), win


@borrowing
def after_move(sides: Sides, move: int) -> Sides:
    """The position after a move, from the opponent's side, who keeps his Tane if he has it in hand."""
    tanes = pack_tanes(other_tane(sides.tanes), move_tane(move) | own_tane(sides.tanes), not is_starter(sides.tanes))
    return Sides(sides.other, sides.own | bit(move_cell(move)), tanes)


@borrowing
def reply_with_tane(after: Sides, move: int, context: EvaluationContext) -> int:
    """The best Tane that the opponent, to move now, can place before his stone; 0 if there is none."""
    if context.variant != MASTER or own_tane(after.tanes) != 0:
        return 0
    return placement_after(after.own, after.other, other_tane(after.tanes), move_cell(move), context.ball)


@recursive(NUMBER(SIDES, NUMBER, WINDOW, NUMBER, FLAG, TREE_CONTEXT))
def search(sides: Sides, depth: int, window: Window, ply: int, harmless: bool, context: TreeContext) -> int:
    """The score of a position for the side to move, exact within the window; 0 once the search is given up.

    `ply` counts from the root. `harmless` says that the side to move is known to have no win by threats.
    """
    known = score_without_search(sides, depth, window, ply, harmless, context)
    if known != NO_SCORE:
        return known
    counters, beta = context.threats.counters, window.beta
    cells, threat = defences(sides.own, sides.other, depth, context.threats)
    defending = threat > FAILS
    if (depth <= 0 and not defending) or depth <= -EXTENSION or ply >= DEEPEST - 2:
        return evaluate(sides, window, context.evaluation, context.ranks[ply])
    count = order_moves(sides, cells, ply, context)
    following = depth if defending and ply < 2 * counters[ROOT_DEPTH] else depth - 1
    best_move, floor = NO_STONE, window.alpha
    # The stones left out lose to the threat that stands.
    best = -(WINS - ply - 1 - win_plies(threat)) if defending else -INFINITE
    for number in range(count):
        move = context.moves[ply, number]
        after = after_move(sides, move)
        tane = reply_with_tane(after, move, context.evaluation)
        high = beta if number == 0 else floor + 1
        reduction = 0 if defending else late_move_reduction(number, depth)
        while True:
            rest = following - reduction
            value = -search(after, rest, Window(-high, -floor), ply + 1, threat == FAILS, context)
            if tane != 0 and value > floor:
                placed = Sides(after.own, after.other, after.tanes | tane)
                low = -min(high, value)
                value = min(value, -search(placed, rest, Window(low, -floor), ply + 1, threat == FAILS, context))
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
            context.history[move_cell(move)] += max(depth, 0) * max(depth, 0) + 1
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
    return search(Sides(own, other, tanes), depth, Window(alpha, beta), 1, False, context)
