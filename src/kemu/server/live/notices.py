"""Telling players: a notice is saved, then shown on every open page of its player, at every process.

A page has one socket, whatever it is at. Those opened with `notices=1` get the notices of their player as well; a page
without a document opens one for them alone. Processes tell each other no more than whom to show something new.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from kemu.people.notices import Notice, SavedNotice, page
from kemu.server.live.challenges import ChallengeBoard, ChallengesChanged
from kemu.server.live.connection import OpenSockets, SocketConnection, SocketOwner
from kemu.server.live.frames import Ping, Pong, encode
from kemu.server.live.websocket import WebSocket
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable

KEPT_MS: Final = 60 * 24 * 60 * 60 * 1000
"""How long notices are kept."""

MOST_TURNS: Final = 30
"""How many matches that wait for a player are sent."""

GATHER_SECONDS: Final = 0.2
"""How long changes of turns are gathered before they are shown."""

MOST_NAMED: Final = 100
"""How many players are named in one text, whose size is limited."""

_WORD: Final = "told"
"""The first word of the texts between processes; players follow by their ids, each perhaps after a match and a colon.

Pages at that match need not be shown anything.
"""

log = logging.getLogger(__name__)

Alerted: TypeAlias = Callable[[str, Notice], None]
"""Called with a player and a notice that is worth an alert."""


class WaitingMatch(Struct, frozen=True):
    """A running match of a player: the others at the table, whether it waits for the player, and until when (ms).

    The time is that of whomever it waits for, null if it is not limited or a bot thinks. `awaited` is whether another
    person is at the table, who waits whenever the player does not move.
    """

    match: str
    game: str
    names: tuple[str, ...]
    mine: bool
    deadline: int | None
    awaited: bool


class ShownNotice(SavedNotice, frozen=True, omit_defaults=True, kw_only=True):
    """A notice with the address of the page that it leads to."""

    page: str


class NoticesAnswer(Struct, frozen=True):
    """The last notices of a player, the newest first, and how many of them they have not seen.

    `turns` are the matches in which another person waits for the player, those with the least time left first.
    """

    unseen: int
    latest: list[ShownNotice]
    turns: list[WaitingMatch]


class NoticesFrame(NoticesAnswer, frozen=True, tag="notices"):
    """The last notices of the player of a socket, sent when it opens and whenever they change."""


class Waiting(Protocol):
    """Finds the running matches of a player, those with the least time left first."""

    async def of(self, player: str) -> list[WaitingMatch]:
        """Return the running matches of a player."""


class NoticeCenter:
    """Tells players what happened, and keeps the sockets of this process that show it."""

    def __init__(self, runtime: Runtime, waiting: Waiting) -> None:
        self._store = runtime.store
        self._waiting = waiting
        self._tasks = runtime.tasks
        self._listening: dict[str, set[SocketConnection]] = {}
        self.challenges = ChallengeBoard(runtime.store.notifications, self._listening)
        self._changes: set[str] = set()  # match and player of turns that have changed
        self._due: set[str] = set()  # whose notices have changed since they were read
        self._reading: set[str] = set()
        self._alerted: list[Alerted] = []
        self._store.notifications.on_text[_WORD] = self._received
        self._store.notifications.on_resume.append(self._resumed)

    def subscribe(self, alerted: Alerted) -> None:
        """Have a function called for each notice that is worth an alert, at the process that told it."""
        self._alerted.append(alerted)

    def tell(self, player: str, notice: Notice) -> None:
        """Tell a player something, from any part of the server; a failure is logged and stops nothing else."""
        self._tasks.start(self._tell(player, notice))

    def turns_changed(self, match: str, players: Iterable[str]) -> None:
        """Take note that a match waits for somebody else; those of its players who are at other pages are shown it."""
        if not self._changes:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self._show_changes)
        self._changes.update(f"{match}:{player}" for player in players)

    async def answer(self, player: str) -> NoticesAnswer:
        """Return the last notices of a player."""
        latest = await self._store.notices.latest(player)
        turns = [match for match in await self._waiting.of(player) if match.mine and match.awaited]
        shown = [ShownNotice(**asdict(notice), page=page(notice)) for notice in latest]
        return NoticesAnswer(sum(not notice.seen for notice in latest), shown, turns[:MOST_TURNS])

    async def see(self, player: str, about: str) -> None:
        """Note that a player has seen what there is about a subject, wherever they looked at it."""
        if await self._store.notices.see(player, about):
            self._changed(player)

    async def see_all(self, player: str, until: int) -> None:
        """Note that a player has seen all notices up to a time (ms)."""
        if await self._store.notices.see_all(player, until):
            self._changed(player)

    async def prune(self) -> None:
        """Delete notices that are old."""
        await self._store.notices.prune_notices(now_ms() - KEPT_MS)

    # The sockets.

    def connect(self, connection: SocketConnection) -> None:
        """Show the notices of its player at a socket, and changes of challenges, from now on until it is closed."""
        self._listening.setdefault(connection.player, set()).add(connection)
        connection.send(encode(ChallengesChanged()))
        self._show(connection.player)

    def disconnect(self, connection: SocketConnection) -> None:
        """Take note that a socket is closed."""
        same = self._listening.get(connection.player)
        if same is not None:
            same.discard(connection)
            if not same:
                del self._listening[connection.player]

    async def _tell(self, player: str, notice: Notice) -> None:
        try:
            alerts = await self._store.notices.tell(player, notice, now_ms())
        except StoreUnavailable as error:
            log.warning("a notice is lost", exc_info=error)
            return
        self._changed(player)
        if alerts:
            for alerted in self._alerted:
                alerted(player, notice)

    def _show_changes(self) -> None:
        names, self._changes = sorted(self._changes), set()
        for start in range(0, len(names), MOST_NAMED):
            text = " ".join((_WORD, *names[start : start + MOST_NAMED]))
            self._store.notifications.publish(text)
            self._received("", text)

    def _changed(self, player: str) -> None:
        self._store.notifications.publish(f"{_WORD} {player}")
        self._show(player)

    def _received(self, process: str, text: str) -> None:
        for name in text.split(" ")[1:]:
            match, _, player = name.rpartition(":")
            if any(connection.document != match for connection in self._listening.get(player, ())):
                self._show(player)

    def _resumed(self) -> None:
        for player in tuple(self._listening):
            self._show(player)

    def _show(self, player: str) -> None:
        """Send the newest notices to the sockets of a player, once for all changes until they are read."""
        if player not in self._listening:
            return
        self._due.add(player)
        if player not in self._reading:
            self._reading.add(player)
            self._tasks.start(self._send(player))

    async def _send(self, player: str) -> None:
        try:
            while player in self._due:
                self._due.discard(player)
                found = await self.answer(player)
                frame = encode(NoticesFrame(found.unseen, found.latest, found.turns))
                for connection in tuple(self._listening.get(player, ())):
                    connection.send(frame)
        except StoreUnavailable as error:
            log.warning("notices cannot be read", exc_info=error)
        finally:
            self._reading.discard(player)


_decode: Final = msgspec.json.Decoder(Ping).decode


class NoticesConnection(SocketConnection):
    """One socket of a page that is at no document: it shows notices and answers pings."""

    __slots__ = ()

    def __init__(self, opened: OpenSockets, websocket: WebSocket, owner: SocketOwner) -> None:
        super().__init__(opened, websocket, owner, _decode)

    def _handle(self, message: Ping) -> None:
        self.send(encode(Pong(message.id, message.t, now_ms())))

    def _leave(self) -> None:
        """Nothing is under way for this socket."""
