"""What route handlers are given: the player who sent the request, and the parts of the server.

What a token may do is declared at each handler: `opt=READ` or `opt=PLAY`. A handler without either is for sessions
only, so that a new one is closed to tokens until somebody decides otherwise.
"""

from typing import Any, Final, NamedTuple, TypeAlias

from litestar import Request
from litestar.datastructures import Headers
from litestar.di import NamedDependency

from kemu.server.auth.identity import COOKIE, TokenScope, Visitor, device_name
from kemu.server.auth.origin import Source, networks, source
from kemu.server.runtime import AnalysisAsker
from kemu.server.services import Services

AnyRequest: TypeAlias = Request[Any, Any, Any]

_SCOPES: Final = "scopes"
_BEGINS: Final = "begins"
_SOURCE: Final = "kemu.source"

READ: Final = {_SCOPES: ("read", "play")}
"""Tokens of every scope may use the handler."""

PLAY: Final = {_SCOPES: ("play",)}
"""Tokens to play may use the handler."""

GUEST: Final = {_BEGINS: True}
"""A visitor without a session gets one; others are guests of one request."""


class Caller(NamedTuple):
    """The visitor of a request and the services; one dependency, because several cost more than most handlers."""

    visitor: Visitor
    services: Services
    address: str
    user_agent: str

    @property
    def device(self) -> str:
        """The name of the visitor's device."""
        return device_name(self.user_agent)

    @property
    def asker(self) -> AnalysisAsker:
        """The caller as one who asks for an analysis."""
        return AnalysisAsker(self.visitor.id if self.visitor.credential else self.address, self.address)


FromCaller: TypeAlias = NamedDependency[Caller]
FromServices: TypeAlias = NamedDependency[Services]


def request_source(request: AnyRequest, services: Services) -> Source:
    """Return where a request comes from; it is found out once."""
    state = request.scope["state"]
    if _SOURCE not in state:
        proxies = networks(services.runtime.settings.trusted_proxies)
        peer = request.client.host if request.client else ""
        state[_SOURCE] = source(peer, _forwarded(request.headers) if proxies else {}, proxies)
    found: Source = state[_SOURCE]
    return found


def _forwarded(headers: Headers) -> dict[str, str]:
    """Return the headers of proxies, some of which add one of their own to those of others."""
    names = ("x-forwarded-for", "x-forwarded-proto")
    return {name: ", ".join(headers.getall(name, [])) for name in names}


async def caller(request: AnyRequest) -> Caller:
    """Return the caller of a request; the cookie of a new session goes out with the response.

    Raises NotSignedIn for a wrong token, TokenScope for one that may not do this, and TooMany.
    """
    services: Services = request.app.state.services
    identity, opt, headers = services.identity, request.route_handler.opt, request.headers
    cookies = "; ".join(headers.getall("cookie", []))
    visitor = await identity.visitor(cookies, headers.get("authorization"))
    if visitor.token is not None and visitor.scope not in opt.get(_SCOPES, ()):
        raise TokenScope("A token of this scope cannot do this; the settings in the browser can.")
    found = Caller(visitor, services, request_source(request, services).address, headers.get("user-agent", ""))
    if not visitor.credential and _BEGINS in opt:
        refusal = "Too many new guests come from your address; try again in a minute."
        services.visitor_rates.spend(found.address, refusal)
        begun, cookie = await identity.begin(visitor.player, found.device, kept=visitor.kept)
        request.scope["state"][COOKIE] = cookie.to_encoded_header()
        return found._replace(visitor=begun)
    return found
