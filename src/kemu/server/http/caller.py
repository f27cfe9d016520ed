"""Who calls over HTTP, and what they are given to work with."""

from typing import Any, NamedTuple

from litestar import Request

from kemu.server.hall import Hall
from kemu.server.identity import COOKIE, Identity, Visitor
from kemu.server.limits import Rates


class Caller(NamedTuple):
    """A request's visitor and the parts of the server; one dependency, because several cost more than the handlers."""

    visitor: Visitor
    hall: Hall
    identity: Identity
    password_rates: Rates


async def caller(request: Request[Any, Any, Any]) -> Caller:
    """The caller of a request; a new guest's cookie goes out with the answer."""
    state = request.app.state
    identity: Identity = state.identity
    visitor = await identity.visitor(request.cookies.get(COOKIE), request.headers.get("authorization"))
    if visitor.new:
        request.scope["state"][COOKIE] = identity.set_cookie(visitor.id).to_encoded_header()
    return Caller(visitor, state.hall, identity, state.password_rates)
