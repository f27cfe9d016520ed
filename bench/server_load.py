"""Matches of Mū tōrere at full speed or at an offered rate, and the same on boardgame.io if its harness is given.

python -m bench.server_load --matches 200 --seconds 15
python -m bench.server_load --matches 500 --think 1000
python -m bench.server_load --peer ../boardgameio
python -m bench.server_load --database postgresql://host/name --workers 2

After each game the same two players begin another: made and joined over HTTP and followed in the open sockets, as
boardgame.io's harness does it (http); the same in new sockets (sockets); or agreed on in the open sockets (rematch).
"""

import argparse
import asyncio
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.server_crash import Cluster
from bench.server_wire import Frame, Link, Web, decode_frame, machine, open_link, server_on

SEATS = [{"kind": "me"}, {"kind": "open"}]


class Load:
    """What all pairs share: the server, the pace and the figures."""

    def __init__(self, port: int, think: float, again: str) -> None:
        self.port = port
        self.think = think
        self.again = again
        self.web = Web(port)
        self.running = True
        self.measuring = False
        self.acknowledged = 0
        self.games = 0
        self.errors: dict[str, int] = {}
        self.latencies: list[float] = []

    def fail(self, kind: str) -> None:
        """Count something that should not happen."""
        self.errors[kind] = self.errors.get(kind, 0) + 1


class Pair:
    """Two players who play game after game."""

    def __init__(self, load: Load, number: int) -> None:
        self._load = load
        self._source = random.Random(number)
        self._cookies: list[str] = []
        self._links: list[Link] = []
        self._sent: dict[str, float] = {}
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Two guests, and their first match."""
        self._cookies = [await self._load.web.guest() for _ in SEATS]
        await self._come(await self._make())

    async def _make(self) -> str:
        """A new match over HTTP."""
        web = self._load.web
        match, _ = await web.ask("POST", "/api/matches", {"game": "mu-torere", "seats": SEATS}, self._cookies[0])
        await web.ask("POST", f"/api/matches/{match['id']}/join", {}, self._cookies[1])
        return str(match["id"])

    async def _come(self, match: str) -> None:
        """Open both sockets."""
        self._links = []
        for seat, cookie in enumerate(self._cookies):
            received = lambda text, seat=seat: self._received(seat, text)  # noqa: E731
            self._links.append(await open_link(self._load.port, match, cookie, received, lambda: None))

    def _received(self, seat: int, text: bytes) -> None:
        frame = decode_frame(text)
        load = self._load
        if frame.re and frame.re in self._sent:
            self._answered(frame)
        if not load.running or frame.type == "presence":
            return
        if frame.outcome:
            self._over(seat, frame)
        elif frame.actions:
            if load.think:
                delay = load.think * (0.5 + self._source.random())
                asyncio.get_running_loop().call_later(delay, self._act, seat, frame)
            else:
                self._act(seat, frame)

    def _over(self, seat: int, frame: Frame) -> None:
        """Begin the next game."""
        last = frame.events[-1]
        if self._load.again != "rematch":
            if frame.re:
                self._load.games += 1
                task = asyncio.get_running_loop().create_task(self._again())
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        elif last.event == "acted":
            if frame.re:
                self._load.games += 1
                self._links[seat].send(b'{"do":"offer","id":"r","what":"rematch"}')
        elif last.event == "offered":
            if not frame.re:
                self._links[seat].send(b'{"do":"accept","id":"r","what":"rematch"}')
        else:
            self._follow(self._links[seat], last.match)

    def _answered(self, frame: Frame) -> None:
        load = self._load
        sent = self._sent.pop(frame.re)
        if frame.type != "event":
            load.fail(frame.code or frame.type)
        elif load.measuring:
            load.acknowledged += 1
            load.latencies.append(time.perf_counter() - sent)

    def _act(self, seat: int, frame: Frame) -> None:
        if not self._load.running:
            return
        self._number += 1
        name, action = f"c{self._number}", self._source.choice(frame.actions)
        self._sent[name] = time.perf_counter()
        self._links[seat].send(f'{{"do":"act","id":"{name}","version":{frame.version},"action":"{action}"}}'.encode())

    async def _again(self) -> None:
        match = await self._make()
        if self._load.again == "http":
            for link in self._links:
                self._follow(link, match)
        else:
            for link in self._links:
                link.close()
            await self._come(match)

    @staticmethod
    def _follow(link: Link, match: str) -> None:
        link.send(f'{{"do":"follow","id":"f","match":"{match}"}}'.encode())


async def drive(
    port: int, matches: int, seconds: float, think: float, again: str, cpu: Callable[[], float]
) -> dict[str, Any]:
    """The figures of one run."""
    load = Load(port, think, again)
    pairs = [Pair(load, number) for number in range(matches)]
    for start in range(0, matches, 16):
        await asyncio.gather(*(pair.begin() for pair in pairs[start : start + 16]))
    await asyncio.sleep(3)
    load.measuring = True
    before, own, all_before, start_time, games = cpu(), time.process_time(), machine(), time.perf_counter(), load.games
    await asyncio.sleep(seconds)
    load.measuring = load.running = False
    elapsed, used = time.perf_counter() - start_time, cpu() - before
    driver, whole = time.process_time() - own, machine() - all_before
    latencies = sorted(load.latencies)
    return {
        "acknowledged per second": round(load.acknowledged / elapsed),
        "acknowledged per server CPU second": round(load.acknowledged / used),
        "p50 p95 p99 ms": [round(1000 * latencies[int(len(latencies) * part)], 1) for part in (0.5, 0.95, 0.99)],
        "games": load.games - games,
        "server CPU %": round(100 * used / elapsed),
        "driver CPU %": round(100 * driver / elapsed),
        "other work CPU %": round(100 * (whole - used - driver) / elapsed),
        "errors": load.errors,
    }


def ours(database: str, workers: int, again: str, matches: int, seconds: float, think: float) -> dict[str, Any]:
    """Kemu's figures."""
    with server_on(database, workers) as server:
        return asyncio.run(drive(server.port, matches, seconds, think / 1000, again, server.cpu))


