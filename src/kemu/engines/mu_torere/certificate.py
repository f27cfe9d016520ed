"""Writes the solution of Mū tōrere as a certificate, one state for each class of rotations and reflections."""

from kemu.engines.mu_torere.solver import LOSS, WIN, Solution
from kemu.games.mu_torere.rules import State

OPENING_PLIES = 4


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
