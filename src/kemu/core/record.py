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
from kemu.core.game import A, AnyGame, Game, Outcome, S, Seat

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
        """Return this record as a JSON object.

        Returns:
            An object as `kemu schema` describes it.
        """
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
        """Return the record of a JSON object; whether its actions are legal, `replay` tells.

        Returns:
            The record.

        Raises:
            ParseError: The value is no record; the sentence names the field.
        """
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
        """Return this record as JSON.

        Returns:
            The text of a file.
        """
        return json.dumps(self.encode(), indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str | bytes) -> "Record":
        """Return the record of a JSON text, such as a file.

        Returns:
            The record.

        Raises:
            ParseError: The text is too long, not UTF-8, not JSON, or no record; the sentence names the place.
        """
        if len(text) > LARGEST:
            raise ParseError(f"A record has at most {LARGEST} bytes; this one has more.")
        try:
            plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        except UnicodeDecodeError as error:
            raise ParseError(f"Not UTF-8 at byte {error.start}.") from None
        return cls.decode(read_json(plain))


def replay(game: Game[S, A], texts: Iterable[str], first: S | None = None) -> Iterator[S]:
    """Take actions one after the other.

    Args:
        game: The game, with the options of the record.
        texts: The texts of all actions, those of the dealer included.
        first: The state to start from, the initial one if missing.

    Returns:
        Every state, the first one included; each is made when it is asked for.

    Raises:
        KemuError: ParseError or IllegalAction of the first bad action, with its number and text.
    """
    state = game.initial() if first is None else first
    yield state
    for number, text in enumerate(texts, start=1):
        try:
            state = game.apply(state, game.parse(text))
        except KemuError as error:
            raise error.located(f"Action {number}, {quote(text)}") from None
        yield state


class SeatLogs(Mapping[Seat, tuple[str, ...]]):
    """The log of each of some viewers: a value that shares all lines but the newest with the logs it was made from."""

    __slots__ = ("_before", "_game", "_newest", "_viewers")

    def __init__(self, game: AnyGame, viewers: Iterable[Seat]) -> None:
        self._game = game
        self._viewers = tuple(viewers)
        self._before: SeatLogs | None = None
        self._newest: tuple[str, ...] = ()  # by viewer, what it was told of the last action

    def after(self, state: Any, action: Any) -> "SeatLogs":
        """Return the logs after an action was taken in a state."""
        return self._followed_by(tuple(self._game.seen(state, action, viewer) for viewer in self._viewers))

    def __getitem__(self, viewer: Seat) -> tuple[str, ...]:
        if viewer not in self._viewers:
            raise KeyError(viewer)
        place, logs, lines = self._viewers.index(viewer), self, []
        while logs._before is not None:
            lines.append(logs._newest[place])
            logs = logs._before
        return tuple(reversed(lines))

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._viewers)

    def __len__(self) -> int:
        return len(self._viewers)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the lines without their links, of which there may be more than the stack is deep."""
        return _linked_logs, (self._game, self._viewers, list(zip(*self.values(), strict=True)))

    def _followed_by(self, newest: tuple[str, ...]) -> "SeatLogs":
        logs = SeatLogs(self._game, self._viewers)
        logs._before, logs._newest = self, newest
        return logs


def seat_log(game: Game[S, A], states: Iterable[S], texts: Iterable[str], seat: Seat) -> list[str]:
    """Return what a seat was told of some actions, each of them taken in the state of its number."""
    logs = SeatLogs(game, (seat,))
    for state, text in zip(states, texts, strict=False):
        logs = logs.after(state, game.parse(text))
    return list(logs[seat])


def _linked_logs(game: AnyGame, viewers: tuple[Seat, ...], lines: Iterable[tuple[str, ...]]) -> SeatLogs:
    logs = SeatLogs(game, viewers)
    for newest in lines:
        logs = logs._followed_by(newest)
    return logs


def _result(value: object) -> Outcome:
    result = read_object(value, "'result'", ("winners", "reason"))
    winners = read_list(result["winners"], "'winners'")
    return Outcome(
        winners=tuple(read_number(seat, "Each of 'winners'", 0) for seat in winners),
        reason=read_text(result["reason"], "'reason'"),
    )


_TEXTS: Final[Document] = {"type": "array", "items": {"type": "string"}}

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
        "actions": {**_TEXTS, "description": "Every action in order, in the notation of its game."},
        "players": {**_TEXTS, "description": "Names, one for each seat."},
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
