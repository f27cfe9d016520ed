"""What matches tell: whose turn it is, on every page, and notices to players who are not there."""

from sqlalchemy import text

from kemu.people.turns import Turn
from kemu.server.live.match_notices import Reminders
from kemu.server.runtime import now_ms
from kemu.storage.statements import plain
from tests.server.live_server import Client, LiveServer, Socket
from tests.server.test_fair_play import account


def a_match(server: LiveServer, **fields: object) -> tuple[Client, Client, str]:
    """A match between two people; neither has opened it."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", **fields)["id"]
    tama.post(f"/api/matches/{match}/join", {})
    return hine, tama, match


def turns(client: Client) -> list[tuple[str, bool]]:
    return [(turn["match"], turn["mine"]) for turn in client.get("/api/turns")]


def until_turns(page: Socket, *matches: str) -> None:
    """Wait until a page shows that these matches wait for its player."""
    while [turn["match"] for turn in page.until(type="notices")["turns"]] != list(matches):
        pass


def test_who_is_not_there_is_told_that_it_is_their_turn(server: LiveServer) -> None:
    hine, tama, match = a_match(server)
    at_home = tama.open_path("/api/notices/socket?notices=1")
    until_turns(at_home)
    board = hine.open(match)
    assert board.act("1-0", 2)["type"] == "event"
    shown = at_home.until(type="notices", unseen=1)
    assert (shown["latest"][0]["kind"], shown["latest"][0]["names"]) == ("your-turn", ["Hine"])
    until_turns(tama.open_path("/api/notices/socket?notices=1"), match)
    assert turns(tama) == [(match, True)]
    assert turns(hine) == [(match, False)]


def test_who_looks_at_the_match_gets_no_notice_but_other_pages_show_the_turn(server: LiveServer) -> None:
    hine, tama, match = a_match(server)
    elsewhere = tama.open_path("/api/notices/socket?notices=1")
    board, other = hine.open(match), tama.open(match)
    other.until(type="presence", seats=[{"here": True}, {"here": True}])
    board.act("1-0", 2)
    until_turns(elsewhere, match)
    other.act("8-1", 3)
    until_turns(elsewhere)
    assert tama.get("/api/notices")["latest"] == []


def test_the_host_who_went_away_is_told_that_somebody_joined(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    page = hine.open_path("/api/notices/socket?notices=1")
    match = hine.new_match("open", "me")["id"]
    tama.post(f"/api/matches/{match}/join", {})
    assert page.until(type="notices", unseen=1)["latest"][0]["kind"] == "accepted"


def test_who_is_away_is_told_of_the_end_and_how_it_went(server: LiveServer) -> None:
    hine, tama, match = a_match(server)
    page = tama.open_path("/api/notices/socket?notices=1")
    board = hine.open(match)
    board.do(do="resign")
    notice = page.until(type="notices", unseen=1)["latest"][0]
    assert (notice["kind"], notice["result"], notice["about"]) == ("finished", "won", match)
    assert turns(tama) == turns(hine) == []
    assert hine.get("/api/notices")["latest"][0]["kind"] == "your-turn"  # from when Tama joined


def test_the_match_with_the_least_time_left_comes_first(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    slow, none, fast = (
        hine.new_match("me", "open", clock=clock)["id"]
        for clock in ({"kind": "days", "days": 3}, {"kind": "none"}, {"kind": "days", "days": 1})
    )
    for match in (slow, none, fast):
        tama.post(f"/api/matches/{match}/join", {})
        hine.open(match).act("1-0", 2)
    found = tama.get("/api/turns")
    assert [turn["match"] for turn in found] == [fast, slow, none]
    assert [turn["deadline"] is None for turn in found] == [False, False, True]


def test_turns_that_an_earlier_version_did_not_save_are_found(server: LiveServer) -> None:
    hine, _, match = a_match(server)
    store = server.parts.runtime.store

    forget = plain(text("UPDATE sitters SET turn = NULL"))
    server.run(store.database.change(forget, {}))
    assert [found.mine for found in server.run(store.turns.running(hine.me["id"]))] == [None]
    assert turns(hine) == [(match, True)]


def test_a_computer_waits_for_nobody(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match({"kind": "bot", "bot": "random"}, "me")["id"]
    page = hine.open(match)
    while page.latest is None or page.latest["turn"] != 1:  # the computer may have moved before
        page.receive()
    page.do(do="resign")
    assert hine.get("/api/notices") == {"unseen": 0, "latest": [], "turns": []}
    other = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    assert [(turn["match"], turn["mine"], turn["awaited"]) for turn in hine.get("/api/turns")] == [(other, True, False)]
    assert hine.get("/api/notices")["turns"] == []


def test_the_end_of_a_rated_match_tells_the_new_rating(server: LiveServer) -> None:
    hine, tama = account(server, "Hine of the notices"), account(server, "Tama of the notices")
    clock = {"kind": "days", "days": 3}
    match = hine.new_match("me", "open", clock=clock, rated=True)["id"]
    tama.post(f"/api/matches/{match}/join", {})
    page = tama.open_path("/api/notices/socket?notices=1")
    board = hine.open(match)
    board.act("1-0", 2)
    other = tama.open(match)
    other.act("8-1", 3)
    other.close()
    while board.until(type="presence")["seats"][1]["here"]:
        pass
    board.do(do="resign")
    while (told := page.until(type="notices", unseen=1)["latest"][0])["kind"] != "finished":
        pass
    assert told["rating"] > 1500
    assert told["change"] == told["rating"] - 1500


def test_who_is_away_is_reminded_once_before_time_runs_out(server: LiveServer) -> None:
    hine, _, match = a_match(server, clock={"kind": "days", "days": 1})
    a_match(server, clock={"kind": "game", "seconds": 7200})
    page = hine.open_path("/api/notices/socket?notices=1")
    page.until(type="notices", unseen=1)
    reminders = Reminders(server.parts.notices, server.parts.runtime)
    server.run(reminders.run())
    soon = now_ms() + 6 * 60 * 60 * 1000
    server.run(server.parts.runtime.store.turns.save({match: Turn(hine.me["id"], soon)}))
    server.run(reminders.run())
    while (told := page.until(type="notices", unseen=1)["latest"][0])["kind"] != "running-out":
        pass
    assert (told["about"], told["deadline"]) == (match, soon)
    for again in (reminders, Reminders(server.parts.notices, server.parts.runtime)):
        server.run(again.run())
    assert hine.get("/api/notices")["latest"][0]["at"] == told["at"]
