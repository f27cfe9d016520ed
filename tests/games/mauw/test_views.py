"""Every view has exactly the type that `View` names, so that schemas and client types made from it are true."""

import json
import random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from kemu.core.game import SPECTATOR
from kemu.core.laws import play
from kemu.games.mauw.documents import STEP_FIELDS, ColumnDocument, StepDocument
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import FACE_NAMES, FaceName, StepName
from tests.games.mauw.positions import go, position

PLAYERS = [2, 3, 4, 5, 6]
FIELDS = {kind: set(get_type_hints(kind)) for kind in (View, ColumnDocument)}


def assert_no_more(value: Any, kind: Any) -> None:
    """A TypedDict has no field beside those that its type names, which msgspec would drop without a word."""
    assert value.keys() <= FIELDS[kind]


def assert_view(view: Any) -> None:
    assert msgspec.convert(view, View, strict=True) == view
    assert msgspec.json.decode(json.dumps(view).encode(), type=View) == view
    assert_no_more(view, View)
    for zone in view["zones"]:
        for column in zone:
            assert_no_more(column, ColumnDocument)
    if view["step"] is not None:
        assert view["step"].keys() == {"name", *STEP_FIELDS[view["step"]["name"]]}


@pytest.mark.no_cover
@pytest.mark.parametrize("players", PLAYERS)
def test_every_view_of_random_games_is_a_view(players: int) -> None:
    game, source = Mauw(players), random.Random(players)
    steps = set()
    for _ in range(3):
        states, _ = play(game, source.randrange)
        for state in states:
            steps.add(state.step.name)
            for seat in (*range(players), SPECTATOR):
                assert_view(game.view(state, seat))
    assert steps >= {*get_args(StepName), "turn"}, "every step has come up"


@pytest.mark.parametrize("end", ["three-columns", "limit"])
def test_the_views_of_ends_are_views(end: str) -> None:
    zones = ["### ### ### ."] if end == "three-columns" else []
    game, state = position(zones=zones, turns=500 if end == "limit" else 7)
    for seat in (0, 1, SPECTATOR):
        view = game.view(state, seat)
        assert_view(view)
        assert view["end"] == end


def test_there_is_a_drawer_exactly_while_a_card_is_to_be_drawn() -> None:
    game, state = position(hands=["7 m 2 1", "7 m 3 3"], zones=["4 4 4 .", "7 . . ."])
    for texts, there in (("", False), ("2>2A", True), ("2>2A ~8", False), ("2>2A ~8 -", False)):
        assert ("drawer" in game.view(go(game, state, texts), 0)) == there


@pytest.mark.parametrize(
    ("field", "value"),
    [("hand", ["9"]), ("pile", "7"), ("end", "over"), ("discards", {"m=7": 1}), ("step", {"name": "turn"})],
)
def test_what_is_no_view_is_refused(field: str, value: object) -> None:
    game, state = position()
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**game.view(state, 0), field: value}, View, strict=True)


def test_the_schema_names_every_field_and_value() -> None:
    schema = msgspec.json.schema(View)
    views = schema["$defs"]["View"]
    assert set(views["properties"]) == set(get_type_hints(View))
    assert set(views["properties"]) - set(views["required"]) == {"drawer"}
    assert set(schema["$defs"]["StepDocument"]["properties"]) == set(get_type_hints(StepDocument))


def test_the_names_of_faces_are_those_of_lying_cards() -> None:
    assert set(get_args(FaceName)) == set(FACE_NAMES) - {"m"}
