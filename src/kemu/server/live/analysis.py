"""Reviews and analyses for players: who may ask for them, how many at once, and the sockets of analysis boards.

A socket has one question at a time, which is answered until nothing is left or another one is asked.

docs/protocol.md explains each message with an example.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import monotonic
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from kemu.play.commands import Command, Id
from kemu.play.errors import MatchRunning
from kemu.server.live.actor import presentable
from kemu.server.live.connection import OpenSockets, SocketConnection, SocketOwner
from kemu.server.live.frames import Refused, encode
from kemu.server.live.websocket import WebSocket
from kemu.server.runtime import AnalysisAsker, OpenCounts, Runtime, TooMany
from kemu.work import tasks
from kemu.work.pool import Asker, Urgency, WorkerPool
from kemu.work.tasks import A, AnalysisStep, LinesQuestion, PositionQuestion, Q, Refutation, Task

# From the client.


class Analyse(LinesQuestion, frozen=True, kw_only=True, tag_field="do", tag="analyse", forbid_unknown_fields=True):
    """Send the best lines of a position, better ones from time to time; it replaces what was asked before."""

    id: Id


class Refute(PositionQuestion, frozen=True, kw_only=True, tag_field="do", tag="refute", forbid_unknown_fields=True):
    """Send the reply that wins to every action of a side that is lost; it replaces what was asked before."""

    id: Id


class Stop(Command, frozen=True, tag="stop"):
    """Send nothing more."""


AnalysisMessage: TypeAlias = Analyse | Refute | Stop
decode_analysis_message = msgspec.json.Decoder(AnalysisMessage).decode

# From the server.


class AnalysisFrame(AnalysisStep, frozen=True, kw_only=True, tag="analysis"):
    """The best lines so far and all that was searched; `depth` is null for searches that do not count plies.

    The first frame of an answer has what needs no search: by area the tiles to expect, from -1, all of seat 1, to 1,
    how the game is expected to end, and the chance of each kind of card to be the next one drawn, as the seat to act
    knows it.
    """

    re: Id


class RefutationFrame(Refutation, frozen=True, kw_only=True, tag="refutation"):
    """The reply to one answer of the side that is lost; `left` answers follow.

    `action` is null if the answer ends the game or the same seat acts again, `proven` if no proof was found.
    """

    re: Id


class Finished(Struct, frozen=True, tag="finished"):
    """The last question is answered; nothing more will be found."""

    re: Id


AnalysisAnswer: TypeAlias = AnalysisFrame | RefutationFrame | Finished | Refused


# Who may ask, and how many at once.

CHECK_SECONDS: Final = 1.0
"""How long an analysis may go on before it is checked again whether its asker plays a rated match."""


class Analyses:
    """Passes questions to the workers for analyses, with a fair share for each address."""

    def __init__(self, pool: WorkerPool, runtime: Runtime) -> None:
        self.start: Final = runtime.tasks.start
        self._pool = pool
        self._settings = runtime.settings
        self._matches = runtime.store.matches
        self._players = OpenCounts[str]()  # open streams
        self._addresses = OpenCounts[str]()

    async def check(self, asker: AnalysisAsker, game: str) -> None:
        """Raise MatchRunning if the asker sits at a running rated match of this game."""
        if await self._matches.plays_rated(asker.player, game):
            raise MatchRunning("While you play a rated match of this game, there are no hints and no analysis.")

    async def stream(self, task: Task[Q, A], question: Q, asker: AnalysisAsker) -> AsyncGenerator[A, None]:
        """Yield the answers of a task one after the other; close the generator to end the work.

        Raises MatchRunning for help in a rated match, TooMany if the player or address has too many open streams, and
        TaskRefused and TaskFailed like `WorkerPool.stream`.
        """
        await self.check(asker, _game(question))
        self._begin(asker)
        checked = monotonic()
        try:
            async with aclosing(self._pool.stream(task, question, Asker(asker.address, Urgency.HELP))) as answers:
                async for answer in answers:
                    if monotonic() - checked > CHECK_SECONDS:  # a rated match may have begun
                        checked = monotonic()
                        await self.check(asker, _game(question))
                    yield answer
        finally:
            self._end(asker)

    async def ask(self, task: Task[Q, A], question: Q, asker: AnalysisAsker) -> A:
        """Return the first answer of a task; raises like `stream`."""
        async with aclosing(self.stream(task, question, asker)) as answers:
            return await anext(answers)

    def _begin(self, asker: AnalysisAsker) -> None:
        """Count one more stream, or raise TooMany."""
        if self._players[asker.player] >= self._settings.analyses_per_player:
            raise TooMany("You have as many analyses and reviews open as you may; close another page.")
        if self._addresses[asker.address] >= self._settings.analyses_per_address:
            raise TooMany("Too many analyses are open from your address; try again later.")
        self._players[asker.player] += 1
        self._addresses[asker.address] += 1

    def _end(self, asker: AnalysisAsker) -> None:
        self._players.leave(asker.player)
        self._addresses.leave(asker.address)


def _game(question: Any) -> str:
    """Return the key of the game that a question is about, empty if its record names none."""
    return str(question.record.get("game", "") if hasattr(question, "record") else question.game)


# The sockets.

_TASKS: Final[dict[type, tuple[Task[Any, Any], type[AnalysisFrame | RefutationFrame]]]] = {
    Analyse: (tasks.ANALYSE, AnalysisFrame),
    Refute: (tasks.REFUTE, RefutationFrame),
}
"""Handlers of messages, and the frames of their answers."""


class AnalysisConnection(SocketConnection):
    """One socket of an analysis board."""

    __slots__ = ("_analyses", "_work")

    def __init__(self, opened: OpenSockets, websocket: WebSocket, owner: SocketOwner, analyses: Analyses) -> None:
        super().__init__(opened, websocket, owner, decode_analysis_message)
        self._analyses = analyses
        self._work: asyncio.Task[None] | None = None

    def _handle(self, message: AnalysisMessage) -> None:
        self._leave()
        if not isinstance(message, Stop):
            self._work = self._analyses.start(self._answer(message))

    def _leave(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None

    async def _answer(self, message: Analyse | Refute) -> None:
        """Send the answers to a question as they come."""
        task, frame = _TASKS[type(message)]
        try:
            async with aclosing(self._analyses.stream(task, message, self._asker)) as answers:
                async for answer in answers:
                    self.send(encode(frame(re=message.id, **asdict(answer))))
        except Exception as error:
            self.refuse(presentable(error), message.id)
        else:
            self.send(encode(Finished(message.id)))

    @property
    def _asker(self) -> AnalysisAsker:
        """The owner of the socket as one who asks for an analysis."""
        return AnalysisAsker(self.owner.player if self.owner.credential else self.owner.address, self.owner.address)