def peer(folder: Path, storage: str, matches: int, seconds: float, think: float) -> dict[str, Any]:
    """boardgame.io's figures, by its own harness."""
    words = ["node", "load.js", "--matches", matches, "--seconds", seconds, "--storage", storage, "--think", think]
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, check=True)
    found = json.loads(done.stdout)
    mover = found["mover"]
    return {
        "acknowledged per second": found["movesPerSec"],
        "acknowledged per server CPU second": found["movesPerServerCpuSec"],
        "p50 p95 p99 ms": [mover["p50"], mover["p95"], mover["p99"]],
        "games": found["gamesFinished"],
        "server CPU %": found["server"]["cpuPct"],
        "driver CPU %": found["driverCpuPct"],
        "other work CPU %": found["otherCpuPct"],
        "errors": found["errors"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--think", type=float, default=0, help="mean milliseconds before each action")
    parser.add_argument("--database", help="a URL, or postgres for a new cluster; default: SQLite in a new file")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--again", choices=["http", "sockets", "rematch"], default="http", help="how the next game begins"
    )
    parser.add_argument("--peer", type=Path, help="folder of the boardgame.io harness")
    chosen = parser.parse_args()
    shape = (chosen.matches, chosen.seconds, chosen.think)
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        cluster = Cluster(Path(folder) / "postgres") if chosen.database == "postgres" else None
        database = cluster.url if cluster else chosen.database or f"sqlite:///{folder}/kemu.sqlite"
        print("kemu", json.dumps(ours(database, chosen.workers, chosen.again, *shape)))
        if cluster:
            cluster.stop()
    if chosen.peer is not None:
        for storage in ("memory", "flatfile"):
            print("boardgame.io", storage, json.dumps(peer(chosen.peer, storage, *shape)))


if __name__ == "__main__":
    main()
