"""Routes of accounts with their passwords, recovery codes, sessions and tokens.

Tokens can use nothing of an account.
"""

from typing import Annotated, Any, TypeAlias

from litestar import Response, delete, get, patch, post, put
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct
from msgspec.structs import replace

from kemu.people.groups import check_leaving
from kemu.people.names import Name, clean_name
from kemu.server.auth.accounts import check_free
from kemu.server.auth.identity import COOKIE, SECURE_COOKIE, NotSignedIn, Scope
from kemu.server.http.requests import GUEST, OWNER, READ, FromCaller
from kemu.server.own_data import collect
from kemu.server.runtime import TooMany
from kemu.storage.errors import UnknownSession, UnknownToken
from kemu.storage.players import PlayerRow

Password: TypeAlias = Annotated[str, Meta(min_length=8, max_length=200)]


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password of an account."""

    name: Name
    password: Password


class TokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Name
    scope: Scope = "play"


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The old password of an account and a new one."""

    old: Password
    password: Password


class PasswordRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The password of an account, to confirm who asks."""

    password: Password


class Recovery(Credentials, frozen=True):
    """The name of an account, a new password, and one of its recovery codes."""

    code: Annotated[str, Meta(min_length=1, max_length=60)]


class Me(Struct, frozen=True):
    """The player who sent the request."""

    id: str
    name: str
    account: bool


class NewAccount(Me, frozen=True):
    """A new account; its recovery codes are shown once."""

    recovery_codes: list[str]


class NewCodes(Struct, frozen=True):
    """New recovery codes, which are shown once."""

    recovery_codes: list[str]


class CodesLeft(Struct, frozen=True):
    """How many recovery codes are left."""

    left: int


class SessionAnswer(Struct, frozen=True):
    """A session of yours: on which device, when it was made and last used, and whether it is the one that asks."""

    id: str
    device: str
    created: int
    used: int
    current: bool


class TokenAnswer(Struct, frozen=True):
    """A token; its secret is shown once."""

    id: str
    label: str
    scope: str


class NewToken(TokenAnswer, frozen=True):
    """A token with its secret."""

    token: str


def _me(player: PlayerRow) -> Me:
    return Me(player.id, player.name, player.account)


@get("/api/me", opt=READ | GUEST)
async def me(caller: FromCaller) -> Me:
    """Return who you are."""
    return _me(caller.visitor.player)


@patch("/api/me", opt=GUEST | OWNER)
async def rename(caller: FromCaller, data: JSONBody[Rename]) -> Me:
    """Give yourself a name."""
    players, player = caller.services.runtime.store.players, caller.visitor.player
    name = clean_name(data.name)
    await check_free(players, name, player.id)
    # What is cached may be a moment old, and must not bring back a password that was changed.
    changed = replace(await players.player(player.id) or player, name=name)
    await caller.services.identity.keep(changed)
    return _me(changed)


@post("/api/account", opt=GUEST)
async def register(caller: FromCaller, data: JSONBody[Credentials]) -> Response[NewAccount]:
    """Make an account of this guest; its recovery codes are shown once."""
    visitor, accounts = caller.visitor, caller.services.accounts
    player, codes = await accounts.register(visitor, data.name, data.password, caller.address)
    cookie = await caller.services.identity.rotate(visitor.id, visitor.session or "")
    return Response(NewAccount(player.id, player.name, player.account, codes), cookies=[cookie])


@put("/api/account/password", status_code=204, opt=OWNER)
async def change_password(caller: FromCaller, data: JSONBody[PasswordChange]) -> Response[None]:
    """Change the password of this account, which ends all other sessions."""
    visitor = caller.visitor
    await caller.services.accounts.change_password(visitor, data.old, data.password)
    cookie = await caller.services.identity.rotate(visitor.id, visitor.session or "")
    return Response(None, cookies=[cookie], status_code=204)


@post("/api/account/removal", status_code=204, opt=OWNER)
async def remove_account(caller: FromCaller, data: JSONBody[PasswordRequest]) -> None:
    """Delete this account for good: you lose the matches that still run, and your name goes from all others.

    The last teacher of a class or club deletes that first.
    """
    account = await caller.services.accounts.confirm(caller.visitor, data.password)
    groups = caller.services.runtime.store.groups
    for group, _ in await groups.of_player(account.id):
        check_leaving(account.id, {member.player: member.role for member in await groups.members(group.id)})
    await caller.services.removal.remove(account.id, account.password)


@get("/api/account/data")
async def own_data(caller: FromCaller) -> Response[Any]:
    """Return everything that is stored about you, as a file."""
    headers = {"content-disposition": 'attachment; filename="kemu-data.json"'}
    async with caller.services.turns.of(caller.visitor.id):
        return Response(await collect(caller.services.runtime.store, caller.visitor.id), headers=headers)


@post("/api/session", status_code=200)
async def sign_in(caller: FromCaller, data: JSONBody[Credentials]) -> Response[Me]:
    """Sign in to an account; the session before, if any, ends."""
    visitor, identity = caller.visitor, caller.services.identity
    player = await caller.services.accounts.sign_in(data.name, data.password, caller.address)
    _, cookie = await identity.begin(player, caller.device, kept=True)
    await identity.end(visitor.id, visitor.session)
    return Response(_me(player), cookies=[cookie])


@delete(
    "/api/session",
    response_cookies=[
        Cookie(COOKIE, value="", max_age=0, httponly=True),
        Cookie(SECURE_COOKIE, value="", max_age=0, httponly=True, secure=True),
    ],
)
async def sign_out(caller: FromCaller) -> None:
    """End the session of this device; the next visit is a new guest's."""
    await caller.services.identity.end(caller.visitor.id, caller.visitor.session)


