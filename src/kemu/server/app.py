"""The application: settings in, an ASGI app out."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from kemu.core.errors import KemuError
from kemu.server.auth.identity import COOKIE
from kemu.server.auth.origin import check_host, check_origin
from kemu.server.http.requests import RESPONSES, AnyRequest, caller, refuse, request_source
from kemu.server.http.routes import (
    accounts,
    analysis,
    challenges,
    correspondence,
    feeds,
    games,
    groups,
    homework,
    matches,
    notices,
    operation,
    people,
    players,
    previews,
    profiles,
    push,
    puzzles,
    studies,
    tournaments,
)
from kemu.server.http.static import client_routers, docs_router
from kemu.server.http.transport import BUDGET
from kemu.server.live.websocket import HANDLER
from kemu.server.services import Services
from kemu.server.settings import Settings, read_settings
from kemu.storage.errors import StoreUnavailable

ROUTES: Final = (
    accounts,
    people,
    players,
    profiles,
    games,
    groups,
    homework,
    matches,
    correspondence,
    challenges,
    notices,
    push,
    feeds,
    analysis,
    puzzles,
    studies,
    tournaments,
    operation,
    previews,
)
"""The modules whose handlers are served."""

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

EMBEDDED: Final = "/embed/"
"""The address of a page that other sites may frame: a board to look at, where nothing can be done."""

_HEADERS: Final = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

_EMBEDDED_HEADERS: Final = [
    (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *")) for name, value in _HEADERS
]

PRIVATE: Final = ("/api/",)
"""Where answers depend on who asks; browsers and proxies keep none of them, but for those that say otherwise."""

_NO_STORE: Final = (b"cache-control", b"no-store")

_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
"""Where people come by HTTPS, their browsers never try anything else for a year."""


class Application:
    """HTTP is served by the web framework, sockets by live/websocket.py, which finds its handler in the state."""

    def __init__(self, server: Services) -> None:
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


async def _send_lifespan(send: Any, server: Services, message: Any) -> None:
    """Pass a message on; a start that failed is told by its reason, not by a traceback."""
    if message["type"] == "lifespan.startup.failed":
        failure = server.failure
        reason = str(failure) if isinstance(failure, KemuError) else type(failure).__name__
        message = {"type": message["type"], "message": reason}
    await send(message)


def create_app(settings: Settings | None = None) -> Application:
    """Return a server with these settings, else those of the environment."""
    return Application(Services(settings or read_settings()))


def _api(services: Services) -> Litestar:
    settings = services.runtime.settings
    members = [member for module in ROUTES for member in vars(module).values()]
    handlers = [member for member in members if isinstance(member, HTTPRouteHandler)]
    for handler in handlers:
        handler.responses = RESPONSES

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await services.open()
        _tune_garbage_collector()
        try:
            yield
        finally:
            await services.close()

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
    """Refuse a request to a server that stops, to a foreign host, from a foreign origin, or one too many."""
    services: Services = request.app.state.services
    if services.runtime.tasks.closing:
        raise StoreUnavailable("The server is stopping; try again in a moment.")
    settings, found, headers = services.runtime.settings, request_source(request, services), request.headers
    check_host(headers, settings)
    if request.method not in SAFE_METHODS:
        check_origin(headers, found.scheme, settings)
    services.request_rates.spend(found.address, "Too many requests; try again in a moment.")


async def _add_headers(message: Message, scope: Scope) -> None:
    """Add the headers that every response has, and the cookie of a new guest."""
    if message["type"] == "http.response.start":
        embedded = scope["path"].startswith(EMBEDDED)
        headers = [*message["headers"], *(_EMBEDDED_HEADERS if embedded else _HEADERS)]
        if scope["litestar_app"].state.services.runtime.settings.secure_cookies:
            headers.append(_HSTS)
        if scope["path"].startswith(PRIVATE) and not any(name == b"cache-control" for name, _ in headers):
            headers.append(_NO_STORE)
        cookie = scope["state"].get(COOKIE)
        if cookie and not any(name == b"set-cookie" for name, _ in headers):  # a response that signs in has its own
            headers.append(cookie)
        message["headers"] = headers
