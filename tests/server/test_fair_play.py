"""No rated win for free: clocks of bots, claims, aborts, seats and ratings."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from kemu.bots.registry import bot_elo
from kemu.core.game import Outcome
from kemu.games import game
from kemu.people.ratings import GameRating
from kemu.play import commands, errors
from kemu.play.commands import Abort, Act, CheckClock, Claim, Entry, Join, SeatCommand, decode_entry, encode_entry
from kemu.play.dealer import Dealer
from kemu.play.decide import CLAIM_GRACE_MS, decide
from kemu.play.local import NO_CLOCK
from kemu.play.table import Table, evolve, new_table
from kemu.play.terms import ClockTerms, DayClock, GameClock, NoClock, Player, Terms, fit_for_rating
from kemu.server.jobs import thinking_time
from kemu.server.ratings import new_ratings
from tests.server.live_server import Client, LiveServer
from tests.server.test_matches import be_away

HINE, TAMA, BOT = Player("h", "Hine"), Player("t", "Tama"), Player("bot:8", "8", "bot")


def table_of(key: str = "mu-torere", *players: Player, clock: ClockTerms = NO_CLOCK, rated: bool = True) -> Table:
    """A started match."""
    rules = game(key)
    terms = Terms("m", key, {}, "h", 0, clock=clock, rated=rated)
    table = new_table(terms, rules)
    return decide(table, Join(tuple(enumerate(players))), 0, Dealer(1)).document


def act(table: Table, seat: int, action: str, at: int, spent_ms: int | None = None) -> tuple[Table, Entry]:
    """A seat acts."""
    player = table.players[seat]
    assert player is not None
    command = SeatCommand(seat, player.id, Act(f"c{at}", table.version, action), spent_ms=spent_ms)
    entry, after = decide(table, command, at, Dealer(1))
    return after, entry


def test_a_bot_is_charged_for_what_it_thought_and_not_for_waiting() -> None:
    table = table_of("mu-torere", HINE, BOT, clock=GameClock(60, 1))
    table, _ = act(table, 0, "1-0", 1000)
    assert table.clock.running == 1
    assert table.deadline is None
    with pytest.raises(errors.TimeLeft):
        decide(table, CheckClock(), 10**9, Dealer(1))
    after, entry = act(table, 1, "8-1", 500_000, spent_ms=300)
    assert after.clock.left == (60_000, 60_700)
    assert after.deadline == 500_000 + 60_000
    stored = evolve(table, decode_entry(encode_entry(entry)))
    assert stored.clock == after.clock


def test_a_bot_that_thinks_longer_than_it_has_loses_on_time() -> None:
    table = table_of("mu-torere", HINE, BOT, clock=GameClock(60))
    table, _ = act(table, 0, "1-0", 0)
    ended, entry = act(table, 1, "8-1", 1, spent_ms=60_000)
    assert entry.events == [commands.Flagged(1)]
    assert ended.outcome == Outcome((0,), "time")


def test_entries_without_the_time_spent_keep_their_meaning() -> None:
    table = table_of("mu-torere", HINE, BOT, clock=GameClock(60))
    table, _ = act(table, 0, "1-0", 0)
    old = decode_entry(b'{"at":2000,"events":[{"event":"acted","seat":1,"action":"8-1"}]}')
    assert evolve(table, old).clock.left == (60_000, 58_000)
    assert b"spent" not in encode_entry(old)


def test_no_client_can_send_the_time_it_spent(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me"}, clock={"kind": "game", "seconds": 60})["id"]
    socket = hine.open(match)
    socket.until(type="full")
    refused = socket.do(do="act", version=1, action="1-0", spent_ms=0)
    assert refused["code"] == "parse-error"


def test_a_bot_plans_a_share_of_its_time() -> None:
    table = table_of("mu-torere", HINE, BOT, clock=GameClock(60, 4))
    assert thinking_time(table, 1) == 5_000
    assert thinking_time(replace(table, clock=replace(table.clock, left=(60_000, 400))), 1) == 200
    assert thinking_time(table_of("mu-torere", HINE, BOT), 1) is None


def test_the_strongest_bot_does_not_lose_on_a_clock_of_one_second(server: LiveServer) -> None:
    hine = server.guest("Hine")
    clock = {"kind": "game", "seconds": 1, "increment": 60}
    match = hine.new_match("me", {"kind": "bot", "bot": "8"}, clock=clock)["id"]
    socket = hine.open(match)
    socket.until(type="full")
    for _ in range(5):
        socket.act(socket.latest["actions"][0], socket.latest["version"])
        answer = socket.until(type="event")
        assert answer["events"][0]["event"] == "acted"
        if answer.get("outcome"):
            break


@pytest.mark.parametrize(
    ("clock", "fits"),
    [
        (GameClock(59), False),
        (GameClock(60), True),
        (GameClock(29, 1), False),
        (GameClock(30, 1), True),
        (DayClock(1), True),
        (NoClock(), False),
    ],
)
def test_rated_clocks_have_a_sensible_least(clock: ClockTerms, fits: bool) -> None:
    assert fit_for_rating(clock) == fits


def account(server: LiveServer, name: str) -> Client:
    """A player with an account."""
    client = server.guest()
    client.post("/api/account", {"name": name, "password": "a long password"}, 201)
    return client


def test_a_rated_match_with_a_short_clock_is_refused_in_one_sentence(server: LiveServer) -> None:
    hine = account(server, "Hine of the clock")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "8"}]
    body = {"game": "mu-torere", "seats": seats, "rated": True, "clock": {"kind": "game", "seconds": 1}}
    refused = hine.post("/api/matches", body, 400)
    assert refused["code"] == "bad-option"
    assert refused["message"].count(".") == 1


def test_options_that_decide_a_match_at_once_are_not_rated(server: LiveServer) -> None:
    hine = account(server, "Hine of the options")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "8"}]
    body = {"game": "mu-torere", "seats": seats, "rated": True, "options": {"flank": "never"}}
    assert hine.post("/api/matches", body, 400)["code"] == "bad-option"
    casual = hine.post("/api/matches", {**body, "rated": False}, 201)["id"]
    socket = hine.open(casual)
    version = socket.until(type="full")["version"]
    assert socket.act("2-0", version)["outcome"]["winners"] == [0]  # by the first action


def test_a_match_of_earlier_versions_whose_options_decide_it_moves_no_rating() -> None:
    rules = game("mu-torere", flank="never")
    table = new_table(Terms("m", "mu-torere", {"flank": "never"}, "h", 0, rated=True), rules)
    table = decide(table, Join(tuple(enumerate((HINE, TAMA)))), 0, Dealer(1)).document
    ended, _ = act(table, 0, "2-0", 1)
    assert ended.outcome == Outcome((0,), "blocked")
    assert new_ratings({}, ended) == []


RECORD = {"kemu": 1, "game": "mu-torere", "actions": ["1-0"]}
HELP = {
    "/api/reviews": {"record": RECORD},
    "/api/reviews/retry": {"record": RECORD, "ply": 0, "action": "4-0"},
    "/api/analysis/graph": {"game": "mu-torere"},
    "/api/explorer": {"game": "mu-torere"},
    "/api/explorer/proved": {"game": "mu-torere"},
}


def test_the_engines_are_silent_about_the_game_of_a_running_rated_match(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who asks"), account(server, "Tama who asks")
    board = hine.open_path("/api/analysis/socket")
    assert board.do(do="analyse", game="mu-torere")["type"] == "analysis"
    match = hine.new_match("me", "open", rated=True)["id"]
    tama.post(f"/api/matches/{match}/join", {})
    for path, body in HELP.items():
        assert hine.post(path, body, 409)["code"] == "match-running", path
    for task in ("analyse", "refute"):
        assert board.do(do=task, game="mu-torere")["code"] == "match-running"
    other = {"game": "moeraki-kemu", "options": {"variant": "beginner"}}
    assert hine.post("/api/explorer", other)["turn"] == 0, "other games are open"
    assert server.guest().post("/api/explorer", HELP["/api/explorer"])["turn"] == 0
    socket = hine.open(match)
    socket.until(type="full")
    socket.do(do="resign")
    for path, body in HELP.items():
        assert hine.request("POST", path, body).status_code == 200, path


def test_days_are_ended_by_the_clock_alone(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", clock={"kind": "days", "days": 3})["id"]
    tama.post(f"/api/matches/{match}/join", {})
    socket = tama.open(match)
    socket.until(type="full")
    be_away(server, match, 0)
    for what in ("win", "bot"):
        assert socket.do(do="claim", what=what)["code"] == "not-away"


def test_in_a_rated_match_no_bot_takes_the_place_of_who_left() -> None:
    table = table_of("mu-torere", HINE, TAMA)
    command = SeatCommand(1, "t", Claim("c", "bot"), {0: 0})
    with pytest.raises(errors.NoOffer):
        decide(table, command, CLAIM_GRACE_MS, Dealer(1))
    table, _ = act(*act(table, 0, "1-0", 0)[:1], 1, "8-1", 0)
    won = command._replace(command=Claim("c", "win"))
    assert decide(table, won, CLAIM_GRACE_MS, Dealer(1)).entry.events == [commands.Claimed(1, 0)]


def test_a_rated_match_is_not_aborted_once_cards_are_dealt() -> None:
    abort = SeatCommand(0, "h", Abort("a"))
    with pytest.raises(errors.AlreadyStarted, match="resign"):
        decide(table_of("mauw", HINE, TAMA), abort, 1, Dealer(1))
    assert decide(table_of("mauw", HINE, TAMA, rated=False), abort, 1, Dealer(1)).entry.events == [commands.Aborted(0)]
    assert decide(table_of("mu-torere", HINE, TAMA), abort, 1, Dealer(1)).entry.events == [commands.Aborted(0)]


@pytest.mark.parametrize("key", ["mu-torere", "mauw"])
def test_in_a_rated_match_time_runs_from_the_start(key: str) -> None:
    table = table_of(key, HINE, TAMA, clock=GameClock(60))
    turn = table.turn
    assert turn is not None
    # Where no card was dealt, somebody who never came has lost nothing.
    ended = commands.Aborted(turn) if key == "mu-torere" else commands.Flagged(turn)
    assert decide(table, CheckClock(), 60_000, Dealer(1)).entry.events == [ended]
    casual = table_of(key, HINE, TAMA, clock=GameClock(60), rated=False)
    with pytest.raises(errors.TimeLeft):
        decide(casual, CheckClock(), 10**9, Dealer(1))
    old = Entry(
        0,
        [
            commands.Joined(0, HINE),
            commands.Joined(1, TAMA),
            decode_entry(b'{"at":0,"events":[{"event":"started"}]}').events[0],
        ],
    )
    assert evolve(new_table(table.terms, table.game), old).clock.running is None


def test_an_account_has_one_seat_of_a_rated_match(server: LiveServer) -> None:
    hine = account(server, "Hine of one seat")
    match = hine.new_match("me", "open", rated=True)["id"]
    refused = hine.post(f"/api/matches/{match}/join", {"seat": 1}, 409)
    assert (refused["code"], refused["message"]) == ("seat-taken", "In a rated match everybody has one seat.")
    assert hine.get(f"/api/matches/{match}")["status"] == "open"


def won(table: Table, *winners: int) -> Table:
    """The same match, ended after both have acted."""
    while table.turn is not None and not (table.has_acted(0) and table.has_acted(1)):
        table, _ = act(table, table.turn, table.game.format(table.game.actions(table.state)[0]), 0)
    return replace(table, outcome=Outcome(winners, "blocked"))


def test_farming_a_bot_gains_less_and_less_and_does_not_move_it() -> None:
    known: dict[str, GameRating] = {}
    means = [1500.0]
    for _ in range(100):
        known |= {
            row.player: row
            for row in new_ratings(known, won(table_of("mu-torere", HINE, Player("bot:1", "1", "bot")), 0))
        }
        means.append(known["h"].rating)
    gains = [after - before for before, after in pairwise(means)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] == 0
    assert set(known) == {"h"}, "a bot has the rating of its level, which nothing moves"
    assert means[-1] < 1500 + (bot_elo("8", game("mu-torere")) or 0)


@pytest.mark.parametrize("key", ["mu-torere", "moeraki-kemu", "mauw"])
def test_levels_are_anchored_in_their_order_and_the_default_is_where_people_begin(key: str) -> None:
    names = ["random", *map(str, range(1, 9))]
    gains = []
    for name in names:
        (row,) = new_ratings({}, won(table_of(key, HINE, Player(f"bot:{name}", name, "bot")), 0))
        gains.append(row.rating)
    assert gains == sorted(gains), "a win against a stronger bot gains more"
    assert bot_elo("3", game(key)) == 0


def test_people_move_each_other_and_one_person_at_two_seats_nobody() -> None:
    rows = {row.player: row for row in new_ratings({}, won(table_of("mu-torere", HINE, TAMA), 1))}
    assert rows["t"].rating > 1500 > rows["h"].rating
    both = replace(won(table_of("mu-torere", HINE, TAMA), 1), players=(HINE, HINE))
    assert new_ratings({}, both) == []
