"""The bodies of HTTP responses, and how they are made; docs/protocol.md explains each with an example."""

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from kemu.bots.registry import BotCard
from kemu.core.game import AnyView, Seat
from kemu.storage.matches import OutcomeAnswer
from kemu.storage.players import PlayerRow, RatingRow
from kemu.storage.sessions import SessionRow

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
    """A game with the options asked for; `text` is a drawing of its first position.

    `bot_cards` tell of those bots that are levels of the ladder.
    """

    key: str
    title: str
    summary: str
    how_to_play: str
    seats: int
    options: dict[str, Any]
    bots: list[str]
    default_bot: str
    bot_cards: list[BotCard]
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


class RetryAnswer(Struct, frozen=True):
    """What another action would have been worth: its loss in points of expected score, and whether that passes."""

    action: str
    loss: float
    passed: bool


class Step(Struct, frozen=True):
    """One state of a study and how it was reached; what follows `outcome` is there if it was asked for.

    `odds` are those of the actions, where the dealer acts.
    """

    actor: Seat | None
    line: str | None
    view: AnyView
    turn: Seat | None
    actions: list[str]
    outcome: OutcomeAnswer | None
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    position: dict[str, Any] | UnsetType = UNSET
    odds: list[float] | UnsetType = UNSET


class ReplayAnswer(Struct, frozen=True):
    """A sequence of actions shown step by step; `dealt` is what the dealer added, if that was asked for."""

    options: dict[str, Any]
    seats: int
    steps: list[Step]
    dealt: list[str] | UnsetType = UNSET


class PuzzleQuestion(Struct, frozen=True):
    """A puzzle without its solution; `solved` is how your first answer ended, null if you gave none."""

    id: str
    game: str
    options: dict[str, Any]
    goal: Literal["win", "draw", "save", "best"]
    themes: list[str]
    rating: int
    seat: Seat
    step: Step
    solved: bool | None = None
    review: bool = False
    day: str | None = None


class PuzzleProgress(Struct, frozen=True):
    """How you do with the puzzles of a game; `due` are mistakes that come again now."""

    game: str
    rating: int
    deviation: int
    answered: int
    solved: int
    streak: int
    best: int
    due: int
    puzzles: int
    themes: list[str]


class PuzzleSolution(Struct, frozen=True):
    """A solution: the main line step by step, a tree that answers every reply, and what refutes the other actions.

    `certificate` is the proof that the game is saved, where it is no win.
    """

    line: list[str]
    steps: list[Step]
    refutations: list[dict[str, str]]
    tree: dict[str, Any] | None
    certificate: str | None


class PuzzleReply(Struct, frozen=True):
    """What an answer is worth; `steps` show its last action and the replies. `counted` if it changed your rating."""

    right: bool
    done: bool
    steps: list[Step]
    counted: bool
    progress: PuzzleProgress
    solution: PuzzleSolution | None = None


class OfflinePuzzle(Struct, frozen=True):
    """A puzzle with its solution, to be solved without the server."""

    question: PuzzleQuestion
    solution: PuzzleSolution


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; the rules of a game add their reason and its values."""

    code: str
    message: str
    reason: str | UnsetType = UNSET
    values: dict[str, Any] | UnsetType = UNSET


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


class StudyLinks(Struct, frozen=True):
    """The secrets of the links to a study, which stand in their addresses as `key`; null for a link that is not."""

    read: str | None
    write: str | None


class ListedStudy(Struct, frozen=True):
    """A study of yours in a list; times are in ms."""

    id: str
    name: str
    created: int
    changed: int
    shared: bool


class SharedChapter(Struct, frozen=True):
    """A chapter with its id; `root` is a node as in the schema of studies."""

    id: str
    name: str
    game: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    root: dict[str, Any]


class SharedStudyAnswer(Struct, frozen=True):
    """A study at a version, and what you may do with it; only its owner sees the links."""

    id: str
    name: str
    version: int
    access: Literal["read", "write"]
    mine: bool
    links: StudyLinks | None
    chapters: list[SharedChapter]


class AddedChapters(Struct, frozen=True):
    """The ids of chapters that were added."""

    chapters: list[str]


class SamePositions(Struct, frozen=True):
    """For each position that a chapter has more than once, turned or mirrored too, the paths that lead to it."""

    groups: list[list[list[str]]]


class PlayedAction(Struct, frozen=True):
    """Actions that were played and that symmetry makes one, and how the games ended for who played them."""

    actions: list[str]
    won: int
    drawn: int
    lost: int


class ExplorerAnswer(Struct, frozen=True):
    """What was played from a position, the most frequent first, and whose turn it is."""

    turn: Seat | None
    played: list[PlayedAction]


class ProvedAnswer(Struct, frozen=True):
    """By action, what is proved after it for who takes it, such as "win in 3"; actions without a proof are missing."""

    proved: dict[str, str]
