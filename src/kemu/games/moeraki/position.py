"""A state of Moeraki-Kemu, its document, which is checked as a whole when it is read, and the views as JSON.

A view is the position and all that follows from it; every seat sees the same. A JSON list of a fixed length is a tuple
in these types, so that schemas and the types of clients know its length.
"""

from functools import reduce
from operator import and_
from typing import Final, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

from kemu.core.display import draw_state
from kemu.core.document import Document, quote, read_list, read_number, read_object, read_text, read_texts
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.core.manifest import load
from kemu.games.moeraki.board import AREA, AREAS, CORNERS, DIRECTIONS, HOLLOW, HOLLOWS, MOERAKI, SIGHT, mask, numbers
from kemu.games.moeraki.options import Options
from kemu.games.moeraki.wins import FULL, Stones, Tane, Warriors, earned, filled, laid

TRIBES: Final = ("Matau", "Manaia")
STONES: Final = 28

Tribe: TypeAlias = Literal[0, 1]
"""Seat 0 is Matau, seat 1 Manaia."""


class State(NamedTuple):
    """Ball and stones as bit masks of hollows, both Tane, and who acts."""

    ball: int  # no bit before it is placed
    stones: Stones
    tane: Warriors
    turn: Seat  # once the game is over, who would have been next
    step: int | None = None  # while `turn` is asked for the Tane: the hollow of the stone just laid

    def __str__(self) -> str:
        return draw_state("kemu.games.moeraki.text", load("kemu.games.moeraki.rules:MoerakiKemu")(), self)

    @property
    def occupied(self) -> int:
        """Every hollow that holds a stone or the ball."""
        return self.ball | self.stones[0] | self.stones[1]

    @property
    def mover(self) -> Seat:
        """Return the seat that laid the last stone, or the one that did not place the ball."""
        if self.step is None:
            return 1 - self.turn
        return 0 if self.stones[0] >> self.step & 1 else 1


def names(hollows: int) -> list[str]:
    """The names of the hollows of a bit mask, in their order."""
    return [HOLLOWS[hollow].name for hollow in numbers(hollows)]


def openings(state: State, seat: Seat) -> tuple[int, ...]:
    """The areas where the stone just laid lets this seat put its Tane, none when it is not to be asked."""
    if state.step is None or state.tane[seat] is not None:
        return ()
    brought = laid(state.step, state.ball, state.stones, state.tane)
    return tuple(tile.area for tile in brought if tile.tribe == seat and tile.worth == FULL)


def encode(state: State) -> Document:
    """The position document of a state."""
    document: Document = {
        "ball": names(state.ball)[0] if state.ball else None,
        "stones": [names(stones) for stones in state.stones],
        "tane": [tane and {"at": AREAS[tane.area].name, "looks": tane.looks} for tane in state.tane],
        "turn": state.turn,
    }
    if state.step is not None:
        document["step"] = {"stone": HOLLOWS[state.step].name}
    return document


def decode(document: object, options: Options) -> State:
    """The state of a position document, or ParseError if no game with these options can come to it."""
    fields = read_object(document, "A position", ("ball", "stones", "tane", "turn"), ("step",))
    stones = read_list(fields["stones"], "'stones'", 2)
    tane = read_list(fields["tane"], "'tane'", 2)
    state = State(
        ball=_ball(fields["ball"], options),
        stones=(_stones(stones[0], TRIBES[0]), _stones(stones[1], TRIBES[1])),
        tane=(_tane(tane[0], TRIBES[0]), _tane(tane[1], TRIBES[1])),
        turn=read_number(fields["turn"], "'turn'", 0, 1),
        step=_step(fields["step"]) if "step" in fields else None,
    )
    _check_hollows(state)
    _check_turn(state, options)
    if state.tane != (None, None):
        _check_tane(state, options)
    _check_wins(state, options)
    if state.step is not None:
        _check_step(state, options)
    return state


def _hollow(value: object, name: str) -> int:
    text = read_text(value, name)
    if text not in HOLLOW:
        raise ParseError(f"{name} must be a hollow such as f6, not {quote(text)}.")
    return HOLLOW[text]


def _ball(value: object, options: Options) -> int:
    if value is None:
        return 0
    hollow = _hollow(value, "'ball'")
    if hollow not in MOERAKI:
        raise ParseError(f"The ball lies in one of the nine Moeraki hollows, not in {value}.")
    if value == options.moved_from:
        raise ParseError(f"The ball cannot lie in {value}, where it lay in the game before.")
    return 1 << hollow


def _stones(value: object, tribe: str) -> int:
    texts = read_texts(value, f"the stones of {tribe}")
    hollows = [_hollow(text, f"Each stone of {tribe}") for text in texts]
    if len(hollows) > STONES:
        raise ParseError(f"{tribe} has {STONES} stones, not {len(hollows)}.")
    for hollow in hollows:
        if hollows.count(hollow) > 1:
            raise ParseError(f"{HOLLOWS[hollow].name} can hold only one stone of {tribe}.")
    return mask(hollows)


