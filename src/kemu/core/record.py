"""A record: game key, options and action texts, chance included. Save file, export and fixture in one."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kemu.core.document import (
    Document,
    quote,
    read_json,
    read_list,
    read_mapping,
    read_number,
    read_object,
    read_text,
    read_texts,
)
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import A, Game, Outcome, S

VERSION: Final = 1

LARGEST: Final = 4 * 1024 * 1024
"""No record of a real game comes near this many bytes; a larger text is refused unread."""


@dataclass(frozen=True)
class Record:
    """The text log of one game, finished or not."""

    game: str
    options: Mapping[str, Any]
    actions: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    # Only what the rules cannot know: a resignation, a draw by agreement.
    result: Outcome | None = None

    def encode(self) -> Document:
        """This record as a JSON object."""
        document: Document = {
            "kemu": VERSION,
            "game": self.game,
            "options": dict(self.options),
            "actions": list(self.actions),
        }
        if self.players:
            document["players"] = list(self.players)
        if self.result:
            document["result"] = {"winners": list(self.result.winners), "reason": self.result.reason}
        return document

    @classmethod
    def decode(cls, value: object) -> "Record":
        """The record of a JSON object, or ParseError; whether its actions are legal, `replay` tells."""
        document = read_object(value, "A record", ("kemu", "game", "actions"), ("options", "players", "result"))
        read_number(document["kemu"], "'kemu', the version of the record format,", VERSION, VERSION)
        return cls(
            game=read_text(document["game"], "'game'"),
            options=read_mapping(document.get("options", {}), "'options'"),
            actions=read_texts(document["actions"], "'actions'"),
            players=read_texts(document.get("players", []), "'players'"),
            result=_result(document["result"]) if "result" in document else None,
        )

    def to_text(self) -> str:
        """This record as JSON, for a file."""
        return json.dumps(self.encode(), indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str | bytes) -> "Record":
        """The record of a JSON text, or ParseError that names the place."""
        if len(text) > LARGEST:
            raise ParseError(f"A record has at most {LARGEST} bytes; this one has more.")
        try:
            plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        except UnicodeDecodeError as error:
            raise ParseError(f"Not UTF-8 at byte {error.start}.") from None
        return cls.decode(read_json(plain))


def replay(game: Game[S, A], texts: Iterable[str]) -> Iterator[S]:
    """Every state from the initial one on; a bad action raises with its number and text."""
    state = game.initial()
    yield state
    for number, text in enumerate(texts, start=1):
        try:
            state = game.apply(state, game.parse(text))
        except KemuError as error:
            raise type(error)(f"Action {number}, {quote(text)}: {error}") from None
        yield state


def _result(value: object) -> Outcome:
    result = read_object(value, "'result'", ("winners", "reason"))
    winners = read_list(result["winners"], "'winners'")
    return Outcome(
        winners=tuple(read_number(seat, "Each of 'winners'", 0) for seat in winners),
        reason=read_text(result["reason"], "'reason'"),
    )


SCHEMA: Final[Document] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Kemu record",
    "description": "One game as it was played: game key, options and action texts, chance included.",
    "type": "object",
    "required": ["kemu", "game", "actions"],
    "additionalProperties": False,
    "properties": {
        "kemu": {"const": VERSION, "description": "Version of this format."},
        "game": {"type": "string", "description": "Key of the game."},
        "options": {"type": "object", "description": "Options of the game; what is missing has its default."},
        "actions": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Every action in order, in the notation of its game.",
        },
        "players": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Names, one for each seat.",
        },
        "result": {
            "type": "object",
            "required": ["winners", "reason"],
            "additionalProperties": False,
            "properties": {
                "winners": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                "reason": {"type": "string"},
            },
            "description": "How the players ended the game where the rules did not: resignation, agreement.",
        },
    },
}
