"""What route handlers are given: the player who sent the request, and the parts of the server."""

from typing import Any, NamedTuple

from litestar import Request

from kemu.server.auth.identity import COOKIE, Identity, Visitor
from kemu.server.jobs.bots import BotWorkers
from kemu.server.limits import Rates
from kemu.server.realtime.connection import ConnectionHandler
from kemu.server.realtime.registry import MatchRegistry
from kemu.server.runtime import Runtime


class Services(NamedTuple):
    """The parts of the server that route handlers use."""

    runtime: Runtime
    registry: MatchRegistry
    identity: Identity
    connections: ConnectionHandler
    bots: BotWorkers
    request_rates: Rates
    password_rates: Rates


class Caller(NamedTuple):
    """The visitor of a request and the services; one dependency, because several cost more than most handlers."""

    visitor: Visitor
    services: Services


async def caller(request: Request[Any, Any, Any]) -> Caller:
    """The caller of a request; the cookie of a new guest goes out with the response."""
    services: Services = request.app.state.services
    identity = services.identity
    visitor = await identity.visitor(request.cookies.get(COOKIE), request.headers.get("authorization"))
    if visitor.new:
        request.scope["state"][COOKIE] = identity.set_cookie(visitor.id).to_encoded_header()
    return Caller(visitor, services)
