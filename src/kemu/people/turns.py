"""Turns: for whom a match waits, and until when."""

from typing import NamedTuple

from kemu.play.table import Table
from kemu.play.terms import Player


class Turn(NamedTuple):
    """The player for whom a running match waits, and when (ms) their time is over if it is limited."""

    player: str
    deadline: int | None


def turn_of(table: Table) -> Turn | None:
    """Return for whom a match waits; None unless it runs and has a person.

    While a bot thinks, the match waits for the next person in the order of seats: what a bot does takes seconds.
    """
    if table.status != "running" or table.turn is None or table.turn < 0:
        return None
    following = (*table.players[table.turn :], *table.players[: table.turn])
    person = next((player for player in following if player is not None and player.kind == "person"), None)
    if person is None:
        return None
    return Turn(person.id, table.deadline if person is table.players[table.turn] else None)


def changed_turn(before: Table, after: Table) -> Turn | None:
    """Return for whom a match waits if an entry changed that; a bot's thinking changes it for nobody."""
    old, new = turn_of(before), turn_of(after)
    if new is None or new == old:
        return None
    thinks = old is not None and old.player == new.player and new.deadline is None and not after.clock.paused
    return None if thinks else new


def begun_turn(before: Table | None, after: Table) -> Player | None:
    """Return the person whose turn begins with an entry, or with the first one of a match."""
    if after.status != "running" or after.turn is None or after.turn < 0:
        return None
    if before is not None and before.status == "running" and before.turn == after.turn:
        return None
    player = after.players[after.turn]
    return player if player is not None and player.kind == "person" else None
