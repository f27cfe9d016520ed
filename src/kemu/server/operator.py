"""What the operator of a server does with accounts: `kemu admin` and `kemu prune`, on the database of the server."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import groupby
from secrets import token_urlsafe
from typing import Final, NamedTuple, TypeVar

from msgspec import structs

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.people.names import clean_name
from kemu.people.ratings import GameRating
from kemu.people.results import Result
from kemu.server.auth.accounts import Passwords, check_free, find_account
from kemu.server.removal import DAY_MS
from kemu.server.runtime import now_ms, open_store
from kemu.server.settings import read_settings
from kemu.storage.moderation import Ban
from kemu.storage.players import PlayerRow
from kemu.storage.profiles import AccountName
from kemu.storage.store import Store

T = TypeVar("T")

SHOWN: Final = 100
"""How many lines a list has at most."""


class AccountReport(NamedTuple):
    """An account as the operator sees it."""

    id: str
    name: str
    since: int
    sessions: int
    ratings: list[GameRating]
    ban: Ban | None


class ReportedPlayer(NamedTuple):
    """A player with the reports about them: how many for each reason, the last one, and its match."""

    id: str
    name: str
    reasons: Counter[str]
    at: int
    match: str | None


class UnusualPair(NamedTuple):
    """Two people with many rated matches of a game between them, seen from the first one."""

    names: tuple[str, str]
    result: Result


def on_store(database: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with the store of a server, which may be running."""

    async def run() -> T:
        settings = read_settings()
        if database is not None:
            settings = structs.replace(settings, database=database)
        async with open_store(settings) as store:
            return await work(store)

    return asyncio.run(run())


async def account(store: Store, name: str) -> PlayerRow:
    """Return the account of a name. Raises OptionError."""
    found = await find_account(store.players, name)
    if found is None:
        raise OptionError(f"No account has the name {quote(name)}.")
    return found


async def find(store: Store, beginning: str) -> list[AccountName]:
    """Return accounts whose names begin like this."""
    return await store.profiles.named(beginning, SHOWN)


async def look(store: Store, name: str) -> AccountReport:
    """Return what the operator may want to know of an account. Raises OptionError."""
    found = await account(store, name)
    profile = await store.profiles.profile(found.id)
    sessions = await store.sessions.sessions(found.id)
    ratings, ban = await store.ratings.of_player(found.id), await store.moderation.ban(found.id)
    return AccountReport(found.id, found.name, profile.since, len(sessions), ratings, ban)


async def rename(store: Store, name: str, new: str) -> str:
    """Give an account another name; return it as it is shown. Raises OptionError, ParseError, NameTaken."""
    found, shown = await account(store, name), clean_name(new)
    await check_free(store.players, shown, found.id)
    await store.players.save_player(structs.replace(found, name=shown))
    return shown


async def reset_password(store: Store, name: str) -> str:
    """Give an account a new password, which is returned, and end all its sessions. Raises OptionError."""
    found, password = await account(store, name), token_urlsafe(12)
    await store.sessions.change_password(found, await Passwords().hash(password))
    return password


async def reset_ratings(store: Store, name: str) -> None:
    """Have an account begin anew in all games. Raises OptionError."""
    await store.moderation.reset_ratings((await account(store, name)).id)


async def ban(store: Store, name: str, reason: str) -> None:
    """Close an account: end its sessions and tokens, and let it log in no more. Raises OptionError."""
    found = await account(store, name)
    await store.moderation.save_ban(Ban(found.id, now_ms(), reason))
    await store.sessions.delete_sessions(found.id)
    for token in await store.players.tokens(found.id):
        await store.players.delete_token(found.id, token.id)


async def unban(store: Store, name: str) -> bool:
    """Open a closed account again; return whether it was closed. Raises OptionError."""
    return await store.moderation.unban((await account(store, name)).id)


async def remove(store: Store, name: str) -> None:
    """Delete an account; the server takes its name from the matches of others. Raises OptionError."""
    await store.removals.begin((await account(store, name)).id, now_ms())


async def reported(store: Store) -> list[ReportedPlayer]:
    """Return the reported players, those with the most reports first."""
    reports = await store.moderation.reports()
    found = []
    for player, about in groupby(reports, key=lambda report: report.player):
        each = sorted(about, key=lambda report: report.at)
        reasons, last = Counter[str](report.reason for report in each), each[-1]
        found.append(ReportedPlayer(player, await _name(store, player), reasons, last.at, last.match))
    return sorted(found, key=lambda player: -player.reasons.total())[:SHOWN]


async def settle(store: Store, name: str) -> int:
    """Delete the reports about an account; return how many there were. Raises OptionError."""
    return await store.moderation.drop_reports((await account(store, name)).id)


async def pairs(store: Store) -> list[UnusualPair]:
    """Return the pairs with the most rated matches between them, each once."""
    found = [result for result in await store.moderation.pairs(limit=2 * SHOWN) if result.player < result.other]
    return [
        UnusualPair((await _name(store, result.player), await _name(store, result.other)), result) for result in found
    ]


async def prune(store: Store, days: int, delete: bool) -> int:
    """Remove the guests who were not here for a number of days, or only count them; return how many there are."""
    count, after = 0, ""
    while True:
        found = await store.removals.unused(now_ms() - days * DAY_MS, after, 500)
        count += len(found.players)
        for guest in found.players if delete else ():
            await store.removals.begin(guest, now_ms())
        after = found.last
        if not after:
            return count


async def _name(store: Store, player: str) -> str:
    known = await store.players.player(player)
    return known.name if known else player
