"""Frames and handshakes that no browser sends: bounded work and memory, no ghosts, the codes of the standard."""

import asyncio
import contextlib
import json
import signal
import socket as tcp
import struct
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from kemu.server.live.actor import DocumentConnection
from kemu.server.live.match import MatchRegistry
from kemu.server.live.messages import FrameProtocol, text_frame
from kemu.server.live.websocket import WebSocket
from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, longest_turn_seconds, run_server
from tests.server.raw_socket import end_of, frame, raw_socket, received_code, upgrade

MOST_TURN_SECONDS = 0.25
"""Processor time that one turn of the event loop may take, whatever a hostile socket sends."""


@pytest.fixture
def match(server: LiveServer) -> str:
    """The id of an open match."""
    return str(server.guest().new_match("me", "open")["id"])


FLOODS = {
    "empty pongs": (frame(0x8A, b"") * 170_000, 4429),
    "empty pings": (frame(0x89, b"") * 170_000, 4429),
    "long pings": (frame(0x89, b"x" * 125) * 80_000, 4429),
    "one-byte fragments": (frame(0x01, b"{") + frame(0x00, b" ") * 16_000, 1009),
    "empty fragments": (frame(0x01, b"{") + frame(0x00, b"") * 150_000, 1009),
    "messages in two parts": ((frame(0x01, b"{") + frame(0x80, b"}")) * 80_000, 4400),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_of_any_kind_is_ended_and_holds_nobody_up(server: LiveServer, match: str, kind: str) -> None:
    data, code = FLOODS[kind]
    with longest_turn_seconds(server) as longest:
        raw = raw_socket(server, match)
        with contextlib.suppress(OSError):
            raw.sendall(data)
        ended = received_code(end_of(raw))
        server.client().get("/health")
    assert longest() < MOST_TURN_SECONDS
    assert ended == code


def test_who_never_reads_is_dropped_whatever_kind_of_frame_piles_up(match: str, server: LiveServer) -> None:
    """Pings at a rate that is allowed, with answers that nobody reads, and then texts."""
    raw = raw_socket(server, match, receive_bytes=4096)
    dropped = server.parts.runtime.counters.dropped
    with contextlib.suppress(OSError):
        for number in range(1_000_000):
            raw.sendall(frame(0x81, b'{"do":"full","id":"%d"}' % number))
    assert server.parts.runtime.counters.dropped == dropped + 1
    raw.close()


def test_an_empty_fragment_adds_nothing_to_a_text(server: LiveServer, match: str) -> None:
    raw = raw_socket(server, match)
    raw.sendall(frame(0x01, b'{"do":"ping","id":"a') + frame(0x00, b"") + frame(0x80, b'b"}'))
    received = b""
    while b'"re":"ab"' not in received:
        part = raw.recv(65536)
        assert part, received
        received += part
    raw.close()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(0x81, b'{"do":"ping","id":"\xff"}'), 1007),
        (frame(0x01, b'{"do":"ping","id":"\xc3') + frame(0x80, b'("}'), 1007),
        (frame(0x01, b'{"do":"ping","id":"\xed\xa0\x80'), 1007),  # before the message is whole
        (frame(0x01, b'{"do":"ping","id":"\xc3') + frame(0x80, b'\xa9"}') + frame(0x88, struct.pack("!H", 3999)), 3999),
        (frame(0x01, b"{") + frame(0x88, struct.pack("!H", 1000)), 1000),  # inside a message
        (frame(0x88, b"\x03"), 1002),
        (frame(0x88, struct.pack("!H", 999)), 1002),
        (frame(0x88, struct.pack("!H", 1005)), 1002),
        (frame(0x88, struct.pack("!H", 1000) + b"\xff"), 1007),
    ],
)
def test_texts_are_utf8_and_close_codes_those_of_the_standard(
    server: LiveServer, match: str, data: bytes, code: int
) -> None:
    raw = raw_socket(server, match)
    raw.sendall(data)
    assert received_code(end_of(raw)) == code


@pytest.mark.parametrize("headers", ["x: y\r\n" * 300, f"x: {'y' * 20_000}\r\n", "content-length: 5\r\n"])
def test_a_handshake_that_cannot_be_read_is_answered_and_ended(server: LiveServer, match: str, headers: str) -> None:
    assert end_of(upgrade(server, match, headers)).startswith(b"HTTP/1.1 4")


