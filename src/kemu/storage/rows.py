"""The stored types: what a row of the database holds, and how a table becomes one.

These types belong to the database and to exports. What the server sends has types of its own.
"""

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from kemu.core.game import SPECTATOR, Outcome
from kemu.play.table import Status, Table
from kemu.play.terms import Player, Terms


class Result(Struct, frozen=True):
    """An outcome as it is stored; scores are fractions such as "7/2"."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[str, ...] | None
    at: tuple[str, ...]


class MatchDocument(Struct, frozen=True):
    """The JSON of a match without its entries, in the column `row` and in exports.

    `view` is the JSON of the final position as a spectator sees it, so that lists can show it without a replay; missing
    until the end, and for matches that ended before it was stored.
    """

    terms: Terms
    status: Status
    players: list[Player | None]
    outcome: Result | None
    next: str | None
    view: Raw | UnsetType = UNSET


class MatchRow(MatchDocument, frozen=True):
    """A match without its entries; it changes when a seat is taken or left, at the start and at the end.

    `scheduled` says that a process must own the match because something in it is due without a command: a clock runs
    or a bot plays. The server decides it; the store keeps it.
    """

    scheduled: bool = False

    def encode(self) -> str:
        """The JSON text for the column `row`; `scheduled` has a column of its own."""
        stored = MatchDocument(self.terms, self.status, self.players, self.outcome, self.next, self.view)
        return msgspec.json.encode(stored).decode()

    @property
    def person_ids(self) -> set[str]:
        """The ids of the persons at its seats."""
        return {player.id for player in self.players if player is not None and player.kind == "person"}


class PuzzleAnswerRow(Struct, frozen=True):
    """The answer of a player to a puzzle: how the first one ended, and when the puzzle is due again."""

    player: str
    game: str
    puzzle: str
    solved: bool
    at: int  # ms, of the first answer
    due: int  # ms
    card: str  # what the scheduler of repetitions keeps


class PuzzleStandingRow(Struct, frozen=True):
    """How a player does with the puzzles of a game."""

    player: str
    game: str
    mean: float
    deviation: float
    answered: int
    solved: int
    streak: int  # puzzles solved one after the other
    best: int  # the longest streak
    at: int  # ms, of the last answer


class PuzzleRatingRow(Struct, frozen=True):
    """The rating of a puzzle and the number of answers behind it."""

    puzzle: str
    mean: float
    deviation: float
    answers: int


class PlayerRow(Struct, frozen=True):
    """A player: a guest, or an account with a password."""

    id: str
    name: str
    account: bool = False
    password: str | None = None


class TokenRow(Struct, frozen=True):
    """An access token of a player, stored as the digest of its secret."""

    id: str
    player: str
    label: str
    digest: str
    scope: str = "play"


class SessionRow(Struct, frozen=True):
    """A session of a player on one device, stored as the digest of its secret; times are in ms.

    `used` is 0 until the device has sent the session back. `exchanged` says that it replaced a cookie that was signed
    by an earlier version.
    """

    id: str
    player: str
    digest: str
    device: str
    created: int
    used: int = 0
    exchanged: bool = False


class OldCookies(Struct, frozen=True):
    """The key with which earlier versions signed cookies, and until when (ms) these are exchanged for sessions."""

    key: str
    until: int


class RatingRow(Struct, frozen=True):
    """A player's rating in one game: openskill's mean and standard deviation, and the number of rated matches."""

    player: str
    game: str
    mu: float
    sigma: float
    matches: int


class StudyRow(Struct, frozen=True):
    """A study as it was at a version; later edits are entries. The keys are the secrets of its links, None for none.

    The document is the JSON text of a shared study; lists leave it empty. Times are in ms.
    """

    id: str
    owner: str
    name: str
    created: int
    changed: int
    version: int
    read_key: str | None = None
    write_key: str | None = None
    document: str = ""


class TallyRow(Struct, frozen=True):
    """How often an action was taken in a position by how it ended for who took it; see `kemu.study.explorer`.

    A scope is "public", "bots" or the id of a player.
    """

    scope: str
    position: str
    action: str
    won: int
    drawn: int
    lost: int


def result(outcome: Outcome | None) -> Result | None:
    """Convert an outcome to the stored form; None stays None."""
    if outcome is None:
        return None
    scores = None if outcome.scores is None else tuple(str(score) for score in outcome.scores)
    return Result(outcome.winners, outcome.reason, scores, outcome.at)


def document(table: Table) -> MatchDocument:
    """Convert a table to the JSON document of its match."""
    final = UNSET if table.outcome is None else Raw(msgspec.json.encode(table.game.view(table.state, SPECTATOR)))
    return MatchDocument(table.terms, table.status, list(table.players), result(table.outcome), table.next, final)


def row(table: Table, scheduled: bool) -> MatchRow:
    """Convert a table to the row of its match; `scheduled` as in MatchRow."""
    return _row(document(table), scheduled)


def decode_row(text: str, scheduled: bool) -> MatchRow:
    """Build a row from the columns `row` and `tended`."""
    return _row(_decode_document(text), bool(scheduled))


def _row(found: MatchDocument, scheduled: bool) -> MatchRow:
    return MatchRow(found.terms, found.status, found.players, found.outcome, found.next, found.view, scheduled)


_decode_document = msgspec.json.Decoder(MatchDocument).decode
