"""Every message on the socket of an analysis board; docs/protocol.md explains each with an example."""

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from kemu.core.game import Seat
from kemu.play.commands import Command, Id
from kemu.server.realtime.frames import Refused

# From the client.


class AnalysisQuestion(Command, frozen=True):
    """A position: the actions are played from it, or from the start of the game if it is null."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    actions: Annotated[list[str], Meta(max_length=2000)] = field(default_factory=list)


class Analyse(AnalysisQuestion, frozen=True, tag="analyse"):
    """Send the best lines of a position, better ones from time to time; it replaces what was asked before."""

    lines: Annotated[int, Meta(ge=1, le=32)] = 1


class Refute(AnalysisQuestion, frozen=True, tag="refute"):
    """Send the reply that wins to every action of a side that is lost; it replaces what was asked before."""


class Stop(Command, frozen=True, tag="stop"):
    """Send nothing more."""


AnalysisMessage: TypeAlias = Analyse | Refute | Stop
decode_analysis_message = msgspec.json.Decoder(AnalysisMessage).decode

# From the server.


class AnalysisLine(Struct, frozen=True):
    """An action, the score to expect after it for who acts, from 0 to 1, and how both would go on.

    `proven` is such as "win in 5", counted in actions of the winner; null if nothing is proved.
    """

    action: str
    score: float
    pv: list[str]
    proven: str | None = None


class LikelyEnding(Struct, frozen=True):
    """One way in which the game may end, and its chance; `winner` is null for a draw."""

    reason: str
    winner: Seat | None
    chance: float


class Prediction(Struct, frozen=True):
    """How the game is expected to end: the score of seat 0, from 0 to 1, its lead in points, and all ways to end.

    The most likely ending comes first. `lead` is null where no points are counted.
    """

    score: float
    lead: float | None
    endings: list[LikelyEnding]


class AnalysisFrame(Struct, frozen=True, omit_defaults=True, tag="analysis"):
    """The best lines so far and all that was searched; `depth` is null for searches that do not count plies.

    The first frame of an answer has what needs no search: by area the tiles to expect, from -1, all of seat 1, to 1,
    how the game is expected to end, and the chance of each kind of card to be the next one drawn, as the seat to act
    knows it.
    """

    re: Id
    seat: Seat
    lines: list[AnalysisLine]
    nodes: int
    ms: int
    depth: int | None = None
    ownership: dict[str, float] | UnsetType = UNSET
    prediction: Prediction | UnsetType = UNSET
    odds: dict[str, float] | UnsetType = UNSET


class RefutationFrame(Struct, frozen=True, tag="refutation"):
    """The reply to one answer of the side that is lost; `left` answers follow.

    `action` is null if the answer ends the game or the same seat acts again, `proven` if no proof was found.
    """

    re: Id
    answer: str
    action: str | None
    proven: str | None
    left: int


class Finished(Struct, frozen=True, tag="finished"):
    """The last question is answered; nothing more will be found."""

    re: Id


AnalysisAnswer: TypeAlias = AnalysisFrame | RefutationFrame | Finished | Refused
