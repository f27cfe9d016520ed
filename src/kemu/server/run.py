"""Starts the server: one process on SQLite, or several on PostgreSQL."""

import os
import socket
import subprocess
import sys
import webbrowser
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, Final

import uvicorn
from msgspec.structs import replace
from uvicorn.supervisors import Multiprocess

from kemu.core.errors import OptionError
from kemu.server.logs import log_config
from kemu.server.realtime.transport.websocket import WebSocket
from kemu.server.settings import Settings, environment, read_settings

LISTEN_BACKLOG: Final = 2048
"""Connections that may wait to be accepted, as with uvicorn."""

SHUTDOWN_GRACE_SECONDS: Final = 5
"""How long a stopping server waits for its sockets to close."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    workers: int = 1,
    open_browser: bool = False,
    settings: Settings | None = None,
) -> None:
    """Serve until stopped."""
    chosen = settings or read_settings()
    if database is not None:
        chosen = replace(chosen, database=database)
    if workers > 1 and not chosen.database_url.startswith("postgresql"):
        raise OptionError("Several workers need PostgreSQL; SQLite serves one process.")
    os.environ.update(environment(chosen))  # workers are processes of their own and read it there
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    config = configure("kemu.server.app:create_app", chosen, host, port, workers)
    sys.stdout.write(f"Kemu is at http://{'localhost' if host == '127.0.0.1' else host}:{port}/\n")
    sys.stdout.flush()
    with ExitStack() as stack:
        if open_browser:
            opener = Timer(1, webbrowser.open, [f"http://localhost:{port}/"])
            opener.daemon = True
            opener.start()
            stack.callback(_warm().kill)
        if workers > 1:
            folder = stack.enter_context(TemporaryDirectory(prefix="kemu-"))
            os.environ.update(environment(replace(chosen, handover=folder)))
            Multiprocess(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket, opened before the address is printed; raises OptionError if it cannot be opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=LISTEN_BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        raise OptionError(f"Kemu cannot listen at {host}, port {port}: {reason}; try another --port.") from None


def _warm() -> "subprocess.Popen[bytes]":
    """A process that compiles the engines in the background; once compiled, they are cached."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "kemu.bots.warm"], stdin=nothing, stdout=nothing, stderr=nothing)


def configure(
    app: Any, settings: Settings, host: str, port: int, workers: int = 1, *, logs: bool = True
) -> uvicorn.Config:
    """The configuration of uvicorn for an app, given by its factory or the import path of that."""
    return uvicorn.Config(
        app,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        ws=WebSocket,
        ws_max_size=settings.message_bytes,
        access_log=False,  # addresses hold the ids of private matches
        log_config=log_config(settings.log_level) if logs else None,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_SECONDS,
        server_header=False,
    )
