"""Decisions: what a command changes, why it is refused, and that stored entries rebuild the table."""

import pytest

from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, SPECTATOR
from kemu.games import game
from kemu.play import commands, errors
from kemu.play.commands import (
    Abort,
    Accept,
    Act,
    AnyCommand,
    CheckClock,
    Claim,
    Deal,
    Decline,
    Entry,
    Join,
    Leave,
    Offer,
    Replace,
    Resign,
    SeatCommand,
    SetVacation,
    TableCommand,
    decode_entry,
    encode_entry,
)
from kemu.play.dealer import Dealer
from kemu.play.decide import CLAIM_GRACE_MS, OFFER_PAUSE_MS, decide
from kemu.play.table import STAND_IN, Table, evolve, new_table
from kemu.play.terms import DAY_MS, ClockTerms, DayClock, GameClock, NoClock, Player, Series, Terms, new_series

HINE, TAMA, BOT = Player("h", "Hine"), Player("t", "Tama"), Player("bot:random", "random", "bot")


class Live:
    """A table that is swapped after every decision, as its owner does it, and its entries so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.entries: list[Entry] = []
        self.away: dict[int, int] = {}

    def do(self, command: TableCommand, at: int = 0) -> Entry:
        """Decide; a replay of the entry gives the same table."""
        entry, after = decide(self.table, command, at, Dealer(1))
        assert after == evolve(self.table, entry)
        self.table = after
        self.entries.append(entry)
        return entry

    def take(self, command: AnyCommand, seat: int, player: str, at: int = 0) -> Entry:
        """A player's command for a seat."""
        return self.do(SeatCommand(seat, player, command, self.away), at)

    def act(self, seat: int, action: str, at: int = 0, version: int | None = None) -> Entry:
        """A seat takes an action, having seen the newest version."""
        player = self.table.players[seat]
        assert player is not None
        seen = self.table.version if version is None else version
        return self.take(Act(f"a{self.table.version}", seen, action), seat, player.id, at)

    @property
    def result(self) -> tuple[tuple[int, ...], str]:
        """Winners and reason."""
        assert self.table.outcome is not None
        return self.table.outcome.winners, self.table.outcome.reason


def live_of(
    *players: Player | None,
    key: str = "mu-torere",
    clock: ClockTerms | None = None,
    rated: bool = False,
    series: int = 1,
    **options: object,
) -> Live:
    """A match with these players."""
    rules = game(key, **options)
    terms = Terms(
        "m", key, dict(options), "h", 0, clock or NoClock(), rated=rated, series=new_series(series, rules.seats)
    )
    live = Live(new_table(terms, rules))
    live.do(Join(tuple((seat, player) for seat, player in enumerate(players) if player is not None)))
    return live


@pytest.fixture
def live() -> Live:
    """Hine and Tama, at the start."""
    return live_of(HINE, TAMA)


def test_the_match_starts_when_the_last_seat_is_filled() -> None:
    live = live_of(HINE, None)
    assert (live.table.status, live.table.turn) == ("open", None)
    entry = live.do(Join(((1, TAMA),)), 5)
    assert entry.events == [commands.Joined(1, TAMA), commands.Started()]
    assert (live.table.status, live.table.turn, live.table.version) == ("running", 0, 2)


def test_nobody_sits_on_a_taken_seat_or_beside_the_board() -> None:
    live = live_of(HINE, None)
    for seat in (0, 2, -1):
        with pytest.raises(errors.SeatTaken):
            live.do(Join(((seat, TAMA),)))
    assert live.table.version == 1


def test_nobody_joins_or_leaves_once_it_has_started(live: Live) -> None:
    with pytest.raises(errors.AlreadyStarted):
        live.do(Join(((0, TAMA),)))
    with pytest.raises(errors.AlreadyStarted):
        live.do(Leave("h"))


def test_before_the_start_a_player_can_leave_and_an_empty_match_is_called_off() -> None:
    live = live_of(HINE, None)
    with pytest.raises(errors.NotYours):
        live.do(Leave("t"))
    assert live.do(Leave("h")).events == [commands.Left(0), commands.Aborted(0)]
    assert live.table.status == "aborted"
    with pytest.raises(errors.AlreadyStarted):
        live.do(Join(((0, HINE),)))


