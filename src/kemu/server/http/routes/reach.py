"""Who can open a link to this server: told to a page that came by the name of this computer alone, `localhost`."""

import socket
from ipaddress import ip_address
from typing import Any, Final

from litestar import Request, get
from litestar.di import NamedDependency

from kemu.server.http.caller import READ, Services
from kemu.server.http.responses import Reach

_OUTSIDE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737). Connecting a datagram socket sends nothing; it chooses the interface."""


@get("/api/reach", opt=READ)
async def reach(request: Request[Any, Any, Any], services: NamedDependency[Services]) -> Reach:
    """Whether only this computer reaches the server, and at which addresses the local network does."""
    host, _, port = services.runtime.settings.listens.rpartition(":")
    peer = request.client.host if request.client else ""
    # Addresses of a local network are nobody's business outside it, so that they are told on this computer only.
    if not (host and _is_loopback(peer) and _is_loopback(request.base_url.hostname or "")):
        return Reach(False, [])
    if _is_loopback(host):
        return Reach(True, [])
    address = _network_address() if host in ("0.0.0.0", "::") else host
    if address is None:
        return Reach(False, [])
    return Reach(False, [f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"])


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def _network_address() -> str | None:
    """The address of this computer in its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _is_loopback(address) else address


handlers: list[Any] = [reach]
