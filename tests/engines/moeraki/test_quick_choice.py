"""A quick choice of Moeraki-Kemu misses what people miss: long lines before short ones, tiles, and the Tane."""

import random
from fractions import Fraction
from typing import Any, cast

import pytest

from kemu.engines.capabilities import chance_to_notice
from kemu.engines.moeraki.quick_choice import DIFFICULTIES, PATIENCE, line_motif, motifs, open_lines, quick_choice
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import lines
from tests.engines.moeraki.positions import filled, position

BASIC, MASTER = MoerakiKemu("basic"), MoerakiKemu("master")
CHOICES = 150

OTHERS = "j8 g11 e1 i1"
TAHUNA = position(BASIC, "f6", "b4 c5 d4 k7", OTHERS)
CORNER = position(BASIC, "f6", "b10 c11 k3 k7", OTHERS)
LONG = position(BASIC, "f6", "a5 b6 c7 d8 e9 f10", "j8 k5 e1 h2 i1 b2")
BALL = position(BASIC, "f6", "g7 h8 i9 k3", OTHERS)
ROW = position(BASIC, "f6", "a3 a5 a9 k3", OTHERS)
"""Matau is one stone short of a line, and Manaia is to move."""


def share(game: MoerakiKemu, state: State, attention: float, *texts: str) -> float:
    """The share of quick choices that are one of these actions."""
    view: Any = game.view(state, state.turn)
    found = [quick_choice(game, view, game.actions(state), attention, random.Random(seed)) for seed in range(CHOICES)]
    return sum(game.format(action) in texts for action in found) / CHOICES


def gaps(state: State, seat: int) -> dict[str, int]:
    return {line_motif(line): gap for line, gap in open_lines(BASIC, state, seat)}


def test_every_line_is_a_motif_by_kind_and_length() -> None:
    found = {line_motif(line): line.hollows.bit_count() for line in lines(TAHUNA.ball, True)}
    assert set(found) == set(DIFFICULTIES) - {"tile", "open-tile", "tane"}
    assert found["short-awa"] == 3
    assert found["awa"] == 5
    assert found["long-awa"] >= 7


def test_what_there_is_to_see_depends_on_the_variant() -> None:
    assert "tile" not in motifs(MoerakiKemu("beginner"))
    assert set(motifs(MoerakiKemu("master"))) - set(motifs(BASIC)) == {"tane"}
    assert "eye" in motifs(MoerakiKemu("master", eye=True))
    assert motifs(BASIC)["tahuna"] < motifs(BASIC)["short-awa"] < motifs(BASIC)["awa"] < motifs(BASIC)["long-awa"]


@pytest.mark.parametrize(
    ("state", "motif"),
    [(TAHUNA, "tahuna"), (CORNER, "short-awa"), (LONG, "long-awa"), (BALL, "ball-awa"), (ROW, "ara")],
)
def test_a_threat_is_blocked_as_often_as_its_kind_is_noticed(state: State, motif: str) -> None:
    found = gaps(state, 1 - state.turn)
    assert list(found) == [motif]
    gap = next(BASIC.format(each) for each in BASIC.actions(state) if 1 << getattr(each, "hollow", 99) == found[motif])
    chance = chance_to_notice(0.5, motifs(BASIC)[motif])
    assert share(BASIC, state, 1.0, gap) == 1
    assert share(BASIC, state, 0.5, gap) == pytest.approx(chance, abs=0.14)


def test_an_own_line_is_noticed_more_often_than_one_of_the_opponent() -> None:
    own = position(BASIC, "f6", "j8 g11 e1 k3", "b10 c11 k7 d2")
    assert gaps(own, own.turn) == gaps(CORNER, 1 - CORNER.turn)
    assert share(BASIC, own, 0.5, "a9") > share(BASIC, CORNER, 0.5, "a9") + 0.1


def test_tiles_attract_and_repel_where_they_count() -> None:
    beginner = MoerakiKemu("beginner")
    won = position(BASIC, "f6", "c5 k7 g11", "b4 d4 e1")  # c3 completes three to one
    assert share(BASIC, won, 1.0, "c3") > 2 * share(beginner, won, 1.0, "c3")
    given = position(BASIC, "f6", "b4 d4 k9", "k5 g11 e1")  # whichever is laid, Matau completes the other
    assert share(BASIC, given, 1.0, "c3", "c5") < share(beginner, given, 0.5, "c3", "c5")


def lead(game: MoerakiKemu, state: State, seat: int) -> Fraction:
    scores = [Fraction(score) for score in cast(Any, game.view(state, seat))["scores"]]
    return scores[seat] - scores[1 - seat]


def asked_for_the_tane() -> tuple[State, str]:
    """Somebody is asked for the Tane, who can gain more than patience asks for, and where."""
    for seed in range(100):
        for state in filled(f"tane {seed}"):
            if state.step is not None:
                after = {MASTER.format(each): MASTER.apply(state, each) for each in MASTER.actions(state)}
                leads = {text: lead(MASTER, found, state.turn) for text, found in after.items()}
                best = max(leads, key=lambda text: leads[text])
                if leads[best] > leads["-"] + PATIENCE and list(leads.values()).count(leads[best]) == 1:
                    return state, best
    raise AssertionError("no such state")


def test_the_tane_is_kept_without_attention_and_placed_where_it_gains_most_with_it() -> None:
    state, best = asked_for_the_tane()
    assert share(MASTER, state, 0.0, "-") == 1
    assert 0 < share(MASTER, state, 0.5, best) < 1
    assert share(MASTER, state, 1.0, best) == 1
