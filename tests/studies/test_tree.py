"""Variation trees: changing them, their JSON and their text."""

import json
from collections.abc import Iterator
from time import process_time

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kemu
from kemu.analysis.explorer import canonical
from kemu.core.errors import IllegalAction, KemuError, ParseError
from kemu.studies.documents import SCHEMA, decode_study, encode_study, study_from_text, study_to_text
from kemu.studies.text import format_study, parse_study
from kemu.studies.tree import (
    LONGEST_LINE,
    MOST_CHAPTERS,
    MOST_NODES,
    Chapter,
    Mark,
    Node,
    Study,
    StudyLimit,
    UnknownNode,
    children,
    state_at,
    states,
    transpositions,
)
from tests.analysis.words import words_registered
from tests.studies.trees import played_chapter, studies, word_chapters

OPENING = Chapter("Opening", "moeraki-kemu").add([], "@f6").add(["@f6"], "i11").add(["@f6"], "f8").add([], "@e5")


@pytest.fixture(autouse=True, scope="module")
def _words() -> Iterator[None]:
    with words_registered():
        yield


def paths(chapter: Chapter) -> list[tuple[str, ...]]:
    return [chapter.path(number) for number in range(len(chapter.nodes))]


def test_nodes_are_in_preorder_and_the_first_child_is_the_main_line() -> None:
    assert paths(OPENING) == [(), ("@f6",), ("@f6", "i11"), ("@f6", "f8"), ("@e5",)]
    first, second, *_ = children(OPENING.nodes)
    assert [OPENING.nodes[number].action for number in first] == ["@f6", "@e5"]
    assert [OPENING.nodes[number].action for number in second] == ["i11", "f8"]


def test_adding_what_is_there_changes_nothing() -> None:
    assert OPENING.add(["@f6"], "f8") is OPENING


def test_promoting_moves_a_line_with_all_that_follows() -> None:
    longer = OPENING.add(["@f6", "f8"], "a3")
    assert paths(longer.promote(["@f6", "f8"])) == [
        *((), ("@f6",), ("@f6", "f8"), ("@f6", "f8", "a3"), ("@f6", "i11"), ("@e5",)),
    ]
    assert paths(longer.promote(["@e5"]))[:3] == [(), ("@e5",), ("@f6",)]
    assert longer.promote(["@f6", "i11"]) == longer
    assert longer.promote([]) == longer


def test_removing_takes_all_that_follows_away() -> None:
    assert paths(OPENING.remove(["@f6"])) == [(), ("@e5",)]
    assert OPENING.remove([]) is OPENING


def test_a_path_that_is_not_there_is_named() -> None:
    missing = pytest.raises(UnknownNode, match='no "a3" after "@f6", action 2 of the path')
    with missing:
        OPENING.remove(["@f6", "a3"])
    with missing:
        OPENING.comment(["@f6", "a3"], "x")


@given(word_chapters(), st.data())
def test_changes_keep_the_order(chapter: Chapter, data: st.DataObject) -> None:
    """Every node stands after its parent and inside the part of its parent, and finds itself by its path."""
    for number, node in enumerate(chapter.nodes[1:], start=1):
        assert 0 <= node.parent < number
    assert [chapter.find(path) for path in paths(chapter)] == list(range(len(chapter.nodes)))
    number = data.draw(st.integers(0, len(chapter.nodes) - 1))
    promoted = chapter.promote(chapter.path(number))
    assert set(paths(promoted)) == set(paths(chapter))
    assert {(promoted.path(each), node[2:]) for each, node in enumerate(promoted.nodes)} == {
        (chapter.path(each), node[2:]) for each, node in enumerate(chapter.nodes)
    }
    removed = chapter.remove(chapter.path(number))
    path = chapter.path(number)
    kept = [each for each in paths(chapter) if each[: len(path)] != path]
    assert paths(removed) == (kept if path else paths(chapter))


@given(studies())
def test_json_reads_back(study: Study) -> None:
    document = json.loads(study_to_text(study))
    jsonschema.validate(document, SCHEMA)
    assert decode_study(document) == study


@given(studies())
def test_text_reads_back(study: Study) -> None:
    text = format_study(study)
    assert parse_study(text) == study
    assert parse_study("\ufeff" + text.replace("\n", "\r\n")) == study
    assert format_study(parse_study(text)) == text


