"""Greetings at matches: said to the others at the table, never stored, and no part of the record."""

import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from msgspec import UNSET

from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR, Seat
from kemu.people.greetings import GREETINGS_PER_MINUTE, PHRASES, Greeter, Phrase, greets
from kemu.play.errors import NotYours
from kemu.play.table import Table
from kemu.server.live.actor import DocumentConnection, presentable
from kemu.server.live.frames import Greet, Greeting, encode
from kemu.server.runtime import Rates, Runtime
from kemu.storage.errors import StoreUnavailable

_WORD: Final = "greet"
"""The first word of the texts between processes; match, seat and phrase follow, with colons between them."""

log = logging.getLogger(__name__)


class GreetingsOff(KemuError, code="no-greetings"):
    """A player who wants no greetings says none."""


class GreetedMatch(Protocol):
    """A match in memory with its connections."""

    @property
    def document(self) -> Table:
        """The match."""

    @property
    def viewers(self) -> Mapping[DocumentConnection, Seat]:
        """The connections, and the seat that each looks through."""


class Greetings:
    """Passes greetings on to those at a table who want them, at every process."""

    def __init__(self, runtime: Runtime, loaded: Callable[[str], GreetedMatch | None]) -> None:
        """`loaded` finds a match in the memory of this process."""
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._loaded = loaded
        self._rates = Rates(GREETINGS_PER_MINUTE)
        self._store.notifications.on_text[_WORD] = self._received

    def greet(self, connection: DocumentConnection, message: Greet) -> None:
        """Say a phrase for the player of a connection, who gets an answer."""
        self._tasks.start(self._greet(connection, message))

    async def _greet(self, connection: DocumentConnection, message: Greet) -> None:
        match = self._loaded(connection.document)
        seat = SPECTATOR if match is None else match.viewers.get(connection, SPECTATOR)
        try:
            if match is None or seat == SPECTATOR:
                raise NotYours("Only players greet each other.")
            if any(await self._greeter(connection.player)):
                raise GreetingsOff("You have turned greetings off, or your account has none.")
            self._rates.spend(connection.player, "You have greeted enough; wait a moment.")
            await self._deliver(match, seat, message.phrase)
        except Exception as error:
            connection.refuse(presentable(error), message.id)
            return
        connection.send(encode(Greeting(seat, message.phrase, message.id)))
        self._store.notifications.publish(f"{_WORD} {match.document.id}:{seat}:{message.phrase}")

    async def _deliver(self, match: GreetedMatch, seat: Seat, phrase: Phrase) -> None:
        """Show a phrase to the other people at a table who want it."""
        players = match.document.players
        sender = players[seat]
        if sender is None:
            return
        others = {player.id for player in players if player is not None and player.kind == "person"} - {sender.id}
        apart = await self._store.people.kept_apart(sender.id, others)
        mine = await self._greeter(sender.id)
        hearing = {other for other in others if greets(mine, await self._greeter(other), apart=other in apart)}
        frame = encode(Greeting(seat, phrase, UNSET))
        for connection, at in tuple(match.viewers.items()):
            if at != SPECTATOR and connection.player in hearing:
                connection.send(frame)

    async def _greeter(self, player: str) -> Greeter:
        quiet = (await self._store.profiles.profile(player)).quiet
        return Greeter(quiet, await self._store.groups.managed(player))

    def _received(self, process: str, text: str) -> None:
        match, seat, said = text.removeprefix(_WORD).strip().split(":")
        found, phrase = self._loaded(match), next((each for each in PHRASES if each == said), None)
        if found is not None and phrase is not None and int(seat) < len(found.document.players):
            self._tasks.start(self._pass_on(found, int(seat), phrase))

    async def _pass_on(self, match: GreetedMatch, seat: Seat, phrase: Phrase) -> None:
        try:
            await self._deliver(match, seat, phrase)
        except StoreUnavailable as error:
            log.warning("a greeting is lost", exc_info=error)
