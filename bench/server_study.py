"""How much one user's analysis slows down another's live actions: rounds with and without it, in turns, in one run.

python bench/server_study.py --rounds 20 --actions 50

Two players act in a match of Mū tōrere over their sockets while a third has the engine analyse Moeraki-Kemu, in every
second round. An action is timed from its command to the event at the player who sent it. It also times the first line
of analyses that begin one after the other, on a warm server.
"""

import argparse
import asyncio
import json
import tempfile
import time
from statistics import median, quantiles
from typing import Any

from server_wire import Web, server_on
from websockets.asyncio.client import connect

QUESTION = {"do": "analyse", "game": "moeraki-kemu", "lines": 3}
OPENINGS = [["@f6", "e5", "f8"], ["@g7", "e5", "e7"], ["@f6", "d4", "h8"], ["@f6", "c3", "d4", "i9"]]


async def first_lines(address: str) -> list[float]:
    """Milliseconds from a question to its first line, one question after the other."""
    found = []
    async with connect(address) as socket:
        for number in range(4 * len(OPENINGS)):
            actions = OPENINGS[number % len(OPENINGS)]
            begin = time.perf_counter()
            await socket.send(json.dumps({**QUESTION, "id": f"q{number}", "actions": actions}))
            while json.loads(await socket.recv()).get("re") != f"q{number}":
                pass
            found.append(1000 * (time.perf_counter() - begin))
    return found[len(OPENINGS) :]  # the first ones compile and fill tables


async def analyse(address: str, running: asyncio.Event) -> None:
    """Analyse for as long as it is not cancelled; sets the event with the first line."""
    async with connect(address) as socket:
        await socket.send(json.dumps({**QUESTION, "id": "q", "actions": OPENINGS[0]}))
        async for message in socket:
            if json.loads(message)["type"] == "analysis":
                running.set()


class Game:
    """Two players at their sockets; when a match is over they begin another."""

    def __init__(self, web: Web, port: int, cookies: list[str]) -> None:
        self._web = web
        self._port = port
        self._cookies = cookies
        self._players: list[Any] = []
        self._turn: int | None = None
        self._version = 0
        self._actions: list[str] = []

    async def act(self) -> float:
        """Milliseconds from a command to its event at the player who sent it."""
        if self._turn is None:
            await self._begin()
        seat = self._turn or 0
        command = {"do": "act", "id": f"a{self._version}", "version": self._version, "action": self._actions[0]}
        begin = time.perf_counter()
        await self._players[seat].send(json.dumps(command))
        await self._follow(seat)
        taken = 1000 * (time.perf_counter() - begin)
        await self._follow(1 - seat)
        return taken

    async def _begin(self) -> None:
        for player in self._players:
            await player.close()
        body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"repetition": False}}
        match = (await self._web.ask("POST", "/api/matches", body, self._cookies[0]))[0]["id"]
        await self._web.ask("POST", f"/api/matches/{match}/join", {}, self._cookies[1])
        address = f"ws://127.0.0.1:{self._port}/api/matches/{match}/socket"
        self._players = [
            await connect(address, additional_headers={"cookie": f"kemu={cookie}"}) for cookie in self._cookies
        ]
        for player in self._players:
            self._read(json.loads(await player.recv()))

    async def _follow(self, seat: int) -> None:
        """Read the next event of the match at a seat."""
        while (frame := json.loads(await self._players[seat].recv()))["type"] != "event":
            if frame["type"] == "refused":
                raise RuntimeError(frame["message"])
        self._read(frame)

    def _read(self, frame: dict[str, Any]) -> None:
        self._turn, self._version = frame["turn"], frame["version"]
        self._actions = frame.get("actions", self._actions)


async def measure(port: int, rounds: int, actions: int) -> None:
    """Print both distributions and their difference."""
    address = f"ws://127.0.0.1:{port}/api/analysis/socket"
    lines = await first_lines(address)
    print(f"first line: median {median(lines):.0f} ms, most {max(lines):.0f} ms of {len(lines)}")
    web = Web(port)
    game = Game(web, port, [await web.guest() for _ in range(2)])
    times: dict[bool, list[float]] = {False: [], True: []}
    for number in range(2 * rounds):
        beside, running = number % 2 == 1, asyncio.Event()
        analysis = asyncio.create_task(analyse(address, running)) if beside else None
        if analysis is not None:
            await running.wait()
        times[beside] += [await game.act() for _ in range(actions)]
        if analysis is not None:
            analysis.cancel()
    p95 = {beside: quantiles(found, n=20)[-1] for beside, found in times.items()}
    for beside, found in times.items():
        name = "with analysis" if beside else "without"
        print(f"{name}: median {median(found):.2f} ms, p95 {p95[beside]:.2f} ms of {len(found)} actions")
    print(f"slower at p95 by {p95[True] - p95[False]:.2f} ms")


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--actions", type=int, default=50)
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        server_on(f"sqlite:///{folder}/kemu.sqlite") as server,
    ):
        asyncio.run(measure(server.port, chosen.rounds, chosen.actions))


if __name__ == "__main__":
    main()
