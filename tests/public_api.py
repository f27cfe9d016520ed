"""The stable names of Kemu with their signatures: those of the reference pages that say so, and the games' options.

python -m tests.public_api writes them to tests/api/VERSION.txt; do so when a version is released.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import griffe

import kemu
import kemu.bots
from kemu.core.game import options

ROOT: Final = Path(__file__).parent.parent
RELEASES: Final = Path(__file__).parent / "api"
STABLE: Final = ("core", "games", "testing")
"""The pages of the reference whose names change only with the changelog; docs/reference/index.md says so."""

DIRECTIVE: Final = re.compile(r"^::: (\S+)$", re.MULTILINE)


def documented(pages: tuple[str, ...] = ("*",)) -> list[griffe.Object]:
    """The modules, classes and functions that pages of the reference name, all pages or these; nothing is imported."""
    package = griffe.load("kemu", search_paths=[str(ROOT / "src")])
    files = [file for name in pages for file in sorted((ROOT / "docs" / "reference").glob(f"{name}.md"))]
    names = [name for file in files for name in DIRECTIVE.findall(file.read_text(encoding="utf-8"))]
    found = [package[name.removeprefix("kemu.")] for name in names]
    return [each for each in found if isinstance(each, griffe.Object)]


def walk(thing: griffe.Object) -> Iterator[griffe.Object]:
    """A documented object and its public members; not what a module imports, nor a module's modules."""
    yield thing
    if thing.is_module or thing.is_class:
        for name, member in thing.members.items():
            if not name.startswith("_") and isinstance(member, griffe.Object) and not member.is_module:
                yield from walk(member)


def describe(thing: griffe.Object) -> str:
    """One line: a name with its parameters or its type."""
    if isinstance(thing, griffe.Function):
        parameters = ", ".join(_parameter(each) for each in thing.parameters if each.name not in ("self", "cls"))
        return f"{thing.path}({parameters}) -> {thing.returns}"
    if isinstance(thing, griffe.Attribute):
        kind = f": {thing.annotation}" if thing.annotation else ""
        of_class = thing.parent is not None and thing.parent.is_class
        return f"{thing.path}{kind}" + (f" = {thing.value}" if of_class and thing.value else "")
    if isinstance(thing, griffe.Class):
        return f"{thing.path}({', '.join(map(str, thing.bases))})"
    return thing.path


def _parameter(parameter: griffe.Parameter) -> str:
    star = {"variadic positional": "*", "variadic keyword": "**"}.get(str(parameter.kind and parameter.kind.value), "")
    only = "*, " if parameter.kind is griffe.ParameterKind.keyword_only else ""
    default = "" if star or parameter.default is None else f" = {parameter.default}"
    return f"{only}{star}{parameter.name}: {parameter.annotation}{default}"


def public_api() -> list[str]:
    """A line for every public name, in alphabetical order."""
    lines = {describe(each) for thing in documented(STABLE) for each in walk(thing)}
    lines |= {f"kemu.{name}" for name in kemu.__all__} | {f"kemu.bots.{name}" for name in kemu.bots.__all__}
    lines |= {f'kemu.game("{key}"): {options(kemu.game(key))}' for key in kemu.game_keys()}
    return sorted(lines)


if __name__ == "__main__":
    (RELEASES / f"{kemu.__version__}.txt").write_text("\n".join(public_api()) + "\n", encoding="utf-8")
