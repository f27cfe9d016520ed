"""Limits that no linter checks: lengths of modules and functions, docstrings and words; Ruff has the others."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "kemu"
MODULE_LINES, FUNCTION_LINES = 400, 60

METAPHORS = {
    *("adopt", "astray", "bury", "desk", "door", "evening", "guests", "hall", "happen", "hear", "heard", "news"),
    *("tend", "tended", "tender", "tending", "told", "welcome", "wish"),
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    """Every module by its path."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def functions() -> Iterator[tuple[str, Function]]:
    """Every function and method, with its place."""
    for file, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{file}: {node.name}", node


def given_names(tree: ast.Module) -> Iterator[str]:
    """Every name that a module gives to something."""
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def expect_none(found: Iterable[str]) -> None:
    lines = sorted(set(found))
    assert not lines, "\n".join([f"{len(lines)} places:", *lines])


def test_no_module_is_long() -> None:
    lengths = {file: len((SOURCE / file).read_text(encoding="utf-8").splitlines()) for file in modules()}
    expect_none(f"{file}: {lines} lines" for file, lines in lengths.items() if lines > MODULE_LINES)


def test_no_function_is_long() -> None:
    lengths = ((place, (each.end_lineno or 0) - each.lineno + 1) for place, each in functions())
    expect_none(f"{place}: {lines} lines" for place, lines in lengths if lines > FUNCTION_LINES)


def test_every_public_module_class_and_function_has_a_docstring() -> None:
    missing = []
    for file, tree in modules().items():
        public = [node for node in tree.body if isinstance(node, Function | ast.ClassDef) and node.name[0] != "_"]
        missing += [f"{file}: {getattr(node, 'name', '')}" for node in (tree, *public) if not ast.get_docstring(node)]
    expect_none(missing)


NO_VERBS = {
    "A",
    "All",
    "An",
    "Any",
    "Each",
    "Every",
    "How",
    "Number",
    "One",
    "Some",
    "The",
    "What",
    "Whether",
    "Which",
    "Who",
}
VERBS_FIRST = ("core/", "play/", "bots/", "work/")


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    expect_none(
        f"{place}: {found}"
        for place, each in functions()
        if place.startswith(VERBS_FIRST) and not place.startswith("core/laws.py") and not each.decorator_list
        if (found := ast.get_docstring(each) or "").split(" ")[0] in NO_VERBS
    )


def test_names_are_words_of_the_field() -> None:
    found = (
        f"{file}: {name}"
        for file, tree in modules().items()
        for name in (*given_names(tree), *Path(file).with_suffix("").parts)
        if METAPHORS & {word.lower() for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", name)}
    )
    expect_none(found)


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for file, tree in modules().items():
        layer, *rest = file.split("/")
        if layer in ("games", "engines") and len(rest) > 1:
            continue  # every game has a State
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(file)
    expect_none(f"{name}: {', '.join(files)}" for name, files in places.items() if len(files) > 1)


def test_tests_begin_loops_in_a_thread_of_their_own() -> None:
    # A browser test leaves a loop running in the thread of its worker, so that asyncio.run fails in the tests after it.
    tests = Path(__file__).parent
    files = [path for path in tests.rglob("test_*.py") if path != Path(__file__)]
    expect_none(f"{path.relative_to(tests)}" for path in files if "asyncio.run(" in path.read_text(encoding="utf-8"))