def test_a_fault_in_the_receiver_ends_its_socket_alone(
    server: LiveServer, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(connection: DocumentConnection, message: bytes) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(DocumentConnection, "message_received", fail)
    raw = raw_socket(server, match)
    raw.sendall(frame(0x81, b"{}"))
    assert received_code(end_of(raw)) == 1011


ORIGINS = [b"http://[", b"http://[::1", b"\x80\xff", b"null", b"http://]:[/"]


def test_origins_that_cannot_be_read_are_refused_and_the_process_still_ends_when_asked(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kemu", "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/k.sqlite"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as served:
        assert served.stdout is not None
        port = int(served.stdout.readline().decode().strip().rstrip("/").rsplit(":", 1)[1])
        for origin in ORIGINS:
            raw = tcp.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
            raw.sendall(
                b"GET /api/matches/x/socket HTTP/1.1\r\nhost: 127.0.0.1\r\n"
                b"upgrade: websocket\r\nconnection: upgrade\r\n"
                b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                b"origin: " + origin + b"\r\n\r\n"
            )
            assert end_of(raw).startswith(b"HTTP/1.1 403"), origin
        served.send_signal(signal.SIGTERM)
        served.wait(PATIENCE_SECONDS)


def test_handshakes_that_are_aborted_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gates: list[asyncio.Event] = []
    lost = threading.Semaphore(0)
    find, connection_lost = MatchRegistry.find, WebSocket.connection_lost

    async def find_later(registry: MatchRegistry, name: str) -> Any:
        await gates[0].wait()
        return await find(registry, name)

    def lose(websocket: WebSocket, error: Exception | None) -> None:
        connection_lost(websocket, error)
        lost.release()

    monkeypatch.setattr(WebSocket, "connection_lost", lose)
    with run_server(Settings(f"sqlite:///{tmp_path}/kemu.sqlite", sockets_per_player=4)) as server:
        hine, tama = server.guest("Hine"), server.guest("Tama")
        match = hine.new_match("me", "open")["id"]
        tama.post(f"/api/matches/{match}/join", {})
        server.call(lambda: gates.append(asyncio.Event()))
        monkeypatch.setattr(MatchRegistry, "find", find_later)
        cookie = "; ".join(f"{name}={value}" for name, value in hine.http.cookies.items())
        for number in range(40):
            aborted = raw_socket(server, match, f"cookie: {cookie}\r\n")
            if number % 2:  # half of them reset the connection, the others end it
                aborted.setsockopt(tcp.SOL_SOCKET, tcp.SO_LINGER, struct.pack("ii", 1, 0))
            aborted.close()
        for _ in range(40):
            assert lost.acquire(timeout=PATIENCE_SECONDS)
        server.call(lambda: gates[0].set())
        witness = tama.open(match)
        witness.until(type="full")
        presence = witness.until(type="presence")
        assert [seat["here"] for seat in presence["seats"]] == [False, True]
        for _ in range(4):
            hine.open(match).until(type="full")
        assert server.parts.connections.connections == 5


def test_messages_sent_before_the_handshake_is_answered_are_read_in_order(server: LiveServer, match: str) -> None:
    raw = raw_socket(server, match)
    raw.sendall(b"".join(frame(0x81, json.dumps({"do": "ping", "id": f"p{n}"}).encode()) for n in range(20)))
    received = b""
    while b'"re":"p19"' not in received:
        received += raw.recv(65536)
    places = [received.index(b'"re":"p%d"' % number) for number in range(20)]
    assert places == sorted(places)
    raw.close()


def test_no_answer_to_a_request_comes_among_the_frames_of_a_socket(server: LiveServer, match: str) -> None:
    get = f"GET /api/games HTTP/1.1\r\nhost: {server.url.removeprefix('http://')}\r\n\r\n".encode()
    received = end_of(upgrade(server, match, before=get))
    assert b"HTTP/1.1 101" not in received


FRAMES = st.one_of(
    st.tuples(st.just(0x81), st.binary(max_size=200)),
    st.tuples(st.just(0x89), st.binary(max_size=20)),
    st.tuples(st.just(0x82), st.binary(max_size=20)),
)


@given(st.lists(FRAMES, max_size=6), st.lists(st.integers(0, 600), max_size=6))
def test_frames_are_the_same_however_the_network_cuts_them(sent: list[tuple[int, bytes]], cuts: list[int]) -> None:
    received: list[Frame] = []
    protocol = FrameProtocol(1000, received.append)
    protocol.receive_data(
        b"GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    request = protocol.events_received()[0]
    assert isinstance(request, Request)
    protocol.send_response(protocol.accept(request))
    frames = [frame(first, body) for first, body in sent]
    ends = [len(b"".join(frames[: number + 1])) for number in range(len(frames))]
    stream, places = b"".join(frames), sorted({0, *cuts, *ends})
    for start, end in pairwise([*places, len(stream) + 1]):
        if not (part := stream[start:end]):
            continue
        if (text := protocol.short_text(part)) is not None:
            received.append(Frame(Opcode.TEXT, text))
        else:
            protocol.receive_data(part)
    assert [(each.opcode | 0x80, bytes(each.data)) for each in received] == sent
    assert protocol.state is State.OPEN


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
def test_texts_are_sent_in_the_frames_of_the_library(size: int) -> None:
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
