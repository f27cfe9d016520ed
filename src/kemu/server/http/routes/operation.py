"""For those who run a server: health, readiness, metrics, and who can open a link to it."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from msgspec import Struct
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from kemu.server.http.requests import READ, AnyRequest, FromServices
from kemu.server.services import Services

_COUNTED: Final = {
    "entries": "Entries saved by this process.",
    "refusals": "Socket messages that were no commands, or too many.",
    "taken": "Sockets taken over from other workers of this host.",
    "dropped": "Sockets closed because they read too slowly.",
    "bot_failures": "Bots that crashed, hung or answered nonsense.",
}
_LABELS: Final = ("process",)
"""Workers behind one port answer in turn; each has its own series."""

_OUTSIDE: Final = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737). Connecting a datagram socket sends nothing; it chooses the interface."""


class Reach(Struct, frozen=True):
    """Reach of the server: this computer only, or also the local network, at these addresses."""

    local_only: bool
    addresses: list[str]


class _Metrics(Collector):
    """Reads the figures of this process when they are asked for."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        services, process = self._services, self._services.runtime.store.process
        for name, text in _COUNTED.items():
            counter = CounterMetricFamily(f"kemu_{name}", text, labels=_LABELS)
            counter.add_metric([process], getattr(services.runtime.counters, name))
            yield counter
        for name, text, value in (
            ("tables", "Matches in memory.", len(services.registry)),
            ("sockets", "Open sockets.", services.connections.connections),
        ):
            gauge = GaugeMetricFamily(f"kemu_{name}", text, labels=_LABELS)
            gauge.add_metric([process], value)
            yield gauge


@get("/health")
async def health() -> dict[str, str]:
    """Report that this process runs; a process that does not answer should be started again."""
    return {"status": "ok"}


@get("/ready")
async def ready(services: FromServices) -> dict[str, str]:
    """Report that this process can serve: its database can be written to."""
    await services.runtime.store.check()
    return {"status": "ready"}


@get("/metrics", include_in_schema=False)
async def metrics(services: FromServices) -> Response[bytes]:
    """Figures for Prometheus, of this process; only where the setting `metrics` is on."""
    if not services.runtime.settings.metrics:
        raise NotFoundException("There is nothing at this address.")
    registry = CollectorRegistry()
    registry.register(_Metrics(services))
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


@get("/api/reach", opt=READ)
async def reach(request: AnyRequest, services: FromServices) -> Reach:
    """Return whether only this computer reaches the server, and at which addresses the local network does.

    It is told to a page that came by the name of this computer alone, `localhost`: addresses of a local network are
    nobody's business outside it.
    """
    host, _, port = services.runtime.settings.listens.rpartition(":")
    peer = request.client.host if request.client else ""
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
    """Return the address of this computer in its network; `None` without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _is_loopback(address) else address