def _tane(value: object, tribe: str) -> Tane | None:
    if value is None:
        return None
    fields = read_object(value, f"The Tane of {tribe}", ("at", "looks"))
    area, looks = read_text(fields["at"], "'at'"), read_text(fields["looks"], "'looks'")
    if area not in AREA:
        raise ParseError(f"The Tane of {tribe} must stand on an area such as f7, not on {quote(area)}.")
    if looks not in DIRECTIONS:
        raise ParseError(f"The Tane of {tribe} must look {', '.join(DIRECTIONS)}, not {quote(looks)}.")
    return Tane(AREA[area], looks)


def _step(value: object) -> int:
    return _hollow(read_object(value, "'step'", ("stone",))["stone"], "The stone of 'step'")


def _check_hollows(state: State) -> None:
    """No hollow holds two things, and nothing lies before the ball."""
    matau, manaia = state.stones
    if matau & manaia:
        raise ParseError(f"{names(matau & manaia)[0]} can hold only one stone, not one of each tribe.")
    if (matau | manaia) & state.ball:
        raise ParseError(f"{names(state.ball)[0]} cannot hold a stone and the ball.")
    if not state.ball and matau | manaia:
        raise ParseError("There can be no stone before the ball is placed.")
    if state.step is not None and not (matau | manaia) >> state.step & 1:
        raise ParseError(f"The stone of 'step' must lie on the board, and {HOLLOWS[state.step].name} holds none.")


def _check_turn(state: State, options: Options) -> None:
    """Stones are laid in turns, the first by the one who did not place the ball."""
    following = 1 - state.mover
    if not state.ball:
        if state.turn != options.starter:
            raise ParseError(f"'turn' must be {options.starter}, the seat that places the ball.")
        return
    lead = state.stones[1 - options.starter].bit_count() - state.stones[options.starter].bit_count()
    due = lead == (1 if following == options.starter else 0)
    # After a swap the starter is a stone ahead of where he would be.
    swapped = options.swap and state.stones[options.starter] and lead == (0 if following == options.starter else -1)
    if not due and not swapped:
        matau, manaia = (stones.bit_count() for stones in state.stones)
        raise ParseError(
            f"{matau} stones of Matau and {manaia} of Manaia are no turn of {TRIBES[following]} "
            f"when {TRIBES[1 - options.starter]} lays the first stone."
        )


def _check_tane(state: State, options: Options) -> None:
    """Each Tane stands where a full tile of its tribe was due and the other Tane, if it came first, did not look."""
    if options.variant != "master":
        raise ParseError(f"There is no Tane in variant '{options.variant}'.")
    for seat, tane in enumerate(state.tane):
        if tane is not None:
            tile = earned(tane.area, state.ball, state.stones)
            if tile is None or tile.tribe != seat or tile.worth != FULL:
                area = AREAS[tane.area].name
                raise ParseError(f"The Tane of {TRIBES[seat]} must stand on a full tile of its tribe, {area} is none.")
    first, second = state.tane
    if first and second and second.area in _view(first) and first.area in _view(second):
        raise ParseError("One Tane came after the other, so they cannot each stand where the other looks.")


def _view(tane: Tane) -> tuple[int, ...]:
    return SIGHT[tane.area][tane.looks]


def _check_wins(state: State, options: Options) -> None:
    """Nobody has an early win but the one who laid the last stone, and then that stone brought it."""
    mover = state.mover
    won, lost = (filled(state.ball, state.stones[seat], options.eye) for seat in (mover, 1 - mover))
    if lost:
        raise ParseError(f"{TRIBES[1 - mover]} cannot have won already with {TRIBES[mover]} laying the last stone.")
    if not won:
        return
    if state.step is not None:
        raise ParseError(f"'step' cannot be, since {TRIBES[mover]} has won before any tile is laid.")
    last = reduce(and_, (line.hollows for line in won))
    # The stone that wins brings no tile, so that no Tane came by it.
    last &= ~mask(hollow for tane in state.tane if tane for hollow in CORNERS[tane.area])
    if not last:
        raise ParseError(f"{TRIBES[mover]} had won before the last stone, for no single stone can have brought this.")


def _check_step(state: State, options: Options) -> None:
    """The seat to act is asked for its Tane because of the stone just laid."""
    assert state.step is not None
    stone, asked = HOLLOWS[state.step].name, TRIBES[state.turn]
    if options.variant != "master":
        raise ParseError(f"Nobody is asked for a Tane in variant '{options.variant}'.")
    if not openings(state, state.turn):
        raise ParseError(
            f"{asked} cannot be asked for the Tane after {stone}: no full tile of {asked} is due, or none left."
        )
    other = state.tane[1 - state.turn]
    if state.turn == state.mover and other is not None and state.step in CORNERS[other.area]:
        raise ParseError(f"{asked} is asked before {TRIBES[1 - state.turn]}, whose Tane cannot have come by {stone}.")


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
    """The seat that may place its Tane, and the areas where it may stand."""

    seat: Tribe
    areas: list[str]
    sees: dict[str, list[str]]  # for each action that places the Tane, the areas that it would see, the nearest first


class View(TypedDict):
    """View of a seat or a spectator."""

    position: PositionDocument
    tiles: list[LyingTile]
    barred: list[str]  # the areas where no tile can lie
    sees: tuple[list[str] | None, list[str] | None]  # by seat, the areas that its Tane sees, the nearest first
    scores: tuple[str, str] | None  # such as "7/2"; None in the beginner's game
    asked: Asked | None
