"""Mū tōrere against its independent referee: the same random games, step by step."""

from collections import Counter
from typing import Any, NamedTuple

import pytest

from kemu import game
from tests.differential.duel import ANY, duel
from tests.differential.referee_mu_torere import MuTorereReferee

pytestmark = pytest.mark.no_cover  # the rules are measured where each sentence of them is tested


class Piece(NamedTuple):
    """A few games with the same options, and the situations that they must reach."""

    options: dict[str, Any]
    games: int
    reach: frozenset[str]
    most: int = 300


BOTH = frozenset({"blocked", "repetition"})
BLOCKED = frozenset({"blocked"})
FREE = frozenset({"unflanked entry"})

PIECES = [
    Piece({}, 40, BOTH),
    Piece({"flank": "opening"}, 60, BOTH | FREE),
    Piece({"flank": "never"}, 60, BOTH | FREE),
    *(
        Piece({"arms": arms, "flank": flank}, 12, frozenset())
        for arms in range(4, 17, 2)
        for flank in ("always", "opening")
    ),
    Piece({"repetition": False}, 10, BLOCKED),
    Piece({"flank": "opening", "repetition": False, "arms": 6}, 20, BLOCKED | FREE),
]


def name(piece: Piece) -> str:
    return ",".join(f"{option}={value}" for option, value in piece.options.items()) or "default"


@pytest.mark.parametrize("piece", PIECES, ids=name)
def test_random_games_agree_with_the_referee(piece: Piece) -> None:
    met: Counter[str] = Counter()
    for seed in range(piece.games):
        referee = MuTorereReferee(**piece.options)
        # The document also tells past positions, which repetition needs; the draws themselves check those.
        duel(game("mu-torere", **piece.options), referee, ANY, seed, most=piece.most, ignore=["past"])
        met += referee.met
    assert piece.reach <= set(met), f"not reached: {piece.reach - set(met)}"


def test_the_games_reach_every_situation() -> None:
    assert frozenset().union(*(piece.reach for piece in PIECES)) == BOTH | FREE
