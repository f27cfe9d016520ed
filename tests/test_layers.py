"""Imports point one way only, a game is named in its slice alone, and rules are pure."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kemu"

ALLOWED = {
    "core": set(),
    "certificates": set(),
    "games": {"core"},
    "engines": {"core", "games"},
    "play": {"core"},
    "bots": {"core", "games", "engines", "play"},
    "study": {"core", "games", "engines", "bots", "play"},
    "storage": {"core", "play"},
    "adapters": {"core", "games", "engines", "bots", "play"},
    "server": {"core", "games", "engines", "bots", "play", "study", "storage"},
    "terminal": {"core", "games", "bots", "play", "study"},
    "cluster": {"core", "games", "engines", "bots"},
    "cli": {
        *("core", "certificates", "games", "engines", "bots", "play", "study", "storage", "adapters", "cluster"),
        *("server", "terminal", "__version__"),
    },
}
SERVER_REFUSED = {"auth": {"http", "realtime"}, "realtime": {"http"}, "jobs": {"http"}}
IMPURE = {"random", "time", "asyncio", "logging", "secrets", "os", "datetime", "threading"}

FILES = [path.relative_to(SOURCE) for layer in ALLOWED for path in sorted((SOURCE / layer).rglob("*.py"))]


def each_file(*layers: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", [file for file in FILES if file.parts[0] in (layers or ALLOWED)], ids=str)


def imports(file: Path) -> Iterator[list[str]]:
    """The parts of every name that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse((SOURCE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}".split(".") for alias in node.names)


def own_imports(file: Path) -> Iterator[list[str]]:
    """The parts of every name of kemu that a file imports, without `kemu`."""
    return (parts[1:] for parts in imports(file) if parts[0] == "kemu")


def test_every_package_is_a_layer() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(ALLOWED)


@each_file()
def test_a_layer_imports_only_what_lies_below_it(file: Path) -> None:
    layer = file.parts[0]
    assert {parts[0] for parts in own_imports(file)} <= ALLOWED[layer] | {layer}


@each_file()
def test_a_game_is_imported_only_by_its_slice(file: Path) -> None:
    games = {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}
    foreign = games - {file.parts[1]} if file.parts[0] in ("games", "engines") else games
    assert not [parts for parts in own_imports(file) if parts[0] in ("games", "engines") and parts[1] in foreign]


@each_file("server")
def test_rooms_of_the_server_import_one_way(file: Path) -> None:
    refused = SERVER_REFUSED.get(file.parts[1], set())
    assert not [parts for parts in own_imports(file) if parts[0] == "server" and parts[1] in refused]


@each_file("core", "games")
def test_core_and_games_need_nothing_but_the_standard_library(file: Path) -> None:
    assert {parts[0] for parts in imports(file)} <= sys.stdlib_module_names | {"kemu"}


@each_file("games")
def test_rules_are_pure(file: Path) -> None:
    assert not IMPURE & {parts[0] for parts in imports(file)}
