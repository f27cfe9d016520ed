"""Tournaments: make, list, look at, take part, and the results as JSON or CSV."""

import csv
import io
from typing import Annotated, Any, Final, Literal

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from kemu.analysis.analyse import make
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, options
from kemu.people.names import clean_name
from kemu.people.pace import pace_of
from kemu.people.tournaments.commands import AnyAsk, Enter, EntryRefused, PersonCommand
from kemu.people.tournaments.standings import ORDERS, TournamentStanding, standings
from kemu.people.tournaments.terms import check_tournament
from kemu.people.tournaments.values import (
    FULL_POINTS,
    LARGEST_TABLE,
    Entrant,
    PairedGame,
    Stage,
    Tournament,
    TournamentTerms,
)
from kemu.server.auth.identity import NotSignedIn
from kemu.server.http.requests import OWNER, PLAY, READ, Caller, FromCaller
from kemu.server.live.tournament import TournamentAnswer, tournament_answer
from kemu.server.ratings import is_unrated
from kemu.server.runtime import TooMany, now_ms
from kemu.server.tournaments import game_of
from kemu.storage.tournaments import ShowTournaments, TournamentQuery

MOST_HOSTED: Final = 10
"""How many tournaments of an organiser may be open or run."""


class ListedTournament(Struct, frozen=True):
    """A tournament in a list: how many take part, and the number of its round."""

    id: str
    created: int
    terms: TournamentTerms
    stage: Stage
    players: int
    round: int


class TournamentResult(Struct, frozen=True):
    """One game of the results: where it was played, who sat at which seat, and the points of the seats."""

    round: int
    board: int
    division: int
    game: PairedGame


class TournamentResults(Struct, frozen=True):
    """The results of a tournament: the order of its tie-breaks, its standings and all games with a result."""

    id: str
    name: str
    stage: Stage
    full_points: int
    order: list[str]
    entrants: list[Entrant]
    standings: list[TournamentStanding]
    games: list[TournamentResult]


@post("/api/tournaments", opt=PLAY | OWNER)
async def new_tournament(caller: FromCaller, data: JSONBody[TournamentTerms]) -> TournamentAnswer:
    """Make a tournament; it is open for players at once."""
    visitor, services = caller.visitor, caller.services
    if not visitor.player.account:
        raise NotSignedIn("Tournaments are made by accounts; make one first.")
    game = make(data.game, data.options)
    check_tournament(data, _seats(data), now_ms())
    if data.rated and is_unrated(game):
        raise OptionError("A tournament with these options cannot be rated: they decide a game at once.")
    if data.computer is not None and data.computer.bot not in services.bots.names(game):
        raise OptionError(f"{game.key} has no bot of this name.")
    if data.group is not None and await services.runtime.store.groups.role(data.group, visitor.id) != "teacher":
        raise EntryRefused("Only the teachers of a class or club make tournaments for it.")
    terms = replace(data, name=clean_name(data.name), options=options(game))
    async with services.turns.of(visitor.id):
        hosted = await services.tournaments.store.count_hosted(visitor.id)
        if hosted >= MOST_HOSTED:
            raise TooMany(f"You have {hosted} tournaments that are not over; end some first.")
        actor = await services.tournaments.create(visitor.id, terms)
    return tournament_answer(actor.document)


