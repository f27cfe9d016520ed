"""A WebSocket spoken by hand over TCP, as wrongly as a test likes."""

import socket as tcp
import struct

from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer


def upgrade(
    server: LiveServer, match: str, headers: str = "", receive_bytes: int | None = None, before: bytes = b""
) -> tcp.socket:
    """A TCP connection on which the handshake of a match's socket was sent, and something before it.

    `receive_bytes` is the size of the connection's buffer.
    """
    host, port = server.url.removeprefix("http://").split(":")
    raw = tcp.socket()
    raw.settimeout(PATIENCE_SECONDS)
    if receive_bytes is not None:
        raw.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, receive_bytes)
    raw.connect((host, int(port)))
    raw.sendall(
        before
        + f"GET /api/matches/{match}/socket HTTP/1.1\r\nhost: {host}:{port}\r\nupgrade: websocket\r\n"
        "connection: upgrade\r\nsec-websocket-version: 13\r\n"
        f"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{headers}\r\n".encode()
    )
    return raw


def raw_socket(server: LiveServer, match: str, headers: str = "", receive_bytes: int | None = None) -> tcp.socket:
    """A TCP connection on which a WebSocket was opened."""
    raw = upgrade(server, match, headers, receive_bytes)
    assert raw.recv(12) == b"HTTP/1.1 101"
    return raw


def frame(first: int, body: bytes, *, masked: bool = True, size: int | None = None) -> bytes:
    """A WebSocket frame, as wrong as one likes."""
    length = len(body) if size is None else size
    head = bytes([first, (128 if masked else 0) | (length if length < 126 else 126 if length < 65536 else 127)])
    if length >= 126:
        head += struct.pack("!H" if length < 65536 else "!Q", length)
    return head + (b"\0\0\0\0" if masked else b"") + body


def end_of(raw: tcp.socket) -> bytes:
    """All that the server sends until it closes."""
    received = b""
    with raw:
        while part := raw.recv(65536):
            received += part
    return received


def received_code(received: bytes) -> int:
    """The code of the close frame at the end of what a server sent; a reason may follow the code."""
    start = received.rindex(b"\x88")
    assert start + 2 + received[start + 1] == len(received), received[-40:]
    return int.from_bytes(received[start + 2 : start + 4])
