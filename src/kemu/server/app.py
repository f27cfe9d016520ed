"""The application: settings in, an ASGI app out."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final, TypeAlias

from litestar import Litestar, Request
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from kemu.server.caller import caller
from kemu.server.client import HEADERS, client, read_client
from kemu.server.errors import RESPONSES, refuse
from kemu.server.hall import Hall
from kemu.server.identity import COOKIE, Identity
from kemu.server.limits import Rates, TooMany
from kemu.server.origin import check_origin
from kemu.server.routes import advice, games, matches, operation, people
from kemu.server.settings import Settings, read_settings
from kemu.server.socket import Sockets
from kemu.server.websocket import SERVICE
from kemu.storage.errors import StoreAway
from kemu.storage.memory import MemoryStore
from kemu.storage.store import Store

AnyRequest: TypeAlias = Request[Any, Any, Any]

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def open_store(settings: Settings) -> Store:
    """The store that the settings name."""
    if settings.database == "memory":
        return MemoryStore()
    from kemu.storage.sql import SqlStore  # takes a moment to import

    return SqlStore(settings.database_url)


class Application:
    """HTTP is served by the web framework, sockets by websocket.py, which finds what it needs in the state."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.api = _api(hall)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request, or the start and end of the server."""
        if scope["type"] == "lifespan":
            self.api.state.shared = scope["state"]
        await self.api(scope, receive, send)


def create_app(settings: Settings | None = None) -> Application:
    """A server with these settings, else those of the environment."""
    chosen = settings or read_settings()
    return Application(Hall(open_store(chosen), chosen))


def _api(hall: Hall) -> Litestar:
    settings = hall.settings
    handlers = [*people.handlers, *games.handlers, *matches.handlers, *advice.handlers, *operation.handlers]
    for handler in handlers:
        handler.responses = RESPONSES
    return Litestar(
        [*handlers, client],
        state=State(
            {
                "hall": hall,
                "rates": Rates(settings.requests_per_second, monotonic),
                "password_rates": Rates(1, monotonic),
            }
        ),
        lifespan=[_lifespan],
        before_request=_check,
        before_send=[_harden],
        dependencies={
            "hall": Provide(_hall, sync_to_thread=False),
            "caller": Provide(caller),
            "client_files": _always(read_client()),
        },
        exception_handlers={Exception: refuse},
        request_max_body_size=settings.body_bytes,
        openapi_config=OpenAPIConfig("Kemu", "1", path="/schema", render_plugins=[JsonRenderPlugin()]),
        logging_config=None,
    )


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    hall: Hall = app.state.hall
    await hall.open()
    secret = await hall.store.people.secret()
    app.state.identity = Identity(hall.store.people, hall.store.news, secret, secure=hall.settings.secure_cookies)
    hall.forget = app.state.identity.forget
    app.state.shared[SERVICE] = sockets = Sockets(hall, app.state.identity)
    sockets.open()
    hall.spawn(sockets.beat())
    _spare_the_collector()
    try:
        yield
    finally:
        sockets.close()
        await hall.close()


def _spare_the_collector() -> None:
    """Tables are many small objects without cycles; looking through all of them again and again finds nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _hall(state: State) -> Hall:
    hall: Hall = state.hall
    return hall


def _always(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)


async def _check(request: AnyRequest) -> None:
    """What holds for every request."""
    hall: Hall = request.app.state.hall
    if hall.closing:
        raise StoreAway("The server is stopping; try again in a moment.")
    if request.method not in SAFE:
        check_origin(request.headers, hall.settings)
    if not request.app.state.rates.spend(request.client.host if request.client else ""):
        raise TooMany("Too many requests; try again in a moment.")


async def _harden(message: Message, scope: Scope) -> None:
    """Put the headers that every answer has on it, and a new guest's cookie."""
    if message["type"] == "http.response.start":
        headers = [*message["headers"], *_HEADERS]
        cookie = scope["state"].get(COOKIE)
        if cookie and not any(name == b"set-cookie" for name, _ in headers):  # who signs in is no new guest
            headers.append(cookie)
        message["headers"] = headers
