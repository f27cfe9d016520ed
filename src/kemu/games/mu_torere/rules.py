"""The rules of Mū tōrere, and its symmetries: the star turned and mirrored, twice as many as it has arms.

      1
  8       2          The kewai are numbered clockwise from the top, the pūtahi is 0.
                     Each kewai is joined to its two neighbours and to the pūtahi.
7     0     3        Black (seat 0) starts on 1 2 3 4, White (seat 1) on 5 6 7 8.

  6       4
      5
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, ClassVar, Final, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict, cast

from kemu.core.display import draw_state
from kemu.core.document import Document, quote, read_list, read_number, read_object, read_text
from kemu.core.errors import IllegalAction, OptionError, ParseError
from kemu.core.game import Outcome, Seat, Symmetry, check_viewer, documented

PUTAHI: Final = 0
MEN: Final = "BW"
EMPTY: Final = "."
OPENING: Final = 4
"""The plies in which `flank="opening"` asks for an enemy neighbour: two turns of each player."""

OCCURRENCES: Final = 3
"""How often the same points with the same player to move make a draw."""

_Places: TypeAlias = tuple[int, ...]
"""Where a symmetry takes each point, by its number; the pūtahi stays."""


class Position(NamedTuple):
    """A position: the men on kewai 1…n and the pūtahi, and the side to move."""

    points: str
    turn: Seat


class State(NamedTuple):
    """A position and as much of the past as the options let matter."""

    position: Position
    ply: int = OPENING  # plies played, counted only as far as the opening rule needs
    past: tuple[Position, ...] = ()  # earlier positions, sorted, as often as they occurred

    def __str__(self) -> str:
        return draw_state("kemu.games.mu_torere.text", MuTorere(arms=len(self.position.points) - 1), self)


class Move(NamedTuple):
    """One man steps from a point to the empty one."""

    start: int
    end: int


class PositionDocument(TypedDict):
    """The position document, without the positions before."""

    points: str  # B, W or . for each kewai, then for the pūtahi
    turn: Literal[0, 1]
    ply: NotRequired[int]  # plies played, only where the opening rule needs them


class View(TypedDict):
    """View of a seat or a spectator."""

    position: PositionDocument
    occurrences: int  # how often this position has come up, this time included


@documented
@dataclass(frozen=True)
class MuTorere:
    """Mū tōrere with its options."""

    flank: str = "always"
    arms: int = 8
    repetition: bool = True

    key: ClassVar[str] = "mu-torere"
    seats: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.flank not in ("always", "opening", "never"):
            raise OptionError(f"flank is 'always', 'opening' or, for study, 'never', not {quote(self.flank)}.")
        if type(self.arms) is not int or self.arms not in range(4, 17, 2):
            raise OptionError(f"arms is an even number from 4 to 16, not {quote(self.arms)}.")
        if type(self.repetition) is not bool:
            raise OptionError(f"repetition is true or false, not {quote(self.repetition)}.")

    def initial(self) -> State:
        half = self.arms // 2
        return State(Position(MEN[0] * half + MEN[1] * half + EMPTY, 0), ply=self._ply(0))

    def turn(self, state: State) -> Seat | None:
        return None if self.outcome(state) else state.position.turn

    def actions(self, state: State) -> Sequence[Move]:
        return () if self._repeated(state) else self._moves(state.position, state.ply)

    def odds(self, state: State) -> Sequence[tuple[Move, Fraction]]:
        return ()

    def apply(self, state: State, action: Move) -> State:
        if action not in self.actions(state):
            raise self._refusal(state, action)
        (points, turn), ply, past = state
        moved = list(points)
        moved[self._index(action.start)] = EMPTY
        moved[self._index(action.end)] = MEN[turn]
        if self.repetition:
            past = tuple(sorted((*past, state.position)))
        return State(Position("".join(moved), 1 - turn), self._ply(ply + 1), past)

    def outcome(self, state: State) -> Outcome | None:
        if self._repeated(state):
            return Outcome((), "repetition")
        if not self._moves(state.position, state.ply):
            return Outcome((1 - state.position.turn,), "blocked")
        return None

    def view(self, state: State, seat: Seat) -> View:
        check_viewer(self, seat)
        # Earlier positions stand in the log; how often this one has come up is all a player looks for.
        position = cast("PositionDocument", self.encode(State(state.position, state.ply)))
        return {"position": position, "occurrences": self._occurrences(state)}

    def seen(self, state: State, action: Move, seat: Seat) -> str:
        return self.format(action)

    def format(self, action: Move) -> str:
        return f"{action.start}-{action.end}"

    def parse(self, text: str) -> Move:
        match = re.fullmatch(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", text, re.ASCII)
        if not match or max(move := Move(int(match[1]), int(match[2]))) > self.arms:
            raise ParseError(f"An action is from-to with points from 0 to {self.arms}, such as 1-0, not {quote(text)}.")
        return move

    def encode(self, state: State) -> Document:
        document: Document = {"points": state.position.points, "turn": state.position.turn}
        if self.flank == "opening":
            document["ply"] = state.ply
        if state.past:
            document["past"] = [list(position) for position in state.past]
        return document

    def decode(self, document: Mapping[str, Any]) -> State:
        fields = read_object(document, "A position", ("points", "turn"), ("ply", "past"))
        position = self._position(fields["points"], fields["turn"])
        ply = read_number(fields.get("ply", OPENING), "'ply'", 0)
        past = self._past(fields.get("past", []))
        return State(position, self._ply(ply), past if self.repetition else ())

    def _position(self, points: object, turn: object) -> Position:
        text = read_text(points, "'points'")
        half = self.arms // 2
        if sorted(text) != sorted(MEN * half + EMPTY):
            men = f"{half} B, {half} W and one '.'"
            raise ParseError(f"'points' must be {self.arms} kewai and the pūtahi with {men}, not {quote(text)}.")
        return Position(text, read_number(turn, "'turn'", 0, 1))

    def _past(self, value: object) -> tuple[Position, ...]:
        entries = [read_list(entry, "Each of 'past'", 2) for entry in read_list(value, "'past'")]
        past = sorted(self._position(points, turn) for points, turn in entries)
        if any(count >= OCCURRENCES for count in Counter(past).values()):
            raise ParseError(f"A position of 'past' came up {OCCURRENCES} times, and that ended the game.")
        return tuple(past)

    def _ply(self, ply: int) -> int:
        return min(ply, OPENING) if self.flank == "opening" else OPENING

    def _index(self, point: int) -> int:
        """Where a point stands in `points`: the pūtahi comes last."""
        return (point - 1) % (self.arms + 1)

    def _occurrences(self, state: State) -> int:
        return bisect_right(state.past, state.position) - bisect_left(state.past, state.position) + 1

    def _repeated(self, state: State) -> bool:
        return self._occurrences(state) >= OCCURRENCES

    @lru_cache(maxsize=4096)  # noqa: B019  the few positions are asked for again and again, by few games
    def _moves(self, position: Position, ply: int) -> Sequence[Move]:
        """The legal moves by starting point, without regard to repetition."""
        points, turn = position
        own = MEN[turn]
        gap = points.index(EMPTY)
        if gap == self.arms:
            return tuple(
                Move(kewai, PUTAHI)
                for kewai in range(1, self.arms + 1)
                if points[kewai - 1] == own and self._may_enter(position, ply, kewai)
            )
        end = gap + 1
        starts = sorted({PUTAHI, *self._neighbours(end)})
        return tuple(Move(start, end) for start in starts if points[self._index(start)] == own)

    def _may_enter(self, position: Position, ply: int, kewai: int) -> bool:
        """The flanking rule: to enter the pūtahi, a man needs an enemy beside it."""
        flanked = self.flank == "always" or (self.flank == "opening" and ply < OPENING)
        enemy = MEN[1 - position.turn]
        return not flanked or any(position.points[beside - 1] == enemy for beside in self._neighbours(kewai))

    def _neighbours(self, kewai: int) -> tuple[int, int]:
        return (kewai - 2) % self.arms + 1, kewai % self.arms + 1

    def _refusal(self, state: State, action: Move) -> IllegalAction:
        if not isinstance(action, Move) or not all(point in range(self.arms + 1) for point in action):
            return IllegalAction(f"{quote(action)} is no action of this game.", "no-action")
        if self.outcome(state):
            return IllegalAction("The game is over.", "game-over")
        points, turn = state.position
        start, end = action
        man = points[self._index(start)]
        if man != MEN[turn]:
            reason = "no-man" if man == EMPTY else "enemy-man"
            return IllegalAction(f"{('Black', 'White')[turn]} has no man on {start}.", reason, start=start)
        if points[self._index(end)] != EMPTY:
            return IllegalAction(f"{end} is not empty.", "not-empty", end=end)
        if end == PUTAHI:
            sentence = f"A man enters the pūtahi only from beside an enemy; {start} has none."
            return IllegalAction(sentence, "not-flanked", start=start)
        return IllegalAction(f"{start} is not next to {end}.", "not-adjacent", start=start, end=end)


@cache
def symmetries(game: MuTorere) -> Sequence[Symmetry]:
    """Return the symmetries of a game with these options, the identity first."""
    maps = (
        (PUTAHI, *((turned + direction * kewai) % game.arms + 1 for kewai in range(game.arms)))
        for direction in (1, -1)
        for turned in range(game.arms)
    )
    return tuple(Symmetry(partial(_image, places), partial(_move_image, places)) for places in maps)


def _position_image(places: _Places, position: Position) -> Position:
    points = list(position.points)
    for kewai, man in enumerate(position.points[:-1], start=1):
        points[places[kewai] - 1] = man
    return Position("".join(points), position.turn)


def _image(places: _Places, state: State) -> State:
    past = tuple(sorted(_position_image(places, position) for position in state.past))
    return State(_position_image(places, state.position), state.ply, past)


def _move_image(places: _Places, action: Move) -> Move:
    return Move(places[action.start], places[action.end])
