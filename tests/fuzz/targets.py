"""What reads bytes of strangers: files, requests and frames.

The reader of a target takes damaged bytes or refuses them. It raises AssertionError, or whatever broke, if they are
refused by something else than one sentence that can be printed.
"""

import json
import random
import socket as tcp
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
from websockets.frames import Frame

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame
from kemu.core.laws import play
from kemu.core.record import Record, replay
from kemu.engines.certificates import check, read_certificate, shipped
from kemu.games import game, game_keys
from kemu.server.live.messages import BadFrame, FrameProtocol, MessageReader
from kemu.studies.documents import encode_study, study_from_text
from kemu.studies.text import format_study, parse_study
from kemu.studies.tree import Study
from tests.fuzz.mutations import damaged_bytes, damaged_document, json_bytes
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, generous, run_server
from tests.server.raw_socket import frame
from tests.studies.trees import played_chapter

ACTIONS = 40
"""The longest game of which records, positions and texts of actions are made."""

LARGEST_CERTIFICATE = 20_000
"""Larger ones take too long to check again and again."""


class Target(NamedTuple):
    """One reader with what it reads when nobody damaged it."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]


def damaged(source: Random, target: Target) -> bytes:
    """Return a seed of a target, damaged as bytes or, if it is JSON, as a document."""
    seed = source.choice(target.seeds)
    if seed.startswith(b"{") and source.random() < 0.6:
        return json_bytes(damaged_document(source, json.loads(seed)))
    return damaged_bytes(source, seed)


def try_once(source: Random, target: Target) -> None:
    """Have a target read damaged bytes; an AssertionError shows them."""
    data = damaged(source, target)
    sentence = "read"
    try:
        target.read(data)
    except KemuError as refusal:
        sentence = str(refusal)
    except Exception as error:
        raise AssertionError(f"{target.name} breaks on {data!r}") from error
    assert sentence, f"{target.name} refuses {data!r} without a sentence"
    assert sentence.isprintable(), f"{target.name} refuses {data!r} by {sentence!r}"


def file_targets() -> Iterator[Target]:
    """Yield the readers of files: records, positions, actions, studies and certificates."""
    games = [(key, game(key), *play(game(key), random.Random(key).randrange, ACTIONS)) for key in game_keys()]
    records = (Record(key, {}, tuple(map(rules.format, actions))) for key, rules, _, actions in games)
    yield Target("record", tuple(record.to_text().encode() for record in records), _read_record)
    for key, rules, states, actions in games:
        positions = tuple(json_bytes(rules.encode(state)) for state in states[:: ACTIONS // 4])
        yield Target(f"position of {key}", positions, partial(_decode, rules))
        texts = tuple(rules.format(action).encode() for action in actions)
        yield Target(f"action of {key}", texts, partial(_parse, rules))
    study = Study("Played", tuple(played_chapter(key, 1, 12) for key, *_ in games))
    yield Target(
        "study", (json_bytes(encode_study(study)),), lambda data: study_from_text(data.decode(errors="replace"))
    )
    yield Target(
        "text of a study", (format_study(study).encode(),), lambda data: parse_study(data.decode(errors="replace"))
    )
    certificates = [read_certificate(path) for key in game_keys() for path in shipped(key)]
    short = tuple(text.encode() for text in certificates if len(text) < LARGEST_CERTIFICATE)
    yield Target("certificate", short, lambda data: check(data.decode("latin-1")))


def frame_target() -> Target:
    """Return the reader of the frames of a socket, which answers bad ones with a code and never breaks."""
    texts = [b'{"do":"act","id":"1","action":"f6","version":3}', b'{"do":"ping","id":"2"}', "kākā".encode() * 50]
    whole = [frame(0x81, text) for text in texts]
    parts = frame(0x01, b"ab") + frame(0x89, b"ping") + frame(0x80, b"cd")
    return Target("frames", (b"".join(whole), parts, frame(0x88, b"\x03\xe8bye")), _read_frames)


@contextmanager
def request_targets(folder: Path) -> Iterator[list[Target]]:
    """A server with the readers of its requests, and of the messages of a socket at one of its matches."""
    with (
        run_server(generous(f"sqlite:///{folder / 'kemu.sqlite'}")) as server,
        httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client,
    ):
        bodies = {
            "/api/matches": {
                "game": "mauw",
                "options": {"players": 2},
                "seats": ["me", {"bot": "random"}],
                "clock": None,
            },
            "/api/account": {"name": "Hine", "password": "a long password"},
            "/api/studies": {"name": "Mine", "chapters": []},
            "/api/study/positions": {"game": "mu-torere", "options": {}, "actions": ["0"]},
        }
        for path, body in bodies.items():
            client.post(path, json=body)
        heads = tuple(
            f"{path} HTTP/1.1\r\nhost: localhost\r\ncookie: a=b; kemu=%00\r\n\r\n".encode()
            for path in (
                "GET /api/matches?limit=3",
                "GET /api/me",
                "GET /play/mauw",
                "POST /api/matches",
                "PUT /x%2e%2e",
            )
        )
        yield [
            Target("head of a request", heads, lambda data: _send(server, data)),
            *(
                Target(f"body for {path}", (json_bytes(body),), partial(_post, client, path))
                for path, body in bodies.items()
            ),
        ]
        assert client.get("/ready").status_code == 200


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise KemuError("This is not JSON.") from None


def _decode(rules: AnyGame, data: bytes) -> None:
    rules.decode(_json(data))


def _parse(rules: AnyGame, data: bytes) -> None:
    rules.parse(data.decode(errors="replace"))


def _read_record(data: bytes) -> None:
    record = Record.from_text(data)
    for _ in replay(game(record.game, **record.options), record.actions):
        pass


def _read_frames(data: bytes) -> None:
    reader = MessageReader()

    def received(one: Frame) -> None:
        with suppress(BadFrame):
            reader.frame_received(one)

    FrameProtocol(1 << 16, received).receive_data(data)


def _connect(server: LiveServer) -> tcp.socket:
    host, port = server.url.removeprefix("http://").split(":")
    return tcp.create_connection((host, int(port)), PATIENCE_SECONDS)


def _send(server: LiveServer, data: bytes) -> None:
    """Send bytes and go; what comes back before that is no fault of the server."""
    with _connect(server) as raw:
        raw.sendall(data)
        raw.shutdown(tcp.SHUT_WR)
        try:
            answer = raw.recv(65536)
        except ConnectionResetError:
            return
    assert not answer.startswith(b"HTTP/1.1 5"), answer


def _post(client: httpx.Client, path: str, data: bytes) -> None:
    answer = client.post(path, content=data, headers={"content-type": "application/json"})
    assert answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/json", answer.headers
    assert answer.is_success or answer.json()["message"].isprintable(), answer.text
