"""The sockets of analysis boards: one question at a time, answered until nothing is left or another one is asked."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, Protocol

import msgspec

from kemu.core.document import Document
from kemu.server.limits import StudyAsker
from kemu.server.realtime.analysis_frames import (
    AnalysisFrame,
    AnalysisMessage,
    AnalysisQuestion,
    Finished,
    RefutationFrame,
    Stop,
    decode_analysis_message,
)
from kemu.server.realtime.completion import presentable
from kemu.server.realtime.frames import encode
from kemu.server.realtime.open_sockets import SocketOwner
from kemu.server.realtime.socket_connection import Connections, SocketConnection
from kemu.server.realtime.transport.websocket import WebSocket
from kemu.server.runtime import BackgroundTasks

ANALYSIS_PATH: Final = "/api/analysis/socket"

_FRAMES: Final = {"analyse": AnalysisFrame, "refute": RefutationFrame}
"""By task, what each of its documents is sent as."""


class StudyStreams(Protocol):
    """Answers questions of study, document by document; see jobs/study_workers.py."""

    def stream(self, task: str, question: Document, asker: StudyAsker) -> AsyncGenerator[Document, None]:
        """The documents of a task; closing the generator ends the work."""


class AnalysisConnection(SocketConnection):
    """One socket of an analysis board."""

    __slots__ = ("_study", "_tasks", "_work")

    def __init__(
        self,
        connections: Connections,
        websocket: WebSocket,
        owner: SocketOwner,
        study: StudyStreams,
        tasks: BackgroundTasks,
    ) -> None:
        super().__init__(connections, websocket, owner, decode_analysis_message)
        self._study = study
        self._tasks = tasks
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
        question = msgspec.to_builtins(message)
        task, number = question.pop("do"), question.pop("id")
        try:
            async with aclosing(self._study.stream(task, question, self._asker)) as documents:
                async for document in documents:
                    self.send(encode(msgspec.convert({"re": number, **document}, _FRAMES[task])))
        except Exception as error:
            shown = presentable(error)
            self.refuse(shown.code, str(shown), number)
        else:
            self.send(encode(Finished(number)))

    @property
    def _asker(self) -> StudyAsker:
        """Who has a share of the workers."""
        return StudyAsker(self.owner.player if self.owner.credential else self.owner.address, self.owner.address)
