"""Who somebody is: a guest by a signed cookie, an account by password, a program by token."""

import hashlib
import hmac
import unicodedata
from secrets import randbelow, token_urlsafe
from time import monotonic
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from litestar.datastructures import Cookie
from msgspec import Struct

from kemu.core.errors import KemuError, ParseError
from kemu.storage.rows import PlayerRow, TokenRow
from kemu.storage.store import Notifications, Players

COOKIE: Final = "kemu"
COOKIE_SECONDS: Final = 365 * 24 * 60 * 60
BEARER: Final = "Bearer "

CACHE_SIZE: Final = 10_000
"""How many players are cached."""

CACHE_SECONDS: Final = 300.0
"""How long they are cached, in case the notification of a change gets lost."""

PLAYER_CHANGED: Final = "changed"
"""The first word of the notification with which other processes drop a player from their caches."""

_HASHER: Final = PasswordHasher()


class NotSignedIn(KemuError):
    """The token or password is wrong, or an account is needed."""

    code = "not-signed-in"


class Visitor(Struct, frozen=True):
    """Who sends a request or opens a socket."""

    player: PlayerRow
    new: bool = False  # came without a cookie and gets one with the response
    kept: bool = False  # whether the store has this player

    @property
    def id(self) -> str:
        """The player's id."""
        return self.player.id


class Identity:
    """Signs and checks cookies and tokens, and caches the players that it found."""

    def __init__(self, players: Players, notifications: Notifications, *, secure: bool) -> None:
        self._players = players
        self._notifications = notifications
        self._key = b""
        self._secure = secure
        self._cache: dict[str, tuple[float, Visitor]] = {}  # by cookie

    async def open(self) -> None:
        """Read the key that signs cookies."""
        self._key = (await self._players.cookie_secret()).encode()

    async def visitor(self, cookie: str | None, authorization: str | None) -> Visitor:
        """The player of this cookie or token; a new guest if the cookie is missing or not signed by this server.

        Raises NotSignedIn if the token is not valid.
        """
        if authorization is not None:
            return Visitor(await self._by_token(authorization), kept=True)
        until, visitor = self._cache.get(cookie or "", (0.0, None))
        if visitor is not None and until > monotonic():
            return visitor
        player = self._checked(cookie) if cookie else None
        if player is None:
            return Visitor(guest(token_urlsafe(8)), new=True)
        known = await self._players.player(player)
        return self._remember(Visitor(known or guest(player), kept=known is not None))

    async def keep(self, player: PlayerRow) -> None:
        """Store a new or changed player."""
        await self._players.save_player(player)
        self._notifications.publish(f"{PLAYER_CHANGED} {player.id}")
        self._remember(Visitor(player, kept=True))

    async def keep_guest(self, visitor: Visitor) -> None:
        """Store a guest who begins to play."""
        if not visitor.kept:
            await self.keep(visitor.player)

    def forget(self, player: str | None) -> None:
        """Drop a player whom another process has changed from the cache, or everybody if it is None."""
        if player is None:
            self._cache.clear()
        else:
            self._cache.pop(self.cookie(player), None)

    def set_cookie(self, player: str) -> Cookie:
        """The cookie that makes a browser this player's."""
        return Cookie(
            COOKIE,
            value=self.cookie(player),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=self._secure,
        )

    def _remember(self, visitor: Visitor) -> Visitor:
        if len(self._cache) >= CACHE_SIZE:
            self._cache.clear()
        self._cache[self.cookie(visitor.id)] = (monotonic() + CACHE_SECONDS, visitor)
        return visitor

    def cookie(self, player: str) -> str:
        """The signed cookie of a player."""
        return f"{player}.{self._sign(player)}"

    async def new_token(self, player: str, label: str) -> tuple[TokenRow, str]:
        """A token and its secret, which is not kept."""
        name, secret = token_urlsafe(6).replace("_", "-"), token_urlsafe(24)
        token = TokenRow(name, player, label, _digest(secret))
        await self._players.add_token(token)
        return token, f"kemu_{name}_{secret}"

    def _sign(self, player: str) -> str:
        return hmac.new(self._key, player.encode(), hashlib.sha256).hexdigest()

    def _checked(self, cookie: str) -> str | None:
        """The player of a cookie that we signed."""
        player, _, signature = cookie.rpartition(".")
        good = hmac.compare_digest(signature.encode(), self._sign(player).encode())
        return player if good else None

    async def _by_token(self, authorization: str) -> PlayerRow:
        parts = authorization.removeprefix(BEARER).split("_", 2)
        if authorization.startswith(BEARER) and len(parts) == 3 and parts[0] == "kemu":
            token = await self._players.token(parts[1])
            if token is not None and hmac.compare_digest(token.digest, _digest(parts[2])):
                player = await self._players.player(token.player)
                if player is not None:
                    return player
        raise NotSignedIn("This token is not valid.")


def cookie_in(header: str) -> str | None:
    """The value of this server's cookie in a Cookie header."""
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return None


def guest(player: str) -> PlayerRow:
    """A guest before they chose a name; the same one has the same number."""
    number = int(hashlib.sha256(player.encode()).hexdigest(), 16) % 9000 + 1000
    return PlayerRow(player, f"Guest {number}")


def clean_name(name: str) -> str:
    """A name fit to be shown: normal form, single spaces, nothing invisible."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or any(unicodedata.category(character)[0] == "C" for character in name):
        raise ParseError("A name has 1 to 30 visible characters.")
    return name


def hash_password(password: str) -> str:
    """A password as it is kept; takes some time by design."""
    return _HASHER.hash(password)


def password_matches(known: str | None, password: str) -> bool:
    """Whether this is the password; takes as long if there is none to compare with."""
    try:
        return _HASHER.verify(known or _UNKNOWN_HASH, password) and known is not None
    except Argon2Error:
        return False


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


_UNKNOWN_HASH: Final = _HASHER.hash(str(randbelow(2**64)))
