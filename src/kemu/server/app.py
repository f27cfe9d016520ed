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

from kemu.server.auth.identity import COOKIE, Identity
from kemu.server.auth.origin import check_origin
from kemu.server.http.caller import Services, caller
from kemu.server.http.errors import RESPONSES, refuse
from kemu.server.http.routes import advice, games, matches, operation, people
from kemu.server.http.static import client_routers
from kemu.server.jobs.bots import BotScheduler, BotWorkers
from kemu.server.jobs.clocks import ClockScheduler
from kemu.server.jobs.ratings import RatingJob
from kemu.server.jobs.upkeep import Upkeep
from kemu.server.limits import Rates, TooMany
from kemu.server.realtime.connection import ConnectionHandler
from kemu.server.realtime.presence import PresenceTracker
from kemu.server.realtime.registry import MatchRegistry
from kemu.server.realtime.transport.websocket import HANDLER
from kemu.server.runtime import BackgroundTasks, Counters, Runtime
from kemu.server.settings import Settings, open_store, read_settings
from kemu.storage.errors import StoreUnavailable

AnyRequest: TypeAlias = Request[Any, Any, Any]

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
SECURITY_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""On every response of this server."""

_HEADERS: Final = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


class Server:
    """All parts of a server process, wired together."""

    def __init__(self, settings: Settings) -> None:
        store = open_store(settings)
        self.runtime = Runtime(settings, store, BackgroundTasks(), Counters())
        self.identity = Identity(store.players, store.notifications, secure=settings.secure_cookies)
        self._presence = PresenceTracker(store.notifications)
        self.registry = MatchRegistry(self.runtime, self._presence, self.identity.forget)
        self.connections = ConnectionHandler(self.runtime, self.registry, self.identity)
        self.bots = BotWorkers(settings.bots, settings.bot_workers, settings.bot_seconds)
        self._clocks = ClockScheduler(self.registry, self.runtime.tasks)
        ratings = RatingJob(store.players, self.runtime.tasks)
        self.upkeep = Upkeep(store.matches, self.registry, self._presence, ratings)
        self.registry.subscribe_changes(self._clocks.match_changed)
        self.registry.subscribe_changes(BotScheduler(self.bots, self.registry, self.runtime).match_changed)
        self.registry.subscribe_ends(ratings.match_ended)

    async def open(self) -> None:
        """Open the store, and begin with the jobs and the connections."""
        await self.runtime.store.open()
        await self.identity.open()
        self.registry.open()
        await self.upkeep.run_once()
        self.runtime.tasks.start(self.upkeep.run())
        self.connections.open()

    async def close(self) -> None:
        """End the connections and the jobs, finish writes, and leave the matches to other processes."""
        self.connections.close()
        self.registry.close()
        self._clocks.close()
        await self.runtime.tasks.close()
        await self.bots.close()
        await self.runtime.store.matches.release()
        await self.runtime.store.close()


class Application:
    """HTTP is served by the web framework, sockets by realtime/transport, which finds its handler in the state."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.api = _api(server)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request, or the start and end of the server."""
        if scope["type"] == "lifespan":
            scope["state"][HANDLER] = self.server.connections
        await self.api(scope, receive, send)


def create_app(settings: Settings | None = None) -> Application:
    """A server with these settings, else those of the environment."""
    return Application(Server(settings or read_settings()))


def _api(server: Server) -> Litestar:
    settings = server.runtime.settings
    handlers = [*people.handlers, *games.handlers, *matches.handlers, *advice.handlers, *operation.handlers]
    for handler in handlers:
        handler.responses = RESPONSES
    services = Services(
        server.runtime,
        server.registry,
        server.identity,
        server.connections,
        server.bots,
        Rates(settings.requests_per_second, monotonic),
        Rates(1, monotonic),
    )

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await server.open()
        _tune_garbage_collector()
        try:
            yield
        finally:
            await server.close()

    return Litestar(
        [*handlers, *client_routers()],
        state=State({"services": services}),
        lifespan=[lifespan],
        before_request=_check_request,
        before_send=[_add_headers],
        dependencies={"services": Provide(lambda: services, sync_to_thread=False), "caller": Provide(caller)},
        exception_handlers={Exception: refuse},
        request_max_body_size=settings.body_bytes,
        openapi_config=OpenAPIConfig("Kemu", "1", path="/schema", render_plugins=[JsonRenderPlugin()]),
        logging_config=None,
    )


def _tune_garbage_collector() -> None:
    """Collect rarely: tables are many small objects without cycles, and scanning them finds nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


async def _check_request(request: AnyRequest) -> None:
    """What holds for every request: the server runs, the origin is allowed, and the address sends not too many."""
    services: Services = request.app.state.services
    if services.runtime.tasks.closing:
        raise StoreUnavailable("The server is stopping; try again in a moment.")
    if request.method not in SAFE_METHODS:
        check_origin(request.headers, services.runtime.settings)
    if not services.request_rates.spend(request.client.host if request.client else ""):
        raise TooMany("Too many requests; try again in a moment.")


async def _add_headers(message: Message, scope: Scope) -> None:
    """Add the headers that every response has, and the cookie of a new guest."""
    if message["type"] == "http.response.start":
        headers = [*message["headers"], *_HEADERS]
        cookie = scope["state"].get(COOKIE)
        if cookie and not any(name == b"set-cookie" for name, _ in headers):  # a response that signs in has its own
            headers.append(cookie)
        message["headers"] = headers