@get("/api/tournaments", opt=READ)
async def tournaments(
    caller: FromCaller,
    show: FromQuery[ShowTournaments] = "open",
    game: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[ListedTournament]:
    """List tournaments, newest first."""
    query = TournamentQuery(show, caller.visitor.id, game, before, limit)
    rows = await caller.services.tournaments.store.rows(query)
    return [ListedTournament(row.id, row.created, row.terms, row.stage, row.players, row.round) for row in rows]


@get("/api/tournaments/{tournament:str}", opt=READ)
async def tournament_of(caller: FromCaller, tournament: FromPath[str]) -> TournamentAnswer:
    """Return a tournament; one of pupils is known to their class alone."""
    return tournament_answer((await caller.services.tournaments.open_for(tournament, caller.visitor.id)).document)


@post("/api/tournaments/{tournament:str}/commands", status_code=200, opt=PLAY)
async def command(caller: FromCaller, tournament: FromPath[str], data: JSONBody[AnyAsk]) -> TournamentAnswer:
    """Take part, withdraw, agree on a time; for the organiser: begin, end, remove somebody."""
    services, visitor = caller.services, caller.visitor
    entrant = None
    if isinstance(data, Enter):
        found = (await services.tournaments.find(tournament)).document
        entrant = await _entrant(caller, found.terms)
    asked = PersonCommand(visitor.id, data, entrant)
    return tournament_answer((await services.tournaments.command(tournament, asked)).document)


@get("/api/tournaments/{tournament:str}/results", opt=READ)
async def results(
    caller: FromCaller, tournament: FromPath[str], form: FromQuery[Literal["json", "csv"]] = "json"
) -> Response[Any]:
    """Return standings and results as JSON, or the standings as a table in CSV."""
    found = (await caller.services.tournaments.open_for(tournament, caller.visitor.id)).document
    if form == "json":
        return Response(_results(found), media_type="application/json")
    headers = {"content-disposition": 'attachment; filename="standings.csv"'}
    return Response(_table(found), media_type="text/csv; charset=utf-8", headers=headers)


async def _entrant(caller: Caller, terms: TournamentTerms) -> Entrant:
    """Return the caller as somebody who takes part. Raises NotSignedIn, EntryRefused."""
    services, player = caller.services, caller.visitor.player
    if not player.account:
        raise NotSignedIn("Tournaments are for accounts; make one first.")
    groups = services.runtime.store.groups
    if terms.group is not None and await groups.role(terms.group, player.id) is None:
        raise EntryRefused("This tournament is for the members of a class or club.")
    if terms.group is None and await groups.managed(player.id):
        raise EntryRefused("Pupils enter the tournaments of their class.")
    pace = pace_of(terms.clock, 3 if terms.system == "tables" else 2) or "rapid"
    standing = await services.runtime.store.ratings.standing(player.id, terms.game, pace)
    return Entrant(player.id, player.name, round(standing.rating))


def _seats(terms: TournamentTerms) -> set[int]:
    """Return the numbers of seats that the game of a tournament can have."""
    found: set[int] = set()
    for seats in range(2, LARGEST_TABLE + 1):
        try:
            chosen: AnyGame = game_of(terms, seats)
        except OptionError:
            continue
        found.add(chosen.seats)
    return found


def _results(tournament: Tournament) -> TournamentResults:
    games = [
        TournamentResult(each.number, board, pairing.division, game)
        for each in tournament.rounds
        for board, pairing in enumerate(each.pairings)
        for game in pairing.games
        if game.points is not None
    ]
    return TournamentResults(
        id=tournament.id,
        name=tournament.terms.name,
        stage=tournament.stage,
        full_points=FULL_POINTS,
        order=list(ORDERS[tournament.terms.system]),
        entrants=list(tournament.entrants),
        standings=standings(tournament),
        games=games,
    )


FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet takes a text for a formula."""


def _table(tournament: Tournament) -> str:
    names = {entrant.id: entrant.name for entrant in tournament.entrants}
    written = io.StringIO()
    rows = csv.writer(written)
    ties = [value for value in ORDERS[tournament.terms.system][1:] if value != "won"]
    rows.writerow(("division", "place", "name", "points", "won", "drawn", "lost", *ties))
    for row in standings(tournament):
        name = names[row.entrant]
        shown = f"'{name}" if name.startswith(FORMULA_STARTS) else name
        points, *breaks = (_in_games(getattr(row, value)) for value in ("points", *ties))
        rows.writerow((row.division + 1, row.place, shown, points, row.won, row.drawn, row.lost, *breaks))
    return written.getvalue()


def _in_games(points: int) -> str:
    """Return points in won games, such as 2.5."""
    return f"{points / FULL_POINTS:g}"
