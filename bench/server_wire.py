"""A lean client for load: HTTP and WebSocket by hand, because the driver shares its machine with the server."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec


@dataclass
class ServerProcess:
    """A server in processes of its own."""

    process: "subprocess.Popen[bytes]"
    port: int

    def kill(self) -> None:
        """End it without warning, with all its workers."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask it to end."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def pids(self) -> list[int]:
        """The process and all below it."""
        found = [self.process.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                with contextlib.suppress(OSError):
                    found += [int(child) for child in task.read_text().split()]
        return found

    def workers(self) -> list[int]:
        """Those that serve, if there are several."""
        return [pid for pid in self.pids() if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def cpu(self) -> float:
        """CPU seconds used so far."""
        return sum(_stat(pid) for pid in self.pids())

    def memory(self) -> float:
        """Resident memory in MiB."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids())
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _stat(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine() -> float:
    """CPU seconds that all of the machine has worked."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return (sum(fields[:3]) + fields[5] + fields[6]) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(database: str, port: int | None = None, workers: int = 1) -> ServerProcess:
    """A server on this database, without the limits that a load would run into; waits until it answers."""
    port = port or free_port()
    settings = {
        "KEMU_REQUESTS_PER_SECOND": "1000000",
        "KEMU_MESSAGES_PER_SECOND": "100000",
        "KEMU_ADDRESS_MESSAGES_PER_SECOND": "1000000",
        "KEMU_MATCHES_PER_GUEST": "1000000",
        "KEMU_VISITORS_PER_MINUTE": "1000000",
        "KEMU_MATCHES_PER_MINUTE": "1000000",
        "KEMU_SOCKETS_PER_ADDRESS": "1000000",
        "KEMU_CONNECTIONS_PER_ADDRESS": "1000000",
        "KEMU_SOCKETS_PER_PLAYER": "1000000",
        "KEMU_COMPILE_ENGINES": "false",
        "KEMU_LOG_LEVEL": os.environ.get("KEMU_LOG_LEVEL", "error"),
    }
    words = [sys.executable, "-m", "kemu", "serve", "--port", str(port), "--database", database]
    process = subprocess.Popen(
        [*words, "--workers", str(workers)],
        env=os.environ | settings,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=None if "KEMU_LOG_LEVEL" in os.environ else subprocess.DEVNULL,
    )
    server = ServerProcess(process, port)
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as probe:
            probe.settimeout(20)
            probe.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            if probe.recv(100).startswith(b"HTTP/1.1 200"):
                return server
        time.sleep(0.05)
    raise RuntimeError("the server did not start")


@contextmanager
def server_on(database: str, workers: int = 1) -> Iterator[ServerProcess]:
    """A server for the length of a block."""
    server = start_server(database, workers=workers)
    try:
        yield server
    finally:
        server.stop()


class Web:
    """HTTP over a few kept connections."""

    def __init__(self, port: int, connections: int = 8) -> None:
        self._port = port
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = asyncio.Queue()
        for _ in range(connections):
            self._free.put_nowait(None)

    async def ask(self, method: str, path: str, body: object, cookie: str | None = None) -> tuple[Any, str | None]:
        """The answer in JSON, and a new cookie if there is one."""
        link = await self._free.get()
        try:
            reader, writer = link or await asyncio.open_connection("127.0.0.1", self._port)
            content = msgspec.json.encode(body)
            head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(content)}\r\n" + (f"cookie: kemu={cookie}\r\n" if cookie else "") + "\r\n"
            writer.write(head.encode() + content)
            headers = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
            length = next(int(line.split(":")[1]) for line in headers if line.startswith("content-length"))
            answer = await reader.readexactly(length)
            link = (reader, writer)
        except BaseException:
            link = None
            raise
        finally:
            self._free.put_nowait(link)
        if not headers[0].split()[1].startswith("2"):
            raise RuntimeError(f"{method} {path}: {headers[0]} {answer[:200]!r}")
        return msgspec.json.decode(answer), None

    async def guest(self) -> str:
        """The cookie of a new guest."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(b"GET /api/me HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        text = (await reader.read()).decode()
        writer.close()
        return text.split("kemu=", 1)[1].split(";", 1)[0]


class Event(msgspec.Struct):
    """As much of an event as a driver needs."""

    event: str
    match: str = ""
    what: str = ""


class Frame(msgspec.Struct):
    """As much of a message as a driver needs."""

    type: str
    version: int = 0
    re: str = ""
    actions: list[str] = []
    outcome: msgspec.Raw = msgspec.Raw(b"")
    turn: int | None = None
    code: str = ""
    events: list[Event] = []


decode_frame = msgspec.json.Decoder(Frame).decode


class Link(asyncio.Protocol):
    """One WebSocket; messages go to `received`, its end to `disconnected`."""

    def __init__(
        self, path: str, cookie: str, received: Callable[[bytes], None], disconnected: Callable[[], None]
    ) -> None:
        self._path = path
        self._cookie = cookie
        self._received = received
        self._disconnected = disconnected
        self.lost = False
        self._buffer = b""
        self._open = False
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"cookie: kemu={self._cookie}\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True
        self._disconnected()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            if b"\r\n\r\n" not in buffer:
                self._buffer = buffer
                return
            head, buffer = buffer.split(b"\r\n\r\n", 1)
            if b" 101 " not in head[:20]:
                self._transport.close()
                return
            self._open = True
        start = 0
        while len(buffer) >= start + 2:
            length, body = buffer[start + 1] & 127, start + 2
            if length == 126:
                length, body = int.from_bytes(buffer[start + 2 : start + 4]), start + 4
            elif length == 127:
                length, body = int.from_bytes(buffer[start + 2 : start + 10]), start + 10
            if len(buffer) < body + length:
                break
            self._frame(buffer[start] & 15, buffer[body : body + length])
            start = body + length
        self._buffer = buffer[start:]

    def _frame(self, kind: int, body: bytes) -> None:
        if kind == 1:
            self._received(body)
        elif kind == 9:
            self._write(10, body)
        elif kind == 8:
            self._transport.close()

    def send(self, message: bytes) -> None:
        """Send a text."""
        self._write(1, message)

    def close(self) -> None:
        """Close the socket."""
        self._transport.close()

    def _write(self, kind: int, body: bytes) -> None:
        size = len(body)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        # A mask of zeros is a mask and changes nothing.
        self._transport.write(bytes([128 | kind]) + length + b"\0\0\0\0" + body)


async def open_link(
    port: int,
    match: str,
    cookie: str,
    received: Callable[[bytes], None],
    disconnected: Callable[[], None],
    query: str = "",
) -> Link:
    """A socket of a match."""
    path = f"/api/matches/{match}/socket{query}"
    _, link = await asyncio.get_running_loop().create_connection(
        lambda: Link(path, cookie, received, disconnected), "127.0.0.1", port
    )
    return link
