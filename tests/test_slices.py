"""A game's key stands in its slice only: rules, engine and board, besides docs, tests and benchmarks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kemu.games import games, manifest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "kemu"
CLIENT = ROOT / "web" / "src"

FOLDERS = {key: manifest(key).rules.split(".")[2] for key in games()}
"""The name of each slice's package in games/ and engines/."""

SLICES = [
    *(SOURCE / layer / folder for layer in ("games", "engines") for folder in FOLDERS.values()),
    *(CLIENT / "boards" / key for key in FOLDERS),
    SOURCE / "certificates",  # verifiers know the rules by themselves and share nothing with the slices
]
BUILT = (SOURCE / "web", SOURCE / "docs")
"""The client and the documentation as they were built, which are no sources."""


def files(folder: Path, *endings: str) -> Iterator[Path]:
    """The sources of a folder outside of all slices."""
    for path in sorted(folder.rglob("*")):
        inside = any(path.is_relative_to(part) for part in (*SLICES, *BUILT))
        if path.is_file() and path.suffix in endings and not inside and ".test." not in path.name:
            yield path


@pytest.mark.parametrize("folder", [SOURCE, CLIENT], ids=["package", "client"])
@pytest.mark.parametrize("key", games())
def test_no_key_of_a_game_stands_outside_its_slice(key: str, folder: Path) -> None:
    word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
    found: dict[str, list[int]] = {}
    for path in files(folder, ".py", ".ini", ".mako", ".toml", ".ts", ".svelte", ".css", ".html", ".json"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if word.search(line):
                found.setdefault(str(path.relative_to(ROOT)), []).append(number)
    assert not found, f"{key} stands in {found}"


def test_no_module_outside_imports_from_a_slice() -> None:
    slices = tuple(f"kemu.{layer}.{folder}" for layer in ("games", "engines") for folder in FOLDERS.values())
    for path in files(SOURCE, ".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not f"{name}.".startswith(tuple(f"{each}." for each in slices)), f"{path} imports {name}"


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_no_slice_names_another(folder: str) -> None:
    others = "|".join(each for each in FOLDERS.values() if each != folder)
    for layer in ("games", "engines"):
        for path in sorted((SOURCE / layer / folder).rglob("*.py")):
            named = re.search(rf"kemu\.(games|engines)\.({others})\b", path.read_text(encoding="utf-8"))
            assert not named, f"{path} names {named}"
