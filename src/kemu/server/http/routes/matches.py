"""Matches: create, list, join, leave, look at, replay, and their records."""

import asyncio
from random import SystemRandom
from typing import Annotated, Any, TypeAlias

from litestar import get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct, field

from kemu.analysis.analyse import make
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import SPECTATOR, AnyGame, options
from kemu.people.names import Name, clean_name
from kemu.play.commands import Join, Leave
from kemu.play.dealer import Dealer
from kemu.play.decide import LONGEST_MATCH
from kemu.play.errors import MatchRunning, NotYours, SeatTaken
from kemu.play.terms import ClockTerms, NoClock, Player, Terms, fit_for_rating, new_series
from kemu.server.auth.accounts import check_free, shown_player
from kemu.server.auth.identity import NotSignedIn, Visitor
from kemu.server.http.requests import GUEST, PLAY, READ, Caller, FromCaller, FromServices
from kemu.server.http.routes.games import ReplayAnswer, ReplayView, replay_steps
from kemu.server.jobs import Bots, is_bots_only
from kemu.server.live.frames import ListedMatch, MatchAnswer, listed_row, listed_table, match_answer
from kemu.server.live.match import MatchActor
from kemu.server.ratings import is_unrated
from kemu.server.runtime import now_ms
from kemu.storage.matches import Query, Show


class MySeat(Struct, frozen=True, tag="me", tag_field="kind", forbid_unknown_fields=True):
    """I sit here, or somebody beside me at this screen."""

    name: Name | None = None


class FreeSeat(Struct, frozen=True, tag="open", tag_field="kind", forbid_unknown_fields=True):
    """A seat for the first player who joins."""


class BotRequest(Struct, frozen=True, tag="bot", tag_field="kind", forbid_unknown_fields=True):
    """A bot of this name."""

    bot: Name


SeatRequest: TypeAlias = MySeat | FreeSeat | BotRequest


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be made."""

    game: str
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=10)]
    options: dict[str, Any] = field(default_factory=dict)
    toss: bool = False
    clock: ClockTerms = field(default_factory=NoClock)
    public: bool = False
    rated: bool = False
    series: Annotated[int, Meta(ge=1, le=100)] = 1


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to take; the first open one if none is named."""

    seat: Annotated[int, Meta(ge=0, le=9)] | None = None


class SeatBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to put on an open seat."""

    bot: Name


@post("/api/matches", opt=PLAY | GUEST)
async def create(caller: FromCaller, data: JSONBody[NewMatch]) -> MatchAnswer:
    """Make a match."""
    game = make(data.game, data.options)
    if len(data.seats) != game.seats:
        raise OptionError(f"This game has {game.seats} seats, not {len(data.seats)}.")
    seats = list(data.seats)
    if data.toss:
        SystemRandom().shuffle(seats)
    visitor, services = caller.visitor, caller.services
    wanted = [(seat, await _player(asked, caller, game)) for seat, asked in enumerate(seats)]
    players = [(seat, player) for seat, player in wanted if player is not None]
    if not players:
        raise OptionError("At least one seat is yours or a bot's.")
    if data.rated:
        _check_rated(visitor, [player for _, player in players])
        if is_unrated(game):
            raise OptionError("A match with these options cannot be rated: they decide it at once.")
        if not fit_for_rating(data.clock):
            raise OptionError("A rated match has a clock: at least 60 seconds, 30 seconds and an increment, or days.")
    terms = Terms(
        id=Dealer().new_id(),
        game=game.key,
        options=options(game),
        host=visitor.id,
        created=now_ms(),
        clock=data.clock,
        public=data.public,
        rated=data.rated,
        series=new_series(data.series, game.seats),
    )
    async with services.turns.of(visitor.id):
        await _check_limits(caller, bots_only=is_bots_only(tuple(player for _, player in wanted)))
        await services.identity.keep_guest(visitor)
        actor = await services.registry.create(terms, game, players)
    return await _answer(actor, visitor)


@get("/api/matches", opt=READ)
async def matches(
    caller: FromCaller,
    show: FromQuery[Show] = "lobby",
    game: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[ListedMatch]:
    """List matches, newest first; none of pupils to those who are not of their class."""
    player, registry, store = caller.visitor.id, caller.services.registry, caller.services.runtime.store
    answers: list[ListedMatch] = []
    rows = await store.matches.rows(Query(show, player, game, before, limit))
    if show != "mine":
        hidden = await store.people.strange_pupils(player, {each for row in rows for each in row.person_ids})
        rows = [row for row in rows if player in row.person_ids or hidden.isdisjoint(row.person_ids)]
    else:
        await asyncio.gather(*(registry.find(row.terms.id) for row in rows if row.status in ("open", "running")))
    for row in rows:
        actor = registry.loaded(row.terms.id)
        answers.append(listed_row(row, player) if actor is None else listed_table(await actor.current(), player))
    if show == "mine":
        answers.sort(key=lambda answer: answer.status not in ("open", "running"))
    return answers


@get("/api/matches/{match:str}", opt=READ)
async def match_of(caller: FromCaller, match: FromPath[str]) -> MatchAnswer:
    """Return one match."""
    return await _answer(await caller.services.registry.find(match), caller.visitor)


@post("/api/matches/{match:str}/join", status_code=200, opt=PLAY | GUEST)
async def join(caller: FromCaller, match: FromPath[str], data: JSONBody[JoinRequest]) -> MatchAnswer:
    """Take a seat."""
    visitor, services = caller.visitor, caller.services
    actor = await services.registry.find(match)
    if actor.document.terms.rated:
        _check_rated(visitor, [])
    await services.identity.keep_guest(visitor)
    table = await actor.current()
    mine = table.seats(visitor.id)
    if not (data.seat in mine or (data.seat is None and mine)):
        if data.seat is None and None not in table.players:  # this says more than that the match has started
            raise SeatTaken("No seat is open.")
        async with services.turns.of(match):  # or two who are kept apart could join at once
            await services.registry.check_apart(visitor.id, await actor.current())
            await actor.execute(Join(((data.seat, await _person(caller)),)))
    return await _answer(actor, visitor)


@post("/api/matches/{match:str}/leave", status_code=200, opt=PLAY)
async def leave(caller: FromCaller, match: FromPath[str]) -> MatchAnswer:
    """Leave all your seats before the start."""
    actor = await caller.services.registry.find(match)
    await actor.execute(Leave(caller.visitor.id))
    return await _answer(actor, caller.visitor)


@put("/api/matches/{match:str}/seats/{seat:int}", opt=PLAY)
async def seat_bot(
    caller: FromCaller, match: FromPath[str], seat: FromPath[int], data: JSONBody[SeatBot]
) -> MatchAnswer:
    """Put a bot on an open seat of a match you host."""
    actor = await caller.services.registry.find(match)
    if actor.document.terms.host != caller.visitor.id:
        raise NotYours("Only the host can seat a bot.")
    bot = _bot(data.bot, caller.services.bots, actor.document.game)
    async with caller.services.turns.of(caller.visitor.id):
        players = actor.document.players
        if is_bots_only(tuple(bot if number == seat else player for number, player in enumerate(players))):
            caller.services.bot_scheduler.check_bots_only(caller.visitor.id)
        await actor.execute(Join(((seat, bot),)))
    return await _answer(actor, caller.visitor)


@get("/api/matches/{match:str}/record")
async def record(services: FromServices, match: FromPath[str]) -> Document:
    """Return the whole record of a match that is over."""
    table = await (await services.registry.find(match)).current()
    if table.outcome is None:
        raise MatchRunning("The record is given out when the match is over.")
    return table.record().encode()


@get(["/api/matches/{match:str}/replay", "/api/matches/{match:str}/study"], opt=READ)
async def replay_match(
    caller: FromCaller, match: FromPath[str], seat: FromQuery[int] = SPECTATOR, text: FromQuery[bool] = False
) -> ReplayAnswer:
    """Show a match step by step, through your own seat or as a spectator; one that is over, through any seat."""
    table = await (await caller.services.registry.find(match)).current()
    running = table.outcome is None
    if running and seat != SPECTATOR and seat not in table.seats(caller.visitor.id):
        raise NotYours(f"Seat {seat} belongs to somebody else.")
    actions, shown = table.record().actions[:LONGEST_MATCH], ReplayView(seat, running, text)
    async with caller.services.turns.of(caller.address):
        return await asyncio.to_thread(replay_steps, table.game, None, actions, shown)


async def _check_limits(caller: Caller, *, bots_only: bool) -> None:
    """Raise TooMany if the caller, or the caller's address, may make no more matches now."""
    player, services = caller.visitor.id, caller.services
    if bots_only:
        services.bot_scheduler.check_bots_only(player)
    await services.registry.check_limits(player, caller.address)


async def _answer(actor: MatchActor, visitor: Visitor) -> MatchAnswer:
    return match_answer(await actor.current(), visitor.id)


async def _player(asked: SeatRequest, caller: Caller, game: AnyGame) -> Player | None:
    """Return the player on a seat of a new match; `None` if it is open."""
    match asked:
        case MySeat(name=name):
            return await _person(caller, name)
        case BotRequest(bot=bot):
            return _bot(bot, caller.services.bots, game)
        case _:
            return None


async def _person(caller: Caller, name: str | None = None) -> Player:
    """Return the caller as a player, or a named one beside them; only its owner plays with an account's name."""
    player, players = caller.visitor.player, caller.services.runtime.store.players
    if name is not None:
        shown = clean_name(name)
        await check_free(players, shown, player.id)
        return Player(player.id, shown)
    return await shown_player(players, player)


def _bot(name: str, bots: Bots, game: AnyGame) -> Player:
    names = bots.names(game)
    if name not in names:
        raise OptionError(f"{game.key} has no bot '{name}'; its bots are {', '.join(names)}.")
    return Player(f"bot:{name}", name, "bot")


def _check_rated(visitor: Visitor, players: list[Player]) -> None:
    if not visitor.player.account:
        raise NotSignedIn("Rated matches are for accounts; make one first.")
    if sum(player.id == visitor.id for player in players) > 1:
        raise OptionError("In a rated match everybody has one seat.")