def test_a_match_with_somebody_left_stays_open() -> None:
    live = live_of(HINE, TAMA, None, key="mauw", players=3)
    assert live.do(Leave("h")).events == [commands.Left(0)]
    assert live.table.status == "open"


def test_before_the_start_no_action_is_taken() -> None:
    live = live_of(HINE, None)
    with pytest.raises(errors.NotStarted):
        live.act(0, "1-0")


def test_an_action_makes_one_entry_and_passes_the_turn(live: Live) -> None:
    entry = live.act(0, "1-0", at=7)
    assert entry == Entry(7, [commands.Acted(0, "1-0")], "h", "a1")
    assert (live.table.turn, live.table.version) == (1, 2)


def test_actions_out_of_turn_illegal_unreadable_or_by_strangers_change_nothing(live: Live) -> None:
    with pytest.raises(errors.WrongSeat):
        live.act(1, "5-0")
    with pytest.raises(IllegalAction):
        live.act(0, "2-0")
    with pytest.raises(ParseError):
        live.act(0, "hello")
    with pytest.raises(errors.NotYours):
        live.take(Act("x", 1, "1-0"), 0, "t", 0)
    with pytest.raises(errors.WrongSeat):
        live.take(Act("x", 1, "1-0"), SPECTATOR, "h", 0)
    assert (live.table.version, live.table.turn, live.table.plies) == (1, 0, 0)
    assert len(live.entries) == 1


def test_an_action_for_an_older_position_is_refused_but_an_offer_in_between_does_no_harm(live: Live) -> None:
    live.take(Offer("o", "draw"), 1, "t", 0)
    live.act(0, "1-0", version=1)
    with pytest.raises(errors.StaleVersion):
        live.act(1, "8-1", version=2)
    live.act(1, "8-1")


def test_the_dealer_deals_at_the_start_and_after_an_action_in_the_same_entry() -> None:
    live = live_of(HINE, TAMA, key="mauw", players=2)
    dealt = [event for event in live.entries[0].events if isinstance(event, commands.Acted)]
    assert len(dealt) == 8
    assert {event.seat for event in dealt} == {CHANCE}
    assert not live.table.begun
    action = next(
        text for text in map(live.table.game.format, live.table.game.actions(live.table.state)) if ">1" in text
    )
    entry = live.act(0, action)
    assert [type(event) for event in entry.events] == [commands.Acted, commands.Acted]
    assert live.table.begun


def test_resigning_ends_the_match_at_any_time(live: Live) -> None:
    assert live.take(Resign("r"), 1, "t", 0).events == [commands.Resigned(1)]
    assert live.table.status == "finished"
    assert live.result == ((0,), "resignation")
    with pytest.raises(errors.MatchOver):
        live.take(Resign("r2"), 0, "h", 0)


def test_a_match_can_be_called_off_before_the_first_action_only(live: Live) -> None:
    other = live_of(HINE, TAMA)
    assert other.take(Abort("x"), 1, "t", 0).events == [commands.Aborted(1)]
    assert other.table.status == "aborted"
    live.act(0, "1-0")
    with pytest.raises(errors.AlreadyStarted):
        live.take(Abort("x"), 1, "t", 0)


def test_a_draw_needs_the_consent_of_the_other(live: Live) -> None:
    assert live.take(Offer("1", "draw"), 0, "h", 0).events == [commands.Offered(0, "draw")]
    with pytest.raises(errors.NoOffer):
        live.take(Accept("2", "draw"), 0, "h", 0)
    with pytest.raises(errors.NoOffer):
        live.take(Offer("3", "draw"), 0, "h", 0)
    live.take(Accept("4", "draw"), 1, "t", 0)
    assert live.result == ((), "agreement")
    assert live.table.offers == {}


def test_offering_what_is_offered_accepts_it(live: Live) -> None:
    live.take(Offer("1", "draw"), 0, "h", 0)
    assert live.take(Offer("2", "draw"), 1, "t", 0).events == [commands.Accepted(1, "draw"), commands.Agreed()]


