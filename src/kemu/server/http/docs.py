"""The documentation under /docs, if the package holds it: a wheel does, a checkout after `make docs`."""

from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.response import File, Redirect
from litestar.static_files import create_static_files_router

from kemu.server.http.static import REVALIDATE, check_path, file_middleware

FOLDER: Final = Path(__file__).parents[2] / "docs"

_NOT_BUILT: Final = "<!doctype html><title>Kemu</title><p>The documentation is not built; `make docs` builds it."


def docs_router(folder: Path = FOLDER) -> Router:
    """A router for all files of the documentation; /docs itself leads to the first page."""
    missing = folder / "404.html"

    # Links of the first page are relative, so that it must not be served at an address without its file name.
    @get("/", include_in_schema=False)
    async def first_page() -> Redirect:
        return Redirect("/docs/index.html")

    def page_not_found(_: Request[Any, Any, Any], __: NotFoundException) -> Response[Any]:
        if not missing.exists():
            return Response(_NOT_BUILT, media_type="text/html", status_code=404)
        return File(missing, filename=missing.name, content_disposition_type="inline", status_code=404)

    files = create_static_files_router(
        "/",
        [folder],
        name="docs",
        cache_control=REVALIDATE,
        middleware=file_middleware(),
        guards=[check_path],
        exception_handlers={NotFoundException: page_not_found},
        include_in_schema=False,
    )
    return Router("/docs", route_handlers=[first_page, files])
