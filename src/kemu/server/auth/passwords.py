"""Passwords and recovery codes: how they are kept and checked."""

import asyncio
import hashlib
import os
import re
from collections.abc import Callable
from secrets import choice, randbelow
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error

from kemu.server.limits import TooMany

HASHES_AT_ONCE: Final = max(1, min(4, (os.cpu_count() or 1) // 2))
"""Each takes 64 MiB and a core for a while."""

MOST_WAITING: Final = 64
"""How many hashes may wait before further ones are refused."""

CODES: Final = 10
"""Recovery codes of a player."""

_GROUPS, _GROUP_CHARACTERS = 4, 5
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: letters that look like digits are left out, and read as those."""

T = TypeVar("T")

_HASHER: Final = PasswordHasher()
_UNKNOWN_HASH: Final = _HASHER.hash(str(randbelow(2**64)))


class Passwords:
    """Hashes and checks passwords in threads, a few at once."""

    def __init__(self) -> None:
        self._running = asyncio.Semaphore(HASHES_AT_ONCE)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return a password as it is kept; takes some time by design. Raises TooMany if too many wait."""
        return await self._run(_HASHER.hash, password)

    async def matches(self, known: str | None, password: str) -> bool:
        """Return whether this is the password; takes as long if there is none to compare with. Raises TooMany."""
        return await self._run(_matches, known, password)

    async def _run(self, function: Callable[..., T], *arguments: object) -> T:
        if self._waiting >= MOST_WAITING:
            raise TooMany("Too many people sign in just now; try again in a moment.")
        self._waiting += 1
        try:
            async with self._running:
                return await asyncio.to_thread(function, *arguments)
        finally:
            self._waiting -= 1


def _matches(known: str | None, password: str) -> bool:
    try:
        return _HASHER.verify(known or _UNKNOWN_HASH, password) and known is not None
    except Argon2Error:
        return False


def new_codes() -> list[str]:
    """Recovery codes, each of 100 random bits."""
    return [
        "-".join("".join(choice(_ALPHABET) for _ in range(_GROUP_CHARACTERS)) for _ in range(_GROUPS))
        for _ in range(CODES)
    ]


def code_digest(code: str) -> str:
    """Return a recovery code as it is kept, however it was typed. Its 100 random bits need no slow hash."""
    plain = re.sub(r"[^0-9A-Z]", "", code.upper()).translate(str.maketrans("OIL", "011"))
    return digest(plain)


def digest(secret: str) -> str:
    """Return a random secret as it is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
