"""Starts the server: one process on SQLite, or several on PostgreSQL."""

import asyncio
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, Final

import uvicorn
from msgspec.structs import replace
from uvicorn.supervisors import Multiprocess

from kemu.core.errors import KemuError, OptionError
from kemu.server.auth.origin import networks
from kemu.server.http.transport import HttpProtocol
from kemu.server.live.websocket import WebSocket
from kemu.server.logs import log_config
from kemu.server.runtime import open_store, raise_descriptor_limit
from kemu.server.settings import Settings, environment, read_settings
from kemu.storage.errors import StoreUnavailable
from kemu.work.pool import default_processes

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
    """Serve until stopped. Raises KemuError if the server cannot be started."""
    chosen = settings or read_settings()
    if database is not None:
        chosen = replace(chosen, database=database)
    if workers > 1 and not chosen.database_url.startswith("postgresql"):
        raise OptionError("Several workers need PostgreSQL; SQLite serves one process.")
    networks(chosen.trusted_proxies)  # raises for what is no network
    raise_descriptor_limit()
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    share = max(1, default_processes() // workers)  # of the cores, for bots and again for analyses
    chosen = replace(
        chosen,
        bot_workers=chosen.bot_workers or share,
        analysis_workers=chosen.analysis_workers or share,
        listens=f"{host}:{port}",
    )
    os.environ.update(environment(chosen))  # workers are processes of their own and read it there
    config = configure("kemu.server.app:create_app", chosen, host, port, workers)
    sys.stdout.write(f"Kemu is at http://{'localhost' if host == '127.0.0.1' else host}:{port}/\n")
    sys.stdout.flush()
    if open_browser:
        opener = Timer(1, webbrowser.open, [f"http://localhost:{port}/"])
        opener.daemon = True
        opener.start()
    if workers == 1:
        _run(config, listening)
        return
    with TemporaryDirectory(prefix="kemu-") as folder:
        os.environ.update(environment(replace(chosen, handover=folder)))
        asyncio.run(_try_to_open(chosen))  # workers that fail at once would be started again for ever
        Multiprocess(config, sockets=[listening]).run()


def _run(config: uvicorn.Config, listening: socket.socket) -> None:
    """Serve in this process. Raises KemuError if the server cannot be opened."""
    from kemu.server.app import create_app  # takes a moment to import

    app = create_app()
    config.app = lambda: app
    with suppress(SystemExit):  # of a start that failed
        uvicorn.Server(config).run(sockets=[listening])
    failure = app.server.failure
    if isinstance(failure, KemuError):
        raise failure
    if failure is not None:
        raise StoreUnavailable(f"The server cannot be started: {type(failure).__name__}: {failure}.") from failure


async def _try_to_open(settings: Settings) -> None:
    """Open the database, bring it up to date and close it. Raises KemuError if that fails."""
    async with open_store(settings) as store:
        await store.check()
        await store.matches.release()


def _listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; raises OptionError if that fails."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=LISTEN_BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        raise OptionError(f"Kemu cannot listen at {host}, port {port}: {reason}; try another --port.") from None


def configure(
    app: Any, settings: Settings, host: str, port: int, workers: int = 1, *, logs: bool = True
) -> uvicorn.Config:
    """Return the configuration of uvicorn for an app, given by its factory or the import path of that."""
    return uvicorn.Config(
        app,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=HttpProtocol,
        ws=WebSocket,
        proxy_headers=False,  # auth/origin.py reads them, for sockets too
        ws_max_size=settings.message_bytes,
        access_log=False,  # addresses hold the ids of private matches
        log_config=log_config(settings.log_level) if logs else None,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_SECONDS,
        server_header=False,
    )