def test_an_offer_can_be_declined_or_withdrawn_and_lapses_with_the_next_action(live: Live) -> None:
    for seat, player, at in ((1, "t", 0), (0, "h", OFFER_PAUSE_MS)):
        live.take(Offer("o", "draw"), 0, "h", at)
        assert live.take(Decline("d", "draw"), seat, player, at).events == [commands.Declined(seat, "draw")]
    live.take(Offer("o", "draw"), 1, "t", 0)
    live.act(0, "1-0")
    with pytest.raises(errors.NoOffer):
        live.take(Accept("a", "draw"), 0, "h", 0)
    with pytest.raises(errors.NoOffer):
        live.take(Decline("a", "draw"), 0, "h", 0)


def test_with_three_players_everybody_must_consent() -> None:
    ana = Player("a", "Ana")
    live = live_of(HINE, TAMA, ana, key="mauw", players=3)
    live.take(Offer("1", "draw"), 0, "h", 0)
    assert live.take(Accept("2", "draw"), 1, "t", 0).events == [commands.Accepted(1, "draw")]
    assert live.take(Accept("3", "draw"), 2, "a", 0).events == [commands.Accepted(2, "draw"), commands.Agreed()]


def test_a_takeback_by_consent_goes_back_to_before_the_own_last_action(live: Live) -> None:
    with pytest.raises(errors.NoUndo):
        live.take(Offer("0", "takeback"), 0, "h", 0)
    live.act(0, "1-0")
    live.act(1, "8-1")
    live.take(Offer("1", "takeback"), 0, "h", 0)
    entry = live.take(Accept("2", "takeback"), 1, "t", 0)
    assert entry.events == [commands.Accepted(1, "takeback"), commands.Undone(0, 2)]
    assert (live.table.plies, live.table.turn) == (0, 0)
    with pytest.raises(errors.StaleVersion):
        live.act(0, "1-0", version=3)


def test_against_bots_a_takeback_is_free_in_casual_and_refused_in_rated_matches() -> None:
    casual = live_of(HINE, BOT)
    casual.act(0, "1-0")
    assert casual.take(Offer("1", "takeback"), 0, "h", 0).events == [
        commands.Offered(0, "takeback"),
        commands.Undone(0, 1),
    ]
    rated = live_of(HINE, BOT, rated=True)
    rated.act(0, "1-0")
    with pytest.raises(errors.NoOffer):
        rated.take(Offer("1", "takeback"), 0, "h", 0)


def test_bots_agree_to_no_draw() -> None:
    live = live_of(HINE, BOT)
    with pytest.raises(errors.NoOffer):
        live.take(Offer("1", "draw"), 0, "h", 0)


def test_nothing_is_taken_back_after_a_card_was_dealt() -> None:
    live = live_of(HINE, BOT, key="mauw", players=2)
    action = next(
        text for text in map(live.table.game.format, live.table.game.actions(live.table.state)) if ">1" in text
    )
    live.act(0, action)
    with pytest.raises(errors.NoUndo):
        live.take(Offer("1", "takeback"), 0, "h", 0)


def test_a_dealt_card_takes_no_time_and_gives_no_increment() -> None:
    live = live_of(HINE, TAMA, key="mauw", players=2, clock=GameClock(60, increment=5))
    for seat in (0, 1):  # a casual clock runs from the first action on, so that only Tama's action takes time
        action = live.table.game.format(live.table.game.actions(live.table.state)[0])
        acted = live.act(seat, action, 1_000 * seat).events
        assert [event.seat for event in acted if isinstance(event, commands.Acted)] == [seat, CHANCE]
    assert live.table.turn == 0
    assert live.table.clock.remaining(1_000) == [60_000, 64_000]


def test_one_person_at_both_seats_needs_nobodys_consent() -> None:
    live = live_of(HINE, Player("h", "Ben"))
    live.take(Offer("1", "draw"), 1, "h", 0)
    assert live.table.status == "finished"


