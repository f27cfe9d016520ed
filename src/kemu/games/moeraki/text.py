"""Moeraki-Kemu in a terminal: the lattice with a panel beside it, in sentences, and on a full screen.

Which stone came last the log knows and a position does not. Whoever shows a view may put the log lines of the seat into
it as "log"; the last stone is then marked. Inside a turn the stone just laid is marked without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from textwrap import wrap
from typing import Final, cast

from kemu.core.display import Board, Place, Room
from kemu.core.game import Outcome, Seat
from kemu.games.moeraki.actions import Action, LayStone, PlaceBall, PlaceTane, Swap
from kemu.games.moeraki.board import AREAS, DIRECTIONS, HOLLOW, HOLLOWS, MOERAKI, SIZE, Point, area_names
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import STONES, TRIBES, StandingTane, View
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import Tane, sight

_STONE: Final = "●○"
_TILE: Final = "■□"
_HALF: Final = "▲△"
_ARROW: Final = {"ne": "↗", "nw": "↖", "se": "↘", "sw": "↙"}
_LOOKS: Final = {"ne": "north-east", "nw": "north-west", "se": "south-east", "sw": "south-west"}
_COLOURS: Final = ("black", "white")
_WINS: Final = {"tahuna": "Tahuna", "awa": "Awa", "ara": "Ara", "eye": "the eye", "marae": "Marae"}
_BESIDE: Final = 41  # the column where the panel starts
_ROWS: Final = range(SIZE, -SIZE - 1, -1)
_COLUMNS: Final = range(-SIZE, SIZE + 1)

_GLYPH_INK: Final = {
    **dict.fromkeys((_STONE[0], _TILE[0], _HALF[0]), "bold magenta"),
    **dict.fromkeys((_STONE[1], _TILE[1], _HALF[1]), "bold cyan"),
    "◎": "bold yellow",
    "×": "red",
    "·": "dim",
}

CHOICES: Final = {"variant": VARIANTS, "swap": (False, True)}

DISCS: Final = {
    "●": ("▟███▙", "█████", "▜███▛"),
    "○": ("╭───╮", "│   │", "╰───╯"),
    "◎": ("╔═══╗", "║ ◎ ║", "╚═══╝"),
}
"""Stones and ball in three lines, for large cells."""

INK: Final = {
    **_GLYPH_INK,
    **{part: _GLYPH_INK[glyph] for glyph, lines in DISCS.items() for part in "".join(lines) if part != " "},
}

_SMALL, _LARGE = (3, 1), (7, 3)  # columns and lines of a cell
_MARGIN: Final = 3  # columns before the first cell and after the last, for the numbers of the rows
_CELLS: Final = 2 * SIZE + 1  # in a row and in a column
_LARGE_ROOM: Final = Room(2 * _MARGIN + _CELLS * _LARGE[0], 2 + _CELLS * _LARGE[1])


def draw(game: MoerakiKemu, view: View) -> str:
    """The lattice, and beside it what each tribe has."""
    lines = lattice({name: (cell,) for name, cell in cells(game, view).items()}, 3)
    panel = _panel(game, view)
    return "\n".join(f"{line:{_BESIDE}}{text}".rstrip() for line, text in zip_longest(lines, panel, fillvalue=""))


def lattice(shown: Mapping[str, Sequence[str]], width: int, height: int = 1) -> Iterator[str]:
    """Yield the lines of the lattice with its coordinates; `shown` has the lines of each cell that is not empty."""
    letters = "   " + "".join(f"{Point(x, 0).name[0]:^{width}}" for x in _COLUMNS)
    yield letters
    for y in _ROWS:
        row = [shown.get(Point(x, y).name, (" " * width,) * height) for x in _COLUMNS]
        for line in range(height):
            number = str(y + SIZE + 1) if line == height // 2 else ""
            yield f"{number:>2} {''.join(cell[line] for cell in row)} {number}"
    yield letters


def tell(game: MoerakiKemu, view: View) -> str:
    """All that lies on the board, then who is to act."""
    position = view["position"]
    lines = [f"The ball lies in {position['ball']}." if position["ball"] else "The ball is not placed yet."]
    for tribe, stones in zip(TRIBES, position["stones"], strict=True):
        places = f"stones in {_listed(stones)}" if stones else "no stone on the board"
        lines.append(f"{tribe} has {places}; {STONES - len(stones)} are left.")
    for seat, tribe in enumerate(TRIBES):
        if view["scores"] is not None:
            lines += [f"{tribe} has a score of {_score(view, seat)}.", *_tile_places(view, seat)]
        if game.variant == "master":
            lines.append(f"The Tane of {tribe} {_whereabouts(position['tane'][seat])}.")
    if view["barred"]:
        lines.append(f"No tile can lie on {_listed(view['barred'])}.")
    if last := _last(view):
        lines.append(f"The last stone lies in {last}.")
    return "\n".join([*lines, now(game, view)])


def explain(game: MoerakiKemu, view: View, action: Action) -> str:
    """Return what an action does to the board."""
    match action:
        case PlaceBall():
            return "the ball into this hollow"
        case LayStone():
            return "a stone into this hollow"
        case PlaceTane(area, looks):
            state = game.decode(dict(view["position"]))
            along = _listed(area_names(sight(Tane(area, looks), state.tane[1 - state.turn])))
            return f"the Tane on {AREAS[area].name}, looking {_LOOKS[looks]} along {along}"
        case Swap():
            return "take over the first stone"
    return "keep the tiles, and the Tane for later"


def seat_name(game: MoerakiKemu, seat: Seat) -> str:
    """The tribe."""
    return TRIBES[seat]


def cells(game: MoerakiKemu, view: View) -> dict[str, str]:
    """Every point that shows something, three columns each."""
    position = view["position"]
    shown = {point.name: " · " for point in HOLLOWS}
    if position["ball"]:
        shown[position["ball"]] = " ◎ "
    else:
        shown.update((HOLLOWS[hollow].name, " ◌ ") for hollow in MOERAKI if HOLLOWS[hollow].name != game.moved_from)
    for stone, hollows in zip(_STONE, position["stones"], strict=True):
        shown.update((hollow, f" {stone} ") for hollow in hollows)
    shown.update((area, " × ") for area in view["barred"])
    for tile in view["tiles"]:
        shown[tile["at"]] = f" {(_TILE if tile['worth'] == '1' else _HALF)[tile['tribe']]} "
    for seat, tane in enumerate(position["tane"]):
        if tane:
            shown[tane["at"]] = _warrior(seat, tane["looks"])
    if view["asked"]:
        shown.update((area, " ? ") for area in view["asked"]["areas"])
    if last := _last(view):
        shown[last] = f"({shown[last].strip()})"
    if outcome := _outcome(game, view):
        shown.update((hollow, f"[{shown[hollow].strip(' ()')}]") for hollow in outcome.at)
    return shown


def _warrior(seat: Seat, looks: str) -> str:
    return f"T{_STONE[seat]}{_ARROW[looks]}"


def _panel(game: MoerakiKemu, view: View) -> Iterator[str]:
    """Return the panel: what each tribe has, who is to act, and the legend."""
    position = view["position"]
    yield ""
    for seat, tribe in enumerate(TRIBES):
        yield f"{_STONE[seat]} {tribe} ({_COLOURS[seat]}): {_stones_left(view, seat)}"
        yield from (f"  {fact}" for fact in _score_and_tane(game, view, seat))
        yield ""
    yield from wrap(now(game, view), 80 - _BESIDE)
    yield ""
    yield "◎ ball   (●) last stone" if position["ball"] else "◌ a place for the ball"
    if view["scores"] is not None:
        yield f"{_TILE[0]} {_TILE[1]} tile   {_HALF[0]} {_HALF[1]} half a tile"
    if game.variant == "master":
        yield "T●↗ Tane of ●   × no tile can lie here"


def facts(game: MoerakiKemu, view: View, seat: Seat) -> list[str]:
    """Return the facts about a tribe, each in a few words."""
    return [f"{_STONE[seat]} {_stones_left(view, seat)}", *_score_and_tane(game, view, seat)]


def _stones_left(view: View, seat: Seat) -> str:
    return f"{STONES - len(view['position']['stones'][seat])} stones left"


def _score_and_tane(game: MoerakiKemu, view: View, seat: Seat) -> Iterator[str]:
    if view["scores"] is not None:
        yield f"Score {_score(view, seat)}"
    if game.variant == "master":
        tane = view["position"]["tane"][seat]
        yield f"Tane {_warrior(seat, tane['looks'])} on {tane['at']}" if tane else "Tane in its cave"


def _tile_places(view: View, seat: Seat) -> Iterator[str]:
    for worth, size in (("1", "Full"), ("1/2", "Half")):
        places = [tile["at"] for tile in view["tiles"] if (tile["tribe"], tile["worth"]) == (seat, worth)]
        if places:
            yield f"{size} tiles of {TRIBES[seat]}: {_listed(places)}."


def _whereabouts(tane: StandingTane | None) -> str:
    return f"stands on {tane['at']} and looks {_LOOKS[tane['looks']]}" if tane else "is in its cave"


def now(game: MoerakiKemu, view: View) -> str:
    """Return the prompt for the seat to act, or how the game ended."""
    position = view["position"]
    tribe = TRIBES[position["turn"]]
    outcome = _outcome(game, view)
    if outcome and outcome.winners:
        stones = f" with {_listed(outcome.at)}" if outcome.at else ""
        return f"{TRIBES[outcome.winners[0]]} wins by {_WINS[outcome.reason]}{stones}."
    if outcome:
        return "The board is full: a draw."
    if view["asked"]:
        return f"{tribe} may put the Tane on {_listed(view['asked']['areas'], 'or')}, or keep the tiles."
    return f"{tribe} lays a stone." if position["ball"] else f"{tribe} places the ball."


def _outcome(game: MoerakiKemu, view: View) -> Outcome | None:
    return game.outcome(game.decode(dict(view["position"])))


def _last(view: View) -> str | None:
    """The hollow of the last stone, if the view or its log shows it."""
    if "step" in view["position"]:
        return str(view["position"]["step"]["stone"])
    stones = {hollow for hollows in view["position"]["stones"] for hollow in hollows}
    log = cast("Sequence[str]", view.get("log", ()))
    return next((line for line in reversed(log) if line in stones), None)


def _listed(names: Sequence[str], word: str = "and") -> str:
    """Some names as people list them."""
    if len(names) < 2:
        return names[0] if names else "nothing"
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def _score(view: View, seat: Seat) -> str:
    """The points of a tribe and the tiles they come from."""
    worths = [tile["worth"] for tile in view["tiles"] if tile["tribe"] == seat]
    full, halves = worths.count("1"), worths.count("1/2")
    assert view["scores"] is not None, "points are counted in every game but the beginner's"
    score = Fraction(view["scores"][seat])
    whole, half = divmod(score.numerator, score.denominator)
    points = f"{whole or ''}½" if half else str(whole)
    return f"{points}: {full} full and {halves} half tiles"


def board(game: MoerakiKemu, view: View, room: Room) -> Board:
    """The lattice; hollows and areas are places by their names."""
    large = room.columns >= _LARGE_ROOM.columns and room.lines >= _LARGE_ROOM.lines
    size = _LARGE if large else _SMALL
    shown = {name: _large_cell(cell) if large else (cell,) for name, cell in cells(game, view).items()}
    return Board(tuple(lattice(shown, *size)), _places(*size))


def _places(width: int, height: int) -> dict[str, Place]:
    return {
        name: Place(1 + height * (SIZE - y), _MARGIN + width * (x + SIZE), width, height, name in HOLLOW)
        for name, (x, y) in ((point.name, point) for point in (*HOLLOWS, *AREAS))
    }


def _large_cell(cell: str) -> tuple[str, ...]:
    """Three lines for a cell of the small lattice, with discs for stones and ball; marks around it stay around it."""
    glyph = cell.strip(" ()[]")
    before, after = (cell[0], cell[-1]) if len(glyph) == 1 else (" ", " ")
    top, middle, bottom = DISCS.get(glyph, ("", glyph, ""))
    width = _LARGE[0]
    return f"{top:^{width}}", f"{before}{middle:^{width - 2}}{after}", f"{bottom:^{width}}"


def path(game: MoerakiKemu, view: View, action: Action) -> tuple[str, ...]:
    """The hollow; for a Tane its area and then the next area that it looks at, if there is one."""
    match action:
        case PlaceBall(hollow) | LayStone(hollow):
            return (HOLLOWS[hollow].name,)
        case PlaceTane(number, looks):
            area = AREAS[number]
            seen = area.step(*DIRECTIONS[looks])
            return (area.name, seen.name) if seen in AREAS else (area.name,)
    return ()
