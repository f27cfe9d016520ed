"""The browser client: the built files, held in memory and served with strict headers."""

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

FOLDER: Final = Path(__file__).parent.parent / "web"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer of this server."""

FOREVER: Final = "public, max-age=31536000, immutable"
ASK: Final = "no-cache"

_MISSING: Final = (
    b"<!doctype html><title>Kemu</title><p>The browser client is not built; the API is at /schema/openapi.json."
)


class File(Struct, frozen=True):
    """A file as it is sent."""

    content: bytes
    zipped: bytes
    kind: str
    tag: str
    cache: str


def read_client(folder: Path = FOLDER) -> dict[str, File]:
    """All files of the built client by path; a page that says so if it is not built."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    if "index.html" not in files:
        files = {"index.html": _MISSING}
    return {name: _file(name, content) for name, content in files.items()}


def _file(name: str, content: bytes) -> File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith(".webmanifest"):
        kind = "application/manifest+json"
    cache = FOREVER if name.startswith("assets/") else ASK  # the build puts a hash into the names of assets
    text = kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))
    return File(
        content, gzip.compress(content, mtime=0) if text else b"", kind, f'"{sha256(content).hexdigest()[:16]}"', cache
    )


@get(["/", "/{path:path}"], include_in_schema=False)
async def client(
    request: Request[Any, Any, Any], client_files: NamedDependency[dict[str, File]], path: FromPath[str] = ""
) -> Response[bytes]:
    """A file of the client; addresses of its pages all get index.html."""
    name = path.strip("/")
    file = client_files.get(name)
    if file is None:
        if "." in name.rsplit("/", 1)[-1] or name.startswith("api/"):
            return Response(b"Not found.", status_code=404, media_type="text/plain")
        file = client_files["index.html"]
    headers = {"cache-control": file.cache, "etag": file.tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(b"", status_code=304, headers=headers)
    if file.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.zipped, media_type=file.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(file.content, media_type=file.kind, headers=headers)