@get("/api/sessions")
async def sessions(caller: FromCaller) -> list[SessionAnswer]:
    """List your sessions, the one last used first."""
    current = caller.visitor.session
    rows = await caller.services.runtime.store.sessions.sessions(caller.visitor.id)
    answers = [
        SessionAnswer(row.id, row.device, row.created, max(row.used, row.created), row.id == current) for row in rows
    ]
    return sorted(answers, key=lambda answer: (answer.current, answer.used), reverse=True)


@delete("/api/sessions/{session:str}")
async def end_session(caller: FromCaller, session: FromPath[str]) -> None:
    """End a session of yours, on whatever device it is, and its sockets."""
    if not session.isascii() or not await caller.services.identity.end(caller.visitor.id, session):
        raise UnknownSession("You have no such session.")


@delete("/api/sessions")
async def end_other_sessions(caller: FromCaller) -> None:
    """End all your sessions but this one."""
    await caller.services.identity.end_all(caller.visitor.id, caller.visitor.session or "")


@post("/api/recovery", status_code=200)
async def recover(caller: FromCaller, data: JSONBody[Recovery]) -> Response[Me]:
    """Set a new password by a recovery code; ends all sessions and tokens of the account and signs in."""
    visitor, accounts = caller.visitor, caller.services.accounts
    begun, cookie = await accounts.recover(data.name, data.code, data.password, caller.device)
    await caller.services.identity.end(visitor.id, visitor.session)
    return Response(_me(begun.player), cookies=[cookie])


@get("/api/recovery-codes")
async def codes_left(caller: FromCaller) -> CodesLeft:
    """Return how many recovery codes you have left."""
    return CodesLeft(await caller.services.runtime.store.sessions.count_codes(caller.visitor.id))


@post("/api/recovery-codes", opt=OWNER)
async def renew_codes(caller: FromCaller, data: JSONBody[PasswordRequest]) -> NewCodes:
    """Make new recovery codes instead of the old ones; they are shown once."""
    return NewCodes(await caller.services.accounts.renew_codes(caller.visitor, data.password))


@get("/api/tokens")
async def tokens(caller: FromCaller) -> list[TokenAnswer]:
    """List your tokens, without their secrets."""
    rows = await caller.services.runtime.store.players.tokens(caller.visitor.id)
    return [TokenAnswer(token.id, token.label, token.scope) for token in rows]


@post("/api/tokens", opt=OWNER)
async def add_token(caller: FromCaller, data: JSONBody[TokenRequest]) -> NewToken:
    """Make a token with which a program can play as you, or only read what you may see."""
    if not caller.visitor.player.account:
        raise NotSignedIn("Tokens are for accounts; make one first.")
    label, services = clean_name(data.label), caller.services
    async with services.turns.of(caller.visitor.id):
        if len(await services.runtime.store.players.tokens(caller.visitor.id)) >= 20:
            raise TooMany("You have 20 tokens; delete one first.")
        token, secret = await services.identity.new_token(caller.visitor.player, label, data.scope)
    return NewToken(token.id, token.label, token.scope, secret)


@delete("/api/tokens/{token:str}")
async def drop_token(caller: FromCaller, token: FromPath[str]) -> None:
    """Delete a token and end its sockets."""
    if not token.isascii() or not await caller.services.identity.delete_token(caller.visitor.id, token):
        raise UnknownToken("You have no such token.")
