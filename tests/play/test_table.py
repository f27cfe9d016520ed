"""Tables: what players may wish, what comes of it, and that what was saved rebuilds it."""

from collections.abc import Iterator

import pytest

from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, SPECTATOR
from kemu.games import game
from kemu.play import errors, events
from kemu.play.clock import ClockTerms, GameClock, NoClock
from kemu.play.commands import Abort, Accept, Act, Claim, Decline, Offer, Resign
from kemu.play.dealer import Dealer
from kemu.play.decisions import GRACE, take
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.table import STAND_IN, Table
from kemu.play.terms import Player, Standing, Terms

HINE, TAMA, BOT = Player("h", "Hine"), Player("t", "Tama"), Player("bot:random", "random", "bot")


def table_of(
    *players: Player | None,
    key: str = "mu-torere",
    clock: ClockTerms | None = None,
    rated: bool = False,
    series: int = 1,
    **options: object,
) -> tuple[Table, list[Entry]]:
    """A table with these players, and the entries so far."""
    rules = game(key, **options)
    standing = Standing(series, wins=(0,) * rules.seats)
    terms = Terms("m", key, dict(options), "h", 0, clock or NoClock(), rated=rated, series=standing)
    table = Table(terms, rules, Dealer(1))
    entry = table.join([(seat, player) for seat, player in enumerate(players) if player is not None], 0)
    return table, [entry]


@pytest.fixture
def table() -> Table:
    """Hine and Tama, at the start."""
    return table_of(HINE, TAMA)[0]


@pytest.fixture
def ids() -> Iterator[int]:
    """Numbers for commands."""
    return iter(range(1000))


def act(table: Table, seat: int, action: str, at: int = 0, version: int | None = None) -> Entry:
    """A seat takes an action, having seen the newest version."""
    player = table.players[seat]
    assert player is not None
    seen = table.version if version is None else version
    return take(table, Act(f"a{table.version}", seen, action), seat, player.id, at)


def test_the_match_starts_when_the_last_seat_is_filled() -> None:
    table, entries = table_of(HINE, None)
    assert (table.status, table.turn) == ("open", None)
    entry = table.join([(1, TAMA)], 5)
    assert entry.events == [events.Joined(1, TAMA), events.Started()]
    assert (table.status, table.turn, table.version) == ("running", 0, 2)
    assert len(entries) == 1


def test_nobody_sits_on_a_taken_seat_or_beside_the_board() -> None:
    table, _ = table_of(HINE, None)
    for seat in (0, 2, -1):
        with pytest.raises(errors.SeatTaken):
            table.join([(seat, TAMA)], 0)
    assert table.version == 1


def test_nobody_joins_or_leaves_once_it_has_started(table: Table) -> None:
    with pytest.raises(errors.AlreadyStarted):
        table.join([(0, TAMA)], 0)
    with pytest.raises(errors.AlreadyStarted):
        table.leave("h", 0)


def test_before_the_start_a_player_can_leave_and_an_empty_match_is_called_off() -> None:
    table, _ = table_of(HINE, None)
    with pytest.raises(errors.NotYours):
        table.leave("t", 0)
    assert table.leave("h", 0).events == [events.Left(0), events.Aborted(0)]
    assert table.status == "aborted"
    with pytest.raises(errors.AlreadyStarted):
        table.join([(0, HINE)], 0)


def test_a_match_with_somebody_left_stays_open() -> None:
    table, _ = table_of(HINE, TAMA, None, key="mauw", players=3)
    assert table.leave("h", 0).events == [events.Left(0)]
    assert table.status == "open"


def test_before_the_start_no_action_is_taken() -> None:
    table, _ = table_of(HINE, None)
    with pytest.raises(errors.NotStarted):
        act(table, 0, "1-0")


