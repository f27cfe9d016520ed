"""Whether a request is meant for this server and comes from a page of it.

A browser sends the name it asked for as Host, and the site of the page as Origin. A page of another site must not use
the cookies of our players; a name that its owner lets point at this server (DNS rebinding) must not make a foreign
page one of ours. Programs outside a browser send no origin and are accepted.
"""

import re
import socket
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from kemu.core.errors import KemuError
from kemu.server.settings import Settings

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s\[\]:/@?#]+)(?::[0-9]{1,5})?")


class BadOrigin(KemuError):
    """The request comes from a page of another site."""

    code = "bad-origin"


class BadHost(KemuError):
    """The request asks for another host than this one."""

    code = "bad-host"


def check_host(headers: Mapping[str, str], settings: Settings) -> None:
    """Raise BadHost unless the request names this server.

    An address is always accepted: nobody can let one point elsewhere, so that a page that came by it is ours.
    """
    found = _HOST.fullmatch(headers.get("host", ""))
    name = "" if found is None else found[1].lower().rstrip(".")
    if not (name in _hosts(settings.hosts, settings.origins) or _is_address(name)):
        raise BadHost("This server is not known by this name; the setting `hosts` lists its names.")


def check_origin(headers: Mapping[str, str], scheme: str, settings: Settings) -> None:
    """Raise BadOrigin for requests of other sites' pages; `scheme` is that of the browser, http or https."""
    origin = headers.get("origin")
    if origin is None or origin in settings.allowed_origins:
        return
    expected = "https" if settings.secure_cookies else scheme
    if origin.lower() != f"{expected}://{headers.get('host', '')}".lower():
        raise BadOrigin("This address may be used by its own pages only.")


@lru_cache(maxsize=8)
def _hosts(hosts: str, origins: str) -> frozenset[str]:
    """The names of this server: of this computer, of the settings, and of the origins that are allowed."""
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    sites = [urlsplit(origin).hostname or "" for origin in origins.split()]
    return frozenset({"localhost", own, short, f"{short}.local", *hosts.lower().split(), *sites} - {""})


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
