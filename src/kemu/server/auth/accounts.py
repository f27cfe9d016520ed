"""Accounts: a name with a password, recovery codes instead of e-mail, and how often somebody may try."""

import asyncio
import os
import re
import unicodedata
from collections.abc import Callable
from secrets import choice, randbelow
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from litestar.datastructures import Cookie
from msgspec.structs import replace

from kemu.core.errors import KemuError
from kemu.people.names import clean_name, spelling
from kemu.play.terms import Player
from kemu.server.auth.identity import Identity, NotSignedIn, Visitor, digest, guest
from kemu.server.runtime import Rates, TooMany, Turns, now_ms
from kemu.storage.errors import NameTaken
from kemu.storage.players import NAME_TAKEN, PlayerRow, Players
from kemu.storage.store import Store


async def find_account(players: Players, name: str) -> PlayerRow | None:
    """Return the account of this name, without regard to case and to how its characters are written."""
    # Accounts of earlier versions may have a name that NFKC changes; most names are the same in both forms.
    for spelled in dict.fromkeys(" ".join(unicodedata.normalize(form, name).split()) for form in ("NFC", "NFKC")):
        found = None if "\0" in spelled else await players.account(spelled)
        if found is not None:
            return found
    return None


async def check_free(players: Players, name: str, player: str) -> None:
    """Raise NameTaken if an account of another player has this name, or one that looks like it."""
    for account in (await find_account(players, name), await players.account_like(name)):
        if account is not None and account.id != player:
            raise NameTaken(NAME_TAKEN)


async def shown_player(players: Players, row: PlayerRow) -> Player:
    """Return a player as others see them; only its owner plays with an account's name."""
    given = guest(row.id).name
    if not row.account and row.name != given:
        try:
            await check_free(players, row.name, row.id)
        except NameTaken:  # an account was made after the guest chose the name
            return Player(row.id, given)
    return Player(row.id, row.name)


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


COMMON_PASSWORDS: Final = re.compile(
    "password|password1|passwort|motdepasse|iloveyou|princess|sunshine|football|baseball|basketball|superman|"
    "batman12|starwars|whatever|trustno1|letmein1|welcome1|admin123|administrator|qwertyui|qwerty123|"
    "qwertyuiop|qwertzui|qwertzuiop|azertyui|azertyuiop|asdfghjk|asdfghjkl|1q2w3e4r|1qaz2wsx|zaq12wsx|"
    "q1w2e3r4|abcd1234|abc12345|a1b2c3d4|pass1234|passw0rd|p@ssw0rd|p@ssword|changeme|computer|internet|"
    "michelle|jennifer|jonathan|victoria|alexander|charlotte|elizabeth|samantha|chocolate|butterfly|hallo123|"
    "schatz123|bonjour1|soleil12|dragon12|monkey12|shadow12|master12|pokemon1|liverpool|manchester|barcelona|"
    "corvette|mercedes|marlboro|mustang1"
)
"""Passwords of at least eight characters that head the lists of those in use."""

LEAST_CHARACTERS: Final = 4
"""How many different characters a password has."""


class WeakPassword(KemuError, code="weak-password"):
    """Somebody who guesses would try this password first."""


def check_password(password: str, name: str) -> None:
    """Raise WeakPassword for a password that is common, the name, or made of a few characters or one row of keys."""
    plain = spelling(password)
    digits = "01234567890123456789"
    rows = plain in digits or plain in digits[::-1] or plain in "abcdefghijklmnopqrstuvwxyz"
    if rows or COMMON_PASSWORDS.fullmatch(plain) or plain == spelling(name) or len(set(plain)) < LEAST_CHARACTERS:
        raise WeakPassword("Others would try this password first; choose another one, such as four words.")


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


ATTEMPTS_PER_MINUTE: Final = 6
"""Wrong passwords for one name from one address, or in one session."""

WRONG_CODE: Final = "Name or recovery code is wrong."
TOO_MANY_ATTEMPTS: Final = "Too many attempts; try again in a minute, or use a recovery code."


class AccountExists(KemuError, code="account-exists"):
    """The player has an account already."""


class Banned(KemuError, code="banned"):
    """The operator has closed an account."""


