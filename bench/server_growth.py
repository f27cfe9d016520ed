"""A server on a database that has grown: its start, its idle time, its lists, and a backup while people play.

python -m bench.grown_database sqlite:///grown.sqlite --matches 1000000
python -m bench.server_growth sqlite:///grown.sqlite
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from bench.grown_database import COOKIE
from bench.server_wire import ServerProcess, Web, start_server

LISTS = [
    "/api/matches?show=lobby",
    "/api/matches?show=live",
    "/api/matches?show=finished&limit=100",
    "/api/matches?show=finished&game=mauw&before=1600000500000",
    "/api/matches?show=finished&game=no-such-game",
    "/api/matches?show=mine&limit=100",
    "/api/matches?show=mine&game=mu-torere",
    "/api/matches?show=mine&game=no-such-game",
    "/api/ratings/mauw",
    "/api/players/p000000000",
    "/api/sessions",
    "/api/studies",
]

REQUESTS = 40
"""For each list."""

PAUSE_SECONDS = 0.1
"""Between two matches that are made and joined while a backup runs."""


def database_cpu(database: str) -> float:
    """CPU seconds of the processes of PostgreSQL that serve a database."""
    total = 0.0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f" {database} ".encode() in process.joinpath("cmdline").read_bytes():
                fields = process.joinpath("stat").read_text().rsplit(")", 1)[1].split()
                total += (int(fields[11]) + int(fields[12])) / 100
        except OSError:
            continue
    return total


class Growth:
    """A server and the database that it uses."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._name = make_url(url).database or ""
        start = time.perf_counter()
        self.server: ServerProcess = start_server(url)
        self.started = time.perf_counter() - start

    def cpu(self) -> float:
        """CPU seconds used so far."""
        return self.server.cpu() + (database_cpu(self._name) if self.url.startswith("postgresql") else 0.0)

    async def lists(self) -> dict[str, str]:
        """Processor time for each list, and the longest answer, in ms."""
        web, found = Web(self.server.port, 1), {}
        for path in LISTS:
            await web.ask("GET", path, None, COOKIE)
            before, longest = self.cpu(), 0.0
            for _ in range(REQUESTS):
                start = time.perf_counter()
                await web.ask("GET", path, None, COOKIE)
                longest = max(longest, time.perf_counter() - start)
            found[path] = f"{1000 * (self.cpu() - before) / REQUESTS:.1f} ({1000 * longest:.0f})"
        return found

    async def backup(self) -> dict[str, Any]:
        """Copy the database while matches are made."""
        web, made = Web(self.server.port), 0
        with tempfile.TemporaryDirectory(dir=Path(self._name).parent) as folder:
            words = [sys.executable, "-m", "kemu", "backup", f"{folder}/copy.sqlite", "--database", self.url]
            start = time.perf_counter()
            copying = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            seats = [{"kind": "me"}, {"kind": "open"}]
            while copying.poll() is None:
                cookies = await web.guest(), await web.guest()
                match, _ = await web.ask("POST", "/api/matches", {"game": "mu-torere", "seats": seats}, cookies[0])
                await web.ask("POST", f"/api/matches/{match['id']}/join", {}, cookies[1])
                made += 1
                await asyncio.sleep(PAUSE_SECONDS)
            seconds = time.perf_counter() - start
            size = Path(folder, "copy.sqlite").stat().st_size
        return {"seconds": round(seconds, 1), "GB": round(size / 1e9, 2), "matches made meanwhile": made}


async def measure(growth: Growth, settle: float, idle: float) -> dict[str, Any]:
    """Look at a server that has just started."""
    found: dict[str, Any] = {"start s": round(growth.started, 2), "lists at once": await growth.lists()}
    await asyncio.sleep(settle)
    found["MiB"] = round(growth.server.memory())
    cpu, start = growth.cpu(), time.perf_counter()
    await asyncio.sleep(idle)
    found["idle %"] = round(100 * (growth.cpu() - cpu) / (time.perf_counter() - start), 2)
    found["lists"] = await growth.lists()
    if make_url(growth.url).get_backend_name() == "sqlite":
        found["backup"] = await growth.backup()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--settle", type=float, default=30)
    parser.add_argument("--idle", type=float, default=30)
    chosen = parser.parse_args()
    growth = Growth(chosen.database)
    try:
        print(json.dumps(asyncio.run(measure(growth, chosen.settle, chosen.idle)), indent=1))
    finally:
        growth.server.stop()


if __name__ == "__main__":
    main()
