"""The files of the browser client and of the documentation, if the package holds them: a wheel does.

A checkout has them after `make client` and `make docs`.
"""

from pathlib import Path
from typing import Any, Final

from litestar import Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.response import File, Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kemu.server.http.requests import AnyRequest, refuse

CLIENT: Final = Path(__file__).parents[2] / "web"
DOCS: Final = Path(__file__).parents[2] / "docs"

MOST_PATH_BYTES: Final = 255
"""No file of ours has a longer path, and no file system a longer name."""

_IMMUTABLE: Final = CacheControlHeader(public=True, max_age=365 * 24 * 60 * 60, immutable=True)
_REVALIDATE: Final = CacheControlHeader(no_cache=True)
_NO_CLIENT: Final = (
    "<!doctype html><title>Kemu</title><p>The browser client is not built; the API is at /schema/openapi.json."
)
_NO_DOCS: Final = "<!doctype html><title>Kemu</title><p>The documentation is not built; `make docs` builds it."
_OF_BODY: Final = frozenset({b"content-length", b"content-encoding", b"content-type"})
"""Headers of a body; uvicorn takes a response without the body that they announce for broken."""


def page(head: str = "", folder: Path = CLIENT) -> Response[bytes]:
    """Return the page of the client, with some tags in its head in place of its title."""
    index = folder / "index.html"
    body = index.read_bytes() if index.exists() else _NO_CLIENT.encode()
    if head:
        body = body.replace(b"<title>Kemu</title>", head.encode(), 1)
    headers = {_REVALIDATE.HEADER_NAME: _REVALIDATE.to_header()}
    return Response(body, media_type="text/html; charset=utf-8", headers=headers)


def client_routers(folder: Path = CLIENT) -> list[Router]:
    """Routers for all files of the client; the addresses of its pages all get index.html."""
    # The build puts a hash of the content into the names of assets, so that they can be cached for ever.
    assets = _files("/assets", folder / "assets", name="assets", cache_control=_IMMUTABLE)
    index = folder / "index.html"

    def page_or_refusal(request: AnyRequest, error: NotFoundException) -> Response[Any]:
        """Pages have addresses without a dot; what has one is a file that does not exist."""
        path = request.url.path
        if "." in path.rsplit("/", 1)[-1] or path.startswith("/api/"):
            return refuse(request, NotFoundException("There is nothing at this address."))
        if not index.exists():
            return Response(_NO_CLIENT, media_type="text/html")
        headers = {_REVALIDATE.HEADER_NAME: _REVALIDATE.to_header()}
        return File(index, filename=index.name, content_disposition_type="inline", headers=headers, status_code=200)

    missing = {NotFoundException: page_or_refusal}
    return [assets, _files("/", folder, name="client", html_mode=True, exception_handlers=missing)]


def docs_router(folder: Path = DOCS) -> Router:
    """Return a router for all files of the documentation; /docs itself leads to the first page."""
    missing = folder / "404.html"

    # Links of the first page are relative, so that it must not be served at an address without its file name.
    @get("/", include_in_schema=False)
    async def first_page() -> Redirect:
        return Redirect("/docs/index.html")

    def page_not_found(_: AnyRequest, __: NotFoundException) -> Response[Any]:
        if not missing.exists():
            return Response(_NO_DOCS, media_type="text/html", status_code=404)
        return File(missing, filename=missing.name, content_disposition_type="inline", status_code=404)

    missing_page = {NotFoundException: page_not_found}
    files = _files("/", folder, name="docs", exception_handlers=missing_page, include_in_schema=False)
    return Router("/docs", route_handlers=[first_page, files])


def _files(path: str, folder: Path, *, cache_control: CacheControlHeader = _REVALIDATE, **options: Any) -> Router:
    """Return a router for the files of a folder: with gzip, an answer to conditional requests, and a check of paths."""
    compression = DefineMiddleware(CompressionMiddleware, config=CompressionConfig(backend="gzip"))
    return create_static_files_router(
        path,
        [folder],
        cache_control=cache_control,
        middleware=[_compare_etags, compression],
        guards=[_check_path],
        **options,
    )


def _check_path(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Raise NotFoundException for a path that the file system refuses to look up, which Litestar takes for a fault."""
    path = connection.scope["path"]
    if "\0" in path or len(path.encode()) > MOST_PATH_BYTES:
        raise NotFoundException("There is nothing at this address.")


def _compare_etags(app: ASGIApp) -> ASGIApp:
    """Answer 304 to If-None-Match: Litestar's file responses send an ETag, but do not compare it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        known = dict(scope["headers"]).get(b"if-none-match")
        unchanged = False

        async def send_unless_known(message: Message) -> None:
            nonlocal unchanged
            if message["type"] == "http.response.start":
                unchanged = message["status"] == 200 and known == dict(message["headers"]).get(b"etag", b"-")
                if unchanged:
                    message["status"] = 304
                    message["headers"] = [(key, value) for key, value in message["headers"] if key not in _OF_BODY]
            elif message["type"] == "http.response.body" and unchanged:
                message["body"] = b""
            await send(message)

        await app(scope, receive, send_unless_known)

    return answer