@pytest.mark.parametrize("key", ["moeraki-kemu", "mu-torere", "mauw"])
def test_trees_of_real_games_read_back(key: str) -> None:
    study = Study("Played", (played_chapter(key, 1, 60), played_chapter(key, 2, 60)))
    assert parse_study(format_study(study)) == study
    assert study_from_text(study_to_text(study)) == study


def test_the_text_is_one_that_people_write() -> None:
    study = parse_study("""
        [Study "First steps"]
        [Chapter "The ball"]
        [Game "moeraki-kemu"]
        [Options {"variant": "basic"}]

        {Where is it best?}
        1. @f6 {[%mark f6] In the middle.} (1. @e5 2. f6 {closed: \\} }) (@g7) 2. i11 {[%mark f6 i11]}
    """)
    chapter = study.chapters[0]
    assert (study.name, chapter.name, chapter.options) == ("First steps", "The ball", {"variant": "basic"})
    assert paths(chapter) == [(), ("@f6",), ("@f6", "i11"), ("@e5",), ("@e5", "f6"), ("@g7",)]
    assert chapter.nodes[0].comment == "Where is it best?"
    assert chapter.nodes[1] == Node(0, "@f6", "In the middle.", (Mark("f6"),))
    assert chapter.nodes[2].marks == (Mark("f6", "i11"),)
    assert chapter.nodes[4].comment == "closed: } "


HEAD = '[Study "S"]\n[Chapter "C"]\n[Game "moeraki-kemu"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1, column 1: A study begins with its name"),
        ("1. @f6", "Line 1, column 1: A chapter begins with its name"),
        ('[Study "S"]\n[Chapter "C"]\n1. @f6', "Line 2, column 1: A chapter needs its game"),
        ('[Study "S"]\n[Author "me"]', "Line 2, column 1: There is no header"),
        ('[Study "S"]\n[Study "T"]', "Line 2, column 1: A text holds one study"),
        ('[Study S]', "Line 1, column 1: Not JSON"),
        ('[Study "S"]\n[Chapter "C"]\n[Game "chess"]\n1. e4', "Line 3, column 1: There is no game 'chess'"),
        (HEAD + "1. @f6 2. @f6", "Line 4, column 11: The ball is placed already"),
        (HEAD + "1. @f6 (1. @f6)", "Line 4, column 12: .*comes twice after the start"),
        (HEAD + "1. @f6\n2. nine", "Line 5, column 4: An action is"),
        (HEAD + "(1. @f6)", "Line 4, column 1: A variation stands behind"),
        (HEAD + "1. @f6 (", "Line 4, column 8: A variation of the chapter before is not closed"),
        (HEAD + "1. @f6 )", "Line 4, column 8: There is no variation"),
        (HEAD + "1. @f6 {a} {b}", "Line 4, column 12: A comment stands behind"),
        (HEAD + "1. @f6 {a", "Line 4, column 8: This comment does not end"),
        (HEAD + "1. @f6 ]", 'Line 4, column 8: Nothing begins with "]"'),
        (HEAD + "1. @f6\n[Options {}]", "Line 5, column 1: Options stands once"),
        (HEAD + "[Position {}]", "Line 3, column 1: A position needs a field"),
        (HEAD + "1. @f6 {\x07}", "Line 4, column 8: A comment cannot hold"),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(KemuError, match=f"^{message}"):
        parse_study(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kemu-study": 2}, "kemu-study"),
        ({"name": " "}, "A name begins"),
        ({"chapters": {}}, "Expected `array`, got `object` - at `\\$.chapters`"),
        ({"chapters": [{}]}, "Chapter 1: A chapter is not as the schema says: .*`name`"),
        ({"chapters": [{"name": "C", "game": "moeraki-kemu", "root":
                        {"children": [{"action": "f6", "children": []}]}}]},
         'Chapter 1: "f6" after "the start": The ball comes first'),
        ({"chapters": [{"name": "C", "game": "words", "root": {"children": [{"action": "a"}]}}]},
         "Chapter 1: A node is not as the schema says: .*`children`"),
        ({"chapters": [{"name": "C", "game": "words", "root": {"children": [], "marks": [{"cell": "f 6"}]}}]},
         "Chapter 1: A cell is a word"),
        ({"chapters": [{"name": "C", "game": "words", "root": {"children": [{"action": "a", "children": []}] * 2}}]},
         'Chapter 1: .*"a" comes twice after the start'),
    ],
)  # fmt: skip
def test_a_bad_document_is_refused_with_its_place(change: dict[str, object], message: str) -> None:
    with pytest.raises(KemuError, match=message):
        decode_study({"kemu-study": 1, "name": "S", "chapters": []} | change)


