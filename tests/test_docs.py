"""What the README and the guides show is run, so that it stays true."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```python(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, encoding="utf-8", timeout=60, check=False
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


def test_the_game_of_the_guide_works(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    script = ""
    for name, code in BLOCK.findall(guide):
        if name:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(code, encoding="utf-8")
        else:
            script = code
    printed = run(script, tmp_path)
    assert f"`{printed.strip()}`" in guide
    drawn = "from kemu.games import drawing, register; register('nim', 'nim'); import kemu; g = kemu.game('nim');"
    assert run(f"{drawn} print(drawing('nim').draw(g, g.view(g.initial(), 0)))", tmp_path) == "||||||||||||\n"


def test_every_link_of_the_docs_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
