"""Sessions: what the cookie holds, and the names of devices."""

import re
from secrets import token_urlsafe
from typing import Final, NamedTuple

from litestar.datastructures import Cookie

from kemu.server.auth.passwords import digest
from kemu.storage.sessions import SessionRow

COOKIE: Final = "kemu"
COOKIE_SECONDS: Final = 365 * 24 * 60 * 60

UNUSED_MS: Final = COOKIE_SECONDS * 1000
"""A session that was not used for so long ends."""

UNKNOWN_MS: Final = 30 * 24 * 60 * 60 * 1000
"""The same for a guest who never played nor chose a name."""

_COOKIE: Final = re.compile(rf"(?:^|;)\s*{COOKIE}=([A-Za-z0-9_-]{{16}})\.([A-Za-z0-9_-]{{43}})\s*(?:;|$)")

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


class SessionCookie(NamedTuple):
    """What the cookie of a session holds."""

    session: str
    secret: str


def read_cookie(header: str) -> SessionCookie | None:
    """Return the session that a Cookie header names, the first one if there are several."""
    found = _COOKIE.search(header)
    return SessionCookie(found[1], found[2]) if found else None


def new_session(player: str, device: str, now: int) -> tuple[SessionRow, SessionCookie]:
    """Return a new session of a player, and its cookie, whose secret is not kept."""
    cookie = SessionCookie(token_urlsafe(12), token_urlsafe(32))
    return SessionRow(cookie.session, player, digest(cookie.secret), device, now), cookie


def set_cookie(cookie: SessionCookie, *, secure: bool) -> Cookie:
    """Return the cookie that gives a browser its session."""
    value = f"{cookie.session}.{cookie.secret}"
    return Cookie(COOKIE, value=value, max_age=COOKIE_SECONDS, httponly=True, samesite="lax", secure=secure, path="/")


def device_name(user_agent: str) -> str:
    """Browser and system as a User-Agent names them, such as "Firefox, Linux"; nothing else of it is kept."""
    found = [next((name for word, name in words if word in user_agent), None) for words in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in found if name) or "Unknown"