def test_who_is_away_for_the_grace_time_on_turn_can_be_claimed_against_and_not_a_moment_earlier(live: Live) -> None:
    live.away = {0: 1000, 1: 0}
    for at in (0, 1000 + CLAIM_GRACE_MS - 1):
        with pytest.raises(errors.NotAway):
            live.take(Claim("c", "win"), 1, "t", at)
    assert live.take(Claim("c", "win"), 1, "t", 1000 + CLAIM_GRACE_MS).events == [commands.Claimed(1, 0)]
    assert live.result == ((1,), "abandoned")


def test_nothing_is_claimed_against_who_is_here_or_not_on_turn(live: Live) -> None:
    live.away = {1: 0}
    with pytest.raises(errors.NotAway):
        live.take(Claim("c", "win"), 1, "t", CLAIM_GRACE_MS)


def test_a_bot_can_play_on_for_who_left(live: Live) -> None:
    live.away = {0: 0}
    assert live.take(Claim("c", "bot"), 1, "t", CLAIM_GRACE_MS).events == [commands.Replaced(0, STAND_IN)]
    assert live.table.record().players == ("random", "Tama")
    assert live.table.status == "running"


def test_the_stand_in_replaces_a_bot_that_failed() -> None:
    live = live_of(HINE, Player("bot:perfect", "perfect", "bot"))
    assert live.do(Replace(1)).events == [commands.Replaced(1, STAND_IN)]


def test_time_runs_from_the_first_action_on_and_its_end_ends_the_match() -> None:
    live = live_of(HINE, TAMA, clock=GameClock(60))
    with pytest.raises(errors.TimeLeft):
        live.do(CheckClock(), 10**9)
    live.act(0, "1-0", at=1000)
    assert live.table.clock.running == 1
    with pytest.raises(errors.TimeLeft):
        live.do(CheckClock(), 60_999)
    assert live.do(CheckClock(), 61_000).events == [commands.Flagged(1)]
    assert live.result == ((0,), "time")
    with pytest.raises(errors.TimeLeft):
        live.do(CheckClock(), 99_000)


def test_a_player_may_take_the_first_open_seat() -> None:
    live = live_of(None, TAMA, key="mauw", players=3)
    assert live.do(Join(((None, HINE),))).events == [commands.Joined(0, HINE)]
    with pytest.raises(errors.SeatTaken, match="No seat is open"):
        live.do(Join(((None, HINE), (None, HINE))))
    assert live.table.players == (HINE, TAMA, None)


def test_the_dealer_acts_only_at_his_turn(live: Live) -> None:
    with pytest.raises(errors.WrongSeat):
        live.do(Deal())


def test_a_rematch_is_for_finished_matches_needs_consent_and_happens_once(live: Live) -> None:
    with pytest.raises(errors.MatchRunning):
        live.take(Offer("1", "rematch"), 0, "h", 0)
    live.take(Resign("2"), 0, "h", 0)
    live.take(Offer("3", "rematch"), 0, "h", 0)
    assert live.table.next is None
    entry = live.take(Accept("4", "rematch"), 1, "t", 0)
    assert isinstance(entry.events[-1], commands.Rematched)
    assert live.table.next == entry.events[-1].match
    with pytest.raises(errors.NoOffer):
        live.take(Offer("5", "rematch"), 0, "h", 0)


def test_in_a_series_one_word_is_enough_until_it_is_decided() -> None:
    live = live_of(HINE, TAMA, series=2)
    live.take(Resign("1"), 0, "h", 0)
    assert live.table.series == Series(2, 1, (0, 1))
    live.take(Offer("2", "rematch"), 0, "h", 0)
    assert live.table.next is not None


def test_a_standing_counts_every_winner_and_is_decided_by_enough_wins() -> None:
    assert Series(2, 1, (1, 0)).after((0,)) == Series(2, 1, (2, 0))
    assert Series(2, 1, (1, 1)).after((0, 1)).wins == (2, 2)
    assert Series(2, 1, (2, 0)).decided
    assert not Series(2, 1, (1, 1)).decided
    assert Series(1, 1, (0, 0)).decided


