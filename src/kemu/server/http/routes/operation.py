"""For those who run a server: is it well, and what does it do?"""

from collections.abc import Iterator
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from kemu.server.hall import Hall
from kemu.storage.errors import StoreAway

_COUNTED: Final = {
    "entries": "Entries saved and told by this process.",
    "refusals": "Socket messages that were no commands, or too many.",
    "taken": "Sockets taken over from other workers of this host.",
    "dropped": "Sockets closed because they read too slowly.",
    "bot_failures": "Bots that crashed, hung or answered nonsense.",
}
_LABELS: Final = ("process",)
"""Workers behind one port answer in turn; each has its own series."""


class _Metrics(Collector):
    """Reads the hall when somebody asks."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        hall = self._hall
        for name, text in _COUNTED.items():
            counter = CounterMetricFamily(f"kemu_{name}", text, labels=_LABELS)
            counter.add_metric([hall.store.process], hall.counts[name])
            yield counter
        for name, text, value in (
            ("tables", "Matches in memory.", len(hall.tables)),
            ("sockets", "Open sockets.", sum(hall.sockets.values())),
        ):
            gauge = GaugeMetricFamily(f"kemu_{name}", text, labels=_LABELS)
            gauge.add_metric([hall.store.process], value)
            yield gauge


@get("/health")
async def health(hall: NamedDependency[Hall]) -> dict[str, str]:
    """Whether this process can serve."""
    if hall.closing:
        raise StoreAway("The server is stopping.")
    await hall.store.check()
    return {"status": "ok"}


@get("/metrics", include_in_schema=False)
async def metrics(hall: NamedDependency[Hall]) -> Response[bytes]:
    """Figures for Prometheus, of this process."""
    registry = CollectorRegistry()
    registry.register(_Metrics(hall))
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


handlers: list[Any] = [health, metrics]