def test_an_action_makes_one_entry_and_passes_the_turn(table: Table) -> None:
    entry = act(table, 0, "1-0", at=7)
    assert entry == Entry(7, [events.Acted(0, "1-0")], "h", "a1")
    assert (table.turn, table.version) == (1, 2)


def test_actions_out_of_turn_illegal_unreadable_or_by_strangers_change_nothing(table: Table) -> None:
    with pytest.raises(errors.WrongSeat):
        act(table, 1, "5-0")
    with pytest.raises(IllegalAction):
        act(table, 0, "2-0")
    with pytest.raises(ParseError):
        act(table, 0, "hello")
    with pytest.raises(errors.NotYours):
        take(table, Act("x", 1, "1-0"), 0, "t", 0)
    with pytest.raises(errors.WrongSeat):
        take(table, Act("x", 1, "1-0"), SPECTATOR, "h", 0)
    assert (table.version, table.turn, table.match.plies) == (1, 0, 0)
    assert table.entry(0).events == []


def test_an_action_for_an_older_position_is_refused_but_an_offer_in_between_does_no_harm(table: Table) -> None:
    take(table, Offer("o", "draw"), 1, "t", 0)
    act(table, 0, "1-0", version=1)
    with pytest.raises(errors.StaleVersion):
        act(table, 1, "8-1", version=2)
    act(table, 1, "8-1")


def test_a_command_is_remembered_by_player_and_id(table: Table) -> None:
    act(table, 0, "1-0")
    assert table.done("h", "a1") == 2
    assert table.done("t", "a1") is None


def test_the_dealer_deals_at_the_start_and_after_an_action_in_the_same_entry() -> None:
    table, entries = table_of(HINE, TAMA, key="mauw", players=2)
    dealt = [event for event in entries[0].events if isinstance(event, events.Acted)]
    assert len(dealt) == 8
    assert {event.seat for event in dealt} == {CHANCE}
    assert not table.begun
    action = next(text for text in map(table.game.format, table.game.actions(table.match.state)) if ">1" in text)
    entry = act(table, 0, action)
    assert [type(event) for event in entry.events] == [events.Acted, events.Acted]
    assert table.begun


def test_resigning_ends_the_match_at_any_time(table: Table) -> None:
    assert take(table, Resign("r"), 1, "t", 0).events == [events.Resigned(1)]
    assert table.status == "finished"
    assert table.match.outcome is not None
    assert (table.match.outcome.winners, table.match.outcome.reason) == ((0,), "resignation")
    with pytest.raises(errors.MatchOver):
        take(table, Resign("r2"), 0, "h", 0)


def test_a_match_can_be_called_off_before_the_first_action_only(table: Table) -> None:
    other, _ = table_of(HINE, TAMA)
    assert take(other, Abort("x"), 1, "t", 0).events == [events.Aborted(1)]
    assert other.status == "aborted"
    act(table, 0, "1-0")
    with pytest.raises(errors.AlreadyStarted):
        take(table, Abort("x"), 1, "t", 0)


def test_a_draw_needs_the_consent_of_the_other(table: Table) -> None:
    assert take(table, Offer("1", "draw"), 0, "h", 0).events == [events.Offered(0, "draw")]
    with pytest.raises(errors.NoOffer):
        take(table, Accept("2", "draw"), 0, "h", 0)
    with pytest.raises(errors.NoOffer):
        take(table, Offer("3", "draw"), 0, "h", 0)
    take(table, Accept("4", "draw"), 1, "t", 0)
    assert table.match.outcome is not None
    assert (table.match.outcome.winners, table.match.outcome.reason) == ((), "agreement")
    assert table.offers == {}


def test_offering_what_is_offered_accepts_it(table: Table) -> None:
    take(table, Offer("1", "draw"), 0, "h", 0)
    assert take(table, Offer("2", "draw"), 1, "t", 0).events == [events.Accepted(1, "draw"), events.Agreed()]


