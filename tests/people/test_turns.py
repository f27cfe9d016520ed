"""For whom a match waits, and what changes it."""

from kemu.games import game
from kemu.people.turns import Turn, begun_turn, changed_turn, turn_of
from kemu.play.commands import Act, Join, Resign, SeatCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.table import Table, new_table
from kemu.play.terms import ClockTerms, DayClock, NoClock, Player, Terms

HINE, TAMA, BOT = Player("h", "Hine"), Player("t", "Tama"), Player("b", "random", "bot")


def a_table(*players: Player | None, clock: ClockTerms | None = None) -> Table:
    terms = Terms("m1", "mu-torere", {}, "h", 1, clock or NoClock())
    seated = tuple((seat, player) for seat, player in enumerate(players) if player is not None)
    return decide(new_table(terms, game("mu-torere")), Join(seated), 1, Dealer(1))[1]


def act(table: Table, action: str, at: int = 10) -> Table:
    assert table.turn is not None
    player = table.players[table.turn]
    assert player is not None
    command = SeatCommand(table.turn, player.id, Act("a", table.version, action))
    return decide(table, command, at, Dealer(1))[1]


def test_a_match_waits_for_the_person_on_turn() -> None:
    table = a_table(HINE, TAMA)
    assert turn_of(table) == Turn("h", None)
    assert turn_of(act(table, "1-0")) == Turn("t", None)


def test_an_open_match_and_one_that_is_over_wait_for_nobody() -> None:
    assert turn_of(a_table(HINE, None)) is None
    table = a_table(HINE, TAMA)
    over = decide(table, SeatCommand(0, "h", Resign("r")), 10, Dealer(1))[1]
    assert turn_of(over) is None
    assert changed_turn(table, over) is None
    assert begun_turn(table, over) is None


def test_a_match_of_bots_waits_for_nobody() -> None:
    table = a_table(BOT, Player("c", "random", "bot"))
    assert turn_of(table) is None
    assert begun_turn(None, table) is None


def test_while_a_bot_thinks_the_match_waits_for_the_next_person() -> None:
    table = a_table(HINE, BOT)
    thinking = act(table, "1-0")
    assert turn_of(thinking) == Turn("h", None)
    assert changed_turn(table, thinking) is None
    assert begun_turn(table, thinking) is None


def test_the_turn_of_a_clock_has_its_deadline() -> None:
    table = act(a_table(HINE, TAMA, clock=DayClock(1)), "1-0", at=5)
    assert turn_of(table) == Turn("t", 5 + 24 * 60 * 60 * 1000)
    before = a_table(HINE, BOT, clock=DayClock(1))
    assert changed_turn(before, act(before, "1-0", at=5)) is None  # nothing is saved while the bot thinks


def test_a_turn_that_begins_is_told_once() -> None:
    table = a_table(HINE, TAMA)
    assert begun_turn(None, table) == HINE
    after = act(table, "1-0")
    assert begun_turn(table, after) == TAMA
    assert changed_turn(table, after) == Turn("t", None)
    assert begun_turn(after, after) is None
