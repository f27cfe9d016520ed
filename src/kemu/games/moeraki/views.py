"""The views of Moeraki-Kemu as JSON: the position and all that follows from it; every seat sees the same.

A JSON list of a fixed length is a tuple here, so that schemas and the types of clients know its length.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

Tribe: TypeAlias = Literal[0, 1]
"""Seat 0 is Matau, seat 1 Manaia."""


class StandingTane(TypedDict):
    """A Tane on the board."""

    at: str  # an area
    looks: Literal["ne", "nw", "se", "sw"]


class StepDocument(TypedDict):
    """Why somebody is asked for the Tane."""

    stone: str  # the hollow of the stone just laid


class PositionDocument(TypedDict):
    """The position document."""

    ball: str | None  # a hollow
    stones: tuple[list[str], list[str]]  # hollows, by seat
    tane: tuple[StandingTane | None, StandingTane | None]  # by seat
    turn: Tribe
    step: NotRequired[StepDocument]


class LyingTile(TypedDict):
    """A tile on the board."""

    at: str  # an area
    tribe: Tribe
    worth: Literal["1", "1/2"]


class Asked(TypedDict):
    """Who is asked for the Tane, and where it may stand."""

    seat: Tribe
    areas: list[str]
    sees: dict[str, list[str]]  # for each action that places the Tane, the areas that it would see, the nearest first


class View(TypedDict):
    """What a seat or a spectator sees."""

    position: PositionDocument
    tiles: list[LyingTile]
    barred: list[str]  # the areas where no tile can lie
    sees: tuple[list[str] | None, list[str] | None]  # by seat, the areas that its Tane sees, the nearest first
    scores: tuple[str, str] | None  # such as "7/2"; None in the beginner's game
    asked: Asked | None
