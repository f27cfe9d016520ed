"""A public name changes only together with the changelog and the version, and its docstring says what it does."""

import re

import griffe

import kemu
from tests.public_api import RELEASES, ROOT, documented, public_api, walk

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
NEWEST = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1]
"""The section of the version that is being made."""


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def released() -> tuple[str, set[str]]:
    """The last version before this one, and its public names."""
    versions = [path.stem for path in RELEASES.glob("*.txt") if number(path.stem) < number(kemu.__version__)]
    last = max(versions, key=number)
    return last, set((RELEASES / f"{last}.txt").read_text(encoding="utf-8").splitlines())


def word(line: str) -> str:
    """The last part of the name of a line: `replay` of kemu.core.record.replay(game: …)."""
    if found := re.match(r'kemu\.game\("(.*)"\)', line):
        return found[1]
    found = re.match(r"[\w.]+", line)
    assert found
    return found[0].rpartition(".")[2]


def test_the_changelog_begins_with_this_version() -> None:
    assert NEWEST.startswith(kemu.__version__)


def test_every_changed_public_name_stands_in_the_changelog() -> None:
    last, before = released()
    mentioned = set(re.findall(r"[\w-]+", " ".join(re.findall("`([^`]+)`", NEWEST))))
    changed = sorted(line for line in before ^ set(public_api()) if word(line) not in mentioned)
    assert not changed, (
        f"These public names differ from version {last} and the newest section of CHANGELOG.md does not "
        "name them in `backticks`:\n" + "\n".join(changed)
    )


def test_a_version_that_breaks_something_has_a_new_number() -> None:
    last, before = released()
    if before - set(public_api()):
        assert number(kemu.__version__)[:2] > number(last)[:2]


def test_docstrings_name_every_error_that_is_raised() -> None:
    """An error that a function raises itself stands in its docstring."""
    silent = []
    for thing in documented():
        for each in walk(thing):
            # Methods of games have no docstring of their own: those of the protocol hold for them.
            if isinstance(each, griffe.Function) and each.docstring:
                raised = set(re.findall(r"^\s+raise ([A-Z]\w+)\(", each.source, re.MULTILINE))
                silent += [f"{each.path}: {error}" for error in raised if error not in each.docstring.value]
    assert silent == []


def test_functions_that_everybody_imports_say_what_they_return_and_raise() -> None:
    """The names of `kemu` itself: sections Returns, and Raises where an error of Kemu may come."""
    package = griffe.load("kemu", search_paths=[str(ROOT / "src")], resolve_aliases=True)
    missing = []
    for name in kemu.__all__:
        thing = package[name]
        target = thing.final_target if isinstance(thing, griffe.Alias) else thing
        for each in walk(target):
            if isinstance(each, griffe.Function):
                sections = {part.kind.value for part in each.docstring.parse("google")} if each.docstring else set()
                if "text" not in sections or (str(each.returns) != "None" and "returns" not in sections):
                    missing.append(each.path)
    assert missing == []
