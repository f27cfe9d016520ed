"""People who play a tournament over real sockets: each game is resigned by one of its players."""

import json
from typing import Any

from tests.server.live_server import Client, LiveServer, Socket

REAL_TIME = {"kind": "game", "seconds": 600}


def entered(client: Client, tournament: str) -> Any:
    """The tournament after a client has entered it."""
    return client.post(f"/api/tournaments/{tournament}/commands", {"do": "enter", "id": "enter"}, 200)


def asked(client: Client, tournament: str, do: str, **fields: object) -> Any:
    """The tournament after a command."""
    body = {"do": do, "id": f"{do}-{json.dumps(fields)}"[:40], **fields}
    return client.post(f"/api/tournaments/{tournament}/commands", body, 200)


def new_tournament(client: Client, **fields: object) -> str:
    """The id of a new tournament in real time without pauses."""
    terms = {"name": "Club evening", "game": "mu-torere", "clock": REAL_TIME, "pause": 0, "system": "swiss", **fields}
    return str(client.post("/api/tournaments", terms, 201)["id"])


class Follower:
    """A page at a tournament: what its socket has told so far."""

    def __init__(self, live: LiveServer, tournament: str) -> None:
        self.socket = live.socket(f"/api/tournaments/{tournament}/socket")
        self.state: Any = self.socket.receive()
        assert self.state["type"] == "tournament"

    def next(self) -> None:
        """Wait for the next change."""
        change = self.socket.receive()
        assert change["type"] == "change"
        assert change["version"] == self.state["version"] + 1
        rounds = {each["number"]: each for each in (*self.state["rounds"], *change["rounds"])}
        self.state |= {**change, "rounds": [rounds[number] for number in sorted(rounds)]}

    def games(self, phase: str) -> list[Any]:
        """The games of the newest round in a phase."""
        newest = self.state["rounds"][-1] if self.state["rounds"] else {"pairings": []}
        return [
            game for pairing in newest["pairings"] for game in pairing["games"] if game.get("phase", "named") == phase
        ]

    def scored(self, match: str) -> bool:
        """Whether a game has a result."""
        games = (game for each in self.state["rounds"] for pairing in each["pairings"] for game in pairing["games"])
        return any(game["match"] == match and game.get("points") is not None for game in games)


def resign(client: Client, match: str) -> None:
    """Lose a match."""
    socket: Socket = client.open(match)
    socket.until(type="full")
    answer = socket.do(do="resign")
    assert answer["type"] in ("event", "full"), answer
    socket.close()
