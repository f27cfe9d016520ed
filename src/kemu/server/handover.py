"""Workers of one host hand a new socket to the worker where its match is at home, so that its players meet there.

What players at different workers do is applied and told twice. Nothing else depends on this: a socket that nobody
takes is served where it came, and a match goes on at any number of workers.
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

Accepted: TypeAlias = socket.socket
"""A connection that another worker has accepted."""

Take: TypeAlias = Callable[[Accepted, bytes], None]
"""Called with such a connection and the request that was read from it."""

POSSIBLE: Final = hasattr(socket, "send_fds")

LONGEST: Final = 32 * 1024
"""Bytes of a request that can be handed over; longer ones are served where they came."""

log = logging.getLogger(__name__)


class Handover:
    """One worker's door in the folder where the workers of a host meet."""

    def __init__(self, folder: Path, name: str, take: Take) -> None:
        self._folder = folder
        self._name = name
        self._take = take
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door.setblocking(False)

    def open(self) -> None:
        """From now on connections may come."""
        try:
            self._door.bind(str(self._folder / self._name))
        except OSError as error:  # such as a path that is too long
            log.warning("no handover", exc_info=error)
            return
        asyncio.get_running_loop().add_reader(self._door.fileno(), self._receive)

    def close(self) -> None:
        """No more come."""
        asyncio.get_running_loop().remove_reader(self._door.fileno())
        self._folder.joinpath(self._name).unlink(missing_ok=True)
        self._door.close()

    def give(self, match: str, connection: int, request: bytes) -> bool:
        """Hand a connection over; False if its match is at home here, or nobody takes it."""
        if len(request) > LONGEST:
            return False
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(4, sys.byteorder))]
        for name in sorted(os.listdir(self._folder), key=lambda name: crc32(f"{match} {name}".encode())):
            if name == self._name:
                return False
            try:
                self._door.sendmsg([request], rights, 0, str(self._folder / name))
            except (ConnectionRefusedError, FileNotFoundError):  # that worker is dead
                self._folder.joinpath(name).unlink(missing_ok=True)
            except OSError:  # it has too much to do
                return False
            else:
                return True
        return False

    def _receive(self) -> None:
        try:
            request, connections, _, _ = socket.recv_fds(self._door, LONGEST, 1)
        except OSError:  # it was another call that this wakes up for
            return
        for connection in connections:
            self._take(socket.socket(fileno=connection), request)
