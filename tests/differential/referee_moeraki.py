"""A second implementation of Moeraki-Kemu, written from the rules text alone and as plainly as can be.

The board is drawn by hand here and not computed, so that it cannot share a mistake with a formula:
`o` is a hollow, `#` a beach, `^` a semi-beach, `.` nothing; `@` is a hollow that may take the ball.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

COLUMNS = "abcdefghijk"

BOARD = """
    . . o ^ o ^ o ^ o . .   11
    . o # o # o # o # o .   10
    o # o # o # o # o # o    9
    ^ o # o # @ # o # o ^    8
    o # o # @ # @ # o # o    7
    ^ o # @ # @ # @ # o ^    6
    o # o # @ # @ # o # o    5
    ^ o # o # @ # o # o ^    4
    o # o # o # o # o # o    3
    . o # o # o # o # o .    2
    . . o ^ o ^ o ^ o . .    1
"""


def _marks() -> dict[str, str]:
    marks = {}
    for line in BOARD.strip().splitlines():
        *row, number = line.split()
        for column, mark in zip(COLUMNS, row, strict=True):
            marks[column + number] = mark
    return marks


MARKS = _marks()
HOLLOWS = {name for name, mark in MARKS.items() if mark in "o@"}
NINE = {name for name, mark in MARKS.items() if mark == "@"}
BEACHES = {name for name, mark in MARKS.items() if mark == "#"}
SEMI_BEACHES = {name for name, mark in MARKS.items() if mark == "^"}
AREAS = BEACHES | SEMI_BEACHES
EYE = {"f8", "d6", "f4", "h6"}
DIRECTIONS = {"ne": (1, 1), "nw": (-1, 1), "se": (1, -1), "sw": (-1, -1)}


def step(name: str, right: int, up: int) -> str | None:
    """The point so many columns to the right and rows up, None off the board."""
    column = COLUMNS.index(name[0]) + right
    row = int(name[1:]) + up
    if 0 <= column < len(COLUMNS) and 1 <= row <= 11:
        return f"{COLUMNS[column]}{row}"
    return None


def line(name: str, direction: str, kind: set[str]) -> list[str]:
    """The points of a kind met on the way from a point, itself left out, to the edge."""
    found = []
    right, up = DIRECTIONS[direction]
    here = step(name, right, up)
    while here is not None:
        if here in kind:
            found.append(here)
        here = step(here, right, up)
    return found


def corners(area: str) -> set[str]:
    """The hollows round an area."""
    around = [step(area, 1, 0), step(area, -1, 0), step(area, 0, 1), step(area, 0, -1)]
    return {name for name in around if name in HOLLOWS and name is not None}


CORNERS = {area: corners(area) for area in AREAS}

DIAGONALS = {frozenset([*line(name, "ne", HOLLOWS), name, *line(name, "sw", HOLLOWS)]) for name in HOLLOWS} | {
    frozenset([*line(name, "nw", HOLLOWS), name, *line(name, "se", HOLLOWS)]) for name in HOLLOWS
}

OUTER_ROWS = [
    {name for name in HOLLOWS if name[0] == "a"},
    {name for name in HOLLOWS if name[0] == "k"},
    {name for name in HOLLOWS if name[1:] == "1"},
    {name for name in HOLLOWS if name[1:] == "11"},
]


class MoerakiReferee:
    """Holds the ball, who laid which stone, where each Tane stands, and who must answer what."""

    def __init__(
        self,
        variant: str = "master",
        starter: int = 0,
        moved_from: str | None = None,
        eye: bool = False,
        swap: bool = False,
    ) -> None:
        self.variant = variant
        self.starter = starter
        self.moved_from = moved_from
        self.eye = eye
        self.swap = swap
        self.ball: str | None = None
        self.stones: dict[str, int] = {}
        self.tane: dict[int, tuple[str, str]] = {}
        self.to_lay = starter
        self.swapped = False
        self.last: str | None = None
        # Inside a turn: who is asked for the Tane, and which of the two questions of this turn are still to come.
        self.asked: int | None = None
        self.questions: list[int] = []
        self.result: tuple[tuple[int, ...], str, tuple[Fraction, ...] | None] | None = None
        self.met: Counter[str] = Counter()
        self.under_bar: set[str] = set()

    # What lies on the board, each time from scratch.

    def majority(self, area: str) -> tuple[int, Fraction] | None:
        """Tribe and worth of the tile that an area earns by its stones alone."""
        if not all(hollow in self.stones or hollow == self.ball for hollow in CORNERS[area]):
            return None
        holders = [self.stones[hollow] for hollow in CORNERS[area] if hollow != self.ball]
        counts = [holders.count(0), holders.count(1)]
        if counts[0] == counts[1]:
            return None
        tribe = 0 if counts[0] > counts[1] else 1
        half = area in SEMI_BEACHES and sorted(counts) == [1, 2]
        return tribe, Fraction(1, 2) if half else Fraction(1)

    def sight(self, seat: int) -> list[str]:
        """The areas that a player's Tane looks at."""
        if seat not in self.tane:
            return []
        at, looks = self.tane[seat]
        seen: list[str] = []
        for area in line(at, looks, AREAS):
            if 1 - seat in self.tane and self.tane[1 - seat][0] == area:
                break
            seen.append(area)
        return seen

    def barred(self) -> set[str]:
        """The areas that one Tane sees and the other does not: crossing sights lift each other."""
        return set(self.sight(0)) ^ set(self.sight(1))

    def tiles(self) -> dict[str, tuple[int, Fraction]]:
        """Every tile that lies on the board, with its tribe and worth."""
        warriors = {at for at, _ in self.tane.values()}
        closed = self.barred() | warriors
        lying = {}
        for area in AREAS:
            tile = self.majority(area)
            if tile is not None and area not in closed:
                lying[area] = tile
        return lying

    def early_wins(self, seat: int) -> list[str]:
        """Every reason for which the own stones of a player win early, the one to be named first."""
        own = {hollow for hollow, holder in self.stones.items() if holder == seat}
        assert self.ball is not None
        rivers = [*DIAGONALS, *(set(line(self.ball, direction, HOLLOWS)) for direction in DIRECTIONS)]
        reasons = {
            "tahuna": any(CORNERS[beach] <= own for beach in BEACHES),
            "awa": any(river <= own for river in rivers),
            "ara": any(row <= own for row in OUTER_ROWS),
            "eye": self.variant != "beginner" and self.eye and own | {self.ball} >= EYE,
        }
        return [reason for reason, holds in reasons.items() if holds]

    # The contract.

    def outcome(self) -> tuple[tuple[int, ...], str, tuple[Fraction, ...] | None] | None:
        """Winners, reason and scores once the game is over."""
        return self.result

    def turn(self) -> int | None:
        """Who is asked for the Tane, else who lays."""
        if self.result is not None:
            return None
        return self.to_lay if self.asked is None else self.asked

    def odds(self) -> dict[str, Fraction]:
        """There is no chance in this game."""
        return {}

    def legal(self) -> set[str]:
        """Every action of who is to act."""
        if self.result is not None:
            return set()
        if self.ball is None:
            return {f"@{hollow}" for hollow in NINE if hollow != self.moved_from}
        if self.asked is not None:
            areas = self.takers(self.asked)
            return {"-"} | {f"T{area}{direction}" for area in areas for direction in DIRECTIONS}
        free = {hollow for hollow in HOLLOWS if hollow not in self.stones and hollow != self.ball}
        if self.swap and len(self.stones) == 1 and not self.swapped:
            return free | {"swap"}
        return free

    def takers(self, seat: int) -> set[str]:
        """The areas where this player's full tile is about to be laid and where his Tane may go instead."""
        return {area for area in self.earned(seat) if area not in self.barred()}

    def earned(self, seat: int) -> set[str]:
        """The areas that the last stone completed and that owe this player a full tile, barred or not."""
        assert self.last is not None
        return {area for area in AREAS if self.last in CORNERS[area] and self.majority(area) == (seat, Fraction(1))}

    def play(self, text: str) -> None:
        """Do what the text says."""
        assert text in self.legal(), text
        if text.startswith("@"):
            self.ball = text[1:]
            self.to_lay = 1 - self.starter
        elif text == "swap":
            self.stones = dict.fromkeys(self.stones, self.starter)
            self.swapped = True
            self.to_lay = 1 - self.starter
            self.met["swap"] += 1
        elif text == "-":
            self.met["tiles kept"] += 1
            self._next_question()
        elif text.startswith("T"):
            self._place_tane(text[1:-2], text[-2:])
            self._next_question()
        else:
            self._lay(text)

    def _lay(self, hollow: str) -> None:
        mover = self.to_lay
        self.stones[hollow] = mover
        self.last = hollow
        reasons = self.early_wins(mover)
        if reasons:
            self.result = (mover,), reasons[0], None
            self._note_win(mover, reasons)
            return
        self._note_areas(hollow)
        # First the mover's tribe, then the opponent's.
        self.questions = [mover, 1 - mover] if self.variant == "master" else []
        self._next_question()

    def _next_question(self) -> None:
        """Ask the next player who can place a Tane; when nobody is left the turn passes."""
        self.asked = None
        while self.questions:
            seat = self.questions.pop(0)
            if seat in self.tane:
                continue
            if self.takers(seat):
                self.asked = seat
                self._note_question(seat)
                return
            if self.earned(seat):
                self.met["not asked: barred"] += 1
        self._end_of_turn()

    def _end_of_turn(self) -> None:
        self.to_lay = 1 - self.to_lay
        if len(self.stones) < 56:
            return
        if self.variant == "beginner":
            self.result = (), "draw", None
            self.met["draw"] += 1
            return
        scores = [Fraction(0), Fraction(0)]
        for tribe, worth in self.tiles().values():
            scores[tribe] += worth
        winner = self.starter
        if scores[0] != scores[1]:
            winner = 0 if scores[0] > scores[1] else 1
        self.result = (winner,), "marae", (scores[0], scores[1])
        self._note(
            {
                "marae": True,
                "equal Marae": scores[0] == scores[1],
                "marae with one Tane": len(self.tane) == 1,
                "marae with both Tane": len(self.tane) == 2,
                "marae after a swap": self.swapped,
                "marae with a tile at the crossing": bool(set(self.sight(0)) & set(self.sight(1)) & set(self.tiles())),
                "marae with a tile behind the Tane that stops a sight": any(
                    area in line(*self.tane[seat], AREAS) and area not in self.sight(seat)
                    for seat in self.tane
                    for area in self.tiles()
                ),
            }
        )

    def _place_tane(self, area: str, looks: str) -> None:
        seat = self.asked
        assert seat is not None
        before = self.tiles()
        barred = self.barred()
        self.tane[seat] = (area, looks)
        self._note_tane(seat, before, barred)

    def document(self) -> dict[str, Any] | None:
        """The position at the start of a turn."""
        if self.result is not None or self.asked is not None:
            return None
        warriors: list[dict[str, str] | None] = [None, None]
        for seat, (at, looks) in self.tane.items():
            warriors[seat] = {"at": at, "looks": looks}
        return {
            "ball": self.ball,
            "stones": [[hollow for hollow, holder in self.stones.items() if holder == seat] for seat in (0, 1)],
            "tane": warriors,
            "turn": self.to_lay,
        }

    # What follows only counts which situations came up; no rule looks at it.

    def _note(self, notes: dict[str, bool]) -> None:
        self.met.update(note for note, holds in notes.items() if holds)

    def _note_win(self, mover: int, reasons: list[str]) -> None:
        own = {hollow for hollow, holder in self.stones.items() if holder == mover}
        whole = any(diagonal <= own for diagonal in DIAGONALS)
        self._note(
            {
                reasons[0]: True,
                "several early wins": len(reasons) > 1,
                "awa A": reasons[0] == "awa" and whole,
                "awa A of three": reasons[0] == "awa" and any(len(line) == 3 and line <= own for line in DIAGONALS),
                "awa B": reasons[0] == "awa" and not whole,
                "eye with the ball": reasons[0] == "eye" and self.ball in EYE,
                "eye without the ball": reasons[0] == "eye" and self.ball not in EYE,
                "early win with the last stone": len(self.stones) == 56,
                "early win after a swap": self.swapped,
            }
        )

    def _note_areas(self, hollow: str) -> None:
        """Count what this stone completed."""
        completed = {area for area in AREAS if hollow in CORNERS[area] and CORNERS[area] <= {*self.stones, self.ball}}
        earned = {area: self.majority(area) for area in completed}
        beside = {area for area in completed if self.ball in CORNERS[area]}
        split = {area: sorted(self.stones[corner] for corner in CORNERS[area] - {self.ball}) for area in completed}
        crossing = set(self.sight(0)) & set(self.sight(1))
        self.under_bar |= completed & self.barred()
        self._note(
            {
                "tiles of both tribes": len({tile[0] for tile in earned.values() if tile}) == 2,
                "four areas": len(completed) == 4,
                "no majority": None in earned.values(),
                "tile of the other tribe alone": {tile[0] for tile in earned.values() if tile} == {1 - self.to_lay},
                "half tile": any(tile is not None and tile[1] != 1 for tile in earned.values()),
                "full tile on a semi-beach": any(len(set(split[area])) == 1 for area in completed & SEMI_BEACHES),
                "2:1 at the ball": any(len(set(split[area])) == 2 for area in beside),
                "3:0 at the ball": any(len(set(split[area])) == 1 for area in beside),
                "completed under a bar": bool(completed & self.barred()),
                "completed at the crossing": any(earned.get(area) for area in crossing),
            }
        )

    def _note_question(self, seat: int) -> None:
        areas = self.takers(seat)
        self._note(
            {
                "mover asked": seat == self.to_lay,
                "opponent asked": seat != self.to_lay,
                "several areas for the Tane": len(areas) > 1,
                "semi-beach for the Tane": bool(areas & SEMI_BEACHES),
                "some areas barred": areas < self.earned(seat),
                "asked after the last stone": len(self.stones) == 56,
            }
        )

    def _note_tane(self, seat: int, before: dict[str, tuple[int, Fraction]], barred: set[str]) -> None:
        """Count what this Tane brought about."""
        area, looks = self.tane[seat]
        after = self.tiles()
        gone = {taken: before[taken][0] for taken in before if taken not in after and taken != area}
        sight = set(self.sight(seat))
        crossing = sight & barred
        other = self.tane.get(1 - seat, ("", ""))[0]
        self._note(
            {
                "Tane by the mover": seat == self.to_lay,
                "Tane by the opponent": seat != self.to_lay,
                "Tane on a semi-beach": area in SEMI_BEACHES,
                "both Tane": len(self.tane) == 2,
                "both Tane in one turn": other != "" and self.last in CORNERS[other],
                "Tane sees nothing": not sight,
                "sight stopped by the other Tane": sight < set(line(area, looks, AREAS)),
                "own tile taken off": seat in gone.values(),
                "other tile taken off": 1 - seat in gone.values(),
                "sights cross": bool(crossing),
                "tile back at the crossing": any(back in after for back in crossing),
                "tile earned under a bar comes at the crossing": any(
                    back in after and back in self.under_bar for back in crossing
                ),
                "crossing not complete yet": any(not CORNERS[back] <= {*self.stones, self.ball} for back in crossing),
                "Tane with the last stone": len(self.stones) == 56,
            }
        )
