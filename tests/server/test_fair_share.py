"""Bots are shared fairly: people take turns, actions come before help, closed pages leave the queue."""

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, run_server


class Gate:
    """Sees what the gated bots are asked, one after the other, and lets them choose."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(PATIENCE_SECONDS)
        self.port = self._listening.getsockname()[1]

    def next(self) -> tuple[str, socket.socket]:
        """The game of the next bot that is asked, and the connection by which it is let through."""
        asked, _ = self._listening.accept()
        return asked.recv(100).decode(), asked

    def open(self) -> str:
        """Let the next bot choose; gives its game."""
        game, asked = self.next()
        release(asked)
        return game

    def close(self) -> None:
        """Take no more."""
        self._listening.close()


def release(asked: socket.socket) -> None:
    """Let a bot choose."""
    with asked:
        asked.sendall(b"!")


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """A gate that the workers started by this test find."""
    made = Gate()
    monkeypatch.setenv("KEMU_TEST_GATE", str(made.port))
    yield made
    made.close()


@pytest.fixture
def gated(gate: Gate) -> Iterator[LiveServer]:
    """A server with one worker of gated bots."""
    with run_server(Settings("memory", bots="tests.server.gated_bots", bot_workers=1)) as live:
        yield live


def test_hints_of_one_player_do_not_hold_up_the_bot_of_another(gated: LiveServer, gate: Gate) -> None:
    hine, tama = gated.guest("Hine"), gated.guest("Tama")
    bot = {"kind": "bot", "bot": "gated"}
    asked = hine.new_match("me", bot)["id"]
    played = tama.new_match("me", bot, game="moeraki-kemu")["id"]
    with ThreadPoolExecutor() as pool:
        hints = [pool.submit(hine.request, "POST", f"/api/matches/{asked}/hint") for _ in range(3)]
        game, first = gate.next()
        assert game == "mu-torere"
        socket_of_tama = tama.open(played)
        socket_of_tama.until(type="full")
        socket_of_tama.act("@f6", 1)
        socket_of_tama.do(do="ping")  # by now the bot's question waits
        release(first)
        assert gate.open() == "moeraki-kemu"
        assert socket_of_tama.until(type="event")["events"][0]["seat"] == 1
        assert [gate.open(), gate.open()] == ["mu-torere"] * 2
        assert {hint.result().status_code for hint in hints} == {200}


def test_threats_are_nothing_while_it_is_not_your_turn(gated: LiveServer, gate: Gate) -> None:
    hine = gated.guest("Hine")
    match = hine.new_match({"kind": "bot", "bot": "gated"}, "me")["id"]
    _, asked = gate.next()
    assert hine.get(f"/api/matches/{match}/threats") == {"wins": [], "stops": [], "threats": []}
    release(asked)


def test_the_request_of_a_closed_page_is_dropped(gated: LiveServer, gate: Gate) -> None:
    hine, tama = gated.guest("Hine"), gated.guest("Tama")
    bot = {"kind": "bot", "bot": "gated"}
    first, second = (hine.new_match("me", bot, game=key)["id"] for key in ("mu-torere", "moeraki-kemu"))
    other = tama.new_match("me", bot, game="mauw")["id"]
    with ThreadPoolExecutor() as pool:
        hint = pool.submit(hine.request, "POST", f"/api/matches/{first}/hint")
        _, asked = gate.next()
        url = httpx.URL(gated.url)
        with socket.create_connection((url.host, url.port or 80)) as page:
            cookie = f"kemu={hine.http.cookies['kemu']}"
            page.sendall(f"POST /api/matches/{second}/hint HTTP/1.1\r\nHost: {url.netloc.decode()}\r\n".encode())
            page.sendall(f"Cookie: {cookie}\r\nContent-Length: 0\r\n\r\n".encode())
        later = pool.submit(tama.request, "POST", f"/api/matches/{other}/hint")
        assert gated.guest().get("/health")["status"]
        release(asked)
        assert gate.open() == "mauw"
        assert (hint.result().status_code, later.result().status_code) == (200, 200)
        again = pool.submit(hine.request, "POST", f"/api/matches/{first}/hint")
        assert gate.open() == "mu-torere"
        assert again.result().status_code == 200


def test_matches_of_bots_alone_are_limited(gate: Gate) -> None:
    limited = Settings("memory", bots="tests.server.gated_bots", bot_workers=1, bot_matches_per_player=1, bot_matches=2)
    with run_server(limited) as live:
        bot = {"kind": "bot", "bot": "gated"}
        body = {"game": "mu-torere", "seats": [bot, bot]}
        people = [live.guest() for _ in range(3)]
        for person in people[:2]:
            person.post("/api/matches", body, 201)
            assert person.post("/api/matches", body, 429)["code"] == "too-many"
        assert people[2].post("/api/matches", body, 429)["code"] == "too-many"
        match = people[2].new_match(bot, "open")["id"]
        assert people[2].ask("PUT", f"/api/matches/{match}/seats/1", {"bot": "gated"}, 429)["code"] == "too-many"
        assert people[2].new_match("me", bot)["status"] == "running"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("crash", r"crash: RuntimeError in choose, broken_bots.py, line \d+"),
        ("exit", "exit: exit code 1"),
        ("hang", "hang: took too long"),
    ],
)
def test_a_bot_that_fails_leaves_its_reason_in_the_log_without_any_text(
    caplog: pytest.LogCaptureFixture, name: str, reason: str
) -> None:
    with run_server(Settings("memory", bots="tests.server.broken_bots", bot_seconds=3)) as live:
        hine = live.guest("Hine")
        match = hine.new_match("me", {"kind": "bot", "bot": name})["id"]
        socket_of_hine = hine.open(match)
        socket_of_hine.until(type="full")
        socket_of_hine.act("1-0", 1)
        assert socket_of_hine.until(type="event")["events"][0]["event"] == "replaced"
    (failed,) = [entry for entry in caplog.records if entry.message == "bot failed"]
    assert re.fullmatch(reason, getattr(failed, "reason"))  # noqa: B009 - an extra field of the record
    assert "a bug" not in caplog.text
