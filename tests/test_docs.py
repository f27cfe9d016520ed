"""What the README and the guides show is run, so that it stays true."""

import re
import subprocess
import sys
from pathlib import Path

from tests.outside_package import OutsideGame

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    (block,) = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    code = block[1]
    assert len(code.splitlines()) <= 12
    printed = run(code, tmp_path).splitlines()
    assert printed
    assert printed == re.findall(r"# → (.*)", code)


def test_the_guide_builds_the_package_that_the_tests_play(outside_game: OutsideGame, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(guide)
    files = {name: code for name, code in blocks if name}
    package = ROOT / "tests" / "outside"
    assert files == {
        str(path.relative_to(package).as_posix()): path.read_text(encoding="utf-8")
        for path in package.glob("kemu_nim/*.py")
    }
    (script,) = [code for name, code in blocks if not name]
    printed = run(script, tmp_path, outside_game.environment)
    assert f"`{printed.strip()}`" in guide
    (entry,) = re.findall(r'^nim = "(.*)"$', guide, re.MULTILINE)
    assert f"nim = {entry}\n" in (package / "kemu_nim-1.0.dist-info" / "entry_points.txt").read_text(encoding="utf-8")


def test_every_link_of_the_docs_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_test_that_shows_a_promise_exists() -> None:
    promises = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)(?:\.py)?`", promises))
    files = list((ROOT / "tests").rglob("test_*.py"))
    known = {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}
    assert named - known - {file.stem for file in files} == set()
    assert len(named) > 30
