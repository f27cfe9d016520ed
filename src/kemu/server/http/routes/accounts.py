"""Who you are, players and their ratings; accounts with their passwords, recovery codes, sessions and tokens.

Tokens can use nothing of an account.
"""

from typing import Any, Final

from litestar import Response, delete, get, patch, post, put
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from kemu.games import game as make_game
from kemu.server.auth.identity import NotSignedIn
from kemu.server.auth.names import check_free, clean_name
from kemu.server.auth.sessions import COOKIE
from kemu.server.http.caller import GUEST, READ, Caller
from kemu.server.http.requests import Credentials, PasswordChange, PasswordRequest, Recovery, Rename, TokenRequest
from kemu.server.http.responses import (
    CodesLeft,
    Me,
    NewAccount,
    NewCodes,
    NewToken,
    PlayerAnswer,
    SessionAnswer,
    TokenAnswer,
    me_answer,
    rating_answer,
    session_answer,
)
from kemu.server.limits import TooMany
from kemu.server.services import Services
from kemu.storage.errors import UnknownPlayer, UnknownSession, UnknownToken

BOT: Final = "bot:"


@get("/api/me", opt=READ | GUEST)
async def me(caller: NamedDependency[Caller]) -> Me:
    """Who you are."""
    return me_answer(caller.visitor.player)


@patch("/api/me", opt=GUEST)
async def rename(caller: NamedDependency[Caller], data: JSONBody[Rename]) -> Me:
    """Give yourself a name."""
    players, player = caller.services.runtime.store.players, caller.visitor.player
    name = clean_name(data.name)
    await check_free(players, name, player.id)
    # What is cached may be a moment old, and must not bring back a password that was changed.
    changed = replace(await players.player(player.id) or player, name=name)
    await caller.services.identity.keep(changed)
    return me_answer(changed)


@get("/api/players/{player:str}")
async def player_of(services: NamedDependency[Services], player: FromPath[str]) -> PlayerAnswer:
    """A player, or a bot, with all ratings."""
    ratings = [rating_answer(row) for row in await services.runtime.store.players.ratings(player)]
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
    for row in await services.runtime.store.players.best_ratings(game):
        bot = row.player.startswith(BOT)
        known = None if bot else await services.runtime.store.players.player(row.player)
        name = known.name if known is not None else row.player.removeprefix(BOT)
        answers.append(PlayerAnswer(row.player, name, known is not None, bot, [rating_answer(row)]))
    return answers


@post("/api/account", opt=GUEST)
async def register(caller: NamedDependency[Caller], data: JSONBody[Credentials]) -> Response[NewAccount]:
    """Make an account of this guest; its recovery codes are shown once."""
    visitor, accounts = caller.visitor, caller.services.accounts
    player, codes = await accounts.register(visitor, data.name, data.password, caller.address)
    cookie = await caller.services.identity.rotate(visitor.id, visitor.session or "")
    return Response(NewAccount(player.id, player.name, player.account, codes), cookies=[cookie])


@put("/api/account/password", status_code=204)
async def change_password(caller: NamedDependency[Caller], data: JSONBody[PasswordChange]) -> Response[None]:
    """Change the password of this account, which ends all other sessions."""
    visitor = caller.visitor
    await caller.services.accounts.change_password(visitor, data.old, data.password)
    cookie = await caller.services.identity.rotate(visitor.id, visitor.session or "")
    return Response(None, cookies=[cookie], status_code=204)


