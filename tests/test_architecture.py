"""Imports: layers, cycles, pure rules, and each game named in its own slice only."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kemu.games import game_keys, manifest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "kemu"
CLIENT = ROOT / "web" / "src"
BUILT = (SOURCE / "web", SOURCE / "docs")
"""The client and the documentation as they were built, which are no sources."""

RULES = {"core", "games"}
PLAY = RULES | {"engines", "bots", "play"}
COMPUTED = PLAY | {"analysis", "studies", "people"}

LAYERS: dict[str, set[str]] = {
    "core": set(),
    "games": {"core"},
    "engines": RULES,
    "play": {"core"},
    "bots": {"core", "games", "engines", "play"},
    "analysis": PLAY,
    "studies": {"core", "games", "analysis"},
    "people": {"core", "play", "bots"},
    "storage": {"core", "play", "studies", "people"},
    "work": COMPUTED,
    "server": COMPUTED | {"storage", "work"},
    "client": {"core", "games", "bots"},
    "adapters": {"core", "games", "engines", "play", "bots"},  # they deal cards and seat opponents
    "terminal": COMPUTED | {"work"},
    "cli": COMPUTED | {"storage", "work", "server", "adapters", "client", "terminal"},
}
"""What each package may import besides itself; nothing imports server, terminal or cli but the command line."""

REFUSED_IN_SERVER = {"auth": {"http", "live", "jobs"}, "live": {"http", "jobs"}, "jobs": {"http"}}
IMPURE = {"random", "time", "asyncio", "logging", "secrets", "os", "datetime", "threading"}

SLICES = {key: manifest(key).rules.split(".")[2] for key in game_keys()}
"""The name of each game's package in games/ and engines/, by the key of the game."""


class Import(NamedTuple):
    """One imported name and the place of the import."""

    file: Path
    line: int
    name: str
    absolute: bool

    @property
    def inside(self) -> tuple[str, ...]:
        """The parts of the name after `kemu`; empty for a name of another package."""
        first, *rest = self.name.split(".")
        return tuple(rest) if first == "kemu" else ()

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.name}"


@cache
def sources() -> tuple[Path, ...]:
    """Every module of the package, as a path."""
    return tuple(path for path in sorted(SOURCE.rglob("*.py")) if not any(path.is_relative_to(each) for each in BUILT))


@cache
def imports() -> tuple[Import, ...]:
    """Every import, wherever in a module it stands."""
    return tuple(each for file in sources() for each in imports_of(file))


def imports_of(file: Path) -> Iterator[Import]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name, True) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield Import(file, node.lineno, f"{node.module}.{alias.name}", node.level == 0)


def layer(file: Path) -> str:
    """The package of the first level that a module belongs to; empty for `kemu` itself."""
    parts = file.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def slice_of(file: Path) -> str:
    """The package of the game that a module belongs to; empty outside of all slices."""
    parts = file.relative_to(SOURCE).parts
    return parts[1] if parts[0] in ("games", "engines") and parts[1] in SLICES.values() else ""


def expect_none(offences: Iterable[object]) -> None:
    lines = sorted({str(each) for each in offences})
    assert not lines, "\n".join([f"{len(lines)} places:", *lines])


def children(package: Path) -> set[str]:
    """The modules and packages that lie directly in a package."""
    return {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()} - {"__init__"}


def cycles(package: Path) -> Iterator[list[str]]:
    """Groups of the children of a package in which each reaches each other through imports."""
    inside = package.relative_to(SOURCE).parts
    names = children(package)
    reach: dict[str, set[str]] = {name: set() for name in names}
    for each in imports():
        head, tail = each.inside[: len(inside)], each.inside[len(inside) :]
        if head == inside and tail and tail[0] in names and each.file.is_relative_to(package):
            importer = each.file.relative_to(package).parts[0].removesuffix(".py")
            if importer in names and importer != tail[0]:
                reach[importer].add(tail[0])
    for middle in names:
        for first in names:
            if middle in reach[first]:
                reach[first] |= reach[middle]
    groups = {tuple(sorted(b for b in names if a in reach[b] and b in reach[a])) for a in names}
    yield from (list(group) for group in sorted(groups) if len(group) > 1)


