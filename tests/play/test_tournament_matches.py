"""Matches of a tournament: the clock runs from the start, and nobody calls them off or repeats them."""

import pytest

from kemu.games import game
from kemu.play import errors
from kemu.play.commands import Abort, AnyCommand, Join, Offer, Resign, SeatCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.table import Table, new_table
from kemu.play.terms import GameClock, Player, Terms


def begun() -> Table:
    terms = Terms("m", "mu-torere", {}, "t-1", 0, clock=GameClock(60), tournament="t-1")
    players = tuple(enumerate((Player("h", "Hine"), Player("t", "Tama"))))
    return decide(new_table(terms, game("mu-torere")), Join(players), 7, Dealer(1)).document


def take(table: Table, command: AnyCommand) -> Table:
    return decide(table, SeatCommand(0, "h", command), 9, Dealer(1)).document


def test_the_clock_runs_before_the_first_action() -> None:
    assert begun().deadline == 60_007


def test_it_is_neither_called_off_nor_cancelled_nor_repeated() -> None:
    table = begun()
    with pytest.raises(errors.AlreadyStarted, match="tournament"):
        take(table, Abort("a"))
    with pytest.raises(errors.NoOffer, match="tournament"):
        take(table, Offer("b", "cancel"))
    over = take(take(table, Offer("c", "draw")), Resign("d"))
    with pytest.raises(errors.NoOffer, match="tournament"):
        take(over, Offer("e", "rematch"))
