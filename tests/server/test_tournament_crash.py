"""A server that is killed in the middle of a tournament: the standings are those of its journal."""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from bench.server_wire import ServerProcess, free_port, start_server
from kemu.people.tournaments.events import decode_tournament_entry, evolve
from kemu.people.tournaments.standings import standings
from kemu.people.tournaments.values import Tournament
from kemu.storage.store import Store
from tests.server.live_server import Client, LiveServer
from tests.server.tournament_play import Follower, asked, entered, new_tournament, resign
from tests.unmeasured import unmeasured


class Mortal:
    """A server in a process of its own that is killed and started again at the same address."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._port = free_port()
        app = cast(Any, SimpleNamespace(server=None))  # it is in another process
        self.live = LiveServer(f"http://127.0.0.1:{self._port}", app, cast(Any, None), self.kill)
        self._process: ServerProcess = start_server(database, self._port)

    def kill(self) -> None:
        self._process.kill()

    def kill_and_start(self) -> None:
        """End the process without warning, and start another one."""
        self.kill()
        self._process = start_server(self._database, self._port)


@contextmanager
def mortal(path: Path) -> Iterator[Mortal]:
    found = Mortal(f"sqlite:///{path}")
    try:
        with found.live.stack:
            yield found
    finally:
        found.kill()


def account(live: LiveServer, name: str) -> Client:
    client = live.client()
    client.post("/api/account", {"name": name, "password": "a long password"}, 201)
    client.me = client.get("/api/me")
    return client


def replayed(path: Path, tournament: str) -> Tournament:
    """The tournament as its journal tells it."""

    async def read() -> Tournament:
        store = Store(f"sqlite:///{path}")
        await store.open()
        try:
            row = await store.tournaments.row(tournament)
            found = Tournament(row.id, row.host, row.created, row.terms)
            for entry in await store.journal.entries(tournament, 0):
                found = evolve(found, decode_tournament_entry(entry))
            return found
        finally:
            await store.close()

    with asyncio.Runner() as runner:
        return runner.run(read())


@pytest.mark.slow
@pytest.mark.parametrize(("system", "players", "fields"), [("swiss", 9, {"rounds": 4}), ("round-robin", 6, {})])
def test_killing_the_server_changes_no_standings(
    system: str, players: int, fields: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in set(os.environ) - set(unmeasured()):
        monkeypatch.delenv(name)
    with mortal(tmp_path / "kemu.sqlite") as server:
        clients = [account(server.live, f"Player {number}") for number in range(players + 1)]
        tournament = new_tournament(clients[0], system=system, **fields)
        for client in clients[:players]:
            entered(client, tournament)
        asked(clients[0], tournament, "start")
        _play(server, tournament, clients)
        shown = clients[0].get(f"/api/tournaments/{tournament}")
        assert shown["stage"] == "finished"
    found = replayed(tmp_path / "kemu.sqlite", tournament)
    assert json.loads(msgspec.json.encode(standings(found))) == shown["standings"]
    assert shown["version"] == found.version
    played = [pairing.players for each in found.rounds for pairing in each.pairings]
    assert len({frozenset(pair) for pair in played}) == len(played)
    late, leaver = clients[players].me["id"], clients[players - 1].me["id"]
    assert any(late in pair for pair in played)
    assert not any(leaver in pairing.players for each in found.rounds[2:] for pairing in each.pairings)
    if system == "round-robin":
        staying = [entrant.id for entrant in found.present]
        assert sum(set(pair) <= set(staying) for pair in played) == len(staying) * (len(staying) - 1) // 2


def _play(server: Mortal, tournament: str, clients: list[Client]) -> None:
    """Play to the end; after the third game and the tenth the server is killed before it may have told the result."""
    by_id = {client.me["id"]: client for client in clients}
    follower, games, changed = Follower(server.live, tournament), 0, False
    while follower.state["stage"] != "finished":
        ready = follower.games("made")
        if not ready:
            follower.next()
            continue
        game = ready[0]
        resign(by_id[max(game["seats"], key=lambda player: int(by_id[player].me["name"].split()[1]))], game["match"])
        games += 1
        if games in (3, 10):
            server.kill_and_start()
            follower = Follower(server.live, tournament)
        while not follower.scored(game["match"]):
            follower.next()
        if games == 5:
            entered(clients[-1], tournament)
            asked(clients[-2], tournament, "withdraw")
            changed = True
    assert changed
