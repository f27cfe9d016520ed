"""Errors of a store."""

from kemu.core.errors import KemuError


class UnknownMatch(KemuError):
    """No match has this id."""

    code = "unknown-match"


class UnreadableMatch(KemuError):
    """The stored entries of a match cannot be read; an error of the program or of the database."""

    code = "unreadable-match"


class UnknownPlayer(KemuError):
    """No player has this id."""

    code = "unknown-player"


class UnknownToken(KemuError):
    """The player has no token of this id."""

    code = "unknown-token"


class UnknownSession(KemuError):
    """The player has no session of this id."""

    code = "unknown-session"


class NameTaken(KemuError):
    """Another account has this name."""

    code = "name-taken"


class PasswordChanged(KemuError):
    """The player has another password by now, so that what was allowed with the one before is not done."""

    code = "not-signed-in"


class StoreUnavailable(KemuError):
    """The database cannot be reached; whether the last append was saved is not known."""

    code = "unavailable"
