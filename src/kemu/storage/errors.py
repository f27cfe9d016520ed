"""Errors of a store."""

from kemu.core.errors import KemuError


class UnknownMatch(KemuError, code="unknown-match"):
    """No match has this id."""


class UnreadableMatch(KemuError, code="unreadable-match"):
    """The stored entries of a match cannot be read; an error of the program or of the database."""


class UnknownPlayer(KemuError, code="unknown-player"):
    """No player has this id."""


class UnknownToken(KemuError, code="unknown-token"):
    """The player has no token of this id."""


class UnknownSession(KemuError, code="unknown-session"):
    """The player has no session of this id."""


class NameTaken(KemuError, code="name-taken"):
    """Another account has this name."""


class PasswordChanged(KemuError, code="not-signed-in"):
    """The player has another password by now, so that what was allowed with the one before is not done."""


class StoreUnavailable(KemuError, code="unavailable"):
    """The database cannot be reached; whether the last append was saved is not known."""
