"""Frames in, messages out: the sans-IO protocol of the library `websockets`, and the messages its frames make up."""

import codecs
import logging
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple

from websockets.frames import CTRL_OPCODES, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.utils import apply_mask

from kemu.server.limits import Allowance

BAD_TEXT: Final = 1007
TOO_LARGE: Final = 1009
FLOOD: Final = 4429

WHOLE_TEXT: Final = 0x81
"""The first byte of a frame with a whole text."""

MASKED: Final = 0x80
"""Added to the length of a masked frame."""

SHORT_BYTES: Final = 125
"""The longest text whose length is in the second byte of its frame."""

FRAMES_PER_MESSAGE: Final = 128
"""Into how many frames a message may be divided."""

EXTRA_FRAMES_PER_SECOND: Final = 100
"""Control frames and fragments that a socket may send; twice that may be saved up."""

_log: Final = logging.getLogger("websockets.server")


class BadFrame(Exception):
    """A frame after which the connection is closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Message(NamedTuple):
    """A whole message; its kind is TEXT or BINARY."""

    kind: Opcode
    data: bytes


class FrameProtocol(ServerProtocol):
    """The protocol of the library, which gives each frame on before it parses the next.

    So what a message causes is sent before the answer to a bad frame or a close frame right behind it. The messages of
    players are short and nearly always come one to a read; these are unmasked here, at less than half of the cost.
    """

    def __init__(self, most_bytes: int, received: Callable[[Frame], None]) -> None:
        super().__init__(max_size=most_bytes, logger=_log)
        self._received = received
        self._most_short = min(SHORT_BYTES, most_bytes)
        self._between_frames = False  # whether the parser has taken in all of the last frame and nothing of the next

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take in what was read from the network."""
        if self._is_short_text(data):
            self._received(Frame(Opcode.TEXT, apply_mask(data[6:], data[2:6])))
        else:
            self._between_frames = False
            super().receive_data(data)

    def _is_short_text(self, data: bytes | bytearray) -> bool:
        """Whether this is one masked frame with a whole short text, where such a frame may come."""
        return (
            self._between_frames
            and len(data) > 6
            and data[0] == WHOLE_TEXT
            and data[1] == len(data) - 6 + MASKED
            and len(data) - 6 <= self._most_short
            and self.current_size is None
            and self.state is State.OPEN
        )

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame in; a close frame also ends a message of which the rest never comes (Autobahn, case 7.1.5)."""
        if frame.opcode is Opcode.CLOSE:
            self.current_size = None
        super().recv_frame(frame)
        self._between_frames = not self.reader.buffer
        self.events.clear()
        self._received(frame)


class MessageReader:
    """Puts the messages of one socket together, and limits the frames that it may send."""

    __slots__ = ("_allowance", "_decode", "_kind", "_parts")

    def __init__(self) -> None:
        self._kind = Opcode.TEXT
        self._parts: list[bytes] = []
        self._decode: codecs.IncrementalDecoder | None = None
        self._allowance: Allowance | None = None

    def frame_received(self, frame: Frame) -> Message | None:
        """The message that ends with this frame, if one does. Raises BadFrame.

        The protocol has checked that fragments follow each other and that messages are not too long.
        """
        data = bytes(frame.data)
        if frame.fin and frame.opcode is Opcode.TEXT:
            if not (data.isascii() or _is_utf8(data)):
                raise BadFrame(BAD_TEXT)
            return Message(Opcode.TEXT, data)
        control = frame.opcode in CTRL_OPCODES
        if control or not frame.fin:
            self._count()
        return None if control else self._fragment_received(frame, data)

    def _count(self) -> None:
        """Count a control frame or a fragment; what ends a message is counted as a message by the receiver."""
        now = monotonic()
        if self._allowance is None:
            self._allowance = Allowance(EXTRA_FRAMES_PER_SECOND, now)
        if not self._allowance.spend(now):
            raise BadFrame(FLOOD)

    def _fragment_received(self, frame: Frame, data: bytes) -> Message | None:
        if frame.opcode is not Opcode.CONT:
            self._kind, self._parts = frame.opcode, []
            self._decode = codecs.getincrementaldecoder("utf-8")() if frame.opcode is Opcode.TEXT else None
        if len(self._parts) >= FRAMES_PER_MESSAGE:
            raise BadFrame(TOO_LARGE)
        self._parts.append(data)
        if self._decode is not None:
            try:
                self._decode.decode(data, frame.fin)
            except UnicodeDecodeError:
                raise BadFrame(BAD_TEXT) from None
        if not frame.fin:
            return None
        message, self._parts = b"".join(self._parts), []
        return Message(self._kind, message)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
