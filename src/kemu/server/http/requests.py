"""Requests: the player who sent one, the parts of the server that its handler is given, and how one is refused.

What a token may do is declared at each handler: `opt=READ` or `opt=PLAY`. A handler without either is for sessions
only, so that a new one is closed to tokens until somebody decides otherwise. A refusal is a status, a stable code and
one sentence, and no detail of a fault.
"""

import logging
from typing import Any, Final, NamedTuple, TypeAlias

from litestar import Request, Response
from litestar.datastructures import Headers
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.errors import KemuError, ParseError
from kemu.people.groups import ManagedAccount
from kemu.server.auth.identity import COOKIE, TokenScope, Visitor, device_name
from kemu.server.auth.origin import Source, networks, source
from kemu.server.runtime import AnalysisAsker
from kemu.server.services import Services

AnyRequest: TypeAlias = Request[Any, Any, Any]

_SCOPES: Final = "scopes"
_BEGINS: Final = "begins"
_OWNER: Final = "owner"
_SOURCE: Final = "kemu.source"

READ: Final = {_SCOPES: ("read", "play")}
"""Tokens of every scope may use the handler."""

PLAY: Final = {_SCOPES: ("play",)}
"""Tokens to play may use the handler."""

GUEST: Final = {_BEGINS: True}
"""A visitor without a session gets one; others are guests of one request."""


OWNER: Final = {_OWNER: True}
"""Pupils, whose accounts teachers manage, may not use the handler."""


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

    Raises NotSignedIn for a wrong token, TokenScope for one that may not do this, ManagedAccount, and TooMany.
    """
    services: Services = request.app.state.services
    identity, opt, headers = services.identity, request.route_handler.opt, request.headers
    cookies = "; ".join(headers.getall("cookie", []))
    visitor = await identity.visitor(cookies, headers.get("authorization"))
    if visitor.token is not None and visitor.scope not in opt.get(_SCOPES, ()):
        raise TokenScope("A token of this scope cannot do this; the settings in the browser can.")
    if _OWNER in opt and visitor.player.account and await services.runtime.store.groups.managed(visitor.id):
        raise ManagedAccount("Your teachers manage your account; ask them.")
    found = Caller(visitor, services, request_source(request, services).address, headers.get("user-agent", ""))
    if visitor.credential:
        services.runtime.addresses.note(visitor.id, found.address)
    elif _BEGINS in opt:
        refusal = "Too many new guests come from your address; try again in a minute."
        services.visitor_rates.spend(found.address, refusal)
        begun, cookie = await identity.begin(visitor.player, found.device, kept=visitor.kept)
        request.scope["state"][COOKIE] = cookie.to_encoded_header()
        services.runtime.addresses.note(visitor.id, found.address)
        return found._replace(visitor=begun)
    return found


CODES: Final = {
    400: ("parse-error", "bad-option"),
    401: ("not-signed-in", "session-ended"),
    403: (
        *("bad-host", "bad-origin", "token-scope", "not-yours", "blocked", "private", "banned"),
        *("not-teacher", "managed-account"),
        "entry-refused",
    ),
    404: (
        *(
            "unknown-challenge",
            "unknown-feed",
            "unknown-game",
            "unknown-group",
            "unknown-lesson",
            "unknown-match",
            "unknown-player",
            "unknown-puzzle",
        ),
        *("unknown-session", "unknown-study", "unknown-token", "unknown-tournament"),
    ),
    429: ("too-many",),
    500: ("internal",),
    503: ("unavailable", "unreadable-match"),
}
"""The codes of errors by status; every other code is 409."""

STATUS: Final = {code: status for status, codes in CODES.items() for code in codes}

RETRY_AFTER_SECONDS: Final = 2
"""When a client whose request was not served because of an outage should try again."""

_CODES: Final = {401: "not-signed-in", 404: "not-found", 405: "method-not-allowed", 413: "too-large", 429: "too-many"}

log = logging.getLogger(__name__)


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused; the rules of a game add their reason and its values."""

    code: str
    message: str
    reason: str | UnsetType = UNSET
    values: dict[str, Any] | UnsetType = UNSET


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Refusal]:
    """Return the response to a request that raised an error."""
    match error:
        case KemuError():
            return _response(STATUS.get(error.code, 409), Refusal(**error.document()))
        case ValidationException():
            return _response(400, Refusal(**ParseError(_sentence(error)).document()))
        case RecursionError() | UnicodeError():  # of a body, a query or a path; handlers of ours raise neither
            return _response(400, Refusal("parse-error", "The request cannot be read."))
        case HTTPException():
            code = _CODES.get(error.status_code, "parse-error" if error.status_code < 500 else "internal")
            message = KemuError(error.detail if error.status_code < 500 else "A fault of ours.")
            return _response(error.status_code, Refusal(code, str(message)))
        case _:
            log.error("request failed", exc_info=error, extra={"route": str(request.scope.get("path_template", ""))})
            return _response(500, Refusal("internal", "A fault of ours; nothing was changed."))


RESPONSES: Final = {
    status: ResponseSpec(Refusal, generate_examples=False, description="Refused, with code and reason.")
    for status in (400, 401, 403, 404, 405, 409, 413, 429, 503)
}
"""The refusals that any request may get, for the OpenAPI document."""


def _response(status: int, refusal: Refusal) -> Response[Refusal]:
    headers = {"retry-after": str(RETRY_AFTER_SECONDS)} if status == 503 else {}
    return Response(refusal, status_code=status, media_type="application/json", headers=headers)


def _sentence(error: ValidationException) -> str:
    """Return what is wrong with a request, in one sentence."""
    extra = error.extra
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        key, message = str(extra[0].get("key", "")), str(extra[0].get("message", ""))
        return f"{key}: {message}." if key else f"{message}."
    return "The request cannot be read."