def test_saved_entries_rebuild_an_equal_table() -> None:
    live = live_of(HINE, TAMA, clock=GameClock(60, 5))
    live.act(0, "1-0", at=10)
    live.take(Offer("o", "draw"), 0, "h", 11)
    live.take(Decline("d", "draw"), 1, "t", 12)
    live.act(1, "8-1", at=20)
    live.take(Offer("u", "takeback"), 1, "t", 21)
    live.take(Accept("v", "takeback"), 0, "h", 25)
    live.take(Resign("r"), 1, "t", 40)
    again = new_table(live.table.terms, live.table.game)
    for entry in live.entries:
        again = evolve(again, decode_entry(encode_entry(entry)))
    assert again == live.table
    assert again.record() == live.table.record()
    assert again.clock.remaining(99) == live.table.clock.remaining(99)


def test_a_match_is_cancelled_by_consent_and_has_no_result() -> None:
    live = live_of(HINE, TAMA, clock=GameClock(60), rated=True, series=2)
    live.act(0, "1-0")
    assert live.take(Offer("1", "cancel"), 0, "h").events == [commands.Offered(0, "cancel")]
    assert live.take(Accept("2", "cancel"), 1, "t").events == [commands.Accepted(1, "cancel"), commands.Cancelled()]
    assert live.result == ((), "cancelled")
    assert live.table.status == "aborted"
    assert live.table.series.wins == (0, 0)


def test_a_bot_does_not_agree_to_cancel() -> None:
    live = live_of(HINE, BOT)
    with pytest.raises(errors.NoOffer):
        live.take(Offer("1", "cancel"), 0, "h")


def test_on_vacation_the_clock_stands_still_and_goes_on_afterwards() -> None:
    live = live_of(HINE, TAMA, clock=DayClock(3), rated=True)
    assert live.do(SetVacation("h", on=True), DAY_MS).events == [commands.Vacation(0, on=True)]
    assert live.table.vacation == {0}
    assert live.table.deadline is None
    live.do(SetVacation("h", on=False), 9 * DAY_MS)
    assert live.table.deadline == 11 * DAY_MS
    assert not live.table.vacation
    live.do(SetVacation("t", on=True), 9 * DAY_MS)  # of who is not to act
    assert live.table.deadline == 11 * DAY_MS
    live.act(0, "1-0", at=10 * DAY_MS)
    assert live.table.deadline is None
    with pytest.raises(errors.TimeLeft):
        live.do(CheckClock(), 99 * DAY_MS)


def test_a_vacation_waits_in_a_casual_match_that_has_not_begun() -> None:
    live = live_of(HINE, TAMA, clock=DayClock(3))
    live.do(SetVacation("t", on=True), 5)
    assert live.table.clock.running is None
    live.act(0, "1-0", at=10)
    assert live.table.deadline is None
    live.act(1, live.table.game.format(live.table.game.actions(live.table.state)[0]), at=20)
    assert live.table.deadline == 20 + 3 * DAY_MS


def test_a_vacation_changes_nothing_twice_nor_in_live_games_nor_for_others() -> None:
    live = live_of(HINE, TAMA, clock=DayClock(3))
    live.do(SetVacation("h", on=True))
    for player, on in (("h", True), ("t", False), ("x", True)):
        with pytest.raises(errors.NoVacation):
            live.do(SetVacation(player, on=on))
    for clock in (GameClock(60), NoClock()):
        with pytest.raises(errors.NoVacation):
            live_of(HINE, TAMA, clock=clock).do(SetVacation("h", on=True))
    live.take(Resign("r"), 0, "h")
    with pytest.raises(errors.MatchOver):
        live.do(SetVacation("h", on=False))


def test_the_vacation_of_somebody_who_gave_up_does_not_stop_the_others() -> None:
    live = live_of(HINE, TAMA, Player("k", "Kiri"), key="mauw", clock=DayClock(1), players=3)
    seat = live.table.turn
    assert seat is not None
    player = live.table.players[seat]
    assert player is not None
    live.act(seat, live.table.game.format(live.table.game.actions(live.table.state)[0]), at=0)
    live.do(SetVacation(player.id, on=True), 5)
    live.take(Resign("r"), seat, player.id, 10)
    assert live.table.players[seat] == STAND_IN
    assert not live.table.vacation
    assert not live.table.clock.paused
