"""The bodies of HTTP responses, and how they are made; docs/protocol.md explains each with an example."""

from typing import Any, Final, Literal

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
    solved: bool
    text: str


class Reach(Struct, frozen=True):
    """Who reaches the server: this computer only, or also the local network, at these addresses."""

    local_only: bool
    addresses: list[str]


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


class Threat(Struct, frozen=True):
    """How another seat would win: its next action, the points of its line in order, and those that are missing.

    Of the missing points, that of the action is the first. `reason` is that of the outcome.
    """

    action: str
    cells: list[str]
    missing: list[str]
    reason: str


class Threats(Struct, frozen=True):
    """What wins at once, what keeps others from it, and how others would win."""

    wins: list[str]
    stops: list[str]
    threats: list[Threat]


class Rescue(Struct, frozen=True):
    """The last decision of the loser before the loss was proved: after how many actions, and what the loser saw.

    `saves` are the actions that would have avoided what followed, none if nothing threatened yet; `taken` is what was
    done; `threats` are how the others were about to win.
    """

    ply: int
    view: Any
    saves: list[str]
    taken: str
    threats: list[Threat]


class RescueAnswer(Struct, frozen=True):
    """The rescue of a lost match; null if none is known."""

    rescue: Rescue | None


class Step(Struct, frozen=True):
    """One state of a study and how it was reached; what follows `outcome` is there if it was asked for.

    `odds` are those of the actions, where the dealer acts.
    """

    actor: Seat | None
    line: str | None
    view: Any
    turn: Seat | None
    actions: list[str]
    outcome: OutcomeAnswer | None
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    position: dict[str, Any] | UnsetType = UNSET
    odds: list[float] | UnsetType = UNSET


class StudyAnswer(Struct, frozen=True):
    """A sequence of actions shown step by step."""

    options: dict[str, Any]
    steps: list[Step]


class GraphPosition(Struct, frozen=True):
    """A position up to symmetry, the numbers of those after it; what it is for the side to act, in so many plies."""

    position: dict[str, Any]
    after: list[int]
    result: Literal["win", "draw", "loss"]
    plies: int | None


class GraphAnswer(Struct, frozen=True):
    """All positions of a small solved game; `at` is the number of the one asked for, null if it is none of them."""

    positions: list[GraphPosition]
    at: int | None


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
