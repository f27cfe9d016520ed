"""Correspondence matches: planned and forced moves, notes, vacations, and that plans are told to nobody."""

from typing import Any

import pytest

from kemu.people.vacation import VacationStock
from kemu.server.runtime import now_ms
from tests.server.live_server import Client, LiveServer, Socket

BANK = {"kind": "bank", "hours": 240, "increment": 36}
DAYS = {"kind": "days", "days": 3}
SECRET = "4711-no-one-else"


@pytest.fixture
def pair(server: LiveServer) -> tuple[Client, Client]:
    """Two guests."""
    return server.guest("Hine"), server.guest("Tama")


def match_of(hine: Client, tama: Client, **fields: object) -> str:
    """A match of these two; its id."""
    match = str(hine.new_match("me", "open", **({"clock": BANK} | fields))["id"])
    tama.post(f"/api/matches/{match}/join", {})
    return match


def plan(client: Client, match: str, status: int = 200, **fields: object) -> Any:
    """Change what a player keeps about a match."""
    return client.ask("PATCH", f"/api/matches/{match}/plan", fields, status)


def opened(client: Client, match: str) -> Socket:
    """A socket with everything up to now."""
    socket = client.open(match)
    socket.until(type="full")
    return socket


def test_an_answer_is_played_at_once_and_the_rest_waits(pair: tuple[Client, Client]) -> None:
    hine, tama = pair
    match = match_of(hine, tama)
    answer = plan(tama, match, lines=[["1-0", "8-1", "0-8", "1-0"], ["4-0"]], version=2)
    assert answer == {"note": "", "forced": False, "lines": [["1-0", "8-1", "0-8", "1-0"], ["4-0"]]}
    socket = opened(hine, match)
    socket.act("1-0", 2)
    reply = socket.until(type="event", version=4)
    assert reply["events"] == [{"event": "acted", "seat": 1, "line": "8-1"}]
    assert tama.get(f"/api/matches/{match}/plan")["lines"] == [["0-8", "1-0"]]
    socket.act("0-8", 4)
    assert socket.until(type="event", version=6)["events"][0]["line"] == "1-0"
    assert tama.get(f"/api/matches/{match}/plan")["lines"] == []


def test_a_deviation_drops_the_plan_for_good(server: LiveServer, pair: tuple[Client, Client]) -> None:
    hine, tama = pair
    match = match_of(hine, tama)
    plan(tama, match, note="mine", lines=[["1-0", "8-1"]], version=2)
    opened(hine, match).act("4-0", 2)
    assert tama.get(f"/api/matches/{match}/plan") == {"note": "mine", "forced": False, "lines": []}
    rows = server.run(server.parts.runtime.store.plans.plans(match))
    while rows[0].plan is not None:
        rows = server.run(server.parts.runtime.store.plans.plans(match))
    assert rows[0].note == "mine"


def test_a_planned_move_is_played_after_a_restart(pair: tuple[Client, Client], server: LiveServer) -> None:
    hine, tama = pair
    match = match_of(hine, tama)
    plan(tama, match, lines=[["1-0", "8-1"]], version=2)
    server.unload(match)
    socket = opened(hine, match)
    socket.act("1-0", 2)
    assert socket.until(type="event", version=4)["events"][0]["line"] == "8-1"


def test_forced_moves_are_played_if_one_likes(pair: tuple[Client, Client]) -> None:
    hine, tama = pair
    match = match_of(hine, tama)
    assert plan(tama, match, forced=True)["forced"]
    socket = opened(hine, match)
    socket.act("1-0", 2)
    moved = socket.until(type="event", version=4)
    assert moved["events"][0]["seat"] == 1  # 8-1 is the only move
    assert not plan(tama, match, forced=False)["forced"]


def test_what_cannot_be_planned_is_refused_and_loses_nothing(pair: tuple[Client, Client]) -> None:
    hine, tama = pair
    match = match_of(hine, tama)
    kept = plan(tama, match, lines=[["1-0", "8-1"]], version=2)["lines"]
    for lines, code in (([["nonsense"]], "parse-error"), ([["8-0"]], "illegal-action")):
        status = 400 if code == "parse-error" else 409
        assert plan(tama, match, status, lines=lines, version=2)["code"] == code
    assert plan(tama, match, 409, lines=[["1-0"]], version=1)["code"] == "stale-version"
    assert tama.get(f"/api/matches/{match}/plan")["lines"] == kept
    assert plan(tama, match, lines=[])["lines"] == []
    live = match_of(hine, tama, clock={"kind": "game", "seconds": 60})
    assert plan(tama, live, 409, lines=[["1-0"]], version=2)["code"] == "no-plan"
    assert plan(tama, live, 409, forced=True)["code"] == "no-plan"
    assert plan(tama, live, note="allowed")["note"] == "allowed"
    alone = str(hine.new_match("me", {"kind": "me", "name": "Ben"}, clock=BANK)["id"])
    assert plan(hine, alone, 409, lines=[["1-0"]], version=1)["code"] == "no-plan"
    mauw = match_of(hine, tama, game="mauw", options={"players": 2})
    assert plan(tama, mauw, 409, lines=[["anything"]], version=2)["code"] == "no-plan"


