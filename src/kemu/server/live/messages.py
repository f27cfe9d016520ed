"""Frames in, messages out: the sans-IO protocol of the library `websockets`, and the messages its frames make up."""

import codecs
import logging
import struct
from collections.abc import Callable
from time import monotonic
from typing import Final

from websockets.frames import CTRL_OPCODES, CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from kemu.server.runtime import Allowance

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library has no compiled part
    from websockets.utils import apply_mask

MALFORMED: Final = 4400
SIGNED_OUT: Final = 4401
FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404
FLOOD: Final = 4429
"""The codes of our own that sockets are closed with; docs/protocol.md explains them to clients."""

WHOLE_TEXT: Final = 0x81
"""The first byte of a frame with a whole text."""

MASKED: Final = 0x80
"""Added to the length of a masked frame."""

SHORT_BYTES: Final = 125
"""The longest text whose length is in the second byte of its frame."""

MIDDLE_BYTES: Final = 0xFFFF
"""The longest text whose length is in the two bytes after that."""

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


class FrameProtocol(ServerProtocol):
    """The protocol of the library, which gives each frame on before it parses the next.

    So what a message causes is sent before the answer to a bad frame or a close frame right behind it. The messages of
    players are short and nearly always come one to a read; `short_text` reads these at a fraction of the cost.
    """

    def __init__(self, most_bytes: int, received: Callable[[Frame], None]) -> None:
        super().__init__(max_size=most_bytes, logger=_log)
        self._received = received
        self._most_short = min(SHORT_BYTES, most_bytes)
        self._between_frames = False  # whether the parser has taken in all of the last frame and nothing of the next

    def short_text(self, data: bytes) -> bytes | None:
        """The text if this is one masked frame with a whole short text in ASCII, where such a frame may come.

        If there is none, `receive_data` takes in what was read from the network.
        """
        size = len(data) - 6
        if (
            0 < size <= self._most_short
            and data[0] == WHOLE_TEXT
            and data[1] == size + MASKED
            and self._between_frames
            and self.current_size is None
            and self.state is State.OPEN
        ):
            text = apply_mask(data[6:], data[2:6])
            return text if text.isascii() else None
        return None

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take in what was read from the network."""
        self._between_frames = False
        super().receive_data(data)

    def recv_frame(self, frame: Frame) -> None:
        """Take a frame in; a close frame also ends a message of which the rest never comes (Autobahn, case 7.1.5)."""
        if frame.opcode is Opcode.CLOSE:
            self.current_size = None
        super().recv_frame(frame)
        self._between_frames = not self.reader.buffer
        self.events.clear()
        self._received(frame)


def text_frame(text: bytes) -> bytes:
    """The frame of a whole text as a server sends it, without a mask."""
    size = len(text)
    if size <= SHORT_BYTES:
        return bytes((WHOLE_TEXT, size)) + text
    if size <= MIDDLE_BYTES:
        return struct.pack("!BBH", WHOLE_TEXT, 126, size) + text
    return struct.pack("!BBQ", WHOLE_TEXT, 127, size) + text


class MessageReader:
    """Puts the messages of one socket together, and limits the frames that it may send."""

    __slots__ = ("_allowance", "_decode", "_parts")

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._decode: codecs.IncrementalDecoder | None = None
        self._allowance: Allowance | None = None

    def frame_received(self, frame: Frame) -> bytes | None:
        """Return the message, text or binary, that ends with this frame, if one does. Raises BadFrame.

        The protocol has checked that fragments follow each other and that messages are not too long.
        """
        data = bytes(frame.data)
        if frame.fin and frame.opcode is Opcode.TEXT:
            if not (data.isascii() or _is_utf8(data)):
                raise BadFrame(CloseCode.INVALID_DATA)
            return data
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

    def _fragment_received(self, frame: Frame, data: bytes) -> bytes | None:
        if frame.opcode is not Opcode.CONT:
            self._parts = []
            self._decode = codecs.getincrementaldecoder("utf-8")() if frame.opcode is Opcode.TEXT else None
        if len(self._parts) >= FRAMES_PER_MESSAGE:
            raise BadFrame(CloseCode.MESSAGE_TOO_BIG)
        self._parts.append(data)
        if self._decode is not None:
            try:
                self._decode.decode(data, frame.fin)
            except UnicodeDecodeError:
                raise BadFrame(CloseCode.INVALID_DATA) from None
        if not frame.fin:
            return None
        message, self._parts = b"".join(self._parts), []
        return message


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
