"""A client of a server for programs: find opponents, play matches with any bot, and follow them.

docs/agents.md shows how it is used, docs/protocol.md describes what goes over the wire.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from kemu.bots.named import named_bot
from kemu.core.document import Document
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import options as options_of
from kemu.core.parts import require
from kemu.games import game as make_game

PATIENCE_S: Final = 60.0
"""How long a request may take."""

LARGEST_BYTES: Final = 16 * 1024 * 1024


class RefusedByServer(KemuError, code="refused-by-server"):
    """Raised when a server refuses a request or a command; `reason` is the code that the server gives."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Server:
    """A server as one of its accounts, by a token of that account."""

    def __init__(self, address: str, token: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise OptionError(f"A server is http://… or https://…, not '{address}'.")
        self.address: Final = address.rstrip("/")
        self._headers: Final = {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the answer to a request of the API; raises RefusedByServer."""
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": "application/json"} if data else {})
        request = Request(self.address + path, data, headers, method=method)
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                text = answer.read(LARGEST_BYTES)
        except HTTPError as error:
            raise _refusal(error.read(LARGEST_BYTES), f"The server answered {error.code}.") from None
        except URLError as error:
            raise RefusedByServer("no-server", f"There is no server at {self.address}: {error.reason}.") from None
        return json.loads(text) if text else None

    def me(self) -> Document:
        """Return who the token belongs to."""
        found: Document = self.ask("GET", "/api/me")
        return found

    def seek(self, key: str, options: Document | None = None) -> str:
        """Return the id of a match: the first open one of a game, joined, or else a new one that waits for players."""
        query = urlencode({"show": "lobby", "game": key})
        chosen = make_game(key, **(options or {}))
        for found in self.ask("GET", f"/api/matches?{query}"):
            if options is None or found["options"] == options_of(chosen):
                return self.join(found["id"])
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (chosen.seats - 1)]
        return self.new_match(key, seats, options)

    def join(self, match: str) -> str:
        """Take the first open seat of a match, and return its id."""
        return str(self.ask("POST", f"/api/matches/{quote(match)}/join", {})["id"])

    def challenge(self, key: str, bot: str, options: Document | None = None) -> str:
        """Return the id of a new match against a bot of the server, such as 5."""
        chosen = make_game(key, **(options or {}))
        seats = [{"kind": "me"}, *[{"kind": "bot", "bot": bot}] * (chosen.seats - 1)]
        return self.new_match(key, seats, options)

    def new_match(self, key: str, seats: list[Document], options: Document | None = None) -> str:
        """Return the id of a new match with these seats."""
        body = {"game": key, "options": options or {}, "seats": seats, "public": True}
        return str(self.ask("POST", "/api/matches", body)["id"])

    @contextmanager
    def socket(self, match: str, seat: int | None = None) -> Iterator["MatchSocket"]:
        """Open the socket of a match, as one of the own seats or, with -2, to watch."""
        require("client")
        from websockets.sync.client import connect

        path = f"/api/matches/{quote(match)}/socket" + ("" if seat is None else f"?seat={seat}")
        url = self.address.replace("http", "ws", 1) + path
        with connect(url, additional_headers=self._headers, max_size=LARGEST_BYTES, proxy=None) as opened:
            yield MatchSocket(opened)

    def stream(self, match: str, seat: int | None = None) -> Iterator[Document]:
        """Yield every message of a match until it is over; the first one has all that was before."""
        with self.socket(match, seat) as socket:
            for message in socket:
                yield message
                if _outcome(message):
                    return

    def play(self, match: str, bot: str, seed: int | None = None) -> Document:
        """Play the own seat of a match to its end with a bot of any name, see docs/agents.md; return the outcome."""
        with self.socket(match) as socket:
            first = next(iter(socket))
            terms, log = first["match"], _lines(first.get("log", ()))
            chosen = make_game(terms["game"], **terms["options"])
            player = named_bot(bot, chosen, seed)
            for message in chain([first], socket):
                if outcome := _outcome(message):
                    return outcome
                if message["type"] == "full":
                    log = _lines(message.get("log", ()))
                events = message.get("events", ())
                if any(event["event"] == "undone" for event in events):
                    socket.send("full")  # the log has become shorter
                    continue
                log += [event["line"] for event in events if "line" in event]
                if message.get("actions"):
                    actions = [chosen.parse(text) for text in message["actions"]]
                    action = player.choose(message["view"], log, actions)
                    socket.send("act", version=message["version"], action=chosen.format(action))
        raise RefusedByServer("closed", f"The server closed the match {match} before its end.")


class MatchSocket:
    """The messages of a match, and commands to it."""

    def __init__(self, opened: Any) -> None:
        self._opened, self._numbers = opened, count(1)

    def __iter__(self) -> Iterator[Document]:
        for text in self._opened:
            message: Document = json.loads(text)
            if message["type"] == "refused" and message["code"] != "stale-version":
                raise RefusedByServer(message["code"], message["message"])
            yield message

    def send(self, do: str, **fields: object) -> str:
        """Send a command and return its id."""
        name = f"c{next(self._numbers)}"
        self._opened.send(json.dumps({"do": do, "id": name, **fields}))
        return name


def _lines(log: Iterable[Sequence[Any]]) -> list[str]:
    """Return the lines of a log without who acted."""
    return [line for _, line in log]


def _outcome(message: Document) -> Document | None:
    found: Document | None = message.get("outcome") or message.get("match", {}).get("outcome")
    return found


def _refusal(text: bytes, otherwise: str) -> RefusedByServer:
    try:
        found = json.loads(text)
        return RefusedByServer(found["code"], found["message"])
    except (ValueError, KeyError, TypeError):
        return RefusedByServer("error", otherwise)
