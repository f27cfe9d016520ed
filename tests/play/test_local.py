"""A match in one process: turns, the dealer, resignation, agreement, undo, and its record."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

import kemu
from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, Outcome
from kemu.core.record import Record
from kemu.games.mu_torere.rules import Move
from kemu.play.commands import Offer, Resign
from kemu.play.dealer import Dealer
from kemu.play.errors import MatchOver, NoOffer, NoUndo
from kemu.play.local import NO_ID, LocalMatch, bots_as_players, start, start_from
from kemu.play.terms import GameClock, Player
from tests.toss import Toss

A = TypeVar("A")

AROHA = Player("a", "Aroha")
PEOPLE = (AROHA, Player("a", "Hemi"))  # at one screen, so that neither asks the other


def match_of(*actions: Move) -> LocalMatch:
    """Mū tōrere after some actions."""
    dealer = Dealer(0)
    match = LocalMatch(start(kemu.game("mu-torere"), PEOPLE, dealer), dealer)
    for action in actions:
        match.act(action)
    return match


def toss() -> LocalMatch:
    """The game with one seat, after the coin was tossed."""
    dealer = Dealer(0)
    return LocalMatch(start(Toss(), [AROHA], dealer), dealer)


class Watch:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


class Last:
    """A bot that takes the last action and remembers what it was given."""

    name = "last"

    def __init__(self) -> None:
        self.logs: list[list[str]] = []

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        self.logs.append(list(log))
        return actions[-1]


def test_a_refused_action_changes_nothing() -> None:
    match = match_of()
    before = match.table
    with pytest.raises(IllegalAction):
        match.act(Move(2, 0))
    assert match.table is before


def test_the_log_says_who_did_what() -> None:
    table = match_of(Move(1, 0), Move(8, 1)).table
    assert table.log(0) == [(0, "1-0"), (1, "8-1")]
    assert table.log(1, start=1) == [(1, "8-1")]
    assert [ply.number for ply in table.past()] == [1, 2]


def test_a_bot_is_given_its_log_also_after_a_takeback() -> None:
    match, bot = match_of(), Last()
    match.act_by(bot)
    match.act_by(bot)
    match.act_by(bot)
    match.submit(1, Offer(NO_ID, "takeback"))
    match.act_by(bot)
    assert bot.logs == [[], ["4-0"], ["4-0", "5-4"], ["4-0"]]
    match.submit(0, Offer(NO_ID, "takeback"))
    match.act_by(bot)
    assert bot.logs[-1] == []


def test_resigning_makes_the_others_win_and_nothing_comes_after() -> None:
    match = match_of()
    match.submit(0, Resign(NO_ID))
    assert match.table.outcome == Outcome((1,), "resignation")
    assert match.table.turn is None
    with pytest.raises(MatchOver):
        match.act(Move(8, 1))
    with pytest.raises(MatchOver):
        match.submit(1, Resign(NO_ID))


def test_a_command_can_be_checked_without_being_done() -> None:
    dealer = Dealer(0)
    match = LocalMatch(start(kemu.game("mu-torere"), bots_as_players(["random", "random"]), dealer), dealer)
    before = match.table
    with pytest.raises(NoOffer):
        match.check(0, Offer(NO_ID, "draw"))
    match.check(0, Resign(NO_ID))
    assert match.table is before


def test_the_end_by_the_rules_is_the_outcome() -> None:
    match = toss()
    match.act("done")
    assert match.table.outcome == Outcome((), "done")
    assert match.table.record().result is None
    with pytest.raises(MatchOver):
        match.act("done")


def test_what_the_dealer_showed_is_not_undone() -> None:
    match = toss()
    assert [ply.actor for ply in match.table.past()] == [CHANCE]
    with pytest.raises(NoUndo, match="dealt"):
        match.submit(0, Offer(NO_ID, "takeback"))


def test_undo_goes_back_to_the_seats_last_action() -> None:
    match = match_of(Move(1, 0), Move(8, 1), Move(0, 8))
    match.submit(1, Offer(NO_ID, "takeback"))
    assert match.table.turn == 1
    assert match.table.log(0) == [(0, "1-0")]
    with pytest.raises(NoUndo, match="nothing"):
        match.submit(1, Offer(NO_ID, "takeback"))


def test_a_match_goes_on_from_a_record() -> None:
    match = match_of(Move(1, 0))
    match.submit(1, Resign(NO_ID))
    record = match.table.record()
    assert record == Record(
        "mu-torere",
        {"flank": "always", "arms": 8, "repetition": True},
        ("1-0",),
        ("Aroha", "Hemi"),
        Outcome((0,), "resignation"),
    )
    table = start_from(match.table.game, PEOPLE, record)
    assert (table.state, table.outcome, table.record()) == (match.table.state, match.table.outcome, record)


def test_a_record_that_ends_before_a_card_goes_on_with_the_card() -> None:
    dealer = Dealer(3)
    match = LocalMatch(start_from(Toss(), [AROHA], Record("toss", {})), dealer)
    assert match.table.turn == 0
    assert match.table.plies == 1


def test_a_bad_record_is_refused_with_the_number_of_its_action() -> None:
    with pytest.raises(IllegalAction, match=r'^Action 2, "2-3": '):
        start_from(kemu.game("mu-torere"), PEOPLE, Record("mu-torere", {}, ("1-0", "2-3")))
    with pytest.raises(IllegalAction, match=r"^Action 3, "):
        start_from(Toss(), [AROHA], Record("toss", {}, ("h", "done", "done")))


def test_the_time_of_a_seat_runs_after_the_first_action_and_ends_the_match() -> None:
    dealer, now = Dealer(0), Watch()
    table = start(kemu.game("mu-torere"), PEOPLE, dealer, clock=GameClock(60, 5))
    match = LocalMatch(table, dealer, now=now)
    now.ms = 10_000
    match.act(Move(1, 0))
    now.ms = 40_000
    assert match.remaining() == [60_000, 30_000]
    assert not match.check_clock()
    now.ms = 70_000
    assert match.check_clock()
    with pytest.raises(MatchOver):
        match.check(0, Resign(NO_ID))
    assert match.table.outcome == Outcome((0,), "time")


def test_a_loaded_match_has_its_full_time() -> None:
    table = start_from(kemu.game("mu-torere"), PEOPLE, Record("mu-torere", {}, ("1-0",)), GameClock(60))
    assert LocalMatch(table, Dealer(0)).remaining() == [60_000, 60_000]
