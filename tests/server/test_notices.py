"""Notices: told by any part of the server, shown on every open page of their player, at every process."""

import pytest

from kemu.people.notices import Notice
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, run_server

TURN = Notice(kind="your-turn", about="m1", game="mu-torere", names=("Tama",))


def tell(server: LiveServer, player: Client, notice: Notice) -> None:
    server.call(lambda: server.parts.notices.tell(player.me["id"], notice))


def test_a_notice_reaches_every_open_page_of_its_player_and_nobody_else(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    pages = [
        hine.open_path(path + "?notices=1")
        for path in ("/api/notices/socket", f"/api/matches/{match}/socket", "/api/analysis/socket")
    ]
    other = tama.open_path("/api/notices/socket?notices=1")
    for page in (*pages, other):
        assert page.until(type="notices")["latest"] == []
    tell(server, hine, TURN)
    for page in pages:
        shown = page.until(type="notices", unseen=1)
        assert {**shown["latest"][0], "at": 0} == {
            "kind": "your-turn", "about": "m1", "game": "mu-torere", "names": ["Tama"], "at": 0, "seen": False,
            "page": "/match/m1",
        }  # fmt: skip
    tell(server, tama, Notice(kind="challenge", about="c1"))
    assert [notice["about"] for notice in other.until(type="notices", unseen=1)["latest"]] == ["c1"]


def test_what_is_seen_on_one_page_is_seen_on_all(server: LiveServer) -> None:
    hine = server.guest("Hine")
    page = hine.open_path("/api/notices/socket?notices=1")
    tell(server, hine, TURN)
    tell(server, hine, Notice(kind="challenge", about="c1"))
    page.until(type="notices", unseen=2)
    hine.post("/api/notices/seen", {"about": "m1"}, 204)
    page.until(type="notices", unseen=1)
    newest = hine.get("/api/notices")["latest"][0]["at"]
    hine.post("/api/notices/seen", {"until": newest}, 204)
    page.until(type="notices", unseen=0)
    assert hine.get("/api/notices")["unseen"] == 0


@pytest.mark.parametrize("body", [{}, {"about": "m1", "until": 5}, {"about": ""}, {"until": -1}, {"who": "x"}])
def test_what_was_seen_is_named_in_one_way(server: LiveServer, body: dict[str, object]) -> None:
    refusal = server.guest("Hine").post("/api/notices/seen", body, 400)
    assert refusal["code"] in ("bad-option", "parse-error")


def test_a_socket_that_does_not_ask_gets_no_notices(server: LiveServer) -> None:
    hine = server.guest("Hine")
    quiet, page = hine.open_path("/api/notices/socket"), hine.open_path("/api/notices/socket?notices=1")
    tell(server, hine, TURN)
    page.until(type="notices", unseen=1)
    quiet.raw.send('{"do": "ping", "id": "p1", "t": 7}')
    assert quiet.receive()["type"] == "pong"
    quiet.raw.send('{"do": "act", "id": "a1"}')
    assert quiet.until(type="refused", re="a1")["code"] == "parse-error"


def test_a_visitor_without_a_session_is_shown_nothing(server: LiveServer) -> None:
    stranger = server.client().open_path("/api/notices/socket?notices=1")
    stranger.raw.send('{"do": "ping", "id": "p1"}')
    assert stranger.receive()["type"] == "pong"


def test_a_notice_crosses_processes(postgres: str) -> None:
    settings = Settings(postgres, requests_per_second=10_000)
    with run_server(settings) as here, run_server(settings) as there:
        hine = here.guest("Hine")
        elsewhere = there.client()
        elsewhere.http.cookies = hine.http.cookies
        page = elsewhere.open_path("/api/notices/socket?notices=1")
        page.until(type="notices", unseen=0)
        tell(here, hine, TURN)
        page.until(type="notices", unseen=1)
        elsewhere.post("/api/notices/seen", {"about": "m1"}, 204)
        page.until(type="notices", unseen=0)
