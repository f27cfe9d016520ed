"""What a store is: four small parts, each of which the memory store and the SQL store provide.

A match is its terms and an append-only list of entries; the number of an entry is the version of the match after it.
An append names its version, and the store refuses one that is taken: any number of processes can serve one match.
"""

from asyncio import Future
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from kemu.core.game import Outcome
from kemu.play.clock import NoClock
from kemu.play.table import Status, Table
from kemu.play.terms import Player, Terms


class Result(Struct, frozen=True):
    """How a match ended, as it is kept and sent; scores are fractions such as "7/2"."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[str, ...] | None
    at: tuple[str, ...]


class MatchRow(Struct, frozen=True):
    """What the lists show of a match; it changes when somebody sits down, at the start and at the end."""

    terms: Terms
    status: Status
    players: list[Player | None]
    outcome: Result | None
    next: str | None

    @property
    def people(self) -> set[str]:
        """The ids of the people at its seats."""
        return {player.id for player in self.players if player is not None and player.kind == "person"}


def tended(of: Table | MatchRow) -> bool:
    """Whether a process must look after a match: it is running, and a bot plays or a clock runs."""
    if of.status != "running":
        return False
    return type(of.terms.clock) is not NoClock or any(player and player.kind == "bot" for player in of.players)


def result(outcome: Outcome | None) -> Result | None:
    """An outcome, ready for JSON."""
    if outcome is None:
        return None
    scores = None if outcome.scores is None else tuple(str(score) for score in outcome.scores)
    return Result(outcome.winners, outcome.reason, scores, outcome.at)


def row(table: Table) -> MatchRow:
    """What the lists show of a table."""
    return MatchRow(table.terms, table.status, list(table.players), result(table.match.outcome), table.next)


class Append(NamedTuple):
    """One entry to be kept as this version of a match, and the match's new row if that changes."""

    match: str
    version: int
    entry: bytes
    row: MatchRow | None = None


class Journal(Protocol):
    """Takes entries and says when they are safe; many that come at once are made safe at once."""

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        """All of these or none; done when durable. Fails with StaleVersion, or with StoreAway if nobody knows."""


Show: TypeAlias = Literal["lobby", "mine", "live", "finished"]

STATUS: Final[Mapping[Show, Status]] = {"lobby": "open", "live": "running", "finished": "finished"}
"""What the public lists show; one's own matches are listed whatever their status."""


class Query(NamedTuple):
    """Which matches a list shows, newest first."""

    show: Show
    player: str = ""
    game: str | None = None
    before: int | None = None
    limit: int = 50


class Matches(Protocol):
    """Reads matches, and knows which process tends which."""

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        """A match with all its entries, or UnknownMatch."""

    async def entries(self, match: str, after: int) -> list[bytes]:
        """The entries after a version."""

    async def rows(self, query: Query) -> list[MatchRow]:
        """A list of matches."""

    async def hosted(self, player: str) -> int:
        """How many open and running matches this player has made."""

    async def every(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        """All matches by id, for export and upkeep."""

    async def unrated(self) -> list[str]:
        """Finished rated matches whose ratings were not counted yet."""

    async def adopt(self, now: int, dead: int) -> list[str]:
        """Say that this process lives; take over tended matches of those silent since `dead`, and name them."""

    async def retire(self) -> None:
        """Say that this process ends, so that others need not wait to take over."""


class PlayerRow(Struct, frozen=True):
    """Somebody who has played or has an account."""

    id: str
    name: str
    account: bool = False
    password: str | None = None


class TokenRow(Struct, frozen=True):
    """A token of a player, known by the digest of its secret."""

    id: str
    player: str
    label: str
    digest: str


class RatingRow(Struct, frozen=True):
    """How strong a player is at a game: the mean and the doubt of openskill."""

    player: str
    game: str
    mu: float
    sigma: float
    matches: int


Rate: TypeAlias = Callable[[dict[str, RatingRow]], list[RatingRow]]
"""From the known ratings of the players of a match to their new ones."""


class People(Protocol):
    """Players, their tokens and their ratings."""

    async def secret(self) -> str:
        """The key that signs cookies, made at the first start."""

    async def player(self, player: str) -> PlayerRow | None:
        """A player by id."""

    async def account(self, name: str) -> PlayerRow | None:
        """An account by name, upper and lower case being one."""

    async def keep(self, player: PlayerRow) -> None:
        """Add or change a player; NameTaken if another account has the name."""

    async def add_token(self, token: TokenRow) -> None:
        """Keep a new token."""

    async def token(self, token: str) -> TokenRow | None:
        """A token by id."""

    async def tokens(self, player: str) -> list[TokenRow]:
        """The tokens of a player."""

    async def drop_token(self, player: str, token: str) -> bool:
        """Forget a token; whether there was one."""

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        """Ratings of a player, or the hundred best of a game."""

    async def rate(self, match: str, game: str, players: Sequence[str], rate: Rate) -> bool:
        """Count a match once: new ratings of its players; False if it was counted before."""


Heard: TypeAlias = Callable[[str, str], None]
"""Called with the process that told something, and its text."""


class News(Protocol):
    """Tells the other processes on this store; what is told holds no secret."""

    def tell(self, text: str) -> None:
        """Send a short text to all other processes."""

    def listen(self, saved: Callable[[str, int], None], heard: Heard) -> None:
        """Have `saved` called with match and version for appends of others, and `heard` with their texts."""


class Store(Protocol):
    """All four, opened and closed together."""

    @property
    def process(self) -> str:
        """A name for this process among those on the store."""

    @property
    def shared(self) -> bool:
        """Whether other processes may be on the store."""

    @property
    def journal(self) -> Journal: ...

    @property
    def matches(self) -> Matches: ...

    @property
    def people(self) -> People: ...

    @property
    def news(self) -> News: ...

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""

    async def close(self) -> None:
        """Finish what was begun."""

    async def check(self) -> None:
        """Raise StoreAway unless the store answers."""
