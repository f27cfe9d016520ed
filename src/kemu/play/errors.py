"""Why a command is refused, besides what the rules refuse."""

from kemu.core.errors import KemuError


class WrongSeat(KemuError, code="wrong-seat"):
    """It is another seat's turn."""


class NotYours(KemuError, code="not-yours"):
    """The seat or match belongs to somebody else."""


class SeatTaken(KemuError, code="seat-taken"):
    """Somebody sits there already."""


class StaleVersion(KemuError, code="stale-version"):
    """The match has gone on since."""


class NotStarted(KemuError, code="not-started"):
    """Not all seats are filled yet."""


class AlreadyStarted(KemuError, code="already-started"):
    """That was possible only before the start, or before the first action."""


class MatchOver(KemuError, code="match-over"):
    """The match has ended."""


class MatchRunning(KemuError, code="match-running"):
    """That is possible only when the match is over."""


class NoUndo(KemuError, code="no-undo"):
    """There is nothing to take back, or it may not be taken back."""


class NoOffer(KemuError, code="no-offer"):
    """There is no such offer, or it cannot be made."""


class NotAway(KemuError, code="not-away"):
    """Nobody has been away for long enough to claim anything."""


class TimeLeft(KemuError, code="time-left"):
    """The running time is not used up, or no time runs."""


class NoVacation(KemuError, code="no-vacation"):
    """A vacation changes nothing here, or cannot be taken."""


class AlreadyDone(KemuError, code="already-done"):
    """The same command of the same player was done before, in this version."""

    def __init__(self, version: int) -> None:
        super().__init__(f"This command was done in version {version}.")
        self.version = version
