"""Who you are: guests, accounts, tokens, players and their ratings."""

import asyncio
from typing import Any

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kemu.games import game as make_game
from kemu.server.auth.identity import COOKIE, NotSignedIn, clean_name, hash_password, password_matches
from kemu.server.http.caller import Caller, Services
from kemu.server.http.requests import Credentials, Rename, TokenRequest
from kemu.server.http.responses import Me, NewToken, PlayerAnswer, TokenAnswer, rating_answer
from kemu.server.limits import Rates, TooMany
from kemu.storage.errors import UnknownPlayer, UnknownToken
from kemu.storage.rows import PlayerRow

BOT = "bot:"


def _me(player: PlayerRow) -> Me:
    return Me(player.id, player.name, player.account)


@get("/api/me")
async def me(caller: NamedDependency[Caller]) -> Me:
    """Who you are."""
    return _me(caller.visitor.player)


@patch("/api/me")
async def rename(caller: NamedDependency[Caller], data: JSONBody[Rename]) -> Me:
    """Give yourself a name."""
    player = caller.visitor.player
    changed = PlayerRow(player.id, clean_name(data.name), player.account, player.password)
    await caller.services.identity.keep(changed)
    return _me(changed)


@post("/api/account")
async def register(caller: NamedDependency[Caller], data: JSONBody[Credentials]) -> Me:
    """Make an account of this guest, or change the name and password of this account."""
    _limit_attempts(caller.services.password_rates, caller.visitor.id)
    password = await asyncio.to_thread(hash_password, data.password)
    changed = PlayerRow(caller.visitor.id, clean_name(data.name), True, password)
    await caller.services.identity.keep(changed)
    return _me(changed)


@post("/api/session", status_code=200)
async def sign_in(caller: NamedDependency[Caller], data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in to an account."""
    _limit_attempts(caller.services.password_rates, data.name.casefold())
    player = await caller.services.runtime.store.players.account(data.name)
    known = None if player is None else player.password
    if not await asyncio.to_thread(password_matches, known, data.password) or player is None:
        raise NotSignedIn("Name or password is wrong.")
    return Response(_me(player), cookies=[caller.services.identity.set_cookie(player.id)])


@delete("/api/session", response_cookies=[Cookie(COOKIE, value="", max_age=0, httponly=True)])
async def sign_out() -> None:
    """Forget this device; the next visit is a new guest's."""


@get("/api/tokens")
async def tokens(caller: NamedDependency[Caller]) -> list[TokenAnswer]:
    """Your tokens, without their secrets."""
    return [
        TokenAnswer(token.id, token.label)
        for token in await caller.services.runtime.store.players.tokens(caller.visitor.id)
    ]


@post("/api/tokens")
async def add_token(caller: NamedDependency[Caller], data: JSONBody[TokenRequest]) -> NewToken:
    """A token with which a program can play as you."""
    if not caller.visitor.player.account:
        raise NotSignedIn("Tokens are for accounts; make one first.")
    if len(await caller.services.runtime.store.players.tokens(caller.visitor.id)) >= 20:
        raise TooMany("You have 20 tokens; delete one first.")
    token, secret = await caller.services.identity.new_token(caller.visitor.id, clean_name(data.label))
    return NewToken(token.id, token.label, secret)


@delete("/api/tokens/{token:str}")
async def drop_token(caller: NamedDependency[Caller], token: FromPath[str]) -> None:
    """Forget a token."""
    if not await caller.services.runtime.store.players.delete_token(caller.visitor.id, token):
        raise UnknownToken("You have no such token.")


@get("/api/players/{player:str}")
async def player_of(services: NamedDependency[Services], player: FromPath[str]) -> PlayerAnswer:
    """A player, or a bot, with all ratings."""
    ratings = [rating_answer(row) for row in await services.runtime.store.players.ratings(player=player)]
    if player.startswith(BOT):
        if not ratings:
            raise UnknownPlayer("No bot with this id has played a rated match.")
        return PlayerAnswer(player, player.removeprefix(BOT), False, True, ratings)
    known = await services.runtime.store.players.player(player)
    if known is None:
        raise UnknownPlayer("No player has this id.")
    return PlayerAnswer(known.id, known.name, known.account, False, ratings)


@get("/api/ratings/{game:str}")
async def best(services: NamedDependency[Services], game: FromPath[str]) -> list[PlayerAnswer]:
    """The hundred best players of a game, bots among them."""
    make_game(game)
    answers = []
    for row in await services.runtime.store.players.ratings(game=game):
        bot = row.player.startswith(BOT)
        known = None if bot else await services.runtime.store.players.player(row.player)
        name = known.name if known is not None else row.player.removeprefix(BOT)
        answers.append(PlayerAnswer(row.player, name, known is not None, bot, [rating_answer(row)]))
    return answers


def _limit_attempts(rates: Rates, name: str) -> None:
    """Raise TooMany if this name has had too many attempts, so that passwords cannot be guessed."""
    if not rates.spend(name):
        raise TooMany("Too many attempts; try again in a minute.")


handlers: list[Any] = [
    me,
    rename,
    register,
    sign_in,
    sign_out,
    tokens,
    add_token,
    drop_token,
    player_of,
    best,
]
