"""What a player lets the server play for them in a correspondence match: forced moves and conditional moves.

A plan is the secret of its player. It is no part of the table, of its entries or of a record, so nothing that is made
of those can tell it. Conditional moves are lines that begin at one position: "if this, then that, if then this …".
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from kemu.core.document import quote
from kemu.core.errors import KemuError
from kemu.core.game import CHANCE, Seat
from kemu.play.errors import MatchOver
from kemu.play.table import Table
from kemu.play.terms import is_correspondence

MOST_LINES: Final = 60
"""How many lines a plan may have."""

LONGEST_LINE: Final = 60
"""How many actions a line may have."""


class NoPlan(KemuError, code="no-plan"):
    """Nothing can be planned here, or a plan contradicts itself."""


class Plan(Struct, frozen=True):
    """Conditional moves of a seat: lines of action texts from the position `root` on, after `at` plies.

    Of two lines that agree up to a turn of the seat itself, both have the same action there.
    """

    seat: Seat
    at: int
    root: dict[str, Any]
    lines: tuple[tuple[str, ...], ...]


def check_plannable(table: Table) -> None:
    """Raise NoPlan unless this is a correspondence match, and MatchOver if it is over."""
    if not is_correspondence(table.terms.clock):
        raise NoPlan("Moves are planned ahead in correspondence matches only.")
    if table.outcome is not None:
        raise MatchOver("The match is over.")


def make_plan(table: Table, seat: Seat, lines: Sequence[Sequence[str]], *, hidden: bool) -> Plan:
    """Return a plan of a seat from the present position on, its actions written as the game writes them.

    Raises NoPlan for a contradiction, a turn of the dealer or one action too many, and what the rules refuse. In a
    game with `hidden` cards nothing is tried out, because what the rules refuse would tell about the cards of others.
    """
    game = table.game
    if hidden and lines:
        raise NoPlan("Moves are planned ahead only in games in which everybody sees everything.")
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        raise NoPlan(f"A plan has at most {MOST_LINES} lines of at most {LONGEST_LINE} moves.")
    answers: dict[tuple[str, ...], str] = {}
    checked: dict[tuple[str, ...], None] = {}
    for number, line in enumerate(lines, start=1):
        state: Any = table.state
        path: tuple[str, ...] = ()
        for text in line:
            turn = game.turn(state)
            if turn == CHANCE:
                raise NoPlan(f"Line {number} goes on where the cards decide.")
            try:
                action = game.parse(text)
                state = game.apply(state, action)
            except KemuError as error:
                raise error.located(f"Line {number}, {quote(text)}") from None
            name = game.format(action)
            if turn == seat and answers.setdefault(path, name) != name:
                raise NoPlan(f"Line {number} answers with {name} where another line answers with {answers[path]}.")
            path = (*path, name)
        if path:
            checked[path] = None
    return Plan(seat, table.plies, game.encode(table.state), tuple(checked))


def remaining_lines(table: Table, plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return what is left of a plan's lines at the present position; none if the match has left them."""
    if table.outcome is not None or table.plies < plan.at:
        return ()
    past = table.past(plan.at)
    if table.game.encode(past[0].state if past else table.state) != plan.root:
        return ()
    done = tuple(table.game.format(ply.action) for ply in past)
    return tuple(line[len(done) :] for line in plan.lines if line[: len(done)] == done and len(line) > len(done))


def planned_action(table: Table, plan: Plan) -> str | None:
    """Return the action that a plan has for this position; None if it is another seat's turn or nothing applies.

    Nothing is played from a plan before another seat has made the move that it expects.
    """
    rest = remaining_lines(table, plan)
    met = any(ply.actor != plan.seat for ply in table.past(plan.at))
    return rest[0][0] if rest and met and table.turn == plan.seat else None


def forced_action(table: Table, seat: Seat) -> str | None:
    """Return the only action that a seat has on its turn; None if it has a choice, or it is another's turn."""
    if table.turn != seat:
        return None
    actions = table.game.actions(table.state)
    return table.game.format(actions[0]) if len(actions) == 1 else None
