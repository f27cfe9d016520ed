"""The parts of an installation: the base alone plays, and each part that is missing is named in one sentence."""

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import kemu
from kemu.core.errors import MissingPart
from kemu.core.parts import PARTS, import_part, require
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST_PACKAGES = 5


def normal(name: str) -> str:
    return name.lower().replace("-", "_")


def needed(names: list[str]) -> set[str]:
    """These distributions and all that they need, on this machine."""
    found: set[str] = set()
    while names:
        name = normal(names.pop())
        if name not in found:
            found.add(name)
            wanted = map(Requirement, distribution(name).requires or [])
            names += [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


BASE = needed([Requirement(text).name for text in PROJECT["dependencies"]])


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Kemu and the packages of its base, and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    owners = {module: set(map(normal, names)) for module, names in packages_distributions().items()}
    names = set(map(normal, BASE))
    for module in [module for module, owning in owners.items() if owning & names]:
        for site in (Path(str(distribution(name).locate_file(""))) for name in BASE):
            for found in (site / module, site / f"{module}.py"):
                if found.exists() and not (folder / found.name).exists():
                    (folder / found.name).symlink_to(found)
    (folder / "kemu").symlink_to(ROOT / "src" / "kemu")
    return folder


def python(alone: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python, to which no other package exists."""
    home = {name: str(alone / "home") for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")}
    return subprocess.run(
        [sys.executable, "-S", *words],
        cwd=alone,
        env={**os.environ, **home, "PYTHONPATH": str(alone), "PYTHONDONTWRITEBYTECODE": "1"},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_the_base_is_at_most_five_packages() -> None:
    assert len(BASE) <= MOST_PACKAGES, sorted(BASE)


def test_the_base_alone_plays_replays_and_draws(alone: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    seats = ("--seat", "1", "--seat", "random", "--seed", "1")
    for key in kemu.game_keys()[:3]:
        record.unlink(missing_ok=True)
        played = python(alone, "-m", "kemu", "play", key, *seats, "--plain", "--save", str(record))
        assert played.returncode == 0, played.stderr
        assert json.loads(record.read_text(encoding="utf-8"))["game"] == key
        replayed = python(alone, "-m", "kemu", "replay", str(record), "--json")
        assert json.loads(replayed.stdout.splitlines()[-1])["outcome"], replayed.stderr
        drawn = python(alone, "-m", "kemu", "picture", str(record))
        assert drawn.stdout.startswith("<svg"), drawn.stderr


def test_the_base_alone_has_laws_bots_perfect_play_and_puzzles(alone: Path) -> None:
    script = """
import kemu
from kemu.core.laws import check
from kemu.bots import bot
game = kemu.game("mu-torere")
check(game)
print(bot("8", game).choose(game.view(game.initial(), 0), [], game.actions(game.initial())))
print(sorted(name for name in dir(kemu) if name in kemu.__all__) == sorted(kemu.__all__))
"""
    done = python(alone, "-c", script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "True"
    arena = python(alone, "-m", "kemu", "arena", "mu-torere", "1", "8", "--openings", "1", "--workers", "1", "--json")
    assert len(json.loads(arena.stdout)["elo"]) == 2, arena.stderr
    puzzle = python(alone, "-m", "kemu", "puzzle", "mu-torere", "daily")
    assert puzzle.returncode == 0, puzzle.stderr


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        (["serve"], "litestar", "server"),
        ([], "litestar", "server"),
        (["arena", "moeraki-kemu", "7", "8"], "numpy", "engines"),
        (["arena", "mauw", "7", "8", "--workers", "1"], "numpy", "engines"),
        (["arena", "mu-torere", "7", "8", "--plot", "no.svg"], "matplotlib", "plots"),
        (["arena", "mu-torere", "7", "8", "--cluster", "local"], "ray", "cluster"),
        (["dataset", "mu-torere", "no.parquet", "1"], "numpy", "engines"),
        (["train", "mauw", "--folder", "no"], "numpy", "engines"),
    ],
)
def test_a_command_names_the_part_that_is_missing(alone: Path, words: list[str], module: str, extra: str) -> None:
    done = python(alone, "-m", "kemu", *words)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert f"{module}, which is not installed; pip install 'kemu[{extra}]' adds it." in done.stderr


@pytest.mark.parametrize(
    ("statement", "extra"),
    [
        ("import kemu.adapters.gymnasium", "gymnasium"),
        ("import kemu.adapters.pettingzoo", "engines"),
        ("import kemu.adapters.openspiel", "engines"),
        ("import kemu.adapters.parquet", "engines"),
        ("import kemu.server", "server"),
        ("import kemu; kemu.batch", "engines"),
    ],
)
def test_an_import_names_the_part_that_is_missing(alone: Path, statement: str, extra: str) -> None:
    done = python(alone, "-c", statement)
    assert done.stderr.splitlines()[-1].startswith("kemu.core.errors.MissingPart: "), done.stderr
    assert f"pip install 'kemu[{extra}]' adds it." in done.stderr


def test_without_the_full_screen_matches_are_played_in_plain_lines(alone: Path) -> None:
    done = python(alone, "-m", "kemu", "play", "mu-torere", "--seat", "8", "--seat", "human", typed="quit\n")
    assert "White >" in done.stdout, done.stderr


def test_every_part_is_an_extra_whose_packages_have_these_modules() -> None:
    assert PARTS.keys() <= PROJECT["optional-dependencies"].keys()
    assert set(PARTS) == set(Requirement(PROJECT["optional-dependencies"]["all"][0]).extras)
    for extra in PARTS:
        require(extra)


def test_a_missing_part_is_an_import_error_with_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(ImportError, match="The full screen needs textual") as raised:
        require("terminal")
    assert isinstance(raised.value, MissingPart)
    assert raised.value.code == "missing-part"
    with pytest.raises(MissingPart, match="The full screen needs textual"):
        import_part("textual")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        import_part("nowhere")
