"""Players, hostile sockets, kills of workers and of PostgreSQL, all at once, for as long as you like.

    python -m bench.server_soak --minutes 30

Two workers behind one port on a PostgreSQL of its own. Honest players think, act, and come back when their socket
breaks; hostile clients flood, abort, never read, and ask for what cannot be; every so often a worker or PostgreSQL is
killed. Afterwards: is everything there that was acknowledged, how long did honest players wait outside a kill, is
memory flat?
Exit code 1 if one of these does not hold.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.server_crash import Cluster, Crash
from bench.server_wire import ServerProcess, machine, start_server

MOST_WAIT_SECONDS = 2.0
RECOVERY_SECONDS = 5.0
"""A wait that overlaps this time after the end of a kill belongs to the kill."""

MOST_GROWTH = 1.15
"""How much more memory the last third of the run may use than the second."""

UPGRADE = (
    "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{headers}\r\n"
)


def frame(first: int, body: bytes) -> bytes:
    """A short frame, masked with zeros."""
    return bytes([first, 0x80 | len(body), 0, 0, 0, 0]) + body


FLOODS = [
    frame(0x8A, b"") * 100_000,
    frame(0x89, b"x" * 125) * 8_000,
    frame(0x01, b"{") + frame(0x00, b" ") * 16_000,
    frame(0x81, b'{"do":"full","id":"x"}') * 10_000,
    frame(0x81, b"nonsense") * 10_000,
    frame(0x81, b"\xff\xfe"),
    frame(0x88, b"\x03\xe7"),
    os.urandom(50_000),
]
BAD_REQUESTS = [
    b"GET /api/matches/%00 HTTP/1.1\r\nhost: kemu\r\nconnection: close\r\n\r\n",
    b"GET /api/players/%00 HTTP/1.1\r\nhost: kemu\r\nconnection: close\r\n\r\n",
    b"GET /api/matches?game=%00 HTTP/1.1\r\nhost: kemu\r\nconnection: close\r\n\r\n",
    b"POST /api/matches HTTP/1.1\r\nhost: kemu\r\ncontent-length: 100000\r\n\r\n{",
]


class Hostile:
    """One client who means harm, again and again."""

    def __init__(self, port: int, crash: Crash, seed: int) -> None:
        self._port = port
        self._crash = crash
        self._source = random.Random(seed)
        self._held: list[asyncio.StreamWriter] = []
        self.done = 0

    async def run(self) -> None:
        """Do harm until the run is over."""
        kinds: list[Callable[[], Awaitable[None]]] = [
            self._flood,
            self._abort,
            self._never_read,
            self._ask,
            self._origin,
        ]
        while not self._crash.over:
            with contextlib.suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(10):
                    await self._source.choice(kinds)()
            self.done += 1
            await asyncio.sleep(0.2 * self._source.random())

    def _match(self) -> str:
        return self._source.choice(list(self._crash.tally.cookies) or ["nowhere"])

    async def _open(self, headers: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        path = f"/api/matches/{self._match()}/socket"
        writer.write(UPGRADE.format(path=path, headers=headers).encode())
        return reader, writer

    async def _flood(self) -> None:
        reader, writer = await self._open()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(self._source.choice(FLOODS))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3):
                while await reader.read(65536):
                    pass
        writer.transport.abort()

    async def _abort(self) -> None:
        for _ in range(10):
            _, writer = await self._open()
            await writer.drain()
            writer.transport.abort()

    async def _never_read(self) -> None:
        """Keep up to three sockets that ask and never read."""
        reader, writer = await self._open()
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(frame(0x81, b'{"do":"full","id":"x"}') * 50 + frame(0x89, b"x" * 100) * 50)
        self._held.append(writer)
        if len(self._held) > 3:
            self._held.pop(0).transport.abort()

    async def _ask(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(self._source.choice(BAD_REQUESTS))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await reader.read()
        writer.transport.abort()

    async def _origin(self) -> None:
        reader, writer = await self._open("origin: http://[\r\n")
        await reader.read()
        writer.close()


class Soak:
    """The whole run, and its figures."""

    def __init__(self, cluster: Cluster, server: ServerProcess, chosen: argparse.Namespace) -> None:
        self._cluster = cluster
        self._server = server
        self._chosen = chosen
        self._crash = Crash([server.port], chosen.matches, chosen.think / 1000)
        self._kills: list[tuple[float, float, str]] = []
        self._memory: list[float] = []

    async def run(self) -> dict[str, Any]:
        """Begin, do harm, kill, check."""
        await self._crash.begin()
        hostile = [Hostile(self._server.port, self._crash, number) for number in range(self._chosen.hostile)]
        tasks = [asyncio.create_task(one.run()) for one in hostile]
        tasks.append(asyncio.create_task(self._sample()))
        end, began, busy = time.monotonic() + 60 * self._chosen.minutes, time.monotonic(), machine()
        while time.monotonic() < end:
            await asyncio.sleep(self._chosen.between * (0.5 + random.random()))
            await asyncio.to_thread(self._kill)
        await asyncio.sleep(RECOVERY_SECONDS)
        minutes, load = (time.monotonic() - began) / 60, (machine() - busy) / (time.monotonic() - began)
        found = await self._crash.check(self._cluster.url)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return {
            "minutes": round(minutes, 1),
            "cores busy": round(load, 2),
            "kills": {kind: sum(one == kind for _, _, one in self._kills) for kind in ("worker", "postgres")},
            "hostile acts": sum(one.done for one in hostile),
            **found,
            **self._waits(),
            **self._growth(),
        }

    def _kill(self) -> None:
        """Kill a worker, or PostgreSQL, in turn."""
        began, kind = time.monotonic(), ("worker", "postgres")[len(self._kills) % 2]
        if kind == "postgres":
            self._cluster.kill()
        else:
            workers = self._server.workers()
            if workers:
                os.kill(random.choice(workers), signal.SIGKILL)
        self._kills.append((began, time.monotonic(), kind))

    async def _sample(self) -> None:
        while not self._crash.over:
            with contextlib.suppress(OSError, IndexError):  # a process that has just ended
                self._memory.append(self._server.memory())
            await asyncio.sleep(1)

    def _waits(self) -> dict[str, Any]:
        """How long honest players waited for an answer, outside the kills and in all."""
        windows = [(began, ended + RECOVERY_SECONDS) for began, ended, _ in self._kills]
        waits = self._crash.tally.waits
        outside = sorted(
            answered - sent
            for sent, answered in waits
            if not any(sent < end and answered > begin for begin, end in windows)
        )
        longest = max((answered - sent for sent, answered in waits), default=0.0)
        return {
            "answers outside a kill": len(outside),
            "p50 p99 longest ms outside a kill": [
                round(1000 * outside[int((len(outside) - 1) * part)]) for part in (0.5, 0.99, 1.0)
            ],
            "longest wait in a kill s": round(longest, 1),
        }

    def _growth(self) -> dict[str, Any]:
        """The median memory of all processes in each third of the run, in MiB."""
        size = len(self._memory) // 3
        thirds = [sorted(self._memory[part * size : (part + 1) * size]) for part in range(3)]
        return {"memory MiB by thirds": [round(third[len(third) // 2]) for third in thirds]}


def holds(result: dict[str, Any]) -> bool:
    """Whether the promises hold."""
    thirds = result["memory MiB by thirds"]
    kept = result["lost"] == result["unreadable"] == result["servers behind"] == 0
    prompt = result["p50 p99 longest ms outside a kill"][2] <= 1000 * MOST_WAIT_SECONDS
    return bool(kept and prompt and thirds[2] <= MOST_GROWTH * thirds[1])


def main() -> None:
    """Read the command line, run, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--think", type=float, default=300, help="mean milliseconds before each action")
    parser.add_argument("--hostile", type=int, default=4, help="hostile clients")
    parser.add_argument("--between", type=float, default=20, help="mean seconds between kills")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        cluster = Cluster(Path(folder) / "postgres")
        server = start_server(cluster.url, workers=2)
        try:
            result = asyncio.run(Soak(cluster, server, chosen).run())
        finally:
            server.kill()
            cluster.stop()
    print(json.dumps(result))
    sys.exit(0 if holds(result) else 1)


if __name__ == "__main__":
    main()
