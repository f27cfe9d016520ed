"""Errors of a store."""

from kemu.core.errors import KemuError


class UnknownMatch(KemuError):
    """No match has this id."""

    code = "unknown-match"


class UnknownPlayer(KemuError):
    """No player has this id."""

    code = "unknown-player"


class UnknownToken(KemuError):
    """The player has no token of this id."""

    code = "unknown-token"


class NameTaken(KemuError):
    """Another account has this name."""

    code = "name-taken"


class StoreUnavailable(KemuError):
    """The database cannot be reached; whether the last append was saved is not known."""

    code = "unavailable"
