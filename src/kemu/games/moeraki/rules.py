"""The rules of Moeraki-Kemu by Stefan Kiehl (Kiehly, 2011): beginner's, basic and master's game.

11     o ▲ o ▲ o ▲ o         o  hollow, takes a stone or the ball
10   o ■ o ■ o ■ o ■ o       @  one of the nine Moeraki hollows, the only ones for the ball
 9 o ■ o ■ o ■ o ■ o ■ o     ■  beach, ▲ semi-beach: the areas, which take tiles and Tane
 8 ▲ o ■ o ■ @ ■ o ■ o ▲
 7 o ■ o ■ @ ■ @ ■ o ■ o     A stone wins early that completes in its own colour
 6 ▲ o ■ @ ■ @ ■ @ ■ o ▲       Tahuna  the four hollows of a beach, such as c9 b10 d10 c11
 5 o ■ o ■ @ ■ @ ■ o ■ o       Awa     a whole diagonal, such as a9 b10 c11, or one from the
 4 ▲ o ■ o ■ @ ■ o ■ o ▲               sideline to the ball
 3 o ■ o ■ o ■ o ■ o ■ o       Ara     an outer row, such as c1 e1 g1 i1
 2   o ■ o ■ o ■ o ■ o       On a full board the tiles decide (Marae).
 1     o ▲ o ▲ o ▲ o
   a b c d e f g h i j k     Seat 0 is Matau (black), seat 1 Manaia (white).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, cast

from kemu.core.document import Document, quote
from kemu.core.errors import IllegalAction
from kemu.core.game import Outcome, Seat, check_viewer, documented
from kemu.games.moeraki import actions, position
from kemu.games.moeraki.actions import Action, Keep, LayStone, PlaceBall, PlaceTane, Swap
from kemu.games.moeraki.board import AREAS, BEACHES, CORNERS, HOLLOWS, MOERAKI, area_names, mask
from kemu.games.moeraki.options import Options
from kemu.games.moeraki.position import TRIBES, State, View, names, openings
from kemu.games.moeraki.wins import Stones, Tane, Tile, barred, early_win, laid, scores, sight, tiles

_ALL: Final = (1 << len(HOLLOWS)) - 1
_NO_SWAP: Final = "Only the starter may swap, only in answer to the first stone, and only with the option swap."
_AROUND: Final = {beach: mask(CORNERS[beach]) for beach in BEACHES}


@documented
@dataclass(frozen=True)
class MoerakiKemu(Options):
    """Moeraki-Kemu with its options."""

    key: ClassVar[str] = "moeraki-kemu"
    seats: ClassVar[int] = 2

    def initial(self) -> State:
        return State(ball=0, stones=(0, 0), tane=(None, None), turn=self.starter)

    def turn(self, state: State) -> Seat | None:
        return None if self.outcome(state) else state.turn

    def actions(self, state: State) -> Sequence[Action]:
        if not state.ball:
            return tuple(actions.BALLS[hollow] for hollow in MOERAKI if HOLLOWS[hollow].name != self.moved_from)
        if state.step is not None:
            return (*(tane for area in openings(state, state.turn) for tane in actions.TANE[area]), actions.KEEP)
        if self.outcome(state):
            return ()
        occupied = state.occupied
        lays = [lay for lay in actions.LAYS if not occupied >> lay.hollow & 1]
        return (*lays, actions.SWAP) if self._may_swap(state) else tuple(lays)

    def odds(self, state: State) -> Sequence[tuple[Action, Fraction]]:
        return ()

    def apply(self, state: State, action: Action) -> State:
        if refusal := self._refusal(state, action):
            raise refusal
        match action:
            case LayStone(hollow):
                return self._with_stone(state, hollow)
            case PlaceBall(hollow):
                return state._replace(ball=1 << hollow, turn=1 - state.turn)
            case Swap():
                return state._replace(stones=(state.stones[1], state.stones[0]), turn=1 - state.turn)
            case PlaceTane(area, looks):
                mine = Tane(area, looks)
                state = state._replace(tane=(mine, state.tane[1]) if state.turn == 0 else (state.tane[0], mine))
        return _after_asking(state)

    def outcome(self, state: State) -> Outcome | None:
        if state.step is not None:
            return None
        # Only the player who just laid a stone can win early, and that is not the one to move.
        mover = 1 - state.turn
        if line := early_win(state.ball, state.stones[mover], self.eye):
            return Outcome((mover,), line.reason, at=tuple(names(line.hollows)))
        if state.occupied != _ALL:
            return None
        return Outcome((), "draw") if self.variant == "beginner" else self._marae(state)

    def view(self, state: State, seat: Seat) -> View:
        check_viewer(self, seat)
        lying = self._tiles(state)
        shown = {
            "position": self.encode(state),
            "tiles": [{"at": AREAS[tile.area].name, "tribe": tile.tribe, "worth": str(tile.worth)} for tile in lying],
            "barred": area_names(sorted(barred(state.tane))),
            "sees": [tane and area_names(sight(tane, state.tane[1 - mine])) for mine, tane in enumerate(state.tane)],
            "scores": None if self.variant == "beginner" else [str(score) for score in scores(lying)],
            "asked": None if state.step is None else self._asked(state),
        }
        return cast("View", shown)

    def seen(self, state: State, action: Action, seat: Seat) -> str:
        return self.format(action)

    def format(self, action: Action) -> str:
        return actions.format_action(action)

    def parse(self, text: str) -> Action:
        return actions.parse_action(text)

    def encode(self, state: State) -> Document:
        return position.encode(state)

    def decode(self, document: Mapping[str, Any]) -> State:
        return position.decode(document, self)

    def _with_stone(self, state: State, hollow: int) -> State:
        """A stone is laid; unless it wins, the tiles it brings may let one or both players be asked for the Tane."""
        matau, manaia = state.stones
        stone = 1 << hollow
        stones: Stones = (matau | stone, manaia) if state.turn == 0 else (matau, manaia | stone)
        after = State(state.ball, stones, state.tane, 1 - state.turn)
        if self.variant != "master" or None not in state.tane or not laid(hollow, state.ball, stones, state.tane):
            return after
        # The last stone of all brings its tiles too, so that only an early win goes before the asking.
        if early_win(state.ball, stones[state.turn], self.eye):
            return after
        asking = after._replace(turn=state.turn, step=hollow)
        return asking if openings(asking, state.turn) else _after_asking(asking)

    def _marae(self, state: State) -> Outcome:
        """All hollows are full: more points win, and equal points are for the player who placed the ball."""
        points = scores(tiles(state.ball, state.stones, state.tane))
        winner = self.starter if points[0] == points[1] else points.index(max(points))
        return Outcome((winner,), "marae", points)

    def _tiles(self, state: State) -> tuple[Tile, ...]:
        """The tiles that lie on the board now, without those that wait for a player to be asked for his Tane."""
        if self.variant == "beginner":
            return ()
        lying = tiles(state.ball, state.stones, state.tane)
        if state.step is None:
            # Four stones of one tribe around a beach have won, and the stone that wins brings no tile.
            return tuple(tile for tile in lying if _AROUND.get(tile.area, -1) & ~state.stones[tile.tribe])
        waiting = {0, 1} if state.turn == state.mover else {state.turn}
        brought = laid(state.step, state.ball, state.stones, state.tane)
        return tuple(tile for tile in lying if tile not in brought or tile.tribe not in waiting)

    def _asked(self, state: State) -> Document:
        """Return the seat that may place its Tane, the areas where it may stand, and the sight of each action."""
        areas = openings(state, state.turn)
        other = state.tane[1 - state.turn]
        places = [place for area in areas for place in actions.TANE[area]]
        sees = {self.format(place): area_names(sight(Tane(place.area, place.looks), other)) for place in places}
        return {"seat": state.turn, "areas": area_names(areas), "sees": sees}

    def _may_swap(self, state: State) -> bool:
        """The first stone is the only one, and the starter has not taken it over already (R9)."""
        return self.swap and state.turn == self.starter and (state.stones[0] | state.stones[1]).bit_count() == 1

    def _refusal(self, state: State, action: Action) -> IllegalAction | None:
        """Return why an action is not legal, None if it is."""
        if not actions.is_action(action):
            return IllegalAction(f"{quote(action)} is no action of this game.", "no-action")
        if not state.ball:
            return self._ball_refusal(action)
        if state.step is not None:
            return _tane_refusal(state, action)
        if self.outcome(state):
            return IllegalAction("The game is over.", "game-over")
        match action:
            case LayStone(hollow):
                return _stone_refusal(state, hollow)
            case PlaceBall():
                return IllegalAction("The ball is placed already; lay a stone into an empty hollow.", "ball-placed")
            case Swap():
                return None if self._may_swap(state) else IllegalAction(_NO_SWAP, "no-swap")
        return IllegalAction("Nobody is asked for a Tane now; lay a stone into an empty hollow.", "not-asked")

    def _ball_refusal(self, action: Action) -> IllegalAction | None:
        if not isinstance(action, PlaceBall):
            sentence = "The ball comes first, into one of the nine Moeraki hollows, such as @f6."
            return IllegalAction(sentence, "ball-first")
        name = HOLLOWS[action.hollow].name
        if action.hollow not in MOERAKI:
            sentence = f"{name} is none of the nine Moeraki hollows, the only ones for the ball."
            return IllegalAction(sentence, "not-for-the-ball", at=name)
        if name == self.moved_from:
            sentence = f"The ball must be moved from {name}, where it lay in the game before."
            return IllegalAction(sentence, "ball-not-moved", at=name)
        return None


def _after_asking(state: State) -> State:
    """One player has answered: the opponent of the mover is asked next if there is reason, then the turn passes."""
    opponent = 1 - state.mover
    if state.turn != opponent and openings(state, opponent):
        return state._replace(turn=opponent)
    return state._replace(turn=opponent, step=None)


def _stone_refusal(state: State, hollow: int) -> IllegalAction | None:
    if not state.occupied >> hollow & 1:
        return None
    name = HOLLOWS[hollow].name
    return IllegalAction(f"{name} is not empty.", "on-ball" if state.ball >> hollow & 1 else "on-stone", at=name)


def _tane_refusal(state: State, action: Action) -> IllegalAction | None:
    allowed = openings(state, state.turn)
    if isinstance(action, Keep) or (isinstance(action, PlaceTane) and action.area in allowed):
        return None
    areas = area_names(allowed)
    sentence = f"{TRIBES[state.turn]} is asked for the Tane: place it on {', '.join(areas)}, or keep the tiles with -."
    return IllegalAction(sentence, "tane-asked", areas=areas)
