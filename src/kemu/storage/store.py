"""The interface of a store: journal, matches, players, sessions and notifications.

A match is its terms and an append-only list of entries; the number of an entry is the version of the match after it.
An append names its version. The store refuses it unless the match is at the version before, so any number of
processes can serve one match and versions have no gaps.
"""

from asyncio import Future
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from kemu.play.table import Status
from kemu.storage.rows import (
    MatchRow,
    OldCookies,
    PlayerRow,
    PuzzleAnswerRow,
    PuzzleRatingRow,
    PuzzleStandingRow,
    RatingRow,
    SessionRow,
    StudyRow,
    TallyRow,
    TokenRow,
)

RatingUpdate: TypeAlias = Callable[[dict[str, RatingRow]], list[RatingRow]]
"""Computes new ratings from the stored ones, by player; it may run in another thread and must be pure."""


class Rating(NamedTuple):
    """How a finished match changes the ratings of its players in its game."""

    game: str
    players: Sequence[str]
    update: RatingUpdate


class Append(NamedTuple):
    """One entry to be saved as this version of a match, and the match's new row if that changes.

    If the entry ends a rated match, `rating` is saved in the same transaction.
    """

    match: str
    version: int
    entry: bytes
    row: MatchRow | None = None
    rating: Rating | None = None


STALE: Final = "The match has gone on since."
CHANGED: Final = "The password has been changed; sign in again."
"""The sentence of a StaleVersion that a store raises."""


def expected_versions(appends: Sequence[Append]) -> dict[str, int] | None:
    """By match, the version it must have for these appends; None if versions of a match do not follow each other."""
    if len(appends) == 1:
        return {appends[0].match: appends[0].version - 1}
    expected: dict[str, int] = {}
    latest: dict[str, int] = {}
    for append in appends:
        match, version = append.match, append.version
        if match not in expected:
            expected[match] = version - 1
        elif version != latest[match] + 1:
            return None
        latest[match] = version
    return expected


class StoreJournal(Protocol):
    """Saves entries. Appends that arrive while a commit is under way are committed together."""

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        """Save all of these or none. The future is done when they are durable.

        It fails with StaleVersion if a match is not at the version before, and with StoreUnavailable if the database
        failed; then it is not known whether they were saved.
        """


Show: TypeAlias = Literal["lobby", "mine", "live", "finished"]

STATUS: Final[Mapping[Show, Status]] = {"lobby": "open", "live": "running", "finished": "finished"}
"""The status of the matches in each public list; a player's own matches are listed whatever their status."""


class Query(NamedTuple):
    """Which matches to list, newest first. `player` counts for "mine" only; `before` is a time of creation in ms."""

    show: Show
    player: str = ""
    game: str | None = None
    before: int | None = None
    limit: int = 50


