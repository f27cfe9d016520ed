"""How a refusal looks over HTTP: a status, a stable code and one sentence, and no detail of a fault."""

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.errors import KemuError

CODES: Final = {
    400: ("parse-error", "bad-option"),
    401: ("not-signed-in", "session-ended"),
    403: ("bad-host", "bad-origin", "token-scope", "not-yours"),
    404: (
        *("unknown-game", "unknown-match", "unknown-player", "unknown-puzzle"),
        *("unknown-session", "unknown-study", "unknown-token"),
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
            return _response(400, Refusal("parse-error", _sentence(error)))
        case RecursionError() | UnicodeError():  # of a body, a query or a path; handlers of ours raise neither
            return _response(400, Refusal("parse-error", "The request cannot be read."))
        case HTTPException():
            code = _CODES.get(error.status_code, "parse-error" if error.status_code < 500 else "internal")
            message = error.detail if error.status_code < 500 else "A fault of ours."
            return _response(error.status_code, Refusal(code, message))
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