@post("/api/session", status_code=200)
async def sign_in(caller: NamedDependency[Caller], data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in to an account; the session before, if any, ends."""
    visitor, identity = caller.visitor, caller.services.identity
    player = await caller.services.accounts.sign_in(data.name, data.password, caller.address)
    _, cookie = await identity.begin(player, caller.device, kept=True)
    if visitor.session is not None:
        await identity.end(visitor.id, visitor.session)
    return Response(me_answer(player), cookies=[cookie])


@delete("/api/session", response_cookies=[Cookie(COOKIE, value="", max_age=0, httponly=True)])
async def sign_out(caller: NamedDependency[Caller]) -> None:
    """End the session of this device; the next visit is a new guest's."""
    if caller.visitor.session is not None:
        await caller.services.identity.end(caller.visitor.id, caller.visitor.session)


@get("/api/sessions")
async def sessions(caller: NamedDependency[Caller]) -> list[SessionAnswer]:
    """Your sessions, the one last used first."""
    rows = await caller.services.runtime.store.sessions.sessions(caller.visitor.id)
    answers = [session_answer(row, caller.visitor.session) for row in rows]
    return sorted(answers, key=lambda answer: (answer.current, answer.used), reverse=True)


@delete("/api/sessions/{session:str}")
async def end_session(caller: NamedDependency[Caller], session: FromPath[str]) -> None:
    """End a session of yours, on whatever device it is, and its sockets."""
    if not session.isascii() or not await caller.services.identity.end(caller.visitor.id, session):
        raise UnknownSession("You have no such session.")


@delete("/api/sessions")
async def end_other_sessions(caller: NamedDependency[Caller]) -> None:
    """End all your sessions but this one."""
    await caller.services.identity.end_all(caller.visitor.id, caller.visitor.session or "")


@post("/api/recovery", status_code=200)
async def recover(caller: NamedDependency[Caller], data: JSONBody[Recovery]) -> Response[Me]:
    """Set a new password by a recovery code; ends all sessions and tokens of the account and signs in."""
    visitor, accounts = caller.visitor, caller.services.accounts
    begun = await accounts.recover(data.name, data.code, data.password, caller.device)
    if visitor.session is not None:
        await caller.services.identity.end(visitor.id, visitor.session)
    return Response(me_answer(begun.visitor.player), cookies=[begun.cookie])


@get("/api/recovery-codes")
async def codes_left(caller: NamedDependency[Caller]) -> CodesLeft:
    """How many recovery codes you have left."""
    return CodesLeft(await caller.services.accounts.codes_left(caller.visitor))


@post("/api/recovery-codes")
async def renew_codes(caller: NamedDependency[Caller], data: JSONBody[PasswordRequest]) -> NewCodes:
    """New recovery codes instead of the old ones; they are shown once."""
    return NewCodes((await caller.services.accounts.renew_codes(caller.visitor, data.password)).codes)


@get("/api/tokens")
async def tokens(caller: NamedDependency[Caller]) -> list[TokenAnswer]:
    """Your tokens, without their secrets."""
    rows = await caller.services.runtime.store.players.tokens(caller.visitor.id)
    return [TokenAnswer(token.id, token.label, token.scope) for token in rows]


@post("/api/tokens")
async def add_token(caller: NamedDependency[Caller], data: JSONBody[TokenRequest]) -> NewToken:
    """A token with which a program can play as you, or only read what you may see."""
    if not caller.visitor.player.account:
        raise NotSignedIn("Tokens are for accounts; make one first.")
    label, services = clean_name(data.label), caller.services
    async with services.turns.of(caller.visitor.id):
        if len(await services.runtime.store.players.tokens(caller.visitor.id)) >= 20:
            raise TooMany("You have 20 tokens; delete one first.")
        token, secret = await services.identity.new_token(caller.visitor.player, label, data.scope)
    return NewToken(token.id, token.label, token.scope, secret)


@delete("/api/tokens/{token:str}")
async def drop_token(caller: NamedDependency[Caller], token: FromPath[str]) -> None:
    """Delete a token and end its sockets."""
    if not token.isascii() or not await caller.services.identity.delete_token(caller.visitor.id, token):
        raise UnknownToken("You have no such token.")


handlers: list[Any] = [
    *(me, rename, player_of, best),
    *(register, change_password, sign_in, sign_out, sessions, end_session, end_other_sessions),
    *(recover, codes_left, renew_codes, tokens, add_token, drop_token),
]
