"""Routes of what players show of themselves: their pages, their recent matches, and who is called what.

Statistics that a player hides are told to that player alone. A match that is not public is listed for those who sat at
it.
"""

import asyncio
from collections.abc import Set
from typing import Annotated, Final

from litestar import get, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.people.pace import Pace
from kemu.people.relations import RelationKind
from kemu.people.results import Result
from kemu.play.terms import DAY_MS
from kemu.server.auth.accounts import find_account
from kemu.server.http.requests import OWNER, READ, Caller, FromCaller, FromServices
from kemu.server.http.routes.players import RatingAnswer, rating_answer
from kemu.server.live.frames import ListedMatch, listed_row
from kemu.server.runtime import now_ms
from kemu.storage.errors import UnknownPlayer
from kemu.storage.matches import MatchRow, Query
from kemu.storage.profiles import ProfileRow
from kemu.storage.puzzles import PuzzleStandingRow

GRAPH_DAYS: Final = 365
"""How many days of ratings are shown."""

SEARCHED: Final = 4
"""How many matches of a player are looked at for each that may be listed."""


class HiddenStatistics(KemuError, code="private"):
    """A player shows statistics to nobody else."""


class NamedAnswer(Struct, frozen=True):
    """An account by its id and name."""

    id: str
    name: str


class RatingPoint(Struct, frozen=True):
    """A rating and its deviation at the end of a day, counted from 1970."""

    game: str
    pace: Pace
    day: int
    rating: int
    deviation: int


class ResultAnswer(Struct, frozen=True):
    """How matches of a game ended for a player; `against` is "people", or the id of a bot such as "bot:3"."""

    game: str
    against: str
    won: int
    drawn: int
    lost: int


class PuzzleStanding(Struct, frozen=True):
    """How a player does with the puzzles of a game."""

    game: str
    rating: int
    deviation: int
    answered: int
    solved: int
    best: int


class Statistics(Struct, frozen=True):
    """What a player may hide: how the ratings went in the last year, results, and puzzles."""

    days: list[RatingPoint]
    results: list[ResultAnswer]
    puzzles: list[PuzzleStanding]


class ProfileAnswer(Struct, frozen=True):
    """An account as the caller may see it.

    `since` (ms) is when it was made, null if that is not known. `statistics` are null if the player hides them from the
    caller. `met` are the caller's results against the player, and `relation` whether the caller follows or blocks them.
    """

    id: str
    name: str
    mine: bool
    hidden: bool
    since: int | None
    ratings: list[RatingAnswer]
    statistics: Statistics | None
    met: list[ResultAnswer]
    relation: RelationKind | None


class RecentMatch(Struct, frozen=True):
    """A finished match in the list of a player, and by how many points it moved the player's rating, if it did."""

    match: ListedMatch
    change: int | None


class RecentMatches(Struct, frozen=True):
    """Finished matches of a player, newest first; `before` asks for those that come next, null if there are none."""

    matches: list[RecentMatch]
    before: int | None


class Choices(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player chose: whether statistics are for the player alone, and whether greetings are off."""

    hidden: bool
    quiet: bool


@get("/api/players", opt=READ)
async def named(
    services: FromServices, name: FromQuery[str], limit: Annotated[int, QueryParameter(ge=1, le=50)] = 20
) -> list[NamedAnswer]:
    """Find accounts whose names begin like this, whatever the case."""
    found = await services.runtime.store.profiles.named(name, limit) if name.strip() else []
    return [NamedAnswer(each.player, each.name) for each in found]


@get("/api/profile", opt=READ)
async def profile(caller: FromCaller, name: FromQuery[str]) -> ProfileAnswer:
    """Return the account of this name, with what it shows to you."""
    store, viewer = caller.services.runtime.store, caller.visitor.id
    account = await find_account(store.players, name)
    if account is None or await store.people.strange_pupils(viewer, [account.id]):
        raise UnknownPlayer("No account has this name.")
    row, mine, now = await store.profiles.profile(account.id), account.id == viewer, now_ms()
    met = [] if mine else await store.results.between(viewer, account.id)
    return ProfileAnswer(
        id=account.id,
        name=account.name,
        mine=mine,
        hidden=row.hidden,
        since=row.since or None,
        ratings=[rating_answer(each, now) for each in await store.ratings.of_player(account.id)],
        statistics=await _statistics(caller, row, now) if mine or not row.hidden else None,
        met=[_result(each) for each in met],
        relation=None if mine else await store.people.relation(viewer, account.id),
    )


@get("/api/players/{player:str}/matches", opt=READ)
async def recent(
    caller: FromCaller,
    player: FromPath[str],
    game: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> RecentMatches:
    """List the finished matches of a player that you may know of, newest first."""
    store, viewer = caller.services.runtime.store, caller.visitor.id
    if player != viewer and (await store.profiles.profile(player)).hidden:
        raise HiddenStatistics("This player’s statistics are private.")
    rows = await store.matches.rows(Query("mine", player, game, before, SEARCHED * limit))
    hidden = await store.people.strange_pupils(viewer, {each for row in rows for each in row.person_ids})
    shown = [row for row in rows if row.status == "finished" and _may_list(row, viewer, hidden)][:limit]
    changes = await asyncio.gather(*(store.ratings.changes(row.terms.id) for row in shown))
    moved = [next((round(each.change) for each in found if each.player == player), None) for found in changes]
    last = shown if len(shown) == limit else rows if len(rows) == SEARCHED * limit else []
    answers = [RecentMatch(listed_row(row, viewer), change) for row, change in zip(shown, moved, strict=True)]
    return RecentMatches(answers, last[-1].terms.created if last else None)


@get("/api/me/choices")
async def choices(caller: FromCaller) -> Choices:
    """Return what you show of yourself, and whether greetings are off."""
    row = await caller.services.runtime.store.profiles.profile(caller.visitor.id)
    return Choices(row.hidden, row.quiet)


@put("/api/me/choices", opt=OWNER)
async def choose(caller: FromCaller, data: JSONBody[Choices]) -> Choices:
    """Choose what you show of yourself, and whether greetings are off."""
    await caller.services.identity.keep_guest(caller.visitor)
    row = ProfileRow(caller.visitor.id, hidden=data.hidden, quiet=data.quiet)
    await caller.services.runtime.store.profiles.save_profile(row)
    return data


def _may_list(row: MatchRow, viewer: str, hidden: Set[str]) -> bool:
    return viewer in row.person_ids or (row.terms.public and hidden.isdisjoint(row.person_ids))


async def _statistics(caller: Caller, row: ProfileRow, now: int) -> Statistics:
    store = caller.services.runtime.store
    days, results, puzzles = await asyncio.gather(
        store.ratings.days(row.player, now // DAY_MS - GRAPH_DAYS),
        store.results.general(row.player),
        store.puzzles.standings(row.player),
    )
    points = [RatingPoint(each.game, each.pace, each.day, round(each.rating), round(each.deviation)) for each in days]
    return Statistics(points, [_result(each) for each in results], [_puzzles(each) for each in puzzles])


def _result(found: Result) -> ResultAnswer:
    return ResultAnswer(found.game, found.other, found.won, found.drawn, found.lost)


def _puzzles(row: PuzzleStandingRow) -> PuzzleStanding:
    return PuzzleStanding(row.game, round(row.mean), round(row.deviation), row.answered, row.solved, row.best)
