"""Where a request comes from: the address of the other side, or what a trusted proxy says."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import OptionError

Network: TypeAlias = IPv4Network | IPv6Network

IPV6_PREFIX: Final = 64
"""Whoever has one IPv6 address has so many that limits count the network."""

_HTTPS: Final = "https"


class Source(NamedTuple):
    """Where a request comes from: the address that limits count, and the scheme that its browser uses."""

    address: str
    scheme: str


@lru_cache(maxsize=8)
def networks(text: str) -> tuple[Network, ...]:
    """The networks in a setting, separated by spaces; raises OptionError."""
    try:
        return tuple(ip_network(word) for word in text.split())
    except ValueError:
        raise OptionError(
            f"The setting trusted_proxies has addresses and networks such as 10.0.0.0/8, not {quote(text)}."
        ) from None


def source(peer: str, headers: Mapping[str, str], proxies: tuple[Network, ...]) -> Source:
    """The source of a request from this peer; forwarded headers are believed only if the peer is a trusted proxy.

    Each proxy appends the address it saw to X-Forwarded-For, so that the last one that is no trusted proxy is the
    client; what stands before it may be made up.
    """
    address, scheme = peer, "http"
    if not is_within(peer, proxies):
        return Source(_counted(address), scheme)
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        found = _parsed(hop.strip())
        if found is None:
            break
        address = str(found)
        if not is_within(address, proxies):
            break
    if headers.get("x-forwarded-proto", "").strip().lower() == _HTTPS:
        scheme = _HTTPS
    return Source(_counted(address), scheme)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_within(address: str, proxies: tuple[Network, ...]) -> bool:
    """Whether an address is in one of these networks."""
    found = _parsed(address) if proxies else None
    return found is not None and any(found in network for network in proxies)


@lru_cache(maxsize=4096)
def _counted(address: str) -> str:
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_PREFIX), strict=False))
    return address if found is None else str(found)
