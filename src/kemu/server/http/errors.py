"""How a refusal looks over HTTP: a status, a stable code and one sentence, and no detail of a fault."""

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET

from kemu.core.errors import KemuError
from kemu.server.http.responses import Refusal

STATUS: Final = {
    "parse-error": 400,
    "bad-option": 400,
    "not-signed-in": 401,
    "session-ended": 401,
    "bad-host": 403,
    "bad-origin": 403,
    "token-scope": 403,
    "not-yours": 403,
    "unknown-game": 404,
    "unknown-match": 404,
    "unknown-player": 404,
    "unknown-puzzle": 404,
    "unknown-session": 404,
    "unknown-study": 404,
    "unknown-token": 404,
    "too-many": 429,
    "internal": 500,
    "unavailable": 503,
    "unreadable-match": 503,
}
"""Every other code is 409."""

RETRY_AFTER_SECONDS: Final = 2
"""When a client whose request was not served because of an outage should try again."""

_CODES: Final = {401: "not-signed-in", 404: "not-found", 405: "method-not-allowed", 413: "too-large", 429: "too-many"}

log = logging.getLogger(__name__)


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Refusal]:
    """The response to a request that raised an error."""
    match error:
        case KemuError():
            refusal = Refusal(error.code, str(error), error.reason or UNSET, dict(error.values) or UNSET)
            return _response(STATUS.get(error.code, 409), refusal)
        case ValidationException():
            return _answer(400, "parse-error", _sentence(error))
        case RecursionError() | UnicodeError():  # of a body, a query or a path; handlers of ours raise neither
            return _answer(400, "parse-error", "The request cannot be read.")
        case HTTPException():
            code = _CODES.get(error.status_code, "parse-error" if error.status_code < 500 else "internal")
            return _answer(error.status_code, code, error.detail if error.status_code < 500 else "A fault of ours.")
        case _:
            log.error("request failed", exc_info=error, extra={"route": str(request.scope.get("path_template", ""))})
            return _answer(500, "internal", "A fault of ours; nothing was changed.")


RESPONSES: Final = {
    status: ResponseSpec(Refusal, generate_examples=False, description="Refused, with code and reason.")
    for status in (400, 401, 403, 404, 405, 409, 413, 429, 503)
}
"""The refusals that any request may get, for the OpenAPI document."""


def _answer(status: int, code: str, message: str) -> Response[Refusal]:
    return _response(status, Refusal(code, message))


def _response(status: int, refusal: Refusal) -> Response[Refusal]:
    headers = {"retry-after": str(RETRY_AFTER_SECONDS)} if status == 503 else {}
    return Response(refusal, status_code=status, media_type="application/json", headers=headers)


def _sentence(error: ValidationException) -> str:
    """What is wrong with a request, in one sentence."""
    extra = error.extra
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        key, message = str(extra[0].get("key", "")), str(extra[0].get("message", ""))
        return f"{key}: {message}." if key else f"{message}."
    return "The request cannot be read."