def test_an_offer_can_be_declined_or_withdrawn_and_lapses_with_the_next_action(table: Table) -> None:
    for seat, player in ((1, "t"), (0, "h")):
        take(table, Offer("o", "draw"), 0, "h", 0)
        assert take(table, Decline("d", "draw"), seat, player, 0).events == [events.Declined(seat, "draw")]
    take(table, Offer("o", "draw"), 1, "t", 0)
    act(table, 0, "1-0")
    with pytest.raises(errors.NoOffer):
        take(table, Accept("a", "draw"), 0, "h", 0)
    with pytest.raises(errors.NoOffer):
        take(table, Decline("a", "draw"), 0, "h", 0)


def test_with_three_players_everybody_must_consent() -> None:
    ana = Player("a", "Ana")
    table, _ = table_of(HINE, TAMA, ana, key="mauw", players=3)
    take(table, Offer("1", "draw"), 0, "h", 0)
    assert take(table, Accept("2", "draw"), 1, "t", 0).events == [events.Accepted(1, "draw")]
    assert take(table, Accept("3", "draw"), 2, "a", 0).events == [events.Accepted(2, "draw"), events.Agreed()]


def test_a_takeback_by_consent_goes_back_to_before_the_own_last_action(table: Table) -> None:
    with pytest.raises(errors.NoUndo):
        take(table, Offer("0", "takeback"), 0, "h", 0)
    act(table, 0, "1-0")
    act(table, 1, "8-1")
    take(table, Offer("1", "takeback"), 0, "h", 0)
    entry = take(table, Accept("2", "takeback"), 1, "t", 0)
    assert entry.events == [events.Accepted(1, "takeback"), events.Undone(0, 2)]
    assert (table.match.plies, table.turn) == (0, 0)
    with pytest.raises(errors.StaleVersion):
        act(table, 0, "1-0", version=3)


def test_against_bots_a_takeback_is_free_in_casual_and_refused_in_rated_matches() -> None:
    casual, _ = table_of(HINE, BOT)
    act(casual, 0, "1-0")
    assert take(casual, Offer("1", "takeback"), 0, "h", 0).events == [
        events.Offered(0, "takeback"),
        events.Undone(0, 1),
    ]
    rated, _ = table_of(HINE, BOT, rated=True)
    act(rated, 0, "1-0")
    with pytest.raises(errors.NoOffer):
        take(rated, Offer("1", "takeback"), 0, "h", 0)


def test_bots_agree_to_no_draw() -> None:
    table, _ = table_of(HINE, BOT)
    with pytest.raises(errors.NoOffer):
        take(table, Offer("1", "draw"), 0, "h", 0)


def test_nothing_is_taken_back_after_a_card_was_dealt() -> None:
    table, _ = table_of(HINE, BOT, key="mauw", players=2)
    action = next(text for text in map(table.game.format, table.game.actions(table.match.state)) if ">1" in text)
    act(table, 0, action)
    with pytest.raises(errors.NoUndo):
        take(table, Offer("1", "takeback"), 0, "h", 0)


def test_one_person_at_both_seats_needs_nobodys_consent() -> None:
    table, _ = table_of(HINE, Player("h", "Ben"))
    take(table, Offer("1", "draw"), 1, "h", 0)
    assert table.status == "finished"


def test_who_is_away_for_the_grace_time_on_turn_can_be_claimed_against_and_not_a_moment_earlier(table: Table) -> None:
    table.away = {0: 1000, 1: 0}
    for at in (0, 1000 + GRACE - 1):
        with pytest.raises(errors.NotAway):
            take(table, Claim("c", "win"), 1, "t", at)
    assert take(table, Claim("c", "win"), 1, "t", 1000 + GRACE).events == [events.Claimed(1, 0)]
    assert table.match.outcome is not None
    assert (table.match.outcome.winners, table.match.outcome.reason) == ((1,), "abandoned")


