"""Accounts: a name with a password, recovery codes instead of e-mail, and who may try how often."""

from typing import Final

from litestar.datastructures import Cookie
from msgspec.structs import replace

from kemu.core.errors import KemuError
from kemu.server.auth.identity import Identity, NotSignedIn, Visitor
from kemu.server.auth.names import check_free, clean_name, find_account, spelling
from kemu.server.auth.passwords import Passwords, code_digest, new_codes
from kemu.server.limits import Rates
from kemu.storage.players import PlayerRow
from kemu.storage.store import Store

ATTEMPTS_PER_MINUTE: Final = 6
"""Wrong passwords for one name from one address, or in one session."""

WRONG_CODE: Final = "Name or recovery code is wrong."
TOO_MANY_ATTEMPTS: Final = "Too many attempts; try again in a minute, or use a recovery code."


class AccountExists(KemuError):
    """The player has an account already."""

    code = "account-exists"


class Accounts:
    """Registers and signs in. Guesses are limited by address, so that they lock out nobody else."""

    def __init__(self, store: Store, identity: Identity, addresses: Rates) -> None:
        self._players = store.players
        self._sessions = store.sessions
        self._identity = identity
        self._addresses = addresses
        self._names = Rates(ATTEMPTS_PER_MINUTE)
        self._passwords = Passwords()

    async def register(self, visitor: Visitor, name: str, password: str, address: str) -> tuple[PlayerRow, list[str]]:
        """Make an account of a guest; return it and its recovery codes. Raises AccountExists, NameTaken, TooMany."""
        if visitor.player.account:
            raise AccountExists("You have an account; its name and password are changed in the settings.")
        shown = clean_name(name)
        await check_free(self._players, shown, visitor.id)
        self._addresses.spend(address, "Too many new accounts; try again in a minute.")
        player = PlayerRow(visitor.id, shown, True, await self._passwords.hash(password))
        await self._identity.keep(player)
        return player, await self._new_codes(player)

    async def sign_in(self, name: str, password: str, address: str) -> PlayerRow:
        """Return the account of this name and password. Raises NotSignedIn, TooMany."""
        pair = f"{address} {spelling(name)}"
        self._names.spend(pair, TOO_MANY_ATTEMPTS)  # before the check, so that many attempts at once are counted too
        self._addresses.spend(address, TOO_MANY_ATTEMPTS)
        player = await find_account(self._players, name)
        if not await self._passwords.matches(player.password if player else None, password) or player is None:
            raise NotSignedIn("Name or password is wrong.")
        self._names.refund(pair)
        self._addresses.refund(address)
        return player

    async def change_password(self, visitor: Visitor, old: str, password: str) -> None:
        """Change the password and end all other sessions. Raises NotSignedIn if the old one is wrong, TooMany."""
        player = await self._confirm(visitor, old)
        hashed = await self._passwords.hash(password)
        ended = await self._sessions.change_password(player, hashed, visitor.session or "")
        self._identity.player_changed(visitor.id)
        self._identity.credentials_ended(ended)

    async def renew_codes(self, visitor: Visitor, password: str) -> list[str]:
        """Replace the recovery codes and return the new ones. Raises NotSignedIn if the password is wrong, TooMany."""
        return await self._new_codes(await self._confirm(visitor, password))

    async def recover(self, name: str, code: str, password: str, device: str) -> tuple[Visitor, Cookie]:
        """Set a new password by a recovery code, which is spent; ends all sessions and tokens and begins a session.

        Raises NotSignedIn. A code has too many random bits to be guessed, so that no attempts are counted, and nobody
        can lock out its owner.
        """
        player, given = await find_account(self._players, name), code_digest(code)
        if player is None or not await self._sessions.has_code(player.id, given):
            raise NotSignedIn(WRONG_CODE)
        changed = replace(player, password=await self._passwords.hash(password))
        ended = await self._sessions.recover(changed, given)
        if ended is None:  # another request has spent the code meanwhile
            raise NotSignedIn(WRONG_CODE)
        self._identity.player_changed(player.id)
        self._identity.credentials_ended(ended)
        return await self._identity.begin(changed, device, kept=True)

    async def _confirm(self, visitor: Visitor, password: str) -> PlayerRow:
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
