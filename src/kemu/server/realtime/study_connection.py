"""The sockets of studies: edits in, saved edits of everybody out."""

from kemu.server.auth.identity import TokenScope
from kemu.server.realtime.open_sockets import SocketOwner
from kemu.server.realtime.socket_connection import Connections, SocketConnection
from kemu.server.realtime.study_actor import StudyActor
from kemu.server.realtime.study_frames import EditStudy, decode_edit
from kemu.server.realtime.transport.websocket import WebSocket


class StudyConnection(SocketConnection):
    """One socket of somebody who reads or writes a study."""

    __slots__ = ("_actor", "key")

    def __init__(
        self, connections: Connections, websocket: WebSocket, owner: SocketOwner, actor: StudyActor, key: str
    ) -> None:
        super().__init__(connections, websocket, owner, decode_edit)
        self._actor = actor
        self.key = key

    def _handle(self, message: EditStudy) -> None:
        if self.owner.reads_only:
            self.refuse(TokenScope.code, "A token to read cannot do this.", message.id)
        else:
            self._actor.message_received(self, message.edit, message.id)

    def _leave(self) -> None:
        self._actor.disconnect(self)
