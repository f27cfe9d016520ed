"""Identities: a guest or an account by the session of their device, a program by its token."""

import contextlib
import hashlib
import hmac
import logging
import re
from collections.abc import Callable, Iterable
from secrets import token_urlsafe
from time import monotonic
from typing import Final, Literal, TypeAlias

from litestar.datastructures import Cookie
from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.server.runtime import now_ms
from kemu.storage.errors import PasswordChanged
from kemu.storage.players import PlayerRow, TokenRow
from kemu.storage.sessions import SessionRow
from kemu.storage.store import Store

COOKIE: Final = "kemu"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
"""The name behind HTTPS, which browsers take from this host alone; the other name is still read."""

COOKIE_SECONDS: Final = 365 * 24 * 60 * 60

UNUSED_MS: Final = COOKIE_SECONDS * 1000
"""A session that was not used for so long ends."""

UNKNOWN_MS: Final = 30 * 24 * 60 * 60 * 1000
"""The same for a guest who never played nor chose a name."""

_COOKIES: Final = [
    re.compile(rf"(?:^|;)\s*{name}=([A-Za-z0-9_-]{{16}})\.([A-Za-z0-9_-]{{43}})\s*(?:;|$)")
    for name in (SECURE_COOKIE, COOKIE)
]

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""Words in a User-Agent, the telling ones first: most browsers also name others."""


def device_name(user_agent: str) -> str:
    """Browser and system as a User-Agent names them, such as "Firefox, Linux"; nothing else of it is kept."""
    found = [next((name for word, name in words if word in user_agent), None) for words in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in found if name) or "Unknown"


def digest(secret: str) -> str:
    """Return a random secret as it is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def guest(player: str) -> PlayerRow:
    """Return a guest before they chose a name; the same one has the same number."""
    number = int(hashlib.sha256(player.encode()).hexdigest(), 16) % 9000 + 1000
    return PlayerRow(player, f"Guest {number}")


BEARER: Final = re.compile(r"Bearer kemu_([A-Za-z0-9-]{1,40})_([A-Za-z0-9_-]{1,100})")

CACHE_SIZE: Final = 10_000
"""How many visitors are cached."""

CACHE_SECONDS: Final = 60.0
"""How long they are cached, in case the notification of a change gets lost."""

TOUCH_MS: Final = 5 * 60 * 1000
"""How exactly it is known when a session was last used."""

PLAYER_CHANGED: Final = "changed"
ENDED: Final = "ended"
"""First words of the notifications with which other processes drop a player or a credential from their caches."""

Scope: TypeAlias = Literal["play", "read"]
Ended: TypeAlias = Callable[[str | None], None]
"""Called with a credential that has ended; with None if any may have ended without a notification."""

log = logging.getLogger(__name__)


class NotSignedIn(KemuError, code="not-signed-in"):
    """The token or password is wrong, or an account is needed."""


class SessionEnded(KemuError, code="session-ended"):
    """The session or token with which a socket was opened has ended."""


class TokenScope(KemuError, code="token-scope"):
    """A token may not do this."""


class Visitor(Struct, frozen=True):
    """The player who sends a request or opens a socket, and the session or token that says so, if there is one."""

    player: PlayerRow
    session: str | None = None
    token: str | None = None
    scope: Scope = "play"
    kept: bool = False  # whether the store has this player

    @property
    def id(self) -> str:
        """The player's id."""
        return self.player.id

    @property
    def credential(self) -> str:
        """The id of the session or token; empty for a guest of this request alone."""
        return self.session or self.token or ""


