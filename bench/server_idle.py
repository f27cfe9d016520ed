"""How much memory idle sockets take: people at their seats, two to a match, and nothing happens.

python -m bench.server_idle --sockets 5000
"""

import argparse
import asyncio
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.server_wire import Link, ServerProcess, Web, open_link, server_on

SEATS = [{"kind": "me"}, {"kind": "open"}]


async def sit(server: ServerProcess, sockets: int) -> dict[str, Any]:
    """Open the sockets, wait, and look at the server."""
    web = Web(server.port)
    links: list[Link] = []
    full_frames = 0

    def received(text: bytes) -> None:
        nonlocal full_frames
        full_frames += text.startswith(b'{"type":"full"')

    async def pair() -> None:
        cookies = [await web.guest() for _ in SEATS]
        match, _ = await web.ask("POST", "/api/matches", {"game": "mu-torere", "seats": SEATS}, cookies[0])
        await web.ask("POST", f"/api/matches/{match['id']}/join", {}, cookies[1])
        for cookie in cookies:
            links.append(await open_link(server.port, match["id"], cookie, received, lambda: None))

    for _ in range(10):  # warm up, so that the base line holds all that is loaded once
        await pair()
    await asyncio.sleep(2)
    base, opened = server.memory(), len(links)
    for _ in range(0, sockets, 64):
        await asyncio.gather(*(pair() for _ in range(32)))
    await asyncio.sleep(5)
    after, cpu, start = server.memory(), server.cpu(), time.perf_counter()
    await asyncio.sleep(30)  # longer than the time between pings
    idle = (server.cpu() - cpu) / (time.perf_counter() - start)
    added = len(links) - opened
    return {
        "sockets": added,
        "full frames": full_frames - opened,
        "base MiB": round(base, 1),
        "more MiB": round(after - base, 1),
        "KiB each": round((after - base) * 1024 / added, 1),
        "MiB after 30 s": round(server.memory() - base, 1),
        "idle CPU %": round(100 * idle, 1),
        "still open": sum(not link.lost for link in links) - opened,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=5000)
    chosen = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder,
        server_on(f"sqlite:///{folder}/kemu.sqlite") as server,
    ):
        print(json.dumps(asyncio.run(sit(server, chosen.sockets))))


if __name__ == "__main__":
    main()
