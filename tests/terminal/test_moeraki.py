"""Moeraki-Kemu at the terminal: the question inside a turn, the last stone, and the end."""

from pathlib import Path

from tests.terminal.conftest import Run

PEOPLE = ("play", "moeraki-kemu", "--plain", "-s", "human", "-s", "human")


def lines(text: str) -> str:
    return text.replace(" ", "\n") + "\n"


def test_the_opponent_is_asked_for_the_tane_inside_the_turn(run: Run) -> None:
    text = run(*PEOPLE, typed=lines("@f6 h8 a3 j8 a5 i9 i7 actions ti8SW")).stdout
    assert "Manaia may put the Tane on i8, or keep the tiles.\nManaia > " in text
    assert "  Ti8nw    the Tane on i8, looking north-west along h9, g10 and f11\n" in text
    assert "  -        keep the tiles, and the Tane for later\n" in text
    assert "The Tane of Manaia stands on i8 and looks south-west.\n" in text
    assert "No tile can lie on c2, d3, e4, f5, g6 and h7.\nThe last stone lies in i7.\nManaia lays a stone.\n" in text


def test_the_winner_is_named_and_the_record_shows_the_last_stone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "awa.json"
    done = run(*PEOPLE, "-o", "variant=basic", "--save", str(file), typed=lines("@f6 a9 k3 c11 k5 b10"))
    assert "Manaia wins by Awa with a9, b10 and c11.\nManaia wins: awa.\n" in done.stdout
    assert "The last stone lies in b10.\n" in run("replay", str(file)).stdout