class Matches(Protocol):
    """Reads matches, and records which process owns the scheduled ones. All methods may raise StoreUnavailable."""

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        """The row and all entries of a match. Raises UnknownMatch."""

    async def entries(self, match: str, after: int) -> list[bytes]:
        """The entries after a version; empty if there are none or no such match."""

    async def rows(self, query: Query) -> list[MatchRow]:
        """The rows that a query selects."""

    async def count_hosted(self, player: str) -> int:
        """The number of open and running matches that this player has made."""

    async def plays_rated(self, player: str, game: str) -> bool:
        """Whether this player sits at a running rated match of a game."""

    async def page(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        """The next rows by id, of all matches whose id is greater than `after`."""

    async def unrated(self) -> list[str]:
        """The ids of finished rated matches that were not rated yet: those of earlier versions, and imported ones."""

    async def claim_unowned(self, now: int, silent_since: int) -> list[str]:
        """Record that this process was alive at `now` (ms), and make it the owner of scheduled matches without one.

        A match has no owner if its process was released or last recorded at `silent_since` or before. Returns the
        ids of the matches that changed owner.
        """

    async def release(self) -> None:
        """Remove this process, so that the others can claim its matches at once."""


class Players(Protocol):
    """Players, their tokens and their ratings. All methods may raise StoreUnavailable."""

    async def player(self, player: str) -> PlayerRow | None:
        """A player by id."""

    async def account(self, name: str) -> PlayerRow | None:
        """An account by name, without regard to case."""

    async def save_player(self, player: PlayerRow) -> None:
        """Insert or update a player.

        Raises NameTaken if it is an account and another account has the name, and PasswordChanged if the stored player
        has a password, and not this one.
        """

    async def add_token(self, token: TokenRow, password: str | None = None) -> None:
        """Insert a token of a known player. Raises PasswordChanged unless the player has this password, if given."""

    async def token(self, token: str) -> TokenRow | None:
        """A token by id."""

    async def tokens(self, player: str) -> list[TokenRow]:
        """The tokens of a player, by id."""

    async def delete_token(self, player: str, token: str) -> bool:
        """Delete a token if it belongs to this player; returns whether it did."""

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        """The hundred best ratings, of one player or of one game if these are given."""

    async def rate(self, match: str, rating: Rating) -> bool:
        """Rate a match that ended before ratings were saved with the end; False if it was rated before."""


class Sessions(Protocol):
    """Sessions, passwords and recovery codes of players. All methods may raise StoreUnavailable."""

    async def add_session(self, session: SessionRow, password: str | None = None) -> None:
        """Insert a session. Raises PasswordChanged unless the player has this password, if it is given."""

    async def session(self, session: str) -> SessionRow | None:
        """A session by id."""

    async def sessions(self, player: str) -> list[SessionRow]:
        """The sessions of a player, by id."""

    async def touch_session(self, session: str, used: int) -> None:
        """Record when (ms) a session was used."""

    async def rotate_session(self, session: str, digest: str) -> bool:
        """Give a session another secret; False if there is no such session."""

    async def delete_session(self, player: str, session: str) -> bool:
        """Delete a session if it belongs to this player; returns whether it did."""

    async def delete_sessions(self, player: str, but: str = "") -> list[str]:
        """Delete all sessions of a player but one, and return the ids of those deleted."""

    async def prune_sessions(self, unused_since: int, unknown_since: int) -> None:
        """Delete sessions last used before a time (ms), of players who are not stored before another time."""

    async def change_password(self, player: PlayerRow, password: str, but: str = "") -> list[str]:
        """Set a new password and delete all sessions but one; returns the ids of those deleted.

        Raises PasswordChanged if the password is not that of `player` any more.
        """

    async def recover(self, player: PlayerRow, code: str) -> list[str] | None:
        """Spend a recovery code, set the password of `player`, and delete all their sessions and tokens.

        Returns the ids of what was deleted; None, and nothing is changed, if the player has no code of this digest.
        """

    async def set_codes(self, player: PlayerRow, digests: Sequence[str]) -> None:
        """Replace the recovery codes of a player. Raises PasswordChanged if the password is another one by now."""

    async def has_code(self, player: str, digest: str) -> bool:
        """Whether a player has a recovery code of this digest."""

    async def count_codes(self, player: str) -> int:
        """How many recovery codes a player has left."""

    async def old_cookies(self) -> OldCookies | None:
        """How cookies of earlier versions are checked; None if the database never signed any."""

    async def old_cookie_retired(self, player: str) -> int | None:
        """When (ms) the cookie that an earlier version signed for this player was retired; None if it was not."""

    async def retire_old_cookie(self, player: str, at: int) -> None:
        """Record when (ms) the cookie of an earlier version is retired; an earlier time stays."""


class Reviews(Protocol):
    """Reviews of records as JSON texts, by a digest of the record. All methods may raise StoreUnavailable."""

    async def review(self, digest: str) -> str | None:
        """A review that was saved."""

    async def save_review(self, digest: str, text: str, at: int) -> None:
        """Save a review that was made at this time (ms), unless there is one."""

    async def prune_reviews(self, before: int) -> None:
        """Delete the reviews that were made before a time (ms); they can be made again."""


class Studies(Protocol):
    """Studies, whose edits are entries of the journal under their ids. All methods may raise StoreUnavailable."""

    async def add_study(self, study: StudyRow) -> None:
        """Insert a study."""

    async def study(self, study: str) -> StudyRow | None:
        """A study by id."""

    async def studies(self, owner: str) -> list[StudyRow]:
        """The studies of a player without their documents, the last changed first."""

    async def page(self, after: str = "", limit: int = 100) -> list[StudyRow]:
        """The next studies by id, of all whose id is greater than `after`."""

    async def save_document(self, study: StudyRow, keep: int) -> None:
        """Save name, time of change and document at a version, unless a later one is saved; the last edits are kept.

        Edits of versions up to `version - keep` are deleted.
        """

    async def set_keys(self, study: str, read_key: str | None, write_key: str | None) -> None:
        """Set the secrets of the links."""

    async def delete_study(self, study: str) -> None:
        """Delete a study and its edits."""


class Explorer(Protocol):
    """What was played in finished matches. All methods may raise StoreUnavailable."""

    async def unexplored(self, limit: int) -> list[str]:
        """The ids of some finished matches that are not in the index."""

    async def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> bool:
        """Add a match to the index, each action of each scope once; False, and nothing is added, if it is there."""

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        """What was played from a position, by action."""


PuzzleRows: TypeAlias = tuple[PuzzleStandingRow | None, PuzzleRatingRow | None]
"""The standing of a player and the rating of a puzzle, None for what is not stored yet."""

RatePuzzle: TypeAlias = Callable[[PuzzleRows], tuple[PuzzleStandingRow, PuzzleRatingRow]]
"""The rows after an answer from those before it."""


class Puzzles(Protocol):
    """What players have answered, how they stand, and the ratings of puzzles. All may raise StoreUnavailable."""

    async def puzzle_answers(self, player: str, game: str) -> list[PuzzleAnswerRow]:
        """The answers of a player to the puzzles of a game, the one that is due first first."""

    async def puzzle_standing(self, player: str, game: str) -> PuzzleStandingRow | None:
        """How a player does with the puzzles of a game; None before the first answer."""

    async def puzzle_rating(self, puzzle: str) -> PuzzleRatingRow | None:
        """The rating of a puzzle; None before the first answer."""

    async def answer_puzzle(self, answer: PuzzleAnswerRow, rate: RatePuzzle) -> bool:
        """Store an answer; the first one to a puzzle also changes the ratings, together with it.

        Returns whether it was the first; of a later one only `due` and `card` are kept.
        """


Appended: TypeAlias = Callable[[str, int], None]
"""Called with match, or study, and version."""

Received: TypeAlias = Callable[[str, str], None]
"""Called with the process that published a text, and the text."""


class Notifications(Protocol):
    """Messages between the processes on one store. They hold no secrets: ids and versions only."""

    def publish(self, text: str) -> None:
        """Send a short text to all other processes; it is lost if the database is unavailable."""

    def subscribe(self, appended: Appended, received: Received, resumed: Callable[[], None]) -> None:
        """Have `appended` called for each append of another process, and `received` for each text of one.

        `resumed` is called when listening begins and when it begins again after a lost connection; notifications
        before that may have been missed.
        """


class NoNotifications:
    """The notifications of a store that only one process uses."""

    def publish(self, text: str) -> None: ...

    def subscribe(self, appended: Appended, received: Received, resumed: Callable[[], None]) -> None: ...


class Store(Protocol):
    """Journal, matches, players, sessions, puzzles and notifications, opened and closed together."""

    @property
    def process(self) -> str:
        """The id of this process among those on the store."""

    @property
    def shared(self) -> bool:
        """Whether other processes may use the store."""

    @property
    def journal(self) -> StoreJournal: ...

    @property
    def matches(self) -> Matches: ...

    @property
    def players(self) -> Players: ...

    @property
    def sessions(self) -> Sessions: ...

    @property
    def reviews(self) -> Reviews: ...

    @property
    def studies(self) -> Studies: ...

    @property
    def explorer(self) -> Explorer: ...

    @property
    def puzzles(self) -> Puzzles: ...

    @property
    def notifications(self) -> Notifications: ...

    async def open(self) -> None:
        """Connect and run the migrations that the database lacks."""

    async def close(self) -> None:
        """Commit what is queued and disconnect."""

    async def reserve(self) -> None:
        """Make this process the only server of a store that is not shared, until it closes the store or ends.

        Raises OptionError if another process is it.
        """

    async def check(self) -> None:
        """Raise StoreUnavailable unless the database can be written to."""
