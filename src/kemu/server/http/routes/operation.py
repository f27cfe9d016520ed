"""For those who run a server: health, readiness and metrics."""

from collections.abc import Iterator
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from kemu.server.http.caller import Services

_COUNTED: Final = {
    "entries": "Entries saved by this process.",
    "refusals": "Socket messages that were no commands, or too many.",
    "taken": "Sockets taken over from other workers of this host.",
    "dropped": "Sockets closed because they read too slowly.",
    "bot_failures": "Bots that crashed, hung or answered nonsense.",
}
_LABELS: Final = ("process",)
"""Workers behind one port answer in turn; each has its own series."""


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
    """Whether this process runs; a process that does not answer should be started again."""
    return {"status": "ok"}


@get("/ready")
async def ready(services: NamedDependency[Services]) -> dict[str, str]:
    """Whether this process can serve: its database can be written to."""
    await services.runtime.store.check()
    return {"status": "ready"}


@get("/metrics", include_in_schema=False)
async def metrics(services: NamedDependency[Services]) -> Response[bytes]:
    """Figures for Prometheus, of this process; only where the setting `metrics` is on."""
    if not services.runtime.settings.metrics:
        raise NotFoundException("There is nothing at this address.")
    registry = CollectorRegistry()
    registry.register(_Metrics(services))
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


handlers: list[Any] = [health, ready, metrics]
