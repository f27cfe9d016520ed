"""Tournaments, whose entries are in the journal under their ids: rows, statements and methods."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Select, bindparam, delete, func, select

from kemu.people.tournaments.commands import UnknownTournament
from kemu.people.tournaments.values import Stage, TournamentTerms
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import NO_LIMIT_MS
from kemu.storage.schema import entrants, tournaments
from kemu.storage.statements import TEXT, Compiler, insert_new, on_rows, plain, upsert

ShowTournaments: TypeAlias = Stage | Literal["mine"]
"""Which tournaments a list has: the public ones of a stage, or those that a player takes part in."""


class TournamentRow(Struct, frozen=True):
    """A tournament as it was made, and how far it is: its stage, how many take part, and the number of its round."""

    id: str
    host: str
    created: int
    terms: TournamentTerms
    stage: Stage = "open"
    players: int = 0
    round: int = 0
    due: int | None = None


class TournamentSave(NamedTuple):
    """The row of a tournament, and the persons who take part if that has changed."""

    row: TournamentRow
    people: tuple[str, ...] | None = None


class TournamentQuery(NamedTuple):
    """What a list of tournaments has, newest first."""

    show: ShowTournaments
    player: str = ""
    game: str | None = None
    before: int | None = None
    limit: int = 50


_SAVE: Final = upsert(tournaments)
_INSERT_ENTRANTS: Final = insert_new(entrants)
_DUE: Final = plain(
    select(tournaments.c.id)
    .where(tournaments.c.due.is_not(None), tournaments.c.due <= bindparam("now"))
    .order_by(tournaments.c.due)
    .limit(bindparam("limit"))
)
_HOSTED: Final = plain(
    select(func.count())
    .select_from(tournaments)
    .where(tournaments.c.host == bindparam("of"))
    .where((tournaments.c.stage == "open") | (tournaments.c.stage == "running"))
)
_BY_ID: Final = plain(select(tournaments.c.row).where(tournaments.c.id == bindparam("of")))


@on_rows({"tournament": TEXT})
def _delete_entrants(sql: Compiler, given: Any) -> Any:
    """Delete who takes part in tournaments."""
    return delete(entrants).where(entrants.c.tournament.in_(select(given.c.tournament)))


def _newest(*, mine: bool, one_game: bool) -> Select[Any]:
    """Select the rows of the newest tournaments before a time, up to a limit."""
    if mine:
        chosen = select(tournaments.c.row).join_from(entrants, tournaments, entrants.c.tournament == tournaments.c.id)
        chosen = chosen.where(entrants.c.player == bindparam("player"), entrants.c.created < bindparam("before"))
        order = (entrants.c.created.desc(), entrants.c.tournament.desc())
    else:
        chosen = select(tournaments.c.row).where(tournaments.c.public, tournaments.c.stage == bindparam("stage"))
        chosen = chosen.where(tournaments.c.created < bindparam("before"))
        order = (tournaments.c.created.desc(), tournaments.c.id.desc())
    if one_game:
        chosen = chosen.where(tournaments.c.game == bindparam("game"))
    return chosen.order_by(*order).limit(bindparam("limit"))


_NEWEST: Final = {
    (mine, one_game): plain(_newest(mine=mine, one_game=one_game))
    for mine in (False, True)
    for one_game in (False, True)
}
"""By whether they are those of a player or else the public ones of a stage, and whether of one game only."""


class Tournaments(Aggregate):
    """Tournaments without their entries; the journal writes what changes with an entry."""

    @transaction
    def add(self, row: TournamentRow) -> Transaction[None]:
        """Insert a tournament without entries."""
        yield from save_tournaments([TournamentSave(row)])

    async def row(self, tournament: str) -> TournamentRow:
        """Return a tournament. Raises UnknownTournament."""
        found = await self._database.fetch(_BY_ID, of=tournament)
        if not found:
            raise UnknownTournament("No tournament has this id.")
        return _decode(found[0][0])

    async def rows(self, query: TournamentQuery) -> list[TournamentRow]:
        """Return the tournaments that a query selects."""
        mine = query.show == "mine"
        arguments: dict[str, Any] = {"player": query.player} if mine else {"stage": query.show}
        arguments |= {"before": NO_LIMIT_MS if query.before is None else query.before, "limit": query.limit}
        if query.game is not None:
            arguments["game"] = query.game
        found = await self._database.fetch(_NEWEST[mine, query.game is not None], **arguments)
        return [_decode(text) for (text,) in found]

    async def due(self, now: int, limit: int) -> list[str]:
        """Return the ids of at most `limit` tournaments in which something is due at a time (ms)."""
        return [found for (found,) in await self._database.fetch(_DUE, now=now, limit=limit)]

    async def count_hosted(self, player: str) -> int:
        """Return how many tournaments of an organiser are open or run."""
        ((count,),) = await self._database.fetch(_HOSTED, of=player)
        return int(count)


_decode: Final = msgspec.json.Decoder(TournamentRow).decode


def save_tournaments(saves: Sequence[TournamentSave]) -> Transaction[None]:
    """Save the rows of tournaments and who takes part, in one order."""
    if not saves:
        return
    newest = {save.row.id: save.row for save in saves}
    yield _SAVE, [_values(newest[found]) for found in sorted(newest)]
    people = {save.row.id: (save.row.created, save.people) for save in saves if save.people is not None}
    if people:
        yield _delete_entrants, [(found,) for found in sorted(people)]
        rows = [(player, people[found][0], found) for found in sorted(people) for player in people[found][1]]
        if rows:
            yield _INSERT_ENTRANTS, rows


def _values(row: TournamentRow) -> tuple[Any, ...]:
    searched = (row.id, row.host, row.terms.game, row.stage, row.terms.group is None, row.created, row.due)
    return (*searched, msgspec.json.encode(row).decode())
