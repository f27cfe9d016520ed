"""Edits of a shared study: any order of the same edits by two people leaves both with the same study."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kemu.core.errors import IllegalAction, KemuError, ParseError
from kemu.studies.edits import (
    AnyEdit,
    LinksChanged,
    SharedStudy,
    StudyCommand,
    StudyDeleted,
    StudyEntry,
    UnknownStudy,
    apply_edit,
    decide,
    decode_entry,
    encode_entry,
    evolve,
)
from kemu.studies.tree import Chapter, StudyLimit, UnknownNode

EMPTY = SharedStudy("Study", {"a": Chapter("One", "mu-torere")})


def edit(**fields: object) -> AnyEdit:
    made: AnyEdit = msgspec.convert(fields, AnyEdit)
    return made


def after(study: SharedStudy, *edits: dict[str, object]) -> SharedStudy:
    for fields in edits:
        study = apply_edit(study, edit(**fields))
    return study


def test_every_edit_changes_what_it_names() -> None:
    chapter = {"name": "Two", "game": "mu-torere", "root": {"children": []}}
    study = after(
        EMPTY,
        {"op": "add", "chapter": "a", "path": ["1-0"]},
        {"op": "add", "chapter": "a", "path": ["4-0"]},
        {"op": "add", "chapter": "a", "path": ["1-0", "8-1"]},
        {"op": "promote", "chapter": "a", "path": ["4-0"]},
        {"op": "comment", "chapter": "a", "path": ["4-0"], "text": "why?"},
        {"op": "mark", "chapter": "a", "path": ["1-0"], "marks": [{"cell": "3"}, {"from": "3", "to": "0"}]},
        {"op": "remove", "chapter": "a", "path": ["1-0", "8-1"]},
        {"op": "add-chapter", "chapter": "b", "document": chapter},
        {"op": "rename-chapter", "chapter": "b", "name": "Zwei"},
        {"op": "move-chapter", "chapter": "b", "to": 0},
        {"op": "rename", "name": "Renamed"},
    )
    document = study.encode()
    assert SharedStudy.decode(document) == study
    assert document == {
        "name": "Renamed",
        "chapters": [
            {"id": "b", "name": "Zwei", "game": "mu-torere", "options": {}, "position": None, "root": {"children": []}},
            {
                "id": "a", "name": "One", "game": "mu-torere", "options": {}, "position": None,
                "root": {"children": [
                    {"action": "4-0", "comment": "why?", "children": []},
                    {"action": "1-0", "marks": [{"cell": "3"}, {"from": "3", "to": "0"}], "children": []},
                ]},
            },
        ],
    }  # fmt: skip
    assert after(study, {"op": "remove-chapter", "chapter": "b"}).chapters.keys() == {"a"}


def test_what_is_there_changes_nothing() -> None:
    study = after(EMPTY, {"op": "add", "chapter": "a", "path": ["1-0"]})
    for again in (
        {"op": "add", "chapter": "a", "path": ["1-0"]},
        {"op": "promote", "chapter": "a", "path": ["1-0"]},
        {"op": "comment", "chapter": "a", "path": [], "text": ""},
        {"op": "rename", "name": "Study"},
        {"op": "move-chapter", "chapter": "a", "to": 5},
        {"op": "add-chapter", "chapter": "a", "document": {}},
    ):
        assert apply_edit(study, edit(**again)) is study


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"op": "add", "chapter": "a", "path": ["2-0"]}, IllegalAction),
        ({"op": "add", "chapter": "a", "path": ["x"]}, ParseError),
        ({"op": "add", "chapter": "a", "path": ["1-0", "8-1"]}, UnknownNode),
        ({"op": "comment", "chapter": "x", "path": [], "text": ""}, UnknownNode),
        ({"op": "comment", "chapter": "a", "path": [], "text": "x" * 4001}, StudyLimit),
        ({"op": "mark", "chapter": "a", "path": [], "marks": [{"sell": "3"}]}, ParseError),
        ({"op": "rename", "name": ""}, ParseError),
        ({"op": "add-chapter", "chapter": "c", "document": {}}, ParseError),
    ],
)
def test_a_bad_edit_is_refused(fields: dict[str, object], error: type[KemuError]) -> None:
    with pytest.raises(error):
        apply_edit(EMPTY, edit(**fields))


MOVES = st.sampled_from(["1-0", "4-0", "8-1", "5-4"])
PATHS = st.lists(MOVES, max_size=3)
EDITS = st.one_of(
    st.fixed_dictionaries({"op": st.sampled_from(["add", "add", "remove", "promote"]), "path": PATHS}),
    st.fixed_dictionaries({"op": st.just("comment"), "path": PATHS, "text": st.text("ab")}),
)


@given(st.lists(EDITS, max_size=15))
def test_edits_in_one_order_give_one_study(edits: list[dict[str, object]]) -> None:
    """Whoever takes the saved edits in their order, from the start or from a copy in between, has the same study."""
    study, saved, copies = EMPTY, [], [EMPTY]
    for fields in edits:
        one = edit(chapter="a", **fields)
        try:
            study = apply_edit(study, one)
        except KemuError:
            continue
        saved.append(one)
        copies.append(study)
    for version, copy in enumerate(copies):
        again = SharedStudy.decode(copy.encode())
        for one in saved[version:]:
            again = apply_edit(again, one)
        assert again == study


def test_the_id_of_a_chapter_is_one_word() -> None:
    for name in ("a\n", "a b", "", "x" * 21, "<b>"):
        with pytest.raises(msgspec.ValidationError):
            edit(op="remove-chapter", chapter=name)


def test_an_entry_leads_from_one_version_to_the_next() -> None:
    command = StudyCommand(edit(op="add", chapter="a", path=["1-0"]), "player", "c1")
    entry, study = decide(EMPTY, command, 5)
    assert entry == StudyEntry(5, command.edit, "player", "c1", study.version)
    assert study.version == EMPTY.version + 1
    assert evolve(EMPTY, decode_entry(encode_entry(entry))) == study
    assert decide(study, command, 6) == (None, study)
    assert evolve(study, StudyEntry(7, LinksChanged())) == SharedStudy(study.name, study.chapters, study.version + 1)


def test_a_deleted_study_takes_no_command() -> None:
    _, deleted = decide(EMPTY, StudyCommand(StudyDeleted()), 5)
    assert deleted.deleted
    with pytest.raises(UnknownStudy):
        decide(deleted, StudyCommand(edit(op="rename", name="Other")), 6)


def test_a_plain_edit_of_an_earlier_version_is_an_entry() -> None:
    assert decode_entry(b'{"op":"rename","name":"Other"}') == StudyEntry(0, edit(op="rename", name="Other"))
