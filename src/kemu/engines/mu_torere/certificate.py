"""Tables of Mū tōrere as certificates, solved with one state for each class of rotations and reflections.

That is why there may be more arms than the rules offer for play: 20 arms have 7.8 million boards with a side to move,
and 171,984 classes that can be reached.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kemu.core.errors import OptionError
from kemu.engines.mu_torere.solver import LOSS, WIN, least, solve_graph
from kemu.games.mu_torere.rules import EMPTY, MEN, OPENING

SHIPPED_ARMS: Final = range(4, 17, 2)
POSSIBLE_ARMS: Final = range(4, 21, 2)
FLANKS: Final = ("always", "opening")
NEXT_GOAL = "18 always"
WHOLE: Final = "table"
"""The only leaf of a goal."""


class Row(NamedTuple):
    """A class of states."""

    points: str  # kewai and pūtahi, the first in order of all rotations and reflections
    turn: int
    ply: int  # plies played as far as the flanking rule needs them


def prove_again() -> Iterator[tuple[str, str]]:
    """The names and texts of all certificates that come with Kemu, from new solutions."""
    for arms in SHIPPED_ARMS:
        for flank in FLANKS:
            yield f"{arms:02}-{flank}", write_table(arms, flank)


def goal_leaves(goal: str) -> Sequence[str]:
    """The leaf of a goal; raises OptionError for a text that is no goal."""
    _read_goal(goal)
    return [WHOLE]


def prove_leaf(text: str) -> str | None:
    """The certificate for a goal and its leaf."""
    return write_table(*_read_goal(text.rpartition(" ")[0]))


def join_leaves(goal: str, proofs: Mapping[str, str]) -> str:
    """The certificate of a goal, which is that of its leaf."""
    return proofs[WHOLE]


def _read_goal(goal: str) -> tuple[int, str]:
    """The arms and the flanking rule of a goal."""
    arms, _, flank = goal.partition(" ")
    if not arms.isdecimal() or int(arms) not in POSSIBLE_ARMS or flank not in FLANKS:
        raise OptionError(f"A goal is 4 to 20 arms and a flanking rule, such as '18 always', not '{goal}'.")
    return int(arms), flank


def write_table(arms: int, flank: str) -> str:
    """The text of the certificate for a number of arms and a flanking rule."""
    opening, half = flank == "opening", arms // 2
    start = Row(least(MEN[0] * half + MEN[1] * half + EMPTY), 0, 0)
    values = solve_graph(start, lambda row: _following(row, opening))
    lines = [f"kemu-certificate 1\ngame mu-torere\narms {arms}\nflank {flank}\nclaim table\nproof\n"]
    for row in sorted(values):
        result, plies = values[row]
        value = "D" if plies is None else f"{ {WIN: 'W', LOSS: 'L'}[result] }{plies}"
        lines.append(f"{row.points} {row.turn} {row.ply} {value}\n")
    return "".join([*lines, "end\n"])


def _following(row: Row, opening: bool) -> list[Row]:
    """The classes after each move of a man into the gap."""
    points, turn, ply = row
    arms, gap, man, enemy = len(points) - 1, points.index(EMPTY), MEN[turn], MEN[1 - turn]
    if gap < arms:
        starts = [(gap - 1) % arms, (gap + 1) % arms, arms]
    elif opening and ply == OPENING:
        starts = list(range(arms))
    else:
        starts = [at for at in range(arms) if enemy in (points[at - 1 if at else arms - 1], points[(at + 1) % arms])]
    after = []
    for start in starts:
        if points[start] == man:
            low, high = sorted((start, gap))
            moved = points[:low] + points[high] + points[low + 1 : high] + points[low] + points[high + 1 :]
            after.append(Row(least(moved), 1 - turn, min(ply + 1, OPENING) if opening else 0))
    return after
