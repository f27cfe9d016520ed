"""Records: what is written comes back, what is broken is told in one sentence."""

import json
import pickle
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kemu
from kemu.core.errors import IllegalAction, KemuError, ParseError
from kemu.core.game import SPECTATOR, Outcome
from kemu.core.record import LARGEST, SCHEMA, Record, SeatLogs, replay, seat_log

PLAIN = {"kemu": 1, "game": "mu-torere", "actions": ["1-0", "8-1"]}
FULL = Record("mu-torere", {"arms": 8}, ("1-0",), ("Aroha", "Tāne"), Outcome((1,), "resignation"))


def test_a_record_returns_from_its_text() -> None:
    assert Record.from_text(FULL.to_text()) == FULL
    assert Record.from_text(FULL.to_text().encode()) == FULL


def test_a_byte_order_mark_does_not_matter() -> None:
    assert Record.from_text(b"\xef\xbb\xbf" + FULL.to_text().encode()) == FULL


def test_options_players_and_result_may_be_missing() -> None:
    assert Record.decode(PLAIN) == Record("mu-torere", {}, ("1-0", "8-1"))
    assert Record.decode(PLAIN).encode() == {**PLAIN, "options": {}}


def test_a_draw_by_agreement_is_a_result() -> None:
    record = Record("mu-torere", {}, (), (), Outcome((), "agreement"))
    assert Record.from_text(record.to_text()) == record


@pytest.mark.parametrize("document", [PLAIN, FULL.encode()])
def test_the_schema_accepts_what_is_a_record(document: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA)


BROKEN = [
    ([], "must be a JSON object"),
    ("text", "must be a JSON object"),
    ({"game": "mu-torere", "actions": []}, "needs a field 'kemu'"),
    (PLAIN | {"kemu": 2}, "must be a whole number from 1 to 1, not 2"),
    (PLAIN | {"kemu": True}, "must be a whole number"),
    (PLAIN | {"game": 7}, "'game' must be a text, not 7"),
    (PLAIN | {"options": []}, "'options' must be a JSON object"),
    (PLAIN | {"actions": "1-0"}, "'actions' must be a list"),
    (PLAIN | {"actions": ["1-0", 5]}, "Entry 2 of 'actions' must be a text, not 5"),
    (PLAIN | {"players": {"a": 1}}, "'players' must be a list"),
    (PLAIN | {"result": 1}, "'result' must be a JSON object"),
    (PLAIN | {"result": {"winners": 1, "reason": ""}}, "'winners' must be a list"),
    (PLAIN | {"result": {"winners": [-1], "reason": ""}}, "whole number of at least 0"),
    (PLAIN | {"result": {"winners": [0], "reason": None}}, "'reason' must be a text"),
    (PLAIN | {"surprise": 1}, 'no field "surprise"'),
]


@pytest.mark.parametrize(("document", "fault"), BROKEN)
def test_a_wrong_document_is_refused_with_its_place(document: Any, fault: str) -> None:
    with pytest.raises(ParseError) as caught:
        Record.decode(document)
    assert fault in str(caught.value)


@pytest.mark.parametrize("document", [document for document, _ in BROKEN])
def test_the_schema_refuses_what_is_no_record(document: Any) -> None:
    # To JSON Schema true is the number 1 in some libraries; ours tells them apart.
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"kemu": 1,\n "game": ', "line 2, column 10"),
        ("", "line 1, column 1"),
        (b"\xff\xfe", "Not UTF-8 at byte 0"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "thousands of digits"),
        ('{"kemu": 1, "game": "\\ud800", "actions": []}', "half of a character"),
        (" " * (LARGEST + 1), f"at most {LARGEST} bytes"),
    ],
)
def test_a_hostile_text_is_refused_with_its_place(text: str | bytes, fault: str) -> None:
    with pytest.raises(ParseError) as caught:
        Record.from_text(text)
    assert fault in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
)


@given(JSON.filter(lambda value: not isinstance(value, list) or not all(isinstance(text, str) for text in value)))
def test_whatever_stands_for_the_actions_is_refused_in_one_printable_line(value: Any) -> None:
    with pytest.raises(ParseError) as caught:
        Record.from_text(json.dumps({**PLAIN, "actions": value}))
    assert str(caught.value).isprintable()


def test_replay_gives_every_state() -> None:
    game = kemu.game("mu-torere")
    states = list(replay(game, ["1-0", "8-1"]))
    assert [game.encode(state)["points"] for state in states] == ["BBBBWWWW.", ".BBBWWWWB", "WBBBWWW.B"]


@pytest.mark.parametrize(
    ("actions", "error", "fault"),
    [
        (["1-0", "2-0"], IllegalAction, 'Action 2, "2-0": White has no man on 2.'),
        (["1-0", "zzz"], ParseError, 'Action 2, "zzz": An action is from-to'),
    ],
)
def test_replay_names_the_bad_action(actions: list[str], error: type[KemuError], fault: str) -> None:
    with pytest.raises(error) as caught:
        list(replay(kemu.game("mu-torere"), actions))
    assert str(caught.value).startswith(fault)


def test_logs_tell_each_viewer_only_what_it_may_see() -> None:
    game = kemu.game("mauw", players=3)
    texts, logs = ["~1", "~5", "~m"], SeatLogs(game, (SPECTATOR, 0, 1, 2))
    states = list(replay(game, texts))
    for state, text in zip(states, texts, strict=False):
        logs = logs.after(state, game.parse(text))
    assert dict(logs) == {
        SPECTATOR: ("~?", "~?", "~?"),
        0: ("~1", "~?", "~?"),
        1: ("~?", "~5", "~?"),
        2: ("~?", "~?", "~m"),
    }
    assert all(seat_log(game, states, texts, viewer) == list(lines) for viewer, lines in logs.items())


def test_logs_that_branch_do_not_change_each_other() -> None:
    game = kemu.game("mu-torere")
    state, none = game.initial(), SeatLogs(game, (0, 1))
    branches = {text: none.after(state, game.parse(text)) for text in ("1-0", "4-0")}
    longer = branches["1-0"].after(game.apply(state, game.parse("1-0")), game.parse("8-1"))
    assert none[0] == ()
    assert [branches[text][1] for text in branches] == [("1-0",), ("4-0",)]
    assert longer[0] == longer[1] == ("1-0", "8-1")


def test_logs_of_nobody_else_are_kept() -> None:
    with pytest.raises(KeyError):
        SeatLogs(kemu.game("mauw"), (0,))[1]


def test_logs_may_be_longer_than_the_stack_is_deep() -> None:
    game = kemu.game("mu-torere")
    state, logs = game.initial(), SeatLogs(game, (0,))
    for _ in range(100_000):
        logs = logs.after(state, game.parse("1-0"))
    assert logs[0] == ("1-0",) * 100_000
    assert pickle.loads(pickle.dumps(logs)) == logs
    del logs
