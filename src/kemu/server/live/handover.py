"""Workers of one host hand a new socket to one worker for each match, so that all its players are served there.

Entries of a match with sockets at several workers are applied and rendered by each of them. Correctness does not depend
on this module: a socket that cannot be handed over is served where it was accepted.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias
from zlib import crc32

Receive: TypeAlias = Callable[[socket.socket, bytes], None]
"""Called with a connection that another worker accepted, and the request that was read from it."""

SUPPORTED: Final = hasattr(socket, "send_fds")

MOST_REQUEST_BYTES: Final = 32 * 1024
"""Longer requests are not handed over."""

log = logging.getLogger(__name__)


class Handover:
    """This worker's Unix socket in the folder that the workers of a host share."""

    def __init__(self, folder: Path, name: str, receive: Receive) -> None:
        self._folder = folder
        self._name = name
        self._receive = receive
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def open(self) -> None:
        """Begin to receive connections."""
        try:
            self._socket.bind(str(self._folder / self._name))
        except OSError as error:  # such as a path that is too long
            log.warning("no handover", exc_info=error)
            return
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._read)

    def close(self) -> None:
        """Receive no more."""
        asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._folder.joinpath(self._name).unlink(missing_ok=True)
        self._socket.close()

    def send(self, match: str, connection: int, request: bytes) -> bool:
        """Hand a connection, given by its file number, to the worker of its match.

        False if that is this worker, or if no other takes it. Of all workers in the folder, the one that comes first by
        a hash of match and name serves a match.
        """
        if len(request) > MOST_REQUEST_BYTES:
            return False
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(4, sys.byteorder))]
        for name in sorted(os.listdir(self._folder), key=lambda name: crc32(f"{match} {name}".encode())):
            if name == self._name:
                return False
            try:
                self._socket.sendmsg([request], rights, 0, str(self._folder / name))
            except (ConnectionRefusedError, FileNotFoundError):  # that worker is dead
                self._folder.joinpath(name).unlink(missing_ok=True)
            except OSError:  # its queue is full
                return False
            else:
                return True
        return False

    def _read(self) -> None:
        try:
            request, connections, _, _ = socket.recv_fds(self._socket, MOST_REQUEST_BYTES, 1)
        except OSError:  # woken up without a message
            return
        for connection in connections:
            self._receive(socket.socket(fileno=connection), request)
