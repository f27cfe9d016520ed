"""Where a request comes from, whether it is meant for this server, and whether a page of it has sent it.

The address is that of the other side, or what a trusted proxy says. A browser sends the name it asked for as Host, and
the site of the page as Origin. A page of another site must not use the cookies of our players; a name that its owner
lets point at this server (DNS rebinding) must not make a foreign page one of ours. Programs outside a browser send no
origin and are accepted.
"""

import re
import socket
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from kemu.core.document import quote
from kemu.core.errors import KemuError, OptionError
from kemu.server.settings import Settings

Network: TypeAlias = IPv4Network | IPv6Network

IPV6_PREFIX: Final = 64
"""Prefix of an IPv6 network, which limits count as one address since a client owns all addresses of it."""

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s\[\]:/@?#]+)(?::[0-9]{1,5})?")


class Source(NamedTuple):
    """Where a request comes from: the address that limits count, and the scheme that its browser uses."""

    address: str
    scheme: str


@lru_cache(maxsize=8)
def networks(text: str) -> tuple[Network, ...]:
    """Read the networks in a setting, separated by spaces; raises OptionError."""
    try:
        return tuple(ip_network(word) for word in text.split())
    except ValueError:
        raise OptionError(
            f"The setting trusted_proxies has addresses and networks such as 10.0.0.0/8, not {quote(text)}."
        ) from None


def source(peer: str, headers: Mapping[str, str], proxies: tuple[Network, ...]) -> Source:
    """Return the source of a request; forwarded headers are believed only if the peer is a trusted proxy.

    Each proxy appends the address it saw to X-Forwarded-For, so that the last one that is no trusted proxy is the
    client; what stands before it may be made up.
    """
    if not is_within(peer, proxies):
        return Source(_counted(peer), "http")
    address = peer
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        found = _parsed(hop.strip())
        if found is None:
            break
        address = str(found)
        if not is_within(address, proxies):
            break
    secure = headers.get("x-forwarded-proto", "").strip().lower() == "https"
    return Source(_counted(address), "https" if secure else "http")


@lru_cache(maxsize=4096)
def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_within(address: str, proxies: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of these networks."""
    found = _parsed(address) if proxies else None
    return found is not None and any(found in network for network in proxies)


@lru_cache(maxsize=4096)
def _counted(address: str) -> str:
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_PREFIX), strict=False))
    return address if found is None else str(found)


class BadOrigin(KemuError, code="bad-origin"):
    """The request comes from a page of another site."""


class BadHost(KemuError, code="bad-host"):
    """The request asks for another host than this one."""


def check_host(headers: Mapping[str, str], settings: Settings) -> None:
    """Raise BadHost unless the request names this server.

    An address is always accepted: nobody can let one point elsewhere, so that a page that came by it is ours.
    """
    found = _HOST.fullmatch(headers.get("host", ""))
    name = "" if found is None else found[1].lower().rstrip(".")
    if not (name in _hosts(settings.hosts, settings.origins) or _parsed(name.strip("[]"))):
        raise BadHost("This server is not known by this name; the setting `hosts` lists its names.")


def check_origin(headers: Mapping[str, str], scheme: str, settings: Settings) -> None:
    """Raise BadOrigin for requests of other sites' pages; `scheme` is that of the browser, http or https."""
    origin = headers.get("origin")
    if origin is None or origin in settings.origins.split():
        return
    expected = "https" if settings.secure_cookies else scheme
    if origin.lower() != f"{expected}://{headers.get('host', '')}".lower():
        raise BadOrigin("This address may be used by its own pages only.")


@lru_cache(maxsize=8)
def _hosts(hosts: str, origins: str) -> frozenset[str]:
    """Return the names of this server: of this computer, of the settings, and of the origins that are allowed."""
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    sites = [urlsplit(origin).hostname or "" for origin in origins.split()]
    return frozenset({"localhost", own, short, f"{short}.local", *hosts.lower().split(), *sites} - {""})
