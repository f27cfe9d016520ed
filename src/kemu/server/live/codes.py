"""The codes that sockets are closed with; docs/protocol.md explains them to clients."""

from typing import Final

BAD_TEXT: Final = 1007
TOO_LARGE: Final = 1009
INTERNAL_ERROR: Final = 1011
RESTART: Final = 1012
TRY_AGAIN: Final = 1013
"""The database is away: open again after a moment."""

MALFORMED: Final = 4400
SIGNED_OUT: Final = 4401
FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404
FLOOD: Final = 4429

CLOSING_CODES: Final = {
    "unavailable": TRY_AGAIN,
    "unreadable-match": INTERNAL_ERROR,
    "unknown-match": UNKNOWN,
    "unknown-study": UNKNOWN,
    "too-many": FLOOD,
    "parse-error": MALFORMED,
    "not-signed-in": SIGNED_OUT,
    "session-ended": SIGNED_OUT,
}
"""The code for each error with which the opening of a socket is refused; for any other it is FORBIDDEN."""
