"""What the README and the pages of the site show is run, so that it stays true."""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click import Context

from kemu.cli.app import app
from tests.outside_package import OutsideGame
from tests.patience import PATIENCE_SECONDS
from tests.public_api import documented

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w*)(?: ([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r'not-run="([^"]+)"')

TESTED_ELSEWHERE = {
    ("add-a-game.md", "python"): "below, with the package that it builds installed",
    ("add-a-game.md", "toml"): "below",
    ("analyse.md", "jsonl"): "tests/bots/test_analysis.py",
    ("bots.md", "python"): "tests/server/test_bots_page.py",
    ("protocol.md", "json"): "tests/server/test_protocol.py",
}
SHOWN = {"board", "text"}
"""Positions, which the build of the site checks, and output."""

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Block(NamedTuple):
    """One code block of a page."""

    page: Path
    language: str
    head: str
    code: str


def blocks(page: Path) -> list[Block]:
    return [Block(page, *found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def is_run(block: Block) -> bool:
    return (block.page.name, block.language) not in TESTED_ELSEWHERE and not NOT_RUN.search(block.head)


def each_page(*languages: str) -> pytest.MarkDecorator:
    pages = [page for page in PAGES if any(is_run(each) and each.language in languages for each in blocks(page))]
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.relative_to(ROOT).as_posix())


def test_every_code_block_is_run_or_says_why_not() -> None:
    shown = {"python", "console", "", *SHOWN}
    unknown = [each for page in PAGES for each in filter(is_run, blocks(page)) if each.language not in shown]
    places = [f"{each.page.name}: ```{each.language}" for each in unknown]
    assert not places, f'nothing runs {places}; give them a marker not-run="the reason"'


@each_page("python", "console")
def test_blocks_of_a_page_print_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run one after the other, in one folder and with the same names."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for block in filter(is_run, blocks(page)):
        if block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block.code, str(page), "exec"), names)
            assert printed.getvalue().splitlines() == re.findall(r"# → (.*)", block.code)
        elif block.language == "console":
            run_console(block.code, tmp_path)


def run_console(code: str, folder: Path) -> None:
    """Run the lines that begin with `$`; the lines after each are its output, where `…` stands for anything."""
    for command, output in re.findall(r"^\$ ([^\n]+)\n((?:(?!\$ ).*\n?)*)", code, re.MULTILINE):
        program, *arguments = shlex.split(command)
        assert program == "kemu", f"{command}: only commands of Kemu are run"
        done = subprocess.run(
            [sys.executable, "-m", "kemu", *arguments],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shown = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", output.strip()))
        assert re.fullmatch(shown, done.stdout.strip(), re.DOTALL), f"{command} printed\n{done.stdout}"


def commands(page: Path) -> Iterator[list[str]]:
    """The commands in blocks without a language, without their comments."""
    for block in blocks(page):
        if not block.language:
            for line in block.code.splitlines():
                if line.startswith(("kemu", "make ", "python ")):
                    yield shlex.split(line, comments=True)


def with_imported(program: Path) -> str:
    """The source of a program and of the modules beside it that it imports."""
    source = program.read_text(encoding="utf-8")
    beside = (
        program.with_name(f"{name}.py") for name in re.findall(r"^from bench\.(\w+) import", source, re.MULTILINE)
    )
    return "".join([source, *(module.read_text(encoding="utf-8") for module in beside if module.exists())])


def test_commands_that_take_long_are_spelled_right() -> None:
    """Commands behind our figures, and those that start servers, are not run; their names and options exist."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for page in PAGES:
        for program, *arguments in commands(page):
            if program == "make":
                assert set(arguments) <= set(targets), f"{page.name}: make {arguments}"
            elif program == "kemu":
                check_arguments(arguments)
            elif arguments[0] == "-m" and arguments[1].startswith("bench."):
                source = with_imported(ROOT / "bench" / f"{arguments[1].removeprefix('bench.')}.py")
                for option in (word for word in arguments if word.startswith("--")):
                    assert f'"{option}"' in source, f"{page.name}: {arguments[1]} has no {option}"


def check_arguments(arguments: list[str]) -> None:
    """Let the command line read its arguments, and do nothing."""
    context = Context(app, info_name="kemu")
    if arguments:
        name, *rest = arguments
        command = app.get_command(context, name)
        assert command is not None, f"kemu has no command {name}"
        command.make_context(name, rest, parent=context)


def test_the_example_of_the_readme_is_short() -> None:
    (block,) = [block for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert len(block.code.splitlines()) <= 12


def test_the_examples_of_study_take_five_lines() -> None:
    examples = [
        block.code for block in blocks(ROOT / "docs" / "reference" / "analysis.md") if block.language == "python"
    ]
    assert len(examples) == 4
    assert all(len(code.splitlines()) <= 5 for code in examples)


def test_every_module_of_analysis_and_studies_is_on_its_page_of_the_reference() -> None:
    folders = [ROOT / "src" / "kemu" / name for name in ("analysis", "studies")]
    files = [path for folder in folders for path in folder.rglob("*.py") if path.stem != "__init__"]
    named = {each.path for each in documented(("analysis",))}
    assert named == {".".join(path.relative_to(ROOT / "src").with_suffix("").parts) for path in files}


def test_the_guide_builds_the_package_that_the_tests_play(outside_game: OutsideGame, tmp_path: Path) -> None:
    page = ROOT / "docs" / "add-a-game.md"
    guide = page.read_text(encoding="utf-8")
    python = [block for block in blocks(page) if block.language == "python"]
    files = {block.head.removeprefix("file="): block.code for block in python if block.head}
    package = ROOT / "tests" / "outside"
    assert files == {
        str(path.relative_to(package).as_posix()): path.read_text(encoding="utf-8")
        for path in package.glob("kemu_nim/*.py")
    }
    (script,) = [block.code for block in python if not block.head]
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=outside_game.environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"`{done.stdout.strip()}`" in guide
    (entry,) = re.findall(r'^nim = "(.*)"$', guide, re.MULTILINE)
    assert f"nim = {entry}\n" in (package / "kemu_nim-1.0.dist-info" / "entry_points.txt").read_text(encoding="utf-8")


def test_every_link_of_the_files_beside_the_code_leads_somewhere() -> None:
    """Those of the pages are checked in the built site."""
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_test_that_shows_a_promise_exists() -> None:
    promises = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", promises))
    files = list((ROOT / "tests").rglob("test_*.py"))
    known = {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}
    assert named - known - {file.stem for file in files} == set()
    assert len(named) > 30