def test_nothing_is_claimed_against_who_is_here_or_not_on_turn(table: Table) -> None:
    table.away = {1: 0}
    with pytest.raises(errors.NotAway):
        take(table, Claim("c", "win"), 1, "t", GRACE)


def test_a_bot_can_play_on_for_who_left(table: Table) -> None:
    table.away = {0: 0}
    assert take(table, Claim("c", "bot"), 1, "t", GRACE).events == [events.Replaced(0, STAND_IN)]
    assert table.match.players == ("random", "Tama")
    assert table.status == "running"


def test_the_stand_in_replaces_a_bot_that_failed() -> None:
    table, _ = table_of(HINE, Player("bot:perfect", "perfect", "bot"))
    assert table.replace(1, 0).events == [events.Replaced(1, STAND_IN)]


def test_time_runs_from_the_first_action_on_and_its_end_ends_the_match() -> None:
    table, _ = table_of(HINE, TAMA, clock=GameClock(60))
    assert table.flag(10**9) is None
    act(table, 0, "1-0", at=1000)
    assert table.clock.running == 1
    assert table.flag(60_999) is None
    entry = table.flag(61_000)
    assert entry is not None
    assert entry.events == [events.Flagged(1)]
    assert table.match.outcome is not None
    assert (table.match.outcome.winners, table.match.outcome.reason) == ((0,), "time")
    assert table.flag(99_000) is None


def test_a_rematch_is_for_finished_matches_needs_consent_and_happens_once(table: Table) -> None:
    with pytest.raises(errors.MatchRunning):
        take(table, Offer("1", "rematch"), 0, "h", 0)
    take(table, Resign("2"), 0, "h", 0)
    take(table, Offer("3", "rematch"), 0, "h", 0)
    assert table.next is None
    entry = take(table, Accept("4", "rematch"), 1, "t", 0)
    assert isinstance(entry.events[-1], events.Rematched)
    assert table.next == entry.events[-1].match
    with pytest.raises(errors.NoOffer):
        take(table, Offer("5", "rematch"), 0, "h", 0)


def test_in_a_series_one_word_is_enough_until_it_is_decided() -> None:
    table, _ = table_of(HINE, TAMA, series=2)
    take(table, Resign("1"), 0, "h", 0)
    assert table.series == Standing(2, 2, (0, 1))
    take(table, Offer("2", "rematch"), 0, "h", 0)
    assert table.next is not None


def test_a_standing_counts_every_winner_and_is_decided_by_enough_wins() -> None:
    assert Standing(2, wins=(1, 0)).after((0,)) == Standing(2, 2, (2, 0))
    assert Standing(2, wins=(1, 1)).after((0, 1)).wins == (2, 2)
    assert Standing(2, wins=(2, 0)).decided
    assert not Standing(2, wins=(1, 1)).decided
    assert Standing(1, wins=(0, 0)).decided


def test_saved_entries_rebuild_the_table() -> None:
    table, entries = table_of(HINE, TAMA, clock=GameClock(60, 5))
    entries.append(act(table, 0, "1-0", at=10))
    entries.append(take(table, Offer("o", "draw"), 0, "h", 11))
    entries.append(take(table, Decline("d", "draw"), 1, "t", 12))
    entries.append(act(table, 1, "8-1", at=20))
    entries.append(take(table, Offer("u", "takeback"), 1, "t", 21))
    entries.append(take(table, Accept("v", "takeback"), 0, "h", 25))
    entries.append(take(table, Resign("r"), 1, "t", 40))
    again = Table(table.terms, table.game, Dealer())
    for entry in entries:
        again.replay(decode_entry(encode_entry(entry)))
    assert again.match.record() == table.match.record()
    assert again.clock.left(99) == table.clock.left(99)
    for name in ("version", "status", "turn", "players", "position", "offers", "begun", "next"):
        assert getattr(again, name) == getattr(table, name), name
    assert again.done("t", "r") == table.version
