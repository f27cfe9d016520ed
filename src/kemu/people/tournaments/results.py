"""The points that a match brings to a tournament."""

from kemu.core.game import Outcome, Seat
from kemu.people.tournaments.tables import points_of_places
from kemu.people.tournaments.values import FULL_POINTS
from kemu.play.table import Table


def game_points(table: Table) -> tuple[int, ...]:
    """Return the points of each seat of a match that is over.

    Two players share a game that neither won; if it was called off because somebody never came, the other has won it.
    With more players each place brings its points, and who gave up comes last.
    """
    outcome = table.outcome
    assert outcome is not None, "the match is over"
    seats = range(len(table.players))
    if len(seats) > 2:
        return points_of_places(_places(table, outcome))
    winners = set(outcome.winners)
    if table.status == "aborted":
        absent = absent_seat(table)
        winners = set() if absent is None else {1 - absent}
    if len(winners) != 1:
        return (FULL_POINTS // 2, FULL_POINTS // 2)
    return tuple(FULL_POINTS * (seat in winners) for seat in seats)


def absent_seat(table: Table) -> Seat | None:
    """Return the seat that never acted, the one that should have acted first if none did; None if all have."""
    absent = [seat for seat in range(len(table.players)) if not table.has_acted(seat)]
    turn = table.game.turn(table.state)
    return turn if turn in absent else next(iter(absent), None)


def _places(table: Table, outcome: Outcome) -> list[int]:
    """Return the place of each seat, 1 is the best."""
    keys = []
    for seat in range(len(table.players)):
        score = outcome.scores[seat] if outcome.scores is not None else 0
        keys.append((seat in outcome.winners, seat not in table.gave_up, score))
    return [1 + sum(other > key for other in keys) for key in keys]
