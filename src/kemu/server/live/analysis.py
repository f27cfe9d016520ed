"""The sockets of analysis boards: one question at a time, answered until nothing is left or another one is asked.

docs/protocol.md explains each message with an example.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Protocol, TypeAlias

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from kemu.play.commands import Command, Id
from kemu.server.limits import AnalysisAsker
from kemu.server.live.actor import presentable
from kemu.server.live.connection import Connections, SocketConnection, SocketOwner
from kemu.server.live.frames import Refused, encode
from kemu.server.live.websocket import WebSocket
from kemu.server.runtime import BackgroundTasks
from kemu.work import tasks
from kemu.work.tasks import A, AnalysisStep, Q, Refutation, Task

# From the client.


class AnalysisQuestion(Command, frozen=True):
    """A position: the actions are played from it, or from the start of the game if it is null."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    actions: Annotated[list[str], Meta(max_length=2000)] = field(default_factory=list)


class Analyse(AnalysisQuestion, frozen=True, tag="analyse"):
    """Send the best lines of a position, better ones from time to time; it replaces what was asked before."""

    lines: Annotated[int, Meta(ge=1, le=32)] = 1


class Refute(AnalysisQuestion, frozen=True, tag="refute"):
    """Send the reply that wins to every action of a side that is lost; it replaces what was asked before."""


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


class AnalysisStreams(Protocol):
    """Answers questions step by step; see jobs/analyses.py."""

    def stream(self, task: Task[Q, A], question: Q, asker: AnalysisAsker) -> AsyncGenerator[A, None]:
        """Yield the answers of a task; closing the generator ends the work."""


class AnalysisConnection(SocketConnection):
    """One socket of an analysis board."""

    __slots__ = ("_analyses", "_tasks", "_work")

    def __init__(
        self,
        connections: Connections,
        websocket: WebSocket,
        owner: SocketOwner,
        analyses: AnalysisStreams,
        background: BackgroundTasks,
    ) -> None:
        super().__init__(connections, websocket, owner, decode_analysis_message)
        self._analyses = analyses
        self._tasks = background
        self._work: asyncio.Task[None] | None = None

    def _handle(self, message: AnalysisMessage) -> None:
        self._leave()
        if not isinstance(message, Stop):
            self._work = self._tasks.start(self._answer(message))

    def _leave(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None

    async def _answer(self, message: AnalysisQuestion) -> None:
        try:
            async with aclosing(self._frames(message)) as frames:
                async for frame in frames:
                    self.send(encode(frame))
        except Exception as error:
            self.refuse(presentable(error), message.id)
        else:
            self.send(encode(Finished(message.id)))

    async def _frames(self, message: AnalysisQuestion) -> AsyncGenerator[AnalysisFrame | RefutationFrame, None]:
        """Yield the answers to a question as they come."""
        position = message.game, message.options, message.position, message.actions
        if isinstance(message, Analyse):
            lines = tasks.LinesQuestion(*position, message.lines)
            async with aclosing(self._analyses.stream(tasks.ANALYSE, lines, self._asker)) as steps:
                async for step in steps:
                    yield AnalysisFrame(re=message.id, **asdict(step))
        else:
            question = tasks.PositionQuestion(*position)
            async with aclosing(self._analyses.stream(tasks.REFUTE, question, self._asker)) as refutations:
                async for refutation in refutations:
                    yield RefutationFrame(re=message.id, **asdict(refutation))

    @property
    def _asker(self) -> AnalysisAsker:
        """The owner of the socket as one who asks for an analysis."""
        return AnalysisAsker(self.owner.player if self.owner.credential else self.owner.address, self.owner.address)
