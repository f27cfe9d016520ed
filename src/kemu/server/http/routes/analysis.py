"""What is known of a position without a search that goes on: the graph of a small solved game."""

from contextlib import aclosing
from typing import Any

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kemu.server.http.caller import READ, Caller
from kemu.server.http.requests import GraphRequest
from kemu.server.http.responses import GraphAnswer


@post("/api/analysis/graph", status_code=200, opt=READ)
async def graph(caller: NamedDependency[Caller], data: JSONBody[GraphRequest]) -> GraphAnswer:
    """Every position of a small solved game up to symmetry, and which of them this one is."""
    async with aclosing(caller.services.study.stream("graph", msgspec.to_builtins(data), caller.asker)) as documents:
        return msgspec.convert(await anext(documents), GraphAnswer)


handlers: list[Any] = [graph]
