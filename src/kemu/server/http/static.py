"""The files of the browser client, served by Litestar from the folder of the built client."""

from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader, MutableScopeHeaders
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kemu.server.http.errors import refuse

FOLDER: Final = Path(__file__).parents[2] / "web"

MOST_PATH_BYTES: Final = 255
"""No file of ours has a longer path, and no file system a longer name."""

_IMMUTABLE: Final = CacheControlHeader(public=True, max_age=365 * 24 * 60 * 60, immutable=True)
REVALIDATE: Final = CacheControlHeader(no_cache=True)
_NOT_BUILT: Final = (
    "<!doctype html><title>Kemu</title><p>The browser client is not built; the API is at /schema/openapi.json."
)
_OF_BODY: Final = frozenset({b"content-length", b"content-encoding", b"content-type"})
"""Headers of a body; uvicorn takes a response without the body that they announce for broken."""


def client_routers(folder: Path = FOLDER) -> list[Router]:
    """Routers for all files of the client; the addresses of its pages all get index.html."""
    # The build puts a hash of the content into the names of assets, so that they can be cached for ever.
    assets = create_static_files_router(
        "/assets",
        [folder / "assets"],
        name="assets",
        cache_control=_IMMUTABLE,
        middleware=file_middleware(),
        guards=[check_path],
    )
    index = folder / "index.html"

    def page_or_refusal(request: Request[Any, Any, Any], error: NotFoundException) -> Response[Any]:
        """Pages have addresses without a dot; what has one is a file that does not exist."""
        path = request.url.path
        if "." in path.rsplit("/", 1)[-1] or path.startswith("/api/"):
            return refuse(request, NotFoundException("There is nothing at this address."))
        if not index.exists():
            return Response(_NOT_BUILT, media_type="text/html")
        headers = {REVALIDATE.HEADER_NAME: REVALIDATE.to_header()}
        return File(index, filename=index.name, content_disposition_type="inline", headers=headers, status_code=200)

    files = create_static_files_router(
        "/",
        [folder],
        html_mode=True,
        name="client",
        cache_control=REVALIDATE,
        middleware=file_middleware(),
        guards=[check_path],
        exception_handlers={NotFoundException: page_or_refusal},
    )
    return [assets, files]


def check_path(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Raise NotFoundException for a path that the file system refuses to look up, which Litestar takes for a fault."""
    path = connection.scope["path"]
    if "\0" in path or len(path.encode()) > MOST_PATH_BYTES:
        raise NotFoundException("There is nothing at this address.")


def file_middleware() -> list[Any]:
    """What serves files with: answers to conditional requests, and gzip."""
    compression = DefineMiddleware(CompressionMiddleware, config=CompressionConfig(backend="gzip"))
    return [_ConditionalRequests, compression]


class _ConditionalRequests:
    """Answers 304 to If-None-Match: Litestar's file responses send an ETag, but do not compare it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app, without the body of a file that the client has."""
        known = dict(scope["headers"]).get(b"if-none-match", b"").decode("latin-1")
        unchanged = False

        async def send_unless_known(message: Message) -> None:
            nonlocal unchanged
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders(message)
                unchanged = message["status"] == 200 and known == headers.get("etag", "-")
                if unchanged:
                    message["status"] = 304
                    message["headers"] = [(key, value) for key, value in message["headers"] if key not in _OF_BODY]
            elif message["type"] == "http.response.body" and unchanged:
                message["body"] = b""
            await send(message)

        await self._app(scope, receive, send_unless_known)
