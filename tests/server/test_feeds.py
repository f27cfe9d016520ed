"""Feeds: calendars and Atom at secret addresses that can be renewed, and posts about open challenges."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

from kemu.people.feeds import Deadline, FeedEntry, atom, calendar
from kemu.server.outbound.webhooks import challenge_post
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, generous, run_server

NOW = int(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp() * 1000)


def unfolded(text: str) -> list[str]:
    """The lines of a calendar as they were before they were folded."""
    assert text.endswith("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return text.replace("\r\n ", "").split("\r\n")[:-1]


def test_a_calendar_has_an_event_at_each_deadline() -> None:
    name = "Tama; Ana, the \\ one" + "ā" * 60
    lines = unfolded(calendar([Deadline("m1", name, "https://k.example/match/m1", NOW)], NOW - 5000))
    assert lines[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"]
    assert lines[-1] == "END:VCALENDAR"
    assert {"UID:m1@kemu", "DTSTART:20260501T120000Z", "DTSTAMP:20260501T115955Z"} <= set(lines)
    assert "SUMMARY:Tama\\; Ana\\, the \\\\ one" + "ā" * 60 in lines


def test_a_feed_is_well_formed_whatever_names_hold() -> None:
    entry = FeedEntry("tag:kemu,2026:m1/5", '<Tama> & "Ana"', 'https://k.example/match/m1?a="b"', NOW)
    root = ElementTree.fromstring(atom([entry], "https://k.example/feeds/x/notices.atom", NOW).encode())
    space = {"a": "http://www.w3.org/2005/Atom"}
    assert root.findtext("a:entry/a:title", namespaces=space) == '<Tama> & "Ana"'
    assert root.findtext("a:updated", namespaces=space) == "2026-05-01T12:00:00Z"
    assert "<entry>" not in atom([], "https://k.example/", NOW)


def test_feeds_tell_deadlines_and_notices_until_their_addresses_are_renewed(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", clock={"kind": "days", "days": 3})["id"]
    tama.post(f"/api/matches/{match}/join", {})
    page = tama.open_path("/api/notices/socket?notices=1")
    hine.open(match).act("1-0", 2)
    page.until(type="notices", unseen=1)
    assert tama.get("/api/feeds") == {"calendar": None, "atom": None}
    first = tama.post("/api/feeds", {"language": "de"}, 200)
    assert tama.get("/api/feeds") == first
    anybody = server.client()
    found = anybody.request("GET", first["calendar"])
    assert found.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = unfolded(found.text)
    assert "SUMMARY:Du bist am Zug gegen Hine (Mū tōrere)." in lines
    assert f"URL:{server.url}/match/{match}" in lines
    feed = anybody.request("GET", first["atom"])
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert "Du bist am Zug gegen Hine" in feed.text
    second = tama.post("/api/feeds", {}, 200)
    assert second["calendar"] != first["calendar"]
    for address in first.values():
        assert anybody.get(address, 404)["code"] == "unknown-feed"
    assert "Your turn against Hine" in anybody.request("GET", second["atom"]).text
    tama.ask("DELETE", "/api/feeds", None, 204)
    assert anybody.get(second["atom"], 404)["code"] == "unknown-feed"


@contextmanager
def chat() -> Iterator[tuple[str, "Queue[Any]"]]:
    """The address of a channel, and what is posted there."""
    posted: Queue[Any] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            posted.put((self.path, self.headers["content-type"], json.loads(body)))
            self.send_response(204)
            self.end_headers()

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}", posted
        finally:
            listening.shutdown()
            thread.join()


def test_an_open_challenge_is_posted_to_every_address_of_the_operator() -> None:
    with chat() as (address, posted):
        settings = replace(
            generous("memory"), webhooks=f"{address}/ntfy {address}/discord {address}/matrix", hosts="kemu.example"
        )
        with run_server(settings) as server:
            hine = server.guest("Hine")
            fields = {"game": "mu-torere", "clocks": [{"kind": "days", "days": 3}]}
            hine.post("/api/challenges", fields, 201)
            found = [posted.get(timeout=PATIENCE_SECONDS) for _ in range(3)]
    assert sorted(path for path, *_ in found) == ["/discord", "/matrix", "/ntfy"]
    _, kind, body = found[0]
    assert kind == "application/json"
    sentence = "Hine is looking for an opponent in Mū tōrere. https://kemu.example/challenges"
    assert [body[field] for field in ("content", "text", "message")] == [sentence] * 3
    assert body["allowed_mentions"] == {"parse": []}


def test_a_post_names_a_guest_and_a_game_that_is_gone() -> None:
    assert challenge_post("Guest 1234", "gone", "")["text"] == "Guest 1234 is looking for an opponent in ."
