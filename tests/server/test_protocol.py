"""docs/protocol.md is true: its examples are played against a server, top to bottom, and compared field by field."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kemu.core.errors import KemuError
from kemu.server import app
from kemu.server.http.requests import STATUS
from tests.server.live_server import Client, LiveServer, Socket, generous, run_server

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```json ([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

IDS = {"id", "player", "match", "next", "previous", "token", "chapter", "write", "about", "challenge", "invitation"}
IDS |= {"host", "entrant"}
TIMES = {"now", "at", "created", "changed", "since", "used", "until", "ms", "expires", "due"}


class Block(NamedTuple):
    """One example: its title line and its JSON, if any."""

    words: list[str]
    document: Any


BLOCKS = [Block(title.split(), json.loads(body) if body.strip() else None) for title, body in BLOCK.findall(TEXT)]


class Session:
    """Plays the examples; ids of the document stand for those the server gave."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.clients: dict[str, Client] = {}
        self.sockets: dict[str, Socket] = {}
        self.names: dict[str, str] = {}
        self.answer: Any = None

    def run(self, block: Block) -> None:
        """Play one example."""
        match block.words:
            case ["answer"]:
                self.compare(block.document, self.answer, "answer")
            case [who, "opens", path]:
                self.sockets[who] = self.client(who).open_path(self.actual(path))
            case [who, "sends"]:
                self.sockets[who].raw.send(self.actual(json.dumps(block.document)))
            case [who, "receives"]:
                self.compare(block.document, self.next(who, block.document), f"{who} receives")
            case [who, method, path, status]:
                body = None if block.document is None else json.loads(self.actual(json.dumps(block.document)))
                response = self.client(who).request(method, self.actual(path), body)
                assert response.status_code == int(status), response.text
                self.answer = response.json() if response.content else None
            case _:
                pytest.fail(f"Unknown kind of example: {block.words}")

    def client(self, who: str) -> Client:
        """The client of a person in the document."""
        return self.clients.setdefault(who, self.server.client())

    def next(self, who: str, expected: Any) -> Any:
        """The next message of the kind and version that the document shows; others may come between."""
        wanted = {name: expected[name] for name in ("type", "re", "version") if name in expected}
        return self.sockets[who].until(**wanted)

    def actual(self, text: str) -> str:
        """A text of the document with the ids the server gave."""
        for name, real in self.names.items():
            text = text.replace(name, real)
        return text

    def compare(self, expected: Any, actual: Any, where: str, key: str = "") -> None:
        """Equal in every field, but for ids and times, which are learned."""
        if isinstance(expected, dict):
            assert isinstance(actual, dict), where
            assert sorted(expected) == sorted(actual), where
            for name, value in expected.items():
                self.compare(value, actual[name], f"{where}.{name}", name)
        elif isinstance(expected, list):
            assert isinstance(actual, list), where
            if expected[-1:] == ["…"]:  # the document shows the first ones
                expected, actual = expected[:-1], actual[: len(expected) - 1]
            assert len(expected) == len(actual), f"{where}: {actual}"
            for number, value in enumerate(expected):
                self.compare(value, actual[number], f"{where}[{number}]", key)
        elif isinstance(expected, str) and (key in IDS or expected.startswith("Guest ")):
            assert self.names.setdefault(expected, actual) == actual, where
        elif isinstance(expected, str) and expected.endswith("…"):
            assert actual.startswith(expected.removesuffix("…")), where
        elif isinstance(expected, int) and (key in TIMES or key == "left"):
            assert type(actual) is int, where
        else:
            assert (self.actual(expected) if isinstance(expected, str) else expected) == actual, where


def test_every_example_of_the_protocol_is_what_the_server_does() -> None:
    with run_server(generous("memory")) as server:  # its accounts have the names of other tests' guests
        session = Session(server)
        for block in BLOCKS:
            session.run(block)
    assert len(BLOCKS) > 50


def test_every_code_that_can_be_sent_is_in_the_table_of_errors() -> None:
    assert app, "importing the app defines every error"
    documented = dict(re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", TEXT, re.MULTILINE))
    # What an engine says of a proof, and what ends a long computation, stays in the program that asked for it.
    inside = ("kemu.engines", "kemu.work", "kemu.client")
    kinds = [kind for kind in _kinds(KemuError) if not kind.__module__.startswith(inside)]
    # Two errors never leave the server: the answer to a repeated command is `done`, and clocks are checked by a job.
    codes = {kind.code for kind in kinds} - {"error", "already-done", "time-left"}
    assert codes <= documented.keys()
    assert {code: int(status) for code, status in documented.items() if code in codes} == {
        code: STATUS.get(code, 409) for code in codes
    }


def _kinds(kind: type[KemuError]) -> set[type[KemuError]]:
    return {kind}.union(*(_kinds(child) for child in kind.__subclasses__()))
