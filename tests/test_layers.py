"""Imports point one way only, and rules are pure."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "kemu"

ALLOWED = {
    "core": set(),
    "games": {"core"},
    "engines": {"core", "games"},
    "bots": {"core", "games", "engines", "play"},
    "play": {"core"},
    "storage": {"core", "play"},
    "server": {"core", "games", "engines", "bots", "play", "storage"},
    "terminal": {"core", "games", "bots", "play"},
    "adapters": {"core", "games"},
}
IMPURE = {"random", "time", "asyncio", "logging", "secrets", "os", "datetime", "threading"}
FILES = sorted(path for layer in ALLOWED for path in (SOURCE / layer).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_layer_imports_only_what_lies_below_it(path: Path) -> None:
    layer = path.relative_to(SOURCE).parts[0]
    for module in imports(path):
        if module.split(".")[0] == "kemu":
            assert module.count("."), f"{path} imports kemu as a whole"
            assert module.split(".")[1] in ALLOWED[layer] | {layer}, f"{layer} must not import {module}"


@pytest.mark.parametrize("path", [path for path in FILES if path.relative_to(SOURCE).parts[0] in ("core", "games")])
def test_core_and_games_need_nothing_but_the_standard_library(path: Path) -> None:
    for module in imports(path):
        assert module.split(".")[0] in sys.stdlib_module_names | {"kemu"}, f"{path} imports {module}"


@pytest.mark.parametrize(
    "path", sorted((SOURCE / "games").rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE))
)
def test_rules_are_pure(path: Path) -> None:
    assert not IMPURE & {module.split(".")[0] for module in imports(path)}
