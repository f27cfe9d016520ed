"""What the terminal keeps of puzzles."""

import random

import pytest

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from kemu.analysis.puzzles.trainer import GlickoRating, PuzzleAnswer, Standing
from kemu.core.errors import ParseError
from kemu.terminal.puzzles import Notebook

DAY_MS = 24 * 60 * 60 * 1000


def test_a_notebook_counts_first_answers_and_brings_mistakes_back() -> None:
    notebook, puzzle = Notebook(), next(iter(shipped_puzzles("mu-torere").values()))
    assert notebook.record(puzzle, False, DAY_MS)
    standing = notebook.training("mu-torere").standing
    assert not notebook.record(puzzle, True, DAY_MS + 1)
    assert notebook.training("mu-torere").standing == standing
    read = Notebook.from_text(notebook.to_text())
    assert read == notebook
    assert read.training("mu-torere").choose(None, 400 * DAY_MS, random.Random(1)) == puzzle


def test_a_notebook_of_the_first_version_is_read() -> None:
    text = """{"kemu-puzzles": 1, "standings": {"mu-torere": [[1200.5, 90], 3, 2, 1, 2, 86400000]},
               "answers": {"ab": [false, "{}", 86400000]}}"""
    read = Notebook.from_text(text)
    assert read.training("mu-torere").standing == Standing(GlickoRating(1200.5, 90), 3, 2, 1, 2, DAY_MS)
    assert read.answers == {"ab": PuzzleAnswer(False, "{}", DAY_MS)}


@pytest.mark.parametrize("text", ["", "[]", '{"kemu-puzzles": 2}', '{"standings": {"mu-torere": 5}}'])
def test_what_is_no_notebook_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="no notebook"):
        Notebook.from_text(text)
