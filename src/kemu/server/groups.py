"""The groups of a server: accounts of pupils are made, given new passwords, and deleted with their class."""

from collections.abc import Sequence
from secrets import choice, token_urlsafe
from typing import Final, NamedTuple

from kemu.people.groups import MOST_MEMBERS, GroupLimit, Slip, UnknownGroup, new_slip
from kemu.server.auth.accounts import Accounts, check_free
from kemu.server.auth.identity import Identity
from kemu.server.removal import PlayerRemoval
from kemu.server.runtime import now_ms
from kemu.storage.errors import NameTaken, UnknownPlayer
from kemu.storage.groups import MemberRow
from kemu.storage.players import PlayerRow
from kemu.storage.profiles import ProfileRow
from kemu.storage.store import Store

ATTEMPTS: Final = 20
"""How many made names are tried before a server has too many pupils."""


class Pupil(NamedTuple):
    """A pupil with the slip to be handed out."""

    player: str
    slip: Slip


class GroupAccounts:
    """Makes groups and the accounts of their pupils."""

    def __init__(self, store: Store, identity: Identity, accounts: Accounts, removal: PlayerRemoval) -> None:
        self._store = store
        self._identity = identity
        self._accounts = accounts
        self._removal = removal

    async def make_pupils(self, group: str, count: int) -> list[Pupil]:
        """Make accounts of pupils; their passwords are shown once. Raises GroupLimit, UnknownGroup, TooMany."""
        if len(await self._store.groups.members(group)) + count > MOST_MEMBERS:
            raise GroupLimit(f"A group has at most {MOST_MEMBERS} members.")
        made: list[Pupil] = []
        joined = False
        try:
            for _ in range(count):
                made.append(await self._make_pupil())
            rows = [MemberRow(pupil.player, group, "pupil", now_ms()) for pupil in made]
            joined = await self._store.groups.join(rows)
        finally:
            if not joined:  # nobody would manage them
                await self.delete_pupils([pupil.player for pupil in made])
        if not joined:
            raise UnknownGroup("This group was deleted.")
        return made

    async def _make_pupil(self) -> Pupil:
        for _ in range(ATTEMPTS):
            slip = new_slip(choice)
            player = PlayerRow(token_urlsafe(8), slip.name, True, await self._accounts.hashed(slip.password))
            try:
                await check_free(self._store.players, slip.name, player.id)
                await self._identity.keep(player)
            except NameTaken:
                continue
            await self._store.profiles.begin_profile(player.id, now_ms())
            await self._store.profiles.save_profile(ProfileRow(player.id, hidden=True, quiet=True))
            return Pupil(player.id, slip)
        raise GroupLimit("All made names are taken; try again.")

    async def new_password(self, pupil: str) -> Slip:
        """Give a pupil a new password, which ends all sessions of the pupil. Raises UnknownPlayer, PasswordChanged."""
        player = await self._store.players.player(pupil)
        if player is None:
            raise UnknownPlayer("No player has this id.")
        slip = Slip(player.name, new_slip(choice).password)
        ended = await self._store.sessions.change_password(player, await self._accounts.hashed(slip.password))
        self._identity.player_changed(pupil)
        self._identity.credentials_ended(ended)
        return slip

    async def delete_pupils(self, pupils: Sequence[str]) -> None:
        """Delete the accounts of pupils and what is theirs; matches of others against them stay, without names."""
        for pupil in pupils:
            await self._removal.remove(pupil)

    async def delete(self, group: str) -> None:
        """Delete a group with its homework and the accounts of its pupils."""
        members = await self._store.groups.members(group)
        await self.delete_pupils([member.player for member in members if member.role == "pupil"])
        await self.delete_pupils(await self._store.groups.delete_group(group))  # those made meanwhile

    async def prune(self) -> None:
        """Delete one group whose end has come."""
        ended = await self._store.groups.ended(now_ms())
        if ended is not None:
            await self.delete(ended)
