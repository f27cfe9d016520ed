"""Starts the server: one process on SQLite, or several on PostgreSQL.

Its logs are one JSON object a line, without secrets: no cookie, token, address, match id or action.
"""

import asyncio
import json
import logging
import os
import socket
import sys
import time
import traceback
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
from kemu.server.runtime import open_store, raise_descriptor_limit
from kemu.server.settings import Settings, environment, read_settings
from kemu.storage.errors import StoreUnavailable
from kemu.work.pool import default_processes

EXTRA_FIELDS: Final = ("reason", "route")
"""The extra fields a log line may have."""


class JsonFormatter(logging.Formatter):
    """A log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, source, message, and for a fault its kind and place, but never its values."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "source": record.name,
            "message": record.getMessage(),
        }
        line |= {field: value for field in EXTRA_FIELDS if (value := getattr(record, field, None))}
        if record.exc_info and record.exc_info[1] is not None:
            line |= _fault(record.exc_info[1])
        return json.dumps(line)


def _fault(error: BaseException) -> dict[str, Any]:
    """Return the kind of an error and its place; its text may hold what somebody typed."""
    frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    places = [f"{code.co_filename.rsplit('/', 1)[-1]}:{line} {code.co_name}" for code, line in frames]
    return {"error": type(error).__name__, "at": places}


def log_config(level: str) -> dict[str, Any]:
    """Return the configuration of all loggers."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "kemu.server.run.JsonFormatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        # uvicorn logs the addresses of requests and sockets, which hold ids of private matches.
        "loggers": {
            "uvicorn.access": {"level": "CRITICAL", "propagate": False},
            "uvicorn.error": {"level": "WARNING"},
            "websockets": {"level": "WARNING"},
        },
    }


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
