"""The views of Mū tōrere as JSON; every seat sees the same."""

from typing import Literal, NotRequired, TypedDict


class PositionDocument(TypedDict):
    """The position document, without the positions before."""

    points: str  # B, W or . for each kewai, then for the pūtahi
    turn: Literal[0, 1]
    ply: NotRequired[int]  # plies played, only where the opening rule needs them


class View(TypedDict):
    """What a seat or a spectator sees."""

    position: PositionDocument
    occurrences: int  # how often this position has come up, this time included
