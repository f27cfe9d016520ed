"""Games by key, and those of other packages."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import kemu
from kemu.core.display import TextView
from kemu.core.errors import OptionError, UnknownGame
from kemu.core.game import Outcome, options
from kemu.core.manifest import Manifest, load
from kemu.games import _plugins, manifest, register, screen, series, text, unregister
from tests.outside_package import FOLDER, OutsideGame, with_folder


def test_every_game_is_made_by_its_key() -> None:
    for key in kemu.game_keys():
        assert kemu.game(key).key == key
        assert manifest(key).key == key
        assert manifest(key).title
        assert manifest(key).summary
        assert manifest(key).how_to_play


def test_games_are_listed_in_the_order_of_their_manifests() -> None:
    orders = [manifest(key).order for key in kemu.game_keys()]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize("key", kemu.game_keys())
def test_every_path_of_a_manifest_leads_somewhere(key: str) -> None:
    found = manifest(key)
    paths = (
        found.rules,
        found.text,
        found.view,
        found.picture,
        found.encoding,
        found.batch,
        found.series,
        found.player,
    )
    for path in paths:
        assert path is None or load(path) is not None


def test_an_unknown_key_names_what_exists() -> None:
    with pytest.raises(UnknownGame) as caught:
        kemu.game("chess")
    assert str(caught.value) == f"There is no game 'chess'; the games are {', '.join(kemu.game_keys())}."
    assert caught.value.code == "unknown-game"
    with pytest.raises(UnknownGame):
        text("chess")


def test_an_unknown_option_names_what_exists() -> None:
    with pytest.raises(OptionError) as caught:
        kemu.game("mu-torere", size=3)
    assert str(caught.value) == "mu-torere has no option 'size'; its options are flank, arms, repetition."
    assert caught.value.code == "bad-option"


def test_games_stays_a_function_beside_the_package_of_that_name() -> None:
    from kemu.games.mu_torere.rules import MuTorere

    assert isinstance(kemu.game("mu-torere"), MuTorere)
    assert "mu-torere" in kemu.game_keys()


def test_a_name_that_kemu_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        getattr(kemu, "chess")  # noqa: B009


def test_every_public_name_is_there() -> None:
    assert all(getattr(kemu, name) is not None for name in kemu.__all__)


@pytest.mark.parametrize("key", kemu.game_keys())
def test_every_game_can_be_shown_in_text(key: str) -> None:
    assert isinstance(text(key), TextView)


def test_a_game_can_be_registered_once_and_taken_away() -> None:
    star = replace(manifest("mu-torere"), key="star")
    register(star)
    try:
        assert kemu.game_keys()[-1] == "star"
        assert manifest("star") is star
        assert kemu.game("star", arms=6) == kemu.game("mu-torere", arms=6)
        with pytest.raises(OptionError, match="There is a game 'star' already"):
            register(star)
    finally:
        unregister("star")
    assert "star" not in kemu.game_keys()


@pytest.mark.parametrize("key", ["", "Nim", "a_b", "-a", "a/b"])
def test_a_key_can_stand_in_addresses_and_file_names(key: str) -> None:
    with pytest.raises(OptionError, match="lower-case letters, digits and hyphens"):
        replace(manifest("mu-torere"), key=key)


@pytest.mark.parametrize(
    ("key", "options", "seats"), [("mu-torere", {}, (1, 0)), ("mauw", {"players": 4}, (1, 2, 3, 0))]
)
def test_without_a_series_module_the_seats_rotate(key: str, options: dict[str, int], seats: tuple[int, ...]) -> None:
    game = kemu.game(key, **options)
    assert manifest(key).series is None
    assert not series(key).LENGTHS
    assert series(key).following(game, game.initial(), Outcome((), "agreed")) == (game, seats)
    assert series(key).starters(game) == (game,)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of packages that counts as installed, and the entry points are read again."""
    monkeypatch.syspath_prepend(tmp_path)
    _plugins.cache_clear()
    yield tmp_path
    _plugins.cache_clear()


def install(folder: Path, name: str, value: str) -> None:
    """The metadata of a package with one game."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(f"[kemu.games]\n{name} = {value}\n", encoding="utf-8")


def test_a_game_of_another_package_is_found_by_its_entry_point(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    assert kemu.game_keys()[-1] == "nim"
    assert kemu.game("nim", sticks=3).seats == 2
    assert manifest("nim").title == "Nim"


MADE = Manifest("made", "Made", "for a test", "", rules="kemu.games.mu_torere.rules:MuTorere", text="nowhere")
"""A manifest whose rules have another key."""

TAKEN = replace(MADE, key="mu-torere", text="kemu.games.mu_torere.text")
WITHOUT_TEXT = replace(MADE, key="mu-torere")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere:MANIFEST", "ModuleNotFoundError: No module named 'nowhere'"),
        ("kemu.games.mauw.rules:Mauw", "TypeError: kemu.games.mauw.rules:Mauw is not a Manifest"),
        (f"{__name__}:MADE", "ValueError: kemu.games.mu_torere.rules:MuTorere has another key than 'made'"),
        (f"{__name__}:TAKEN", "OptionError: there is a game 'mu-torere' already"),
        (f"{__name__}:WITHOUT_TEXT", "ModuleNotFoundError: No module named 'nowhere'"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_left_out_with_a_sentence(packages: Path, value: str, reason: str) -> None:
    before = kemu.game_keys()
    _plugins.cache_clear()
    install(packages, "wrong", value)
    with pytest.warns(UserWarning, match="is left out") as caught:
        assert kemu.game_keys() == before
    assert [str(each.message) for each in caught] == [f"The game 'wrong' of the package wrong is left out: {reason}."]


def test_a_broken_package_does_not_stop_a_command(tmp_path: Path) -> None:
    install(tmp_path, "wrong", "nowhere:MANIFEST")
    command = [sys.executable, "-m", "kemu", "games"]
    done = subprocess.run(command, env=with_folder(tmp_path), capture_output=True, encoding="utf-8", check=True)
    assert all(manifest(key).title in done.stdout for key in kemu.game_keys())
    assert "The game 'wrong' of the package wrong is left out: ModuleNotFoundError" in done.stderr


def test_a_game_may_have_a_screen_module(outside_game: OutsideGame) -> None:
    assert screen(outside_game.key) is None
    for key in kemu.game_keys():
        shown = screen(key)
        assert shown is None or set(shown.CHOICES) <= set(options(kemu.game(key)))
