"""Whether a request comes from a page of this server; programs outside a browser send no origin and are accepted."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from kemu.core.errors import KemuError
from kemu.server.settings import Settings


class BadOrigin(KemuError):
    """The request comes from a page of another site."""

    code = "bad-origin"


def check_origin(headers: Mapping[str, str], settings: Settings) -> None:
    """Raise BadOrigin for requests of other sites' pages, which would carry the cookies of our players."""
    origin = headers.get("origin")
    if origin is None or origin in settings.allowed_origins or urlsplit(origin).netloc == headers.get("host"):
        return
    raise BadOrigin("This address may be used by its own pages only.")
