"""Pointing at places: what is left after each, and where the arrow keys lead."""

from kemu.core.display import Place
from kemu.terminal.full_screen.board import Selection, nearest, neighbour
from kemu.terminal.screen import joined_lines, time_text

PATHS = {"7 to A": ("7", "A"), "7 to B": ("7", "B"), "m=1 to A": ("m", "A"), "m=2 to A": ("m", "A"), "pass": ()}


def test_a_path_is_followed_place_by_place() -> None:
    selection = Selection(PATHS)
    assert selection.targets == {"7", "m"}
    assert selection.listed == ["pass"]
    assert selection.decided is None
    seven = selection.pick("7")
    assert seven is not None
    assert (seven.targets, seven.listed, seven.decided) == (frozenset({"A", "B"}), [], None)
    taken = seven.pick("B")
    assert taken is not None
    assert taken.decided == "7 to B"


def test_another_beginning_a_step_back_and_nowhere() -> None:
    seven = Selection(PATHS, ("7",))
    assert seven.pick("m") == Selection(PATHS, ("m",))
    assert seven.pick("7") == Selection(PATHS)
    assert seven.pick("C") is None


def test_actions_with_the_same_path_are_listed() -> None:
    joker = Selection(PATHS, ("m", "A"))
    assert (joker.listed, joker.targets, joker.decided) == (["m=1 to A", "m=2 to A"], frozenset(), None)
    assert Selection(PATHS).through("m") == ["m=1 to A", "m=2 to A"]
    assert Selection(PATHS).through("C") == []


def test_arrow_keys_go_to_the_nearest_place_ahead() -> None:
    places = {"a": Place(0, 0, 3), "b": Place(0, 6, 3), "c": Place(4, 0, 3), "d": Place(1, 30, 3)}
    assert neighbour(places, "a", "right") == "b"
    assert neighbour(places, "a", "down") == "c"
    assert neighbour(places, "a", "up") is None
    assert neighbour(places, "b", "left") == "a"
    assert neighbour(places, "b", "right") == "d"
    assert nearest(places, ["c", "d"], places["a"]) == "c"
    assert nearest(places, [], places["a"]) is None


def test_times_and_lines() -> None:
    assert [time_text(ms) for ms in (300_000, 69_999, 9_950, 0)] == ["5:00", "1:09", "0:09.9", "0:00.0"]
    assert (
        joined_lines("One line\nbroken.\nAnother:\n  indented\nlast") == "One line broken.\nAnother:\n  indented\nlast"
    )
