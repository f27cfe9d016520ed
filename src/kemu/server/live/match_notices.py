"""What matches tell their players: whose turn it is in which, and notices to those who are not there."""

from typing import Final

from msgspec.structs import replace

from kemu.people.notices import Kind, Notice, Result
from kemu.people.turns import Turn, begun_turn, turn_of
from kemu.play.table import Table
from kemu.play.terms import Player, is_correspondence
from kemu.server.live.match import MatchRegistry
from kemu.server.live.notices import NoticeCenter, WaitingMatch
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable, UnreadableMatch
from kemu.storage.ratings import RatingChange
from kemu.storage.store import Store
from kemu.storage.turns import RunningMatch, RunningOut

REMIND_MS: Final = 12 * 60 * 60 * 1000
"""How long before the end of their time players are reminded."""

TOO_LATE_MS: Final = 30 * 60 * 1000
"""With less time than this nobody is reminded; it is also what distinguishes most matches with a game clock."""

LAST_MS: Final = 2**53
"""Where matches without a deadline come in the order of time left."""


class WaitingMatches:
    """The running matches of players in the order of time left."""

    def __init__(self, store: Store, matches: MatchRegistry) -> None:
        self._store = store
        self._matches = matches

    async def of(self, player: str) -> list[WaitingMatch]:
        """Return the running matches of a player, those with the least time first, those without a clock last."""
        running = await self._store.turns.running(player)
        if any(found.mine is None for found in running):
            await self._find_turns(running)
            running = await self._store.turns.running(player)
        running.sort(key=lambda found: (found.deadline or LAST_MS, found.row.terms.created))
        return [_waiting(found, player) for found in running]

    async def _find_turns(self, running: list[RunningMatch]) -> None:
        """Save for whom the matches wait of which that is not known, such as those of earlier versions."""
        turns: dict[str, Turn] = {}
        for found in running:
            if found.mine is None:
                turns[found.row.terms.id] = await self._turn(found.row.terms.id)
        await self._store.turns.save(turns)

    async def _turn(self, match: str) -> Turn:
        try:
            return turn_of(await (await self._matches.find(match)).current()) or Turn("", None)
        except UnreadableMatch:  # nobody can act in it
            return Turn("", None)


def _waiting(found: RunningMatch, player: str) -> WaitingMatch:
    terms, players = found.row.terms, found.row.players
    others = [other for other in players if other is not None and other.id != player]
    awaited = any(other.kind == "person" for other in others)
    return WaitingMatch(
        terms.id, terms.game, tuple(other.name for other in others), bool(found.mine), found.deadline, awaited
    )


class MatchNotices:
    """Tells the persons of a match with another person what happened in it while they were not there."""

    def __init__(self, notices: NoticeCenter, matches: MatchRegistry, runtime: Runtime) -> None:
        self._notices = notices
        self._matches = matches
        self._runtime = runtime

    def entry_saved(self, before: Table | None, after: Table) -> None:
        """Take note of an entry that this process saved, `before` it is None for the first one of a rematch."""
        old = None if before is None else turn_of(before)
        people = {player.id for player in after.players if player is not None and player.kind == "person"}
        if turn_of(after) != old or before is None or before.status != after.status:
            self._notices.turns_changed(after.id, people)
        if len(people) < 2:  # nobody waits for them, and nobody else knows how it ended
            return
        if after.status == "finished" and before is not None and before.outcome is None:
            self._runtime.tasks.start(self._tell_end(after))
            return
        player = begun_turn(before, after)
        if player is not None and self._is_away(after, player):
            self._notices.tell(player.id, _notice("your-turn", after, player))
        if before is not None and before.status == "open" and after.status == "running":
            self._tell_start(after, player)

    def _tell_start(self, table: Table, on_turn: Player | None) -> None:
        """Tell the host that somebody joined, unless it is the host's turn at once."""
        for host in table.players:
            if host is not None and host.id == table.terms.host != (on_turn and on_turn.id):
                if self._is_away(table, host):
                    self._notices.tell(host.id, _notice("accepted", table, host))
                return

    async def _tell_end(self, table: Table) -> None:
        away = {
            player.id: player
            for player in table.players
            if player is not None and player.kind == "person" and self._is_away(table, player)
        }
        moved = await self._changes(table) if away and table.terms.rated else {}
        for player in away.values():
            notice = _notice("finished", table, player)
            if player.id in moved:
                change = moved[player.id]
                notice = replace(notice, rating=round(change.rating), change=round(change.change))
            self._notices.tell(player.id, notice)

    async def _changes(self, table: Table) -> dict[str, RatingChange]:
        """Return how the ratings moved by player; without them if the database does not answer."""
        try:
            return {change.player: change for change in await self._runtime.store.ratings.changes(table.id)}
        except StoreUnavailable:
            return {}

    def _is_away(self, table: Table, player: Player) -> bool:
        return not any(self._matches.presence.is_present(table.id, seat) for seat in table.seats(player.id))


class Reminders:
    """Reminds players of correspondence matches, once for each move, before their time runs out."""

    def __init__(self, notices: NoticeCenter, runtime: Runtime) -> None:
        self._notices = notices
        self._store = runtime.store
        self._known: set[tuple[str, int]] = set()  # matches and deadlines that this process has looked at

    async def run(self) -> None:
        """Remind the players whose time is over soon."""
        now = now_ms()
        found = await self._store.turns.running_out(now + TOO_LATE_MS, now + REMIND_MS)
        known = {(each.row.terms.id, each.deadline) for each in found}
        for each in found:
            if (each.row.terms.id, each.deadline) not in self._known and is_correspondence(each.row.terms.clock):
                await self._remind(each)
        self._known = known

    async def _remind(self, due: RunningOut) -> None:
        earlier = [each for each in await self._store.notices.latest(due.player) if each.about == due.row.terms.id]
        if any(each.kind == "running-out" and each.deadline == due.deadline for each in earlier):
            return
        names = tuple(other.name for other in due.row.players if other is not None and other.id != due.player)
        terms = due.row.terms
        notice = Notice(kind="running-out", about=terms.id, game=terms.game, names=names, deadline=due.deadline)
        self._notices.tell(due.player, notice)


def _notice(kind: Kind, table: Table, player: Player) -> Notice:
    names = tuple(other.name for other in table.players if other is not None and other.id != player.id)
    result = _result(table, player) if kind == "finished" else None
    return Notice(kind=kind, about=table.id, game=table.terms.game, names=names, result=result, deadline=table.deadline)


def _result(table: Table, player: Player) -> Result:
    assert table.outcome is not None, "the match is over"
    if not table.outcome.winners:
        return "drawn"
    return "won" if any(seat in table.outcome.winners for seat in table.seats(player.id)) else "lost"
