"""The result of an ending of Moeraki-Kemu by its rules alone, compiled, for endings too long for `brute_force`.

It has the geometry of `kemu.games` and nothing of the engines' boards, tables, order of stones or cuts: every action is
tried until one wins, first those that won most often with as many hollows left. A position met before is looked up in
`known`, which forgets some once it is nearly full.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.words import lowest, popcount, signed
from kemu.games.moeraki.board import AREAS, BEACHES, BESIDE, CORNERS, DIRECTIONS, HOLLOWS, SIGHT, mask
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import Tane, lines

U: Final = np.uint64
NO_BITS: Final = U(0)
ONE_BIT: Final = U(1)
ALL: Final = U((1 << len(HOLLOWS)) - 1)
LOOKS: Final = tuple(DIRECTIONS)
VARIANTS: Final = ("beginner", "basic", "master")
NO_STEP: Final = -1
PROBES: Final = 16
LAST: Final = -1
"""After the last area of a list."""

TANE_COLUMN: Final = 64
"""In the counts of wins the column of a Tane that is kept; one that is placed has its number added."""


class Rules(NamedTuple):
    """The rules for one ball; a Tane is 0 in its cave, else 1 + 4 times its area + the number of its direction."""

    ball: np.uint64
    variant: int
    starter: int
    lines: Words
    corners: Words
    beach: Numbers  # 1 for a beach, 0 for a semi-beach
    beside: NumberRows  # by hollow the areas around it, then LAST
    sight: NumberRows  # by Tane the areas that it sees if no other stands in between, then LAST
    known: WordRows  # rows of the stones of both seats, the rest of the state, the value + 2
    wins: NumberRows  # by empty hollows and seat, then by hollow or Tane: how often that action won


class Asked(NamedTuple):
    """Both Tane, who acts, and the hollow of the stone just laid while that seat is asked, else NO_STEP."""

    first: int
    second: int
    turn: int
    step: int


@no_refcount
def has_line(stones: np.uint64, lines_left: Words) -> bool:
    found = False
    for number in range(lines_left.shape[0]):
        found |= lines_left[number] & ~stones == NO_BITS
    return found


@no_refcount
def count_bits(word: np.uint64) -> int:
    count = 0
    while word != NO_BITS:
        word &= word - ONE_BIT
        count += 1
    return count


@no_refcount
def half_tiles(area: int, matau: np.uint64, manaia: np.uint64, rules: Rules) -> int:
    """What an area earns in half tiles, less than 0 for those of Manaia."""
    corners = rules.corners[area]
    if corners & ~(matau | manaia | rules.ball) != NO_BITS:
        return 0
    first, second = count_bits(corners & matau), count_bits(corners & manaia)
    if first == second:
        return 0
    worth = 2 if rules.beach[area] == 1 or first == 0 or second == 0 else 1
    return worth if first > second else -worth


@no_refcount
def seen(tane: int, other: int, rules: Rules) -> np.uint64:
    """The areas that a Tane sees, as bits."""
    areas = NO_BITS
    if tane == 0:
        return areas
    stands = (other - 1) // 4 if other > 0 else LAST
    for number in range(rules.sight.shape[1]):
        area = rules.sight[tane, number]
        if area in (LAST, stands):
            break
        areas |= ONE_BIT << U(area)
    return areas


@no_refcount
def barred(first: int, second: int, rules: Rules) -> np.uint64:
    return seen(first, second, rules) ^ seen(second, first, rules)


@no_refcount
def may_stand(area: int, matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> bool:
    """Whether the seat to act may put its Tane on an area beside the stone just laid."""
    if area == LAST or (asked.second if asked.turn == 1 else asked.first) != 0:
        return False
    if half_tiles(area, matau, manaia, rules) != (2 if asked.turn == 0 else -2):
        return False
    return bool(barred(asked.first, asked.second, rules) & (ONE_BIT << U(area)) == NO_BITS)


@no_refcount
def is_asked(matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> bool:
    """Whether the seat to act has a place for its Tane."""
    for number in range(rules.beside.shape[1]):
        if may_stand(rules.beside[asked.step, number], matau, manaia, asked, rules):
            return True
    return False


@no_refcount
def after_asking(matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> Asked:
    """The opponent of who laid the stone is asked next if there is reason, then lays a stone."""
    opponent = 1 if (matau >> U(asked.step)) & ONE_BIT != NO_BITS else 0
    following = Asked(asked.first, asked.second, opponent, asked.step)
    if asked.turn != opponent and is_asked(matau, manaia, following, rules):
        return following
    return Asked(asked.first, asked.second, opponent, NO_STEP)


@no_refcount
def after_stone(matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> Asked:
    """What comes after a stone; in `asked` it is its player's turn, and `step` is the stone."""
    if rules.variant != 2 or has_line(matau if asked.turn == 0 else manaia, rules.lines):
        return Asked(asked.first, asked.second, 1 - asked.turn, NO_STEP)
    return asked if is_asked(matau, manaia, asked, rules) else after_asking(matau, manaia, asked, rules)


