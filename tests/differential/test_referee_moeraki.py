"""Moeraki-Kemu against its independent referee: the same games, step by step, in all variants and options."""

from collections import Counter
from collections.abc import Iterator
from itertools import cycle, product
from random import Random
from typing import Any, NamedTuple

import pytest

from kemu import game
from tests.differential.duel import ANY, Style, duel
from tests.differential.referee_moeraki import (
    AREAS,
    BEACHES,
    CORNERS,
    DIAGONALS,
    HOLLOWS,
    NINE,
    OUTER_ROWS,
    SEMI_BEACHES,
    MoerakiReferee,
)

pytestmark = pytest.mark.no_cover  # the rules are measured where each sentence of them is tested


def peaceful(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Lay no stone that wins early and rather one that the enemy would win with, so that games last."""
    if "swap" in texts and random.random() < 0.5:
        return "swap"
    if texts[0] not in HOLLOWS:
        return random.choice(texts)
    own = {hollow for hollow, seat in referee.stones.items() if seat == referee.to_lay}
    enemy = referee.stones.keys() - own
    quiet = [text for text in texts if text in HOLLOWS and not any(rest <= own for rest in RESTS[text])]
    sharp = [text for text in quiet if any(rest <= enemy for rest in RESTS[text])]
    return random.choice(sharp or quiet or texts)


LINES = [*(CORNERS[beach] for beach in BEACHES), *DIAGONALS, *OUTER_ROWS]
RESTS = {hollow: [line - {hollow} for line in LINES if hollow in line] for hollow in HOLLOWS}
"""For each hollow what else it takes to win early with a stone there, the ball left aside."""


def eager(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Play peacefully, but put the Tane out at the first occasion."""
    return peaceful(referee, [text for text in texts if text != "-"], random)


def patient(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Play peacefully and keep the Tane for the end."""
    return "-" if "-" in texts and len(referee.stones) < 40 else eager(referee, texts, random)


def stubborn(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Play peacefully and keep the Tane for the very last stone."""
    return "-" if "-" in texts and len(referee.stones) < 56 else eager(referee, texts, random)


def one_sided(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Play peacefully; seat 0 never puts the Tane out, seat 1 at once."""
    return "-" if "-" in texts and referee.asked == 0 else eager(referee, texts, random)


def watchful(referee: MoerakiReferee, texts: list[str], random: Random) -> str:
    """Play peacefully, the first Tane at once; keep the second until it can look across the first's sight or at it."""
    if referee.asked is None or not referee.tane:
        return eager(referee, texts, random)
    meetings = [text for text in texts if text != "-" and crosses(referee, text)]
    return random.choice(meetings) if meetings else "-"


def crosses(referee: MoerakiReferee, text: str) -> bool:
    """Would this Tane's sight cross the other's, or be stopped by the other Tane?"""
    seat = referee.asked
    assert seat is not None
    barred = referee.barred()
    referee.tane[seat] = (text[1:-2], text[-2:])
    sight = set(referee.sight(seat))
    other = referee.tane.pop(1 - seat, None)
    free = set(referee.sight(seat))
    if other is not None:
        referee.tane[1 - seat] = other
    del referee.tane[seat]
    return bool(sight & barred) or sight != free


PEACEFUL = Style("peaceful", peaceful)
EAGER = Style("eager", eager)
PATIENT = Style("patient", patient)
STUBBORN = Style("stubborn", stubborn)
ONE_SIDED = Style("one-sided", one_sided)
WATCHFUL = Style("watchful", watchful)


class Piece(NamedTuple):
    """A few games with the same options, and the situations that they must reach."""

    options: dict[str, Any]
    style: Style
    games: int
    reach: frozenset[str] = frozenset()


def every_option() -> Iterator[dict[str, Any]]:
    """Each variant with each value of each option that it knows, the hollows of `moved_from` in turn."""
    hollows = cycle([None, *sorted(NINE)])
    for variant in ("beginner", "basic", "master"):
        for eye in (False, True) if variant != "beginner" else (False,):
            for swap, starter in product((False, True), (0, 1)):
                options = {"variant": variant, "starter": starter, "moved_from": next(hollows), "swap": swap}
                yield options | {"eye": True} if eye else options


TILES = frozenset(
    {
        "no majority",
        "half tile",
        "full tile on a semi-beach",
        "2:1 at the ball",
        "3:0 at the ball",
        "four areas",
        "tiles of both tribes",
        "tile of the other tribe alone",
        "marae",
    }
)
EARLY = frozenset({"tahuna", "awa", "awa A", "awa A of three", "awa B", "ara", "several early wins"})
ASKED = frozenset(
    {
        "mover asked",
        "opponent asked",
        "several areas for the Tane",
        "semi-beach for the Tane",
        "Tane by the mover",
        "Tane by the opponent",
        "Tane on a semi-beach",
        "Tane sees nothing",
        "own tile taken off",
        "other tile taken off",
        "both Tane",
        "completed under a bar",
        "not asked: barred",
        "marae with both Tane",
    }
)
LATE = frozenset({"asked after the last stone", "Tane with the last stone"})
CROSSED = frozenset(
    {
        "sights cross",
        "tile back at the crossing",
        "tile earned under a bar comes at the crossing",
        "crossing not complete yet",
        "completed at the crossing",
        "sight stopped by the other Tane",
        "marae with a tile at the crossing",
        "marae with a tile behind the Tane that stops a sight",
    }
)

PIECES = [
    *(Piece(options, style, 5) for options in every_option() for style in (ANY, PEACEFUL)),
    Piece({"variant": "beginner"}, ANY, 90, EARLY),
    Piece({"variant": "beginner"}, PEACEFUL, 20, frozenset({"draw"})),
    Piece({"variant": "beginner", "swap": True}, PEACEFUL, 20, frozenset({"swap", "draw"})),
    Piece({"variant": "basic"}, PEACEFUL, 40, TILES | {"early win with the last stone", "equal Marae"}),
    Piece({"variant": "basic", "starter": 1}, PEACEFUL, 40, TILES | {"equal Marae"}),
    Piece(
        {"variant": "basic", "swap": True}, PEACEFUL, 40, frozenset({"marae after a swap", "early win after a swap"})
    ),
    Piece({"variant": "basic", "eye": True}, ANY, 120, frozenset({"eye"})),
    Piece(
        {"variant": "master", "eye": True}, ANY, 120, frozenset({"eye", "eye with the ball", "eye without the ball"})
    ),
    Piece({"variant": "master"}, PEACEFUL, 30, frozenset({"tiles kept"})),
    Piece({"variant": "master"}, ONE_SIDED, 40, frozenset({"marae with one Tane", "some areas barred"})),
    Piece({"variant": "master", "starter": 1}, EAGER, 60, ASKED),
    Piece({"variant": "master"}, PATIENT, 40, frozenset({"both Tane in one turn"})),
    Piece({"variant": "master", "swap": True}, STUBBORN, 30, LATE),
    Piece({"variant": "master"}, WATCHFUL, 45, CROSSED),
    Piece({"variant": "master", "starter": 1, "swap": True}, WATCHFUL, 45, CROSSED),
]


def name(piece: Piece) -> str:
    return ",".join([piece.style.name, *(f"{option}={value}" for option, value in piece.options.items())])


@pytest.mark.parametrize("piece", PIECES, ids=name)
def test_games_agree_with_the_referee(piece: Piece) -> None:
    rules = game("moeraki-kemu", **piece.options)
    met: Counter[str] = Counter()
    for seed in range(piece.games):
        referee = MoerakiReferee(**piece.options)
        duel(rules, referee, piece.style, seed)
        met += referee.met
    assert piece.reach <= set(met), f"not reached: {sorted(piece.reach - set(met))}"


@pytest.mark.parametrize("moved_from", [None, *sorted(NINE)])
@pytest.mark.parametrize("starter", [0, 1])
def test_the_ball_may_go_into_any_other_of_the_nine(moved_from: str | None, starter: int) -> None:
    options: dict[str, Any] = {"variant": "basic", "starter": starter, "moved_from": moved_from}
    duel(game("moeraki-kemu", **options), MoerakiReferee(**options), ANY, seed=0, most=2)


def test_the_drawn_board_has_the_numbers_of_the_rules() -> None:
    counts = [len(HOLLOWS), len(BEACHES), len(SEMI_BEACHES), len(NINE), len(DIAGONALS), len(OUTER_ROWS)]
    assert counts == [57, 40, 12, 9, 18, 4]
    assert sorted(len(diagonal) for diagonal in DIAGONALS) == sorted(2 * [3, 5, 7, 9, 9, 9, 7, 5, 3])
    assert all(len(CORNERS[area]) == (4 if area in BEACHES else 3) for area in AREAS)
    assert all(len(row) == 4 for row in OUTER_ROWS)
