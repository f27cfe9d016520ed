"""Trees that Hypothesis makes: of any words, and of legal actions."""

import random
from typing import Any

from hypothesis import strategies as st

import kemu
from kemu.studies.tree import (
    LONGEST_CELL,
    Chapter,
    Mark,
    Study,
    state_at,
)

TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=20)
COMMENTS = st.one_of(
    st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=30),
    st.sampled_from(["\\", "}", "{", "[%mark f6]", "\\[%mark f6] ", " a ", "(1. b)", '\\}\n\n[Chapter "x"]', "[%"]),
)
NAMES = TEXTS.map(str.strip).filter(bool)
CELLS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="[]{}\\"),
    min_size=1,
    max_size=LONGEST_CELL,
)
MARKS = st.lists(st.builds(Mark, CELLS, st.one_of(st.none(), CELLS)), max_size=3, unique=True)
ACTIONS = st.one_of(TEXTS, st.sampled_from(["1.", "1.5", "12", "(", "a b", '"', "{x}", "[%mark f6]", "1-0", "..."]))


@st.composite
def word_chapters(draw: st.DrawFn) -> Chapter:
    """A chapter of the game of words, changed in every way."""
    chapter = Chapter(draw(NAMES), "words", {}, draw(st.sampled_from([None, {"word": "[x] {y}"}])))
    for _ in range(draw(st.integers(0, 12))):
        path = chapter.path(draw(st.integers(0, len(chapter.nodes) - 1)))
        match draw(st.sampled_from(["add", "add", "add", "comment", "mark", "promote", "remove"])):
            case "add":
                chapter = chapter.add(path, draw(ACTIONS))
            case "comment":
                chapter = chapter.comment(path, draw(COMMENTS))
            case "mark":
                chapter = chapter.mark(path, draw(MARKS))
            case "promote":
                chapter = chapter.promote(path)
            case "remove":
                chapter = chapter.remove(path)
    return chapter


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """A study of chapters of words."""
    return Study(draw(NAMES), tuple(draw(st.lists(word_chapters(), max_size=3))))


def played_chapter(key: str, seed: int, nodes: int, **options: Any) -> Chapter:
    """A chapter of legal actions, grown at random."""
    source, game = random.Random(seed), kemu.game(key, **options)
    chapter = Chapter("Played", key, options)
    while len(chapter.nodes) <= nodes:
        path = chapter.path(source.randrange(len(chapter.nodes)))
        if actions := game.actions(state_at(chapter, path)):
            chapter = chapter.add(path, game.format(source.choice(actions)))
    return chapter
