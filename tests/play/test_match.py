"""A match: turns, the dealer, resignation, agreement, undo, and its record."""

import pytest

import kemu
from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, Outcome
from kemu.core.record import Record
from kemu.games.mu_torere.rules import Move
from kemu.play.dealer import Dealer
from kemu.play.errors import MatchOver, NoUndo, WrongSeat
from kemu.play.match import Match
from tests.toss import Toss


@pytest.fixture
def match() -> Match:
    return Match(kemu.game("mu-torere"), ("Aroha", "Hemi"), Dealer(0))


def test_seats_act_in_turn(match: Match) -> None:
    match.act(0, Move(1, 0))
    assert match.turn == 1
    assert match.plies == 1
    with pytest.raises(WrongSeat):
        match.act(0, Move(2, 1))
    assert match.plies == 1


def test_a_refused_action_changes_nothing(match: Match) -> None:
    before = match.state
    with pytest.raises(IllegalAction):
        match.act(0, Move(2, 0))
    assert match.state == before
    assert match.plies == 0


def test_the_log_says_who_did_what(match: Match) -> None:
    match.act(0, Move(1, 0))
    match.act(1, Move(8, 1))
    assert match.log(0) == [(0, "1-0"), (1, "8-1")]
    assert match.log(1, start=1) == [(1, "8-1")]


def test_resigning_makes_the_others_win(match: Match) -> None:
    match.resign(0)
    assert match.outcome == Outcome((1,), "resignation")
    assert match.turn is None
    with pytest.raises(MatchOver):
        match.act(1, Move(8, 1))
    with pytest.raises(MatchOver):
        match.resign(1)
    with pytest.raises(MatchOver):
        match.agree()
    with pytest.raises(MatchOver):
        match.undo(0)


def test_a_draw_can_be_agreed(match: Match) -> None:
    match.agree()
    assert match.outcome == Outcome((), "agreement")


def test_the_end_by_the_rules_is_the_outcome() -> None:
    match = Match(Toss(), ("one",), Dealer(0))
    match.deal()
    match.act(0, "done")
    assert match.outcome == Outcome((), "done")
    with pytest.raises(MatchOver):
        match.act(0, "done")


def test_undo_goes_back_to_the_seats_last_action(match: Match) -> None:
    match.act(0, Move(1, 0))
    match.act(1, Move(8, 1))
    match.undo(0)
    assert match.plies == 0
    assert match.state == match.game.initial()


def test_undo_of_the_other_seat_keeps_what_came_before(match: Match) -> None:
    match.act(0, Move(1, 0))
    match.act(1, Move(8, 1))
    match.act(0, Move(0, 8))
    match.undo(1)
    assert match.turn == 1
    assert match.log(0) == [(0, "1-0")]


def test_there_may_be_nothing_to_undo(match: Match) -> None:
    with pytest.raises(NoUndo, match="nothing"):
        match.undo(0)
    match.act(0, Move(1, 0))
    with pytest.raises(NoUndo, match="nothing"):
        match.undo(1)


def test_what_the_dealer_showed_is_not_undone() -> None:
    match = Match(Toss(), ("one",), Dealer(0))
    assert match.turn == CHANCE
    match.deal()
    assert match.turn == 0
    with pytest.raises(NoUndo, match="dealt"):
        match.undo(0)


def test_a_record_can_be_taken_up_again(match: Match) -> None:
    match.act(0, Move(1, 0))
    match.resign(1)
    other = Match(match.game, ("a", "b"), Dealer(1))
    other.resume(match.record())
    assert other.state == match.state
    assert other.outcome == match.outcome
    assert match.record() == Record(
        "mu-torere",
        {"flank": "always", "arms": 8, "repetition": True},
        ("1-0",),
        ("Aroha", "Hemi"),
        Outcome((0,), "resignation"),
    )


def test_a_bad_record_leaves_the_match_as_it_was(match: Match) -> None:
    match.act(0, Move(1, 0))
    with pytest.raises(IllegalAction):
        match.resume(Record("mu-torere", {}, ("1-0", "2-3")))
    assert match.plies == 1
