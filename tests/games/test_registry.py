"""Games by key."""

import pytest

import kemu
from kemu.core.drawing import Drawing
from kemu.core.errors import OptionError, UnknownGame
from kemu.games import _PACKAGES, drawing, package


def test_every_game_is_made_by_its_key() -> None:
    for key in kemu.games():
        assert kemu.game(key).key == key
        assert package(key).TITLE
        assert package(key).SUMMARY
        assert package(key).HOW_TO_PLAY


def test_an_unknown_key_names_what_exists() -> None:
    with pytest.raises(UnknownGame) as caught:
        kemu.game("chess")
    assert str(caught.value) == f"There is no game 'chess'; the games are {', '.join(kemu.games())}."
    assert caught.value.code == "unknown-game"
    with pytest.raises(UnknownGame):
        drawing("chess")


def test_an_unknown_option_names_what_exists() -> None:
    with pytest.raises(OptionError) as caught:
        kemu.game("mu-torere", size=3)
    assert str(caught.value) == "mu-torere has no option 'size'; its options are flank, arms, repetition."
    assert caught.value.code == "bad-option"


def test_games_stays_a_function_beside_the_package_of_that_name() -> None:
    from kemu.games.mu_torere.rules import MuTorere

    assert isinstance(kemu.game("mu-torere"), MuTorere)
    assert "mu-torere" in kemu.games()


def test_a_name_that_kemu_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        getattr(kemu, "chess")  # noqa: B009


def test_every_public_name_is_there() -> None:
    assert all(getattr(kemu, name) is not None for name in kemu.__all__)


@pytest.mark.parametrize("key", kemu.games())
def test_every_game_can_be_drawn(key: str) -> None:
    assert isinstance(drawing(key), Drawing)


def test_a_game_from_elsewhere_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_PACKAGES, "star", "nowhere")  # so that the test takes it away again
    kemu.register("star", "kemu.games.mu_torere")
    assert kemu.games()[-1] == "star"
    assert kemu.game("star", arms=6) == kemu.game("mu-torere", arms=6)