class Identity:
    """Finds out who somebody is, begins and ends sessions, and caches what it found."""

    def __init__(self, store: Store, *, secure: bool) -> None:
        self._players = store.players
        self._sessions = store.sessions
        self._notifications = store.notifications
        self._secure = secure
        self._cache: dict[str, tuple[float, str, Visitor]] = {}  # by session: until when, digest, visitor
        self._cached: dict[str, set[str]] = {}  # the cached sessions of each player
        self._changes = 0
        self._ended: dict[str, None] = {}  # credentials that ended lately, in this order
        self._on_end: list[Ended] = []
        self._pruned = ""  # the last session that pruning looked at
        self._notifications.on_text.update(dict.fromkeys((PLAYER_CHANGED, ENDED), self._message_received))
        self._notifications.on_resume.append(self._resumed)

    async def prune(self) -> None:
        """Drop the sessions that nobody has used for long, among a piece of them all; each call looks at the next."""
        now = now_ms()
        self._pruned = await self._sessions.prune_sessions(now - UNUSED_MS, now - UNKNOWN_MS, self._pruned)

    def subscribe_ends(self, ended: Ended) -> None:
        """Have a function called whenever a credential has ended."""
        self._on_end.append(ended)

    # Who it is.

    async def visitor(self, cookies: str, authorization: str | None) -> Visitor:
        """Return the player of the session in a Cookie header, or of a token; a new guest if there is neither.

        Raises NotSignedIn for a wrong token.
        """
        if authorization is not None:
            return await self._by_token(authorization)
        named = next(filter(None, (each.search(cookies) for each in _COOKIES)), None)
        found = None if named is None else await self._by_session(named[1], named[2])
        return found or Visitor(guest(token_urlsafe(8)))

    def has_ended(self, visitor: Visitor) -> bool:
        """Return whether the credential of a visitor has ended since they were found."""
        return visitor.credential in self._ended

    async def is_valid(self, credential: str) -> bool:
        """Return whether a session or token with this id exists."""
        found = await self._sessions.session(credential) or await self._players.token(credential)
        return found is not None

    async def _by_session(self, name: str, secret: str) -> Visitor | None:
        until, known, visitor = self._cache.get(name, (0.0, "", None))
        given = digest(secret)
        if visitor is not None and until > monotonic() and hmac.compare_digest(known, given):
            return visitor
        changes = self._changes
        session = await self._sessions.session(name)
        if session is None or not hmac.compare_digest(session.digest, given):
            return None
        if (now := now_ms()) - session.used >= TOUCH_MS:
            await self._sessions.touch_session(session.id, now)
        player = await self._players.player(session.player)
        if session.id in self._ended:
            return None
        found = Visitor(player or guest(session.player), session=session.id, kept=player is not None)
        if changes == self._changes:  # else it may be that what was read is no longer true
            self._remember(found, session.digest)
        return found

    async def _by_token(self, authorization: str) -> Visitor:
        parts = BEARER.fullmatch(authorization)
        token = None if parts is None else await self._players.token(parts[1])
        if parts is not None and token is not None and hmac.compare_digest(token.digest, digest(parts[2])):
            player = await self._players.player(token.player)
            if player is not None:
                scope: Scope = "play" if token.scope == "play" else "read"
                return Visitor(player, token=token.id, scope=scope, kept=True)
        raise NotSignedIn("This token is not valid.")

    # Players.

    async def keep(self, player: PlayerRow) -> None:
        """Store a new or changed player. Raises NameTaken, PasswordChanged."""
        await self._players.save_player(player)
        self.player_changed(player.id)

    async def keep_guest(self, visitor: Visitor) -> None:
        """Store a guest who begins to play."""
        if not visitor.kept:
            with contextlib.suppress(PasswordChanged):  # the guest has just become an account, which is stored
                await self.keep(visitor.player)

    def player_changed(self, player: str) -> None:
        """Drop a player who was changed from the caches of all processes."""
        self._forget(player)
        self._notifications.publish(f"{PLAYER_CHANGED} {player}")

    # Sessions and tokens.

    async def begin(self, player: PlayerRow, device: str, *, kept: bool) -> tuple[Visitor, Cookie]:
        """Begin a session of a player on a device, and return its visitor and its cookie.

        Raises PasswordChanged if an account has another password by now.
        """
        session, secret = token_urlsafe(12), token_urlsafe(32)
        row = SessionRow(session, player.id, digest(secret), device, now_ms())
        await self._sessions.add_session(row, player.password)
        return Visitor(player, session=session, kept=kept), self._cookie(session, secret)

    async def rotate(self, player: str, session: str) -> Cookie:
        """Give a session another secret, so that the cookie before is void. Raises NotSignedIn if it has ended."""
        secret = token_urlsafe(32)
        if not await self._sessions.rotate_session(session, digest(secret)):
            raise NotSignedIn("This session has ended.")
        self.player_changed(player)
        return self._cookie(session, secret)

    def _cookie(self, session: str, secret: str) -> Cookie:
        """Return the cookie that gives a browser its session; the secret is kept nowhere else."""
        value, secure = f"{session}.{secret}", self._secure
        name = SECURE_COOKIE if secure else COOKIE
        return Cookie(name, "/", value, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure)

    async def end(self, player: str, session: str | None) -> bool:
        """End one session of a player; return False if there is no such session."""
        if session is None or not await self._sessions.delete_session(player, session):
            return False
        self.credentials_ended([session])
        return True

    async def end_all(self, player: str, but: str = "") -> None:
        """End all sessions of a player but one."""
        self.credentials_ended(await self._sessions.delete_sessions(player, but))

    async def new_token(self, player: PlayerRow, label: str, scope: Scope) -> tuple[TokenRow, str]:
        """Return a new token and its secret, which is not kept. Raises PasswordChanged."""
        name, secret = token_urlsafe(6).replace("_", "-"), token_urlsafe(24)
        token = TokenRow(name, player.id, label, digest(secret), scope)
        await self._players.add_token(token, player.password)
        return token, f"kemu_{name}_{secret}"

    async def delete_token(self, player: str, token: str) -> bool:
        """Delete a token of a player; False if there is no such token."""
        found = await self._players.delete_token(player, token)
        if found:
            self.credentials_ended([token])
        return found

    def credentials_ended(self, credentials: Iterable[str]) -> None:
        """Drop credentials that were deleted from the caches of all processes, and end their sockets."""
        for credential in credentials:
            self._end(credential)
            self._notifications.publish(f"{ENDED} {credential}")

    # Notifications of other processes.

    def _message_received(self, process: str, text: str) -> None:
        """Drop what another process has changed."""
        word, _, name = text.partition(" ")
        if word == PLAYER_CHANGED:
            self._forget(name)
        else:
            self._end(name)

    def _resumed(self) -> None:
        """Notifications may have been missed: trust nothing that is cached."""
        self._clear()
        for ended in self._on_end:
            ended(None)

    def _end(self, credential: str) -> None:
        self._changes += 1
        _, _, visitor = self._cache.get(credential, (0.0, "", None))
        if visitor is not None:
            self._forget(visitor.id)
        self._ended[credential] = None
        if len(self._ended) > CACHE_SIZE:
            del self._ended[next(iter(self._ended))]
        for ended in self._on_end:
            ended(credential)

    def _forget(self, player: str) -> None:
        self._changes += 1
        for session in self._cached.pop(player, ()):
            self._cache.pop(session, None)

    def _clear(self) -> None:
        self._changes += 1
        self._cache.clear()
        self._cached.clear()

    def _remember(self, visitor: Visitor, known: str) -> None:
        if len(self._cache) >= CACHE_SIZE:
            self._clear()
        assert visitor.session is not None, "only sessions are cached"
        self._cache[visitor.session] = (monotonic() + CACHE_SECONDS, known, visitor)
        self._cached.setdefault(visitor.id, set()).add(visitor.session)