def test_a_plan_is_told_to_nobody_else_by_any_route_frame_or_log(
    server: LiveServer, pair: tuple[Client, Client], caplog: pytest.LogCaptureFixture
) -> None:
    hine, tama = pair
    match = match_of(hine, tama, public=False)
    sockets = [opened(hine, match), opened(server.guest("Ana"), match)]
    plan(tama, match, note=SECRET, forced=True, lines=[["4-0", "5-4", "0-5", "4-0"]], version=2)
    texts = []
    stranger = server.guest("Kiri")
    assert stranger.get(f"/api/matches/{match}/plan", 403)["code"] == "not-yours"
    assert plan(stranger, match, 403, note="x")["code"] == "not-yours"
    assert hine.get(f"/api/matches/{match}/plan") == {"note": "", "forced": False, "lines": []}
    for other in (hine, stranger):
        for path in (f"/api/matches/{match}", f"/api/matches/{match}/replay", "/api/matches?show=mine", "/api/notices"):
            texts.append(other.request("GET", path).text)
    sockets[0].act("1-0", 2)
    for socket in sockets:
        socket.until_version(3)
        texts += socket.received
    texts.append(hine.request("GET", f"/api/matches/{match}/record").text)
    texts.append(caplog.text)
    entries = server.run(server.parts.runtime.store.journal.entries(match, 0))
    texts += [entry.decode() for entry in entries]
    for secret in (SECRET, '"5-4"', '"0-5"'):
        assert not any(secret in text for text in texts), secret


def test_frames_are_the_same_whether_or_not_there_is_a_plan(pair: tuple[Client, Client]) -> None:
    hine, tama = pair
    frames = []
    for planned in (False, True):
        match = match_of(hine, tama)
        socket = opened(hine, match)
        if planned:
            plan(tama, match, note=SECRET, lines=[["4-0", "5-4"]], version=2)
        socket.act("1-0", 2)
        frame = {**socket.latest, "now": 0, "re": ""}
        frame["clock"] = {**frame["clock"], "at": 0, "left": []}
        frames.append(frame)
    assert frames[0] == frames[1]


def account(server: LiveServer, name: str) -> Client:
    """A new account."""
    client = server.guest(name)
    client.post("/api/account", {"name": name, "password": "a long passphrase"})
    return client


def test_a_vacation_stops_the_clock_and_opponents_see_it(server: LiveServer, pair: tuple[Client, Client]) -> None:
    hine, tama = account(server, "Mere on tour"), pair[1]
    match, live = match_of(hine, tama, clock=DAYS), match_of(hine, tama, clock={"kind": "game", "seconds": 60})
    socket = opened(tama, match)
    assert hine.get("/api/vacation") == {"left": 30 * 24 * 3600 * 1000, "until": None}
    begun = hine.ask("PUT", "/api/vacation", {"on": True})
    assert begun["until"] is not None
    frame = socket.until(type="event")
    assert frame["events"] == [{"event": "vacation", "seat": 0, "on": True}]
    assert frame["clock"]["vacation"] == [0]
    assert hine.ask("PUT", "/api/vacation", {"on": True}, 409)["code"] == "no-vacation"
    later = match_of(hine, tama, clock=DAYS)  # one that begins meanwhile follows with the next upkeep
    server.run(server.parts.vacations.run())
    assert opened(tama, later).latest["clock"]["vacation"] == [0]
    assert "vacation" not in opened(tama, live).latest["clock"]
    assert hine.ask("PUT", "/api/vacation", {"on": False})["until"] is None
    assert socket.until(type="event")["events"] == [{"event": "vacation", "seat": 0, "on": False}]
    assert hine.ask("PUT", "/api/vacation", {"on": False}, 409)["code"] == "no-vacation"
    assert tama.ask("PUT", "/api/vacation", {"on": True}, 401)["code"] == "not-signed-in"


def test_a_vacation_ends_by_itself_when_it_is_used_up(server: LiveServer, pair: tuple[Client, Client]) -> None:
    hine, tama = account(server, "Kiri on tour"), pair[1]
    match = match_of(hine, tama, clock=DAYS)
    hine.ask("PUT", "/api/vacation", {"on": True})
    socket = opened(tama, match)
    store = server.parts.runtime.store.plans
    server.run(store.save_vacation(hine.me["id"], VacationStock(1000, now_ms() - 5000, now_ms() - 5000)))
    server.run(server.parts.vacations.run())
    assert socket.until(type="event")["events"] == [{"event": "vacation", "seat": 0, "on": False}]
    assert hine.get("/api/vacation")["until"] is None
