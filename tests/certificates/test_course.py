"""The pairs that the course of the browser teaches are those of a certificate."""

import re
from pathlib import Path

from kemu.engines.certificates import check

LESSONS = Path(__file__).parents[2] / "web" / "src" / "boards" / "moeraki-kemu" / "pairs.ts"
HEAD = "kemu-certificate 1\ngame moeraki-kemu\nvariant beginner\nball f6\nprover\nother\nturn other\nclaim hold\n"


def words(name: str) -> list[str]:
    """The words of a constant of the lessons."""
    found = re.search(rf"const {name} =(.*?);", LESSONS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return " ".join(re.findall(r'"([^"]+)"', found[1].partition(".split")[0])).split()


def test_the_pairs_hold_every_line() -> None:
    assert check(f"{HEAD}proof\n{{ {' '.join(words('PAIRS'))} }}\nend\n").claim["claim"] == "hold"


def test_the_answers_are_the_partners() -> None:
    partner = {one: two for pair in words("PAIRS") for one, two in (pair.split("-"), reversed(pair.split("-")))}
    mine, theirs = words("MINE"), words("THEIRS")
    assert len({*mine, *theirs}) == len(mine) + len(theirs) == 56
    for number, stone in enumerate(theirs):
        taken = mine[:number]
        assert stone not in partner or partner[stone] in (mine[number], *taken)
