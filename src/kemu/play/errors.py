"""Why a command is refused, besides what the rules refuse."""

from kemu.core.errors import KemuError


class WrongSeat(KemuError):
    """It is another seat's turn."""

    code = "wrong-seat"


class NotYours(KemuError):
    """The seat or match belongs to somebody else."""

    code = "not-yours"


class SeatTaken(KemuError):
    """Somebody sits there already."""

    code = "seat-taken"


class StaleVersion(KemuError):
    """The match has gone on since."""

    code = "stale-version"


class NotStarted(KemuError):
    """Not all seats are filled yet."""

    code = "not-started"


class AlreadyStarted(KemuError):
    """That was possible only before the start, or before the first action."""

    code = "already-started"


class MatchOver(KemuError):
    """The match has ended."""

    code = "match-over"


class MatchRunning(KemuError):
    """That is possible only when the match is over."""

    code = "match-running"


class NoUndo(KemuError):
    """There is nothing to take back, or it may not be taken back."""

    code = "no-undo"


class NoOffer(KemuError):
    """There is no such offer, or it cannot be made."""

    code = "no-offer"


class NotAway(KemuError):
    """Nobody has been away for long enough to claim anything."""

    code = "not-away"


class TimeLeft(KemuError):
    """The running time is not used up, or no time runs."""

    code = "time-left"


class AlreadyDone(KemuError):
    """The same command of the same player was done before, in this version."""

    code = "already-done"

    def __init__(self, version: int) -> None:
        super().__init__(f"This command was done in version {version}.")
        self.version = version
