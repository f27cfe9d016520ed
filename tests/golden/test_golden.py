"""Golden playthroughs: what every seat sees, kept as text; `kemu golden --write` writes them anew."""

from pathlib import Path

import pytest

import kemu
from kemu.core.playthrough import playthrough, read_script

FILES = sorted(Path(__file__).parent.glob("*/*.txt"))


def test_every_game_has_playthroughs() -> None:
    assert {file.parent.name for file in FILES} == set(kemu.game_keys())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_playthrough_is_unchanged(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    script = read_script(text)
    assert script.game == file.parent.name
    assert playthrough(kemu.game, script) == text
