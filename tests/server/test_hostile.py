"""Hostile clients: each refusal has a code, nobody else notices, and the server lives on."""

import contextlib
import json
import secrets
import socket as tcp
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kemu.server.settings import Settings
from tests.server.live_server import LiveServer, Socket, run_server
from tests.server.raw_socket import end_of, frame, raw_socket, received_code


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with small limits."""
    path = tmp_path_factory.mktemp("strict") / "kemu.sqlite"
    settings = Settings(
        f"sqlite:///{path}", matches_per_guest=3, spectators=2, sockets_per_player=4, messages_per_second=20
    )
    with run_server(settings) as server:
        yield server


def closed_with(socket: Socket) -> int:
    """The code with which the server ends a socket; 0 if the connection broke before it came."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    return closed.value.rcvd.code if closed.value.rcvd is not None else 0


def match_with_witness(server: LiveServer) -> tuple[str, Socket, Socket]:
    """A match, a hostile socket at it, and the socket of somebody who only wants to play."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open")["id"]
    tama.post(f"/api/matches/{match}/join", {})
    sockets = tama.open(match), hine.open(match)
    for socket in sockets:
        socket.until(type="full")
    return match, *sockets


MALFORMED = [
    "",
    "null",
    "[]",
    "{}",
    '"act"',
    "{",
    "\x00",
    '{"do":"act"}',
    '{"do":"fly","id":"x"}',
    '{"do":"act","id":"x","version":"1","action":"1-0"}',
    '{"do":"act","id":"x","version":1e99,"action":"1-0"}',
    '{"do":"act","id":"x","version":1,"action":["1-0"]}',
    '{"do":"act","id":"x","version":1,"action":"1-0","seat":0}',
    '{"do":"act","id":1,"version":1,"action":"1-0"}',
    '{"do":"resign","id":""}',
    '{"do":"resign","id":"' + "x" * 41 + '"}',
    '{"do":"offer","id":"x","what":"peace"}',
    '{"do":"claim","id":"x","what":"everything"}',
    '{"do":"look","id":"x","seat":"0"}',
    "[" * 2000,
]


@pytest.mark.parametrize("number", range(len(MALFORMED)))
def test_what_is_no_command_is_refused_with_a_code_and_harms_nobody(server: LiveServer, number: int) -> None:
    _, hostile, witness = match_with_witness(server)
    hostile.raw.send(MALFORMED[number])
    refused = hostile.until(type="refused")
    assert refused["code"] == "parse-error"
    assert len(refused["message"]) < 300
    assert witness.act("1-0", witness.latest["version"])["type"] == "event"


def test_a_readable_id_is_named_in_the_refusal(server: LiveServer) -> None:
    _, hostile, _ = match_with_witness(server)
    hostile.raw.send('{"do":"fly","id":"mine"}')
    assert hostile.until(type="refused")["re"] == "mine"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"do": "act", "version": 2, "action": "5-0"}, "wrong-seat"),
        ({"do": "act", "version": 0, "action": "1-0"}, "stale-version"),
        ({"do": "act", "version": -5, "action": "1-0"}, "stale-version"),
        ({"do": "act", "version": 999, "action": "1-0"}, "stale-version"),
        ({"do": "accept", "what": "draw"}, "no-offer"),
        ({"do": "decline", "what": "takeback"}, "no-offer"),
        ({"do": "offer", "what": "rematch"}, "match-running"),
        ({"do": "offer", "what": "takeback"}, "no-undo"),
        ({"do": "claim", "what": "win"}, "not-away"),
        ({"do": "look", "seat": 0}, "not-yours"),
        ({"do": "look", "seat": 99}, "not-yours"),
        ({"do": "look", "seat": -1}, "not-yours"),
        ({"do": "follow", "match": "nowhere"}, "unknown-match"),
    ],
)
def test_commands_that_cannot_be_done_are_refused_with_their_code(
    server: LiveServer, command: dict[str, object], code: str
) -> None:
    _, hostile, witness = match_with_witness(server)
    assert hostile.do(**command)["code"] == code
    assert witness.act("1-0", witness.latest["version"])["type"] == "event"


def test_unreadable_and_illegal_actions_have_their_codes(server: LiveServer) -> None:
    _, _, witness = match_with_witness(server)
    version = witness.latest["version"]
    assert witness.act("hello", version)["code"] == "parse-error"
    assert witness.act("2-0", version)["code"] == "illegal-action"
    assert witness.act("x" * 5000, version)["code"] == "parse-error"


def test_commands_replayed_and_reordered_are_done_once_and_in_an_order_that_is_legal(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    socket = hine.open(match)
    socket.until(type="full")
    command = json.dumps({"do": "act", "id": "same", "version": 1, "action": "1-0"})
    for _ in range(5):
        socket.raw.send(command)
    answers = [socket.until(re="same")["type"] for _ in range(5)]
    assert sorted(answers) == ["done"] * 4 + ["event"]
    assert hine.open(match).until(type="full")["log"][0] == [0, "1-0"]


def test_a_client_that_sends_only_nonsense_is_closed(server: LiveServer) -> None:
    _, hostile, witness = match_with_witness(server)
    for _ in range(20):
        hostile.raw.send("nonsense")
    assert closed_with(hostile) == 4400
    witness.act("1-0", witness.latest["version"])


@pytest.mark.parametrize("size", [20_000, 10_000_000])
def test_a_message_that_is_too_long_closes_the_socket_unread(server: LiveServer, size: int) -> None:
    _, hostile, witness = match_with_witness(server)
    with contextlib.suppress(ConnectionClosed):
        hostile.raw.send("x" * size)
    assert closed_with(hostile) in (1009, 0)  # a connection with much unread is reset
    witness.act("1-0", witness.latest["version"])


def test_a_flood_is_closed_and_the_other_plays_on(strict: LiveServer) -> None:
    _, hostile, witness = match_with_witness(strict)
    with contextlib.suppress(ConnectionClosed):
        for number in range(200):
            hostile.raw.send(json.dumps({"do": "ping", "id": f"p{number}"}))
    assert closed_with(hostile) in (4429, 0)
    assert witness.act("1-0", witness.latest["version"])["type"] == "event"


def test_spectators_sockets_and_matches_are_limited(strict: LiveServer) -> None:
    hine = strict.guest("Hine")
    matches = [hine.new_match("me", "open")["id"] for _ in range(3)]
    body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert hine.post("/api/matches", body, 429)["code"] == "too-many"
    for _ in range(2):
        strict.guest().open(matches[0]).until(type="full")
    assert strict.guest().open(matches[0]).receive()["code"] == "too-many"
    for _ in range(4):
        hine.open(matches[0]).until(type="full")
    assert hine.open(matches[0]).receive()["code"] == "too-many"


def test_requests_are_limited(tmp_path: Path) -> None:
    with run_server(Settings(f"sqlite:///{tmp_path}/kemu.sqlite", requests_per_second=5)) as server:
        client = server.client()
        codes = {client.request("GET", "/api/games").status_code for _ in range(30)}
    assert codes == {200, 429}


def test_a_body_that_is_too_long_is_refused(server: LiveServer) -> None:
    response = server.guest().http.post("/api/replay", content=b"x" * 2_000_000)
    assert (response.status_code, response.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(0x81, b"{}", masked=False), 1002),
        (frame(0xC1, b"{}"), 1002),  # a reserved bit
        (frame(0x83, b"{}"), 1002),  # a kind that does not exist
        (frame(0x80, b"{}"), 1002),  # the rest of a message that never began
        (frame(0x01, b"{") + frame(0x81, b"}"), 1002),  # a message inside another
        (frame(0x09, b"part"), 1002),  # a ping in parts
        (frame(0x89, b"x" * 126), 1002),  # a ping that is too long
        (frame(0x81, b"", size=2**63), 1009),
        (frame(0x01, b"x" * 10_000) + frame(0x00, b"x" * 10_000), 1009),
        (frame(0x88, struct.pack("!H", 1000)), 1000),
    ],
)
def test_broken_frames_end_the_connection_with_the_code_of_the_standard(
    server: LiveServer, data: bytes, code: int
) -> None:
    match = server.guest().new_match("me", "open")["id"]
    raw = raw_socket(server, match)
    raw.sendall(data)
    assert received_code(end_of(raw)) == code


def test_messages_in_parts_and_pings_between_them_are_read(server: LiveServer) -> None:
    match = server.guest().new_match("me", "open")["id"]
    raw = raw_socket(server, match)
    parts = frame(0x01, b'{"do":"ping",') + frame(0x89, b"are you there") + frame(0x00, b"") + frame(0x80, b'"id":"p"}')
    for byte in parts:  # and as slowly as a bad line brings them
        raw.sendall(bytes([byte]))
    received = b""
    while b'{"type":"pong","re":"p"' not in received:
        received += raw.recv(65536)
    assert b"\x8a\x0dare you there" in received
    raw.close()


def test_a_ping_inside_a_message_is_answered_before_the_message(server: LiveServer) -> None:
    raw = raw_socket(server, server.guest().new_match("me", "open")["id"])
    raw.sendall(frame(0x01, b'{"do":"ping",') + frame(0x89, b"first") + frame(0x80, b'"id":"p"}'))
    received = b""
    while b'{"type":"pong","re":"p"' not in received:
        received += raw.recv(65536)
    assert b"\x8a\x05first" in received
    assert received.index(b"\x8a\x05first") < received.index(b'{"type":"pong","re":"p"')
    raw.close()


def test_a_reader_who_does_not_read_is_dropped_and_never_waited_for(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    lazy = raw_socket(server, match)
    busy = hine.open(match)
    busy.until(type="presence", watching=1)
    with contextlib.suppress(OSError):
        for number in range(1_000_000):
            lazy.sendall(frame(0x81, b'{"do":"full","id":"%d"}' % number))
            if number % 500 == 0:
                assert busy.do(do="ping")["type"] == "pong"
    busy.until(type="presence", watching=0)
    lazy.close()


def test_half_open_connections_and_rubbish_before_the_handshake_do_no_harm(server: LiveServer) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    rubbish = [b"", b"\x00" * 100, b"GET / HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00", secrets.token_bytes(1000)]
    connections = [tcp.create_connection((host, int(port)), 10) for _ in rubbish]
    for connection, data in zip(connections, rubbish, strict=True):
        connection.sendall(data)
    assert server.client().get("/health") == {"status": "ok"}
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("path", ["/api/matches/x/sockets", "/socket", "/"])
def test_other_addresses_have_no_socket(server: LiveServer, path: str) -> None:
    with pytest.raises(InvalidStatus):
        server.socket(path)


@pytest.mark.parametrize(
    ("query", "code", "closing"),
    [("?seat=x", "parse-error", 4400), ("?after=1e9", "parse-error", 4400), ("?seat=1", "not-yours", 4403)],
)
def test_bad_queries_are_refused(server: LiveServer, query: str, code: str, closing: int) -> None:
    match = server.guest().new_match("me", "open")["id"]
    socket = server.guest().open(match, query)
    assert socket.receive()["code"] == code
    assert closed_with(socket) == closing


def test_an_unknown_match_has_its_code(server: LiveServer) -> None:
    socket = server.guest().open("nowhere")
    assert socket.receive()["code"] == "unknown-match"
    assert closed_with(socket) == 4404


def test_no_answer_tells_of_our_insides(server: LiveServer) -> None:
    client = server.guest()
    for method, path, body in (
        ("POST", "/api/matches", {"game": "mu-torere", "seats": [1, 2]}),
        ("POST", "/api/matches", {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "me"}], "options": {"x": 1}}),
        ("POST", "/api/matches", {"game": ["mu-torere"]}),
        ("POST", "/api/replay", {"game": "mauw", "position": {"hands": 5}}),
        ("POST", "/api/replay", {"game": "mu-torere", "actions": ["1-0", "1-0"]}),
        ("GET", "/api/matches?show=nonsense", None),
        ("GET", "/api/games/mu-torere?arms=%7B", None),
        ("GET", "/api/nothing", None),
        ("DELETE", "/api/me", None),
    ):
        response = client.request(method, path, body)
        assert 400 <= response.status_code < 500, (path, response.text)
        refusal = response.json()
        assert set(refusal) - {"reason", "values"} == {"code", "message"}
        assert ("reason" in refusal) == (refusal["code"] == "illegal-action")
        assert not any(word in refusal["message"] for word in ("Traceback", ".py", "0x", "kemu.", "litestar"))
