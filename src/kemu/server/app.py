"""The application: settings in, an ASGI app out."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeAlias

from litestar import Litestar, Request
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from kemu.core.errors import KemuError
from kemu.server.auth.accounts import Accounts
from kemu.server.auth.identity import Identity
from kemu.server.auth.origin import check_host, check_origin
from kemu.server.auth.sessions import COOKIE
from kemu.server.http.caller import AddressRates, Services, caller, request_source
from kemu.server.http.docs import docs_router
from kemu.server.http.errors import RESPONSES, refuse
from kemu.server.http.routes import (
    accounts,
    advice,
    analysis,
    explorer,
    games,
    matches,
    operation,
    people,
    puzzles,
    reach,
    reviews,
    studies,
)
from kemu.server.http.static import client_routers
from kemu.server.http.transport import BUDGET, ConnectionBudget
from kemu.server.jobs.bot_workers import BotWorkers
from kemu.server.jobs.bots import BotScheduler
from kemu.server.jobs.clocks import ClockScheduler
from kemu.server.jobs.explorer import ExplorerJob
from kemu.server.jobs.fair_play import check_fair_play
from kemu.server.jobs.study_workers import StudyWorkers
from kemu.server.jobs.upkeep import Upkeep
from kemu.server.limits import Rates, TooMany, Turns
from kemu.server.realtime.connection import ConnectionHandler
from kemu.server.realtime.presence import PresenceTracker
from kemu.server.realtime.registry import MatchRegistry
from kemu.server.realtime.study_registry import StudyRegistry
from kemu.server.realtime.transport.websocket import HANDLER
from kemu.server.runtime import BackgroundTasks, Counters, Runtime, now_ms
from kemu.server.settings import Settings, open_store, read_settings
from kemu.storage.errors import StoreUnavailable

AnyRequest: TypeAlias = Request[Any, Any, Any]

RETRY_SECONDS: Final = 1.0
"""How long a worker that starts waits before it asks the database again."""

log = logging.getLogger(__name__)

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

_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
"""Where people come by HTTPS, their browsers never try anything else for a year."""


class Server:
    """All parts of a server process, wired together."""

    def __init__(self, settings: Settings) -> None:
        store = open_store(settings)
        self.failure: BaseException | None = None  # why the server could not be opened
        self.runtime = Runtime(settings, store, BackgroundTasks(), Counters())
        self.identity = Identity(store, secure=settings.secure_cookies)
        self._presence = PresenceTracker(store.notifications)
        self.registry = MatchRegistry(self.runtime, self._presence, self.identity)
        self.budget = ConnectionBudget(settings)
        self.bots = BotWorkers(settings.bots, settings.bot_workers, settings.bot_seconds)
        self.study = StudyWorkers(settings, self.bots.compiled, partial(check_fair_play, store.matches))
        self.studies = StudyRegistry(self.runtime)
        self.registry.subscribe_announcements(self.studies.announced, self.studies.resumed)
        self.connections = ConnectionHandler(
            self.runtime, self.registry, self.identity, self.budget, self.study, self.studies
        )
        self.bot_scheduler = BotScheduler(self.bots, self.registry, self.runtime)
        self._clocks = ClockScheduler(self.registry, self.runtime.tasks)
        self.upkeep = Upkeep(store.matches, store.players, self.registry, self._presence)
        self.upkeep.add(self.studies.unload_idle)
        self.explorer = ExplorerJob(store, self.registry, self.runtime.tasks)
        self.registry.subscribe_ends(self.explorer.match_ended)
        self.upkeep.add_rare(self.identity.prune)
        self.upkeep.add_rare(self._prune_reviews)
        self.upkeep.add_rare(self.connections.check_credentials)
        self.registry.subscribe_changes(self._clocks.match_changed)
        self.registry.subscribe_changes(self.bot_scheduler.match_changed)

    async def open(self) -> None:
        """Open the store, and begin with the jobs and the connections. If that fails, nothing goes on running."""
        try:
            await self._open()
        except BaseException as error:
            self.failure = error
            await self.runtime.tasks.close()
            await self.runtime.store.close()
            raise

    async def _open(self) -> None:
        for step in (self.runtime.store.open, self.runtime.store.reserve, self.identity.open):
            await self._do_patiently(step)
        if self.runtime.settings.compile_engines:
            self.bots.warm()
        self.registry.open()
        await self._do_patiently(self.upkeep.run_once)
        self.runtime.tasks.start(self.upkeep.run())
        self.explorer.open()
        self.connections.open()

    async def _do_patiently(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step of the start; one of several workers waits for the database, or all of them would be ended."""
        while True:
            try:
                await step()
                return
            except StoreUnavailable as error:
                if not self.runtime.settings.handover:
                    raise
                log.warning("waiting for the database", exc_info=error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _prune_reviews(self) -> None:
        await self.runtime.store.reviews.prune_reviews(now_ms() - reviews.KEPT_MS)

    async def close(self) -> None:
        """End the connections and the jobs, finish writes, and leave the matches to other processes."""
        self.connections.close()
        self.registry.close()
        self._clocks.close()
        await self.runtime.tasks.close()
        await self.bots.close()
        await self.study.close()
        await self.studies.close()
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
            scope["state"][BUDGET] = self.server.budget
            await self.api(scope, receive, partial(_send_lifespan, send, self.server))
        else:
            await self.api(scope, receive, send)


async def _send_lifespan(send: Any, server: Server, message: Any) -> None:
    """Pass a message on; a start that failed is told by its reason, not by a traceback."""
    if message["type"] == "lifespan.startup.failed":
        failure = server.failure
        reason = str(failure) if isinstance(failure, KemuError) else type(failure).__name__
        message = {"type": message["type"], "message": reason}
    await send(message)


def create_app(settings: Settings | None = None) -> Application:
    """A server with these settings, else those of the environment."""
    return Application(Server(settings or read_settings()))


def _api(server: Server) -> Litestar:
    settings = server.runtime.settings
    modules = (
        *(people, accounts, games, matches, advice, analysis, reviews, puzzles, studies, explorer),
        *(reach, operation),
    )
    handlers = [handler for module in modules for handler in module.handlers]
    for handler in handlers:
        handler.responses = RESPONSES
    services = Services(
        server.runtime,
        server.registry,
        server.identity,
        Accounts(server.runtime.store, server.identity, Rates(settings.sign_ins_per_minute)),
        server.connections,
        server.bots,
        server.bot_scheduler,
        server.study,
        server.studies,
        AddressRates(
            Rates(60 * settings.requests_per_second, most=2 * settings.requests_per_second),
            Rates(settings.visitors_per_minute),
            Rates(settings.matches_per_minute),
            Rates(settings.studies_per_minute),
        ),
        Turns(),
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
        [*handlers, docs_router(), *client_routers()],
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
    """What holds for every request: the server runs, host and origin are allowed, the address sends not too many."""
    services: Services = request.app.state.services
    if services.runtime.tasks.closing:
        raise StoreUnavailable("The server is stopping; try again in a moment.")
    settings, found, headers = services.runtime.settings, request_source(request, services), request.headers
    check_host(headers, settings)
    if request.method not in SAFE_METHODS:
        check_origin(headers, found.scheme, settings)
    if not services.rates.requests.spend(found.address):
        raise TooMany("Too many requests; try again in a moment.")


async def _add_headers(message: Message, scope: Scope) -> None:
    """Add the headers that every response has, and the cookie of a new guest."""
    if message["type"] == "http.response.start":
        headers = [*message["headers"], *_HEADERS]
        if scope["litestar_app"].state.services.runtime.settings.secure_cookies:
            headers.append(_HSTS)
        cookie = scope["state"].get(COOKIE)
        if cookie and not any(name == b"set-cookie" for name, _ in headers):  # a response that signs in has its own
            headers.append(cookie)
        message["headers"] = headers
