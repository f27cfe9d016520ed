"""Writes the solution of Mū tōrere as a certificate, one state for each class of rotations and reflections."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kemu.core.errors import OptionError
from kemu.engines.mu_torere.solver import LOSS, WIN, Solution, solve
from kemu.games.mu_torere.rules import MuTorere, State

OPENING_PLIES: Final = 4
SHIPPED_ARMS: Final = range(4, 17, 2)
NEXT_GOAL: Final = "18 always"
WHOLE: Final = "table"
"""The only leaf of a goal."""


def prove_again() -> Iterator[tuple[str, str]]:
    """The names and texts of all certificates that come with Kemu, from new solutions."""
    for arms in SHIPPED_ARMS:
        for flank in ("always", "opening"):
            yield f"{arms:02}-{flank}", write_table(solve(MuTorere(arms=arms, flank=flank)))


def goal_leaves(goal: str) -> Sequence[str]:
    """The leaf of a goal; raises OptionError for a text that is no goal."""
    _read_goal(goal)
    return [WHOLE]


def prove_leaf(text: str) -> str | None:
    """The certificate for a goal and its leaf."""
    return write_table(solve(_read_goal(text.rpartition(" ")[0])))


def join_leaves(goal: str, proofs: Mapping[str, str]) -> str:
    """The certificate of a goal, which is that of its leaf."""
    return proofs[WHOLE]


def _read_goal(goal: str) -> MuTorere:
    """The game of a goal."""
    arms, _, flank = goal.partition(" ")
    if not arms.isdecimal():
        raise OptionError(f"A goal is a number of arms and a flanking rule, such as '18 always', not '{goal}'.")
    return MuTorere(arms=int(arms), flank=flank)


def write_table(solution: Solution) -> str:
    """The text of the certificate for a solution."""
    game = solution.game
    opening = game.flank == "opening"
    rows: dict[tuple[str, int, int], str] = {}
    for state in solution:
        ply = _ply(state) if opening else 0
        key = (_least(state.position.points), state.position.turn, ply)
        if key not in rows:
            result, plies = solution.value(state)
            rows[key] = "D" if plies is None else f"{ {WIN: 'W', LOSS: 'L'}[result] }{plies}"
    head = f"kemu-certificate 1\ngame mu-torere\narms {game.arms}\nflank {game.flank}\nclaim table\nproof\n"
    return (
        head
        + "".join(f"{points} {turn} {ply} {rows[points, turn, ply]}\n" for points, turn, ply in sorted(rows))
        + "end\n"
    )


def _ply(state: State) -> int:
    return OPENING_PLIES if state.ply is None else min(state.ply, OPENING_PLIES)


def _least(points: str) -> str:
    kewai, putahi = points[:-1], points[-1]
    return min(way[turn:] + way[:turn] for way in (kewai, kewai[::-1]) for turn in range(len(kewai))) + putahi
