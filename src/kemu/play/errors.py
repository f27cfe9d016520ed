"""What can go wrong at a match, besides what the rules refuse."""

from kemu.core.errors import KemuError


class WrongSeat(KemuError):
    """It is another seat's turn."""

    code = "wrong-seat"


class MatchOver(KemuError):
    """The match has ended."""

    code = "match-over"


class NoUndo(KemuError):
    """There is nothing to take back, or it may not be taken back."""

    code = "no-undo"
