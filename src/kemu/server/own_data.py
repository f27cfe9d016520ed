"""Everything that is stored about a player, for that player."""

from typing import Any, Final

from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from kemu.people.notices import SavedNotice
from kemu.people.ratings import GameRating
from kemu.people.results import Result
from kemu.storage.matches import MatchRow, Query
from kemu.storage.people import Related
from kemu.storage.profiles import ProfileRow
from kemu.storage.puzzles import PuzzleStandingRow
from kemu.storage.ratings import RatingDay
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow

MOST_MATCHES: Final = 10_000
PAGE: Final = 500


class OwnSession(Struct, frozen=True):
    """A session without its secret; times in ms."""

    device: str
    created: int
    used: int


class OwnData(Struct, frozen=True):
    """What a server has stored about a player.

    `matches` are the newest 10,000, without their moves, which `/api/matches/{id}/record` has; `studies` have their
    documents as they were last saved.
    """

    id: str
    name: str
    account: bool
    profile: ProfileRow
    sessions: list[OwnSession]
    tokens: list[str]
    follows: list[Related]
    blocks: list[Related]
    ratings: list[GameRating]
    rating_days: list[RatingDay]
    results: list[Result]
    puzzles: list[PuzzleStandingRow]
    notices: list[SavedNotice]
    studies: list[dict[str, Any]]
    matches: list[MatchRow]


async def collect(store: Store, player: str) -> OwnData:
    """Return what is stored about a player."""
    known = await store.players.player(player)
    return OwnData(
        id=player,
        name=known.name if known else "",
        account=known is not None and known.account,
        profile=await store.profiles.profile(player),
        sessions=[OwnSession(row.device, row.created, row.used) for row in await store.sessions.sessions(player)],
        tokens=[token.label for token in await store.players.tokens(player)],
        follows=await store.people.related(player, "follow", limit=1000),
        blocks=await store.people.related(player, "block", limit=1000),
        ratings=await store.ratings.of_player(player),
        rating_days=await store.ratings.days(player),
        results=await store.results.general(player),
        puzzles=await store.puzzles.standings(player),
        notices=await store.notices.latest(player),
        studies=[await _study(store, study) for study in await store.studies.studies(player)],
        matches=await _matches(store, player),
    )


async def _study(store: Store, study: StudyRow) -> dict[str, Any]:
    saved = await store.studies.study(study.id)
    document = Raw(saved.document.encode()) if saved is not None and saved.document else None
    return {"id": study.id, "name": study.name, "created": study.created, "document": document}


async def _matches(store: Store, player: str) -> list[MatchRow]:
    found: list[MatchRow] = []
    before: int | None = None
    while len(found) < MOST_MATCHES:
        rows = await store.matches.rows(Query("mine", player, before=before, limit=PAGE))
        found += [replace(row, view=UNSET) for row in rows]
        if len(rows) < PAGE:
            break
        before = rows[-1].terms.created
    return found