@no_refcount
def final_value(matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> int:
    """The value of a full board for the seat that would be next."""
    if rules.variant == 0:
        return 0
    closed, lead = barred(asked.first, asked.second, rules), 0
    for area in range(rules.corners.shape[0]):
        # A Tane in its cave is 0, and -1 // 4 is no area.
        stands = area in ((asked.first - 1) // 4, (asked.second - 1) // 4)
        if not stands and (closed >> U(area)) & ONE_BIT == NO_BITS:
            lead += half_tiles(area, matau, manaia, rules)
    winner = rules.starter if lead == 0 else 0 if lead > 0 else 1
    return 1 if winner == asked.turn else -1


@no_refcount
def row_of(matau: np.uint64, manaia: np.uint64, rest: np.uint64, known: Words) -> int:
    """The row of a position: its own, else the first that is free after its hash, else one to be replaced."""
    mixed = (matau * U(0x9E3779B97F4A7C15)) ^ (manaia * U(0xC2B2AE3D27D4EB4F)) ^ (rest * U(0x165667B19E3779F9))
    mixed = (mixed ^ (mixed >> U(32))) * U(0xD6E8FEB86659FD93)
    row = signed((mixed ^ (mixed >> U(32))) & U(known.shape[0] - 1))
    for _ in range(PROBES):
        same = known[row, 0] == matau and known[row, 1] == manaia and known[row, 2] == rest
        if same or known[row, 3] == NO_BITS:
            break
        row = (row + 1) % known.shape[0]
    return row


@no_refcount
def most_often(cells: np.uint64, wins: Numbers) -> int:
    """The one of some hollows where a stone won most often."""
    most, best = -1, 0
    while cells != NO_BITS:
        hollow = lowest(cells)
        if wins[hollow] > most:
            most, best = wins[hollow], hollow
        cells &= cells - ONE_BIT
    return best


@inlined
def signed_value(found: int, following: Asked, turn: int) -> int:
    """The value after an action for the seat that acted."""
    return found if following.turn == turn else -found


@recursive
def value(matau: np.uint64, manaia: np.uint64, asked: Asked, rules: Rules) -> int:
    """What the seat to act reaches: 1 won, 0 drawn, -1 lost."""
    known, turn = rules.known, asked.turn
    if asked.step == NO_STEP:
        if has_line(manaia if turn == 0 else matau, rules.lines):
            return -1
        if matau | manaia | rules.ball == ALL:
            return final_value(matau, manaia, asked, rules)
    rest = U(((asked.first * 256 + asked.second) * 2 + turn) * 64 + asked.step + 1)
    row = row_of(matau, manaia, rest, known)
    if known[row, 0] == matau and known[row, 1] == manaia and known[row, 2] == rest and known[row, 3] != NO_BITS:
        return signed(known[row, 3]) - 2
    empty = ALL & ~(matau | manaia | rules.ball)
    wins = rules.wins[2 * popcount(empty) + turn]
    best, column = -1, TANE_COLUMN
    if asked.step == NO_STEP:
        while empty != NO_BITS and best < 1:
            column = most_often(empty, wins)
            stone = ONE_BIT << U(column)
            empty ^= stone
            first, second = (matau | stone, manaia) if turn == 0 else (matau, manaia | stone)
            following = after_stone(first, second, Asked(asked.first, asked.second, turn, column), rules)
            best = max(best, signed_value(value(first, second, following, rules), following, turn))
    else:
        following = after_asking(matau, manaia, asked, rules)
        best = max(best, signed_value(value(matau, manaia, following, rules), following, turn))
        for number in range(4 * rules.beside.shape[1]):
            area = rules.beside[asked.step, number // 4]
            if best == 1 or not may_stand(area, matau, manaia, asked, rules):
                continue
            tane = 1 + 4 * area + number % 4
            placed = Asked(tane if turn == 0 else asked.first, asked.second if turn == 0 else tane, turn, asked.step)
            following = after_asking(matau, manaia, placed, rules)
            best = max(best, signed_value(value(matau, manaia, following, rules), following, turn))
    wins[column] += best == 1
    row = row_of(matau, manaia, rest, known)  # another position may have taken the row of before
    known[row, 0], known[row, 1], known[row, 2], known[row, 3] = matau, manaia, rest, U(best + 2)
    return best


@no_refcount
def first_value(matau: np.uint64, manaia: np.uint64, words: Any, fields: Any) -> int:
    """The same for calls from Python, with plain tuples."""
    first, second, turn, step = words
    ball, variant, starter, winning, corners, beach, beside, sight, known, wins = fields
    rules = Rules(ball, variant, starter, winning, corners, beach, beside, sight, known, wins)
    return value(matau, manaia, Asked(first, second, turn, step), rules)


def _rows(lists: list[tuple[int, ...]]) -> Numbers:
    rows = np.full((len(lists), 1 + max(map(len, lists))), LAST, np.int64)
    for number, found in enumerate(lists):
        rows[number, : len(found)] = found
    return rows


CORNER_MASKS: Final = np.array([mask(corners) for corners in CORNERS], np.uint64)
IS_BEACH: Final = np.array([int(area in BEACHES) for area in range(len(AREAS))], np.int64)
BESIDE_ROWS: Final = _rows(list(BESIDE))
SIGHT_ROWS: Final = _rows([(), *(SIGHT[area][looks] for area in range(len(AREAS)) for looks in LOOKS)])


def _tane(tane: Tane | None) -> int:
    return 0 if tane is None else 1 + 4 * tane.area + LOOKS.index(tane.looks)


def compiled_brute_force(game: MoerakiKemu, state: State, known: Words) -> int:
    """What the seat to act reaches: 1 won, 0 drawn, -1 lost; `known` has a power of two of rows of four words."""
    known[:] = 0
    words = (_tane(state.tane[0]), _tane(state.tane[1]), state.turn, NO_STEP if state.step is None else state.step)
    first, second = state.stones
    # A line with stones of both seats can never be filled by one of them.
    possible = [
        line.hollows for line in lines(state.ball, game.eye) if not (line.hollows & first and line.hollows & second)
    ]
    winning = np.array(possible, np.uint64)
    wins = np.zeros((2 * len(HOLLOWS), TANE_COLUMN + SIGHT_ROWS.shape[0]), np.int64)
    fields = (U(state.ball), VARIANTS.index(game.variant), game.starter, winning, CORNER_MASKS, IS_BEACH)
    found = first_value(U(first), U(second), words, (*fields, BESIDE_ROWS, SIGHT_ROWS, known, wins))
    return int(found)