def test_limits() -> None:
    nodes = [Node(-1, ""), *(Node(0, str(number)) for number in range(MOST_NODES))]
    full = Chapter("Full", "words", {}, None, tuple(nodes))
    assert decode_study(encode_study(Study("S", (full,)))).chapters[0] == full
    with pytest.raises(StudyLimit, match="3000 actions"):
        full.add([], "more")
    line = Chapter("Long", "words", {}, None, (Node(-1, ""), *(Node(number, "a") for number in range(LONGEST_LINE))))
    study = Study("S", (line,))
    assert study_from_text(study_to_text(study)) == study
    assert parse_study(format_study(study)) == study
    with pytest.raises(StudyLimit, match="400 actions"):
        line.add(["a"] * LONGEST_LINE, "a")
    with pytest.raises(StudyLimit, match="64 chapters"):
        parse_study(format_study(Study("S", (Chapter("C", "words"),) * (MOST_CHAPTERS + 1))))
    with pytest.raises(ParseError, match="nested too deeply"):
        study_from_text('{"a":' * 100_000)


def test_an_illegal_action_is_found() -> None:
    with pytest.raises(IllegalAction, match='"f6" after "@f6": f6 is not empty'):
        states(OPENING.add(["@f6"], "f6"))


def test_positions_that_transpose_are_recognised() -> None:
    start = Chapter("T", "moeraki-kemu").add([], "@f6")
    one, two = ("@f6", "i11", "a3", "c5"), ("@f6", "c5", "a3", "i11")
    for path in (one, two):
        for number in range(1, 4):
            start = start.add(path[:number], path[number])
    assert transpositions(start) == [[one, two]]


def test_positions_that_are_mirrored_are_recognised() -> None:
    chapter = OPENING.add([], "@g7")  # the corner of the nine hollows opposite e5
    assert transpositions(chapter) == [[("@e5",), ("@g7",)]]


def test_a_position_that_came_up_before_is_the_same() -> None:
    chapter, moves = Chapter("M", "mu-torere"), ("1-0", "8-1", "0-8", "1-0", "8-1", "0-8")
    for number, move in enumerate(moves):
        chapter = chapter.add(moves[:number], move)
    game = kemu.game("mu-torere")
    assert canonical(game, state_at(chapter, moves[:1])).key != canonical(game, state_at(chapter, moves[:2])).key
    assert len(transpositions(chapter)) >= 1


def test_actions_that_are_images_of_each_other_have_one_text() -> None:
    game = kemu.game("moeraki-kemu")
    found = canonical(game, game.initial())
    assert len({found.action(game, action) for action in game.actions(game.initial())}) == 3


def test_a_file_has_so_many_actions_in_all_its_chapters() -> None:
    nodes = (Node(-1, ""), *(Node(0, str(number)) for number in range(MOST_NODES)))
    study = Study("S", tuple(Chapter(f"C{number}", "words", {}, None, nodes) for number in range(10)))
    with pytest.raises(StudyLimit, match="30000 actions in all"):
        study_from_text(study_to_text(study))
    with pytest.raises(StudyLimit, match="30000 actions in all"):
        parse_study(format_study(study))


def test_the_json_of_long_lines_is_not_mostly_indentation() -> None:
    nodes = (Node(-1, ""), *(Node(number, "a") for number in range(LONGEST_LINE)))
    assert len(study_to_text(Study("S", (Chapter("Long", "words", {}, None, nodes),)))) < 40 * LONGEST_LINE


def test_a_header_that_does_not_end_is_refused_in_one_pass() -> None:
    """A regular expression that goes back for every space would hold up the whole process for hours."""
    begin = process_time()
    with pytest.raises(ParseError, match="Nothing begins"):
        parse_study("[Study" + " " * 40_000 + "x")
    assert process_time() - begin < 1  # six seconds of a fast processor otherwise
