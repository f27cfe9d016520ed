"""What can go wrong when something is kept or looked for."""

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


class StoreAway(KemuError):
    """The store cannot be reached now; whether the last command was kept is not known."""

    code = "unavailable"
