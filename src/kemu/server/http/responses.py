"""The bodies of HTTP responses, and how they are made; docs/protocol.md explains each with an example."""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from kemu.core.game import Seat
from kemu.server.match_answer import OutcomeAnswer
from kemu.storage.rows import PlayerRow, RatingRow, SessionRow

BASE_POINTS: Final = 1000
POINTS_PER_UNIT: Final = 20
"""Points for one unit of openskill: a new player has its mean of 25 units, which is 1500 points."""


class Me(Struct, frozen=True):
    """The player who sent the request."""

    id: str
    name: str
    account: bool


class NewAccount(Me, frozen=True):
    """A new account; its recovery codes are shown once."""

    recovery_codes: list[str]


class NewCodes(Struct, frozen=True):
    """New recovery codes, which are shown once."""

    recovery_codes: list[str]


class CodesLeft(Struct, frozen=True):
    """How many recovery codes are left."""

    left: int


class SessionAnswer(Struct, frozen=True):
    """A session of yours: on which device, when it was made and last used, and whether it is the one that asks."""

    id: str
    device: str
    created: int
    used: int
    current: bool


class SeriesLength(Struct, frozen=True):
    """A length of a series that has a name: how many won games win it."""

    name: str
    wins: int


class GameAnswer(Struct, frozen=True):
    """A game with the options asked for; `text` is a drawing of its first position."""

    key: str
    title: str
    summary: str
    how_to_play: str
    seats: int
    options: dict[str, Any]
    bots: list[str]
    default_bot: str
    seat_names: list[str]
    series: list[SeriesLength]
    hidden: bool
    text: str


class RatingAnswer(Struct, frozen=True):
    """How strong a player is at a game, in points."""

    game: str
    rating: int
    doubt: int
    matches: int


class PlayerAnswer(Struct, frozen=True):
    """A player with all ratings."""

    id: str
    name: str
    account: bool
    bot: bool
    ratings: list[RatingAnswer]


class TokenAnswer(Struct, frozen=True):
    """A token; its secret is shown once."""

    id: str
    label: str
    scope: str


class NewToken(TokenAnswer, frozen=True):
    """A token with its secret."""

    token: str


class Hint(Struct, frozen=True):
    """A suggestion and why: `only`, `wins`, `stops` or `best`."""

    action: str
    reason: str


class Threats(Struct, frozen=True):
    """What wins at once, and what keeps others from it."""

    wins: list[str]
    stops: list[str]


class Step(Struct, frozen=True):
    """One state of a study and how it was reached; `text` and `words` are there if they were asked for."""

    actor: Seat | None
    line: str | None
    view: Any
    turn: Seat | None
    actions: list[str]
    outcome: OutcomeAnswer | None
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET


class StudyAnswer(Struct, frozen=True):
    """A sequence of actions shown step by step."""

    options: dict[str, Any]
    steps: list[Step]


class Refusal(Struct, frozen=True):
    """Why a request was refused."""

    code: str
    message: str


def me_answer(player: PlayerRow) -> Me:
    """A player as themselves."""
    return Me(player.id, player.name, player.account)


def session_answer(row: SessionRow, current: str | None) -> SessionAnswer:
    """A session as its player sees it; `current` is the id of the one that asks."""
    return SessionAnswer(row.id, row.device, row.created, max(row.used, row.created), row.id == current)


def rating_answer(row: RatingRow) -> RatingAnswer:
    """A stored rating in points."""
    points = round(BASE_POINTS + POINTS_PER_UNIT * row.mu)
    return RatingAnswer(row.game, points, round(POINTS_PER_UNIT * row.sigma), row.matches)