def test_every_package_has_its_layer() -> None:
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(LAYERS)


def test_imports_are_absolute_and_point_to_lower_layers() -> None:
    expect_none(each for each in imports() if not each.absolute)
    expect_none(
        each
        for each in imports()
        if each.inside
        and layer(each.file)
        and each.inside[0] not in LAYERS[layer(each.file)] | {layer(each.file), "__version__"}
    )


def test_packages_of_the_server_import_one_way() -> None:
    expect_none(
        each
        for each in imports()
        if layer(each.file) == "server"
        and each.inside[:1] == ("server",)
        and REFUSED_IN_SERVER.get(each.file.relative_to(SOURCE).parts[1], set()) & set(each.inside[1:2])
    )


def test_no_packages_or_modules_import_each_other() -> None:
    packages = sorted({path.parent for path in sources()})
    found = {
        f"{'.'.join(package.relative_to(SOURCE).parts) or 'kemu'}: {', '.join(group)}"
        for package in packages
        for group in cycles(package)
    }
    expect_none(found)


def test_rules_are_pure_and_need_only_the_standard_library() -> None:
    of_rules = [each for each in imports() if layer(each.file) in RULES]
    expect_none(each for each in of_rules if each.name.split(".")[0] not in sys.stdlib_module_names | {"kemu"})
    expect_none(each for each in of_rules if layer(each.file) == "games" and each.name.split(".")[0] in IMPURE)


def test_a_game_is_imported_only_by_its_slice() -> None:
    foreign = (
        each
        for each in imports()
        if each.inside[:1] in (("games",), ("engines",))
        and set(each.inside[1:2]) & set(SLICES.values())
        and each.inside[1] != slice_of(each.file)
    )
    expect_none(foreign)


def test_no_slice_names_another() -> None:
    """Import paths in texts count too: a manifest names its engine by one."""
    for file in sources():
        if own := slice_of(file):
            others = "|".join(each for each in SLICES.values() if each != own)
            named = re.search(rf"kemu\.(games|engines)\.({others})\b", file.read_text(encoding="utf-8"))
            assert not named, f"{file} names {named}"


def test_no_key_of_a_game_stands_outside_its_slice() -> None:
    slices = (
        *(SOURCE / folder / name for folder in ("games", "engines") for name in SLICES.values()),
        *(CLIENT / "boards" / key for key in SLICES),
    )
    word = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, SLICES))})(?![\w-])")
    endings = {".py", ".ini", ".mako", ".toml", ".ts", ".svelte", ".css", ".html", ".json"}
    found = []
    for path in (*SOURCE.rglob("*"), *CLIENT.rglob("*")):
        inside = any(path.is_relative_to(part) for part in (*slices, *BUILT))
        if path.suffix in endings and path.is_file() and not inside and ".test." not in path.name:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                found += [f"{path.relative_to(ROOT)}:{number} names {key}" for key in word.findall(line)]
    expect_none(found)


def test_every_hop_of_the_walks_exists() -> None:
    """docs/architecture.md names files and the functions in them."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walks = page.partition("## Walks\n")[2].partition("\n## ")[0]
    hops = re.findall(r"^\d+\. (?:⇒ )?`([\w./-]+)`: ([\w#]+(?:, [\w#]+)*)", walks, re.MULTILINE)
    assert len(hops) > 50
    missing = []
    for name, functions in hops:
        path = ROOT / name if name.startswith("web/") else SOURCE / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for function in set(functions.split(", ")):
            defined = rf"def {function}\(" if path.suffix == ".py" else rf"^\s+(async )?{re.escape(function)}\("
            if not re.search(defined, text, re.MULTILINE):
                missing.append(f"{name}: {function}")
    expect_none(missing)
