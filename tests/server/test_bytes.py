"""Bytes before meaning: what a stranger can make the server keep is counted before it is kept."""

import contextlib
import json
import socket as tcp
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kemu.games import game
from kemu.server.http.transport import HEAD_BYTES, HEAD_FIELDS, PIECE_BYTES, HttpProtocol
from kemu.server.live.actor import MOST_ALLS
from kemu.server.live.sockets import MOST_REFUSED
from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, run_server
from tests.server.raw_socket import end_of, raw_socket, upgrade

HEAD = b"GET /health HTTP/1.1\r\nhost: localhost\r\n"
POST = b"POST /api/matches HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"


def connection(server: LiveServer, receive_bytes: int | None = None) -> tcp.socket:
    """A TCP connection to a server."""
    host, port = server.url.removeprefix("http://").split(":")
    raw = tcp.socket()
    raw.settimeout(PATIENCE_SECONDS)
    if receive_bytes is not None:
        raw.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, receive_bytes)
    raw.connect((host, int(port)))
    return raw


def answer_to(server: LiveServer, sent: bytes) -> bytes:
    """All that a server answers to these bytes before it closes the connection."""
    raw = connection(server)
    raw.sendall(sent)
    return end_of(raw)


def filled(first: bytes, part: bytes, size: int) -> bytes:
    """Bytes of this size: some first ones, then one part again and again."""
    return (first + part * (size // len(part) + 1))[:size]


def test_a_request_behind_one_that_is_not_answered_is_not_parsed(server: LiveServer) -> None:
    received = answer_to(server, (HEAD + b"\r\n") * 20)
    assert received.startswith(b"HTTP/1.1 200")
    assert received.count(b"HTTP/1.1") == 1


def test_a_connection_serves_one_request_after_another(server: LiveServer) -> None:
    with connection(server) as raw:
        for _ in range(3):
            raw.sendall(HEAD + b"\r\n")
            received = raw.recv(65536)
            assert received.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (HEAD, b"x: " + b"a" * 1000 + b"\r\n"),
        (HEAD + b"x: ", b"a" * 1000),
        (b"GET /", b"a" * 1000),
        (HEAD + b"cookie: ", b"a=b; " * 200),
        (HEAD + b"upgrade: websocket\r\nconnection: upgrade\r\nx: ", b"a" * 1000),
    ],
    ids=["fields", "value", "address", "cookies", "handshake"],
)
def test_a_head_that_does_not_end_is_refused(server: LiveServer, first: bytes, then: bytes) -> None:
    assert answer_to(server, filled(first, then, HEAD_BYTES + 1)).startswith(b"HTTP/1.1 431")


def test_a_head_of_many_short_fields_is_refused(server: LiveServer) -> None:
    assert answer_to(server, HEAD + b"x:\r\n" * (HEAD_FIELDS + 1)).startswith(b"HTTP/1.1 431")


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that waits for a request longer than any test."""
    path: Path = tmp_path_factory.mktemp("patient") / "kemu.sqlite"
    with run_server(Settings(f"sqlite:///{path}", request_seconds=10 * PATIENCE_SECONDS)) as server:
        yield server


@pytest.mark.parametrize("then", [b"x: " + b"a" * 1000 + b"\r\n", b"a" * 1000], ids=["fields", "name"])
def test_trailers_that_do_not_end_are_refused(patient: LiveServer, then: bytes) -> None:
    raw = connection(patient)
    received = b"dropped"
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        raw.sendall(POST + b"2\r\n{}\r\n0\r\n")
        raw.sendall(filled(b"", then, HEAD_BYTES + PIECE_BYTES + 1))  # the rest of a piece with a body is not counted
        received = end_of(raw)
    assert received in (b"", b"dropped")


def test_a_long_body_in_short_chunks_is_no_head(server: LiveServer) -> None:
    body = b"1\r\n \r\n" * (HEAD_BYTES // 4) + b"2\r\n{}\r\n0\r\n\r\n"
    with connection(server) as raw:
        raw.sendall(POST + body)
        assert raw.recv(65536).startswith(b"HTTP/1.1 400")  # the body is no match


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that waits for a second."""
    path: Path = tmp_path_factory.mktemp("hasty") / "kemu.sqlite"
    with run_server(Settings(f"sqlite:///{path}", request_seconds=1)) as server:
        yield server


def long_line(length: int) -> list[str]:
    """Actions of a game without an end."""
    rules = game("mu-torere", repetition=False)
    state, line = rules.initial(), []
    for _ in range(length):
        line.append(rules.format(rules.actions(state)[0]))
        state = rules.apply(state, rules.actions(state)[0])
    return line


def test_an_answer_that_nobody_reads_is_not_kept(hasty: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = threading.Event()
    monkeypatch.setattr(HttpProtocol, "_leave", lambda protocol: lost.set())
    body = {"game": "mu-torere", "options": {"repetition": False}, "actions": long_line(2000), "text": True}
    sent = json.dumps(body).encode()
    with connection(hasty, receive_bytes=4096) as raw:
        raw.sendall(b"POST /api/replay HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n")
        raw.sendall(b"content-length: %d\r\n\r\n" % len(sent) + sent)
        assert raw.recv(12) == b"HTTP/1.1 200"
        assert lost.wait(PATIENCE_SECONDS)


def test_sockets_of_one_address_share_an_allowance(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path / 'kemu.sqlite'}", address_messages_per_second=10)
    with run_server(settings) as server:
        hine = server.guest()
        match = hine.new_match("me", "me")["id"]
        sockets = [hine.open(match) for _ in range(5)]
        for socket in sockets:
            socket.until(type="full")
        answers = [socket.do(do="ping")["type"] for socket in sockets for _ in range(4)]
        assert answers == ["pong"] * 20
        sockets[0].send(do="ping")
        assert sockets[0].until(type="refused")["code"] == "too-many"


def test_everything_is_not_sent_without_end(server: LiveServer) -> None:
    hine = server.guest()
    socket = hine.open(hine.new_match("me", "me")["id"])
    socket.until(type="full")
    answers = [socket.do(do="full") for _ in range(int(MOST_ALLS) + 5)]
    assert [answer["type"] for answer in answers[: int(MOST_ALLS)]] == ["full"] * int(MOST_ALLS)
    assert answers[-1]["code"] == "too-many"


def test_a_rematch_spends_the_limits_of_matches(tmp_path: Path) -> None:
    with run_server(Settings(f"sqlite:///{tmp_path / 'kemu.sqlite'}", matches_per_minute=2)) as server:
        hine = server.guest()
        match = hine.new_match("me", "me")["id"]
        for allowed in (True, False):
            socket = hine.open(match)
            socket.until(type="full")
            socket.do(do="resign")
            answer = socket.do(do="offer", what="rematch")
            assert answer.get("code") == (None if allowed else "too-many")
            match = answer.get("match", {}).get("next", match)


def test_sockets_that_are_refused_count_until_they_are_gone(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path / 'kemu.sqlite'}", sockets_per_address=1)
    with run_server(settings) as server:
        hine = server.guest()
        match = hine.new_match("me", "me")["id"]
        hine.open(match).until(type="full")
        held = [raw_socket(server, match) for _ in range(MOST_REFUSED)]
        dropped = upgrade(server, match)
        with contextlib.suppress(ConnectionResetError):
            assert b"too-many" not in end_of(dropped)
        for raw in held:
            raw.close()