class Accounts:
    """Registers and signs in. Guesses are limited by address, so that they lock out nobody else."""

    def __init__(self, store: Store, identity: Identity, addresses: Rates) -> None:
        self._players = store.players
        self._profiles = store.profiles
        self._moderation = store.moderation
        self._sessions = store.sessions
        self._identity = identity
        self._addresses = addresses
        self._names = Rates(ATTEMPTS_PER_MINUTE)
        self._turns = Turns()
        self._passwords = Passwords()

    async def register(self, visitor: Visitor, name: str, password: str, address: str) -> tuple[PlayerRow, list[str]]:
        """Make an account of a guest; return it and its recovery codes.

        Raises AccountExists, NameTaken, WeakPassword, TooMany.
        """
        if visitor.player.account:
            raise AccountExists("You have an account; its name and password are changed in the settings.")
        shown = clean_name(name)
        check_password(password, shown)
        await check_free(self._players, shown, visitor.id)
        self._addresses.spend(address, "Too many new accounts; try again in a minute.")
        player = PlayerRow(visitor.id, shown, True, await self._passwords.hash(password))
        await self._identity.keep(player)
        await self._profiles.begin_profile(player.id, now_ms())
        return player, await self._new_codes(player)

    async def sign_in(self, name: str, password: str, address: str) -> PlayerRow:
        """Return the account of this name and password. Raises NotSignedIn, TooMany."""
        pair = f"{address} {spelling(name)}"
        self._names.spend(pair, TOO_MANY_ATTEMPTS)  # before the check, so that many attempts at once are counted too
        self._addresses.spend(address, TOO_MANY_ATTEMPTS)
        player = await find_account(self._players, name)
        async with self._turns.of(address):  # or right passwords without end would hold up everybody else
            right = await self._passwords.matches(player.password if player else None, password)
        if not right or player is None:
            raise NotSignedIn("Name or password is wrong.")
        await self._check_ban(player)
        self._names.refund(pair)
        self._addresses.refund(address)
        return player

    async def hashed(self, password: str) -> str:
        """Return a password as it is kept. Raises TooMany if too many wait."""
        return await self._passwords.hash(password)

    async def change_password(self, visitor: Visitor, old: str, password: str) -> None:
        """Change the password and end all other sessions. Raises NotSignedIn if the old one is wrong, TooMany."""
        player = await self.confirm(visitor, old)
        check_password(password, player.name)
        hashed = await self._passwords.hash(password)
        ended = await self._sessions.change_password(player, hashed, visitor.session or "")
        self._identity.player_changed(visitor.id)
        self._identity.credentials_ended(ended)

    async def renew_codes(self, visitor: Visitor, password: str) -> list[str]:
        """Replace the recovery codes and return the new ones. Raises NotSignedIn if the password is wrong, TooMany."""
        return await self._new_codes(await self.confirm(visitor, password))

    async def recover(self, name: str, code: str, password: str, device: str) -> tuple[Visitor, Cookie]:
        """Set a new password by a recovery code, which is spent; ends all sessions and tokens and begins a session.

        Raises NotSignedIn. A code has too many random bits to be guessed, so that no attempts are counted, and nobody
        can lock out its owner.
        """
        player, given = await find_account(self._players, name), code_digest(code)
        if player is None or not await self._sessions.has_code(player.id, given):
            raise NotSignedIn(WRONG_CODE)
        await self._check_ban(player)
        check_password(password, player.name)
        changed = replace(player, password=await self._passwords.hash(password))
        ended = await self._sessions.recover(changed, given)
        if ended is None:  # another request has spent the code meanwhile
            raise NotSignedIn(WRONG_CODE)
        self._identity.player_changed(player.id)
        self._identity.credentials_ended(ended)
        return await self._identity.begin(changed, device, kept=True)

    async def _check_ban(self, player: PlayerRow) -> None:
        ban = await self._moderation.ban(player.id)
        if ban is not None:
            raise Banned(f"The operator of this server has closed your account. {ban.reason}".strip())

    async def confirm(self, visitor: Visitor, password: str) -> PlayerRow:
        """Check the password of an account that is signed in, and return it as it is stored now.

        Attempts are counted for its session.
        """
        player = await self._players.player(visitor.id)
        if player is None or not player.account:
            raise NotSignedIn("This is for accounts; make one first.")
        self._names.spend(visitor.credential, "Too many attempts; try again in a minute.")
        if not await self._passwords.matches(player.password, password):
            raise NotSignedIn("The password is wrong.")
        self._names.refund(visitor.credential)
        return player

    async def _new_codes(self, player: PlayerRow) -> list[str]:
        codes = new_codes()
        await self._sessions.set_codes(player, [code_digest(code) for code in codes])
        return codes
