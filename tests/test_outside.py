"""A game of another package is listed, checked and played with no line changed in Kemu."""

import json
import subprocess
import sys
from pathlib import Path

import kemu
from kemu.core.laws import check
from kemu.games import text
from tests.outside_package import OutsideGame
from tests.patience import PATIENCE_SECONDS


def run(outside: OutsideGame, folder: Path, *words: str, typed: str = "") -> str:
    """What a command of Kemu prints where the package is installed."""
    environment = {**outside.environment, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "kemu", *words],
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_with_its_options(outside_game: OutsideGame, tmp_path: Path) -> None:
    listed = json.loads(run(outside_game, tmp_path, "games", "--json"))
    assert listed[-1] == {"key": "nim", "title": "Nim", "options": {"sticks": 12}}
    assert "nim           Nim: a game for two: take the last stick" in run(outside_game, tmp_path, "games")


def test_it_is_played_in_the_terminal_against_the_generic_searcher(outside_game: OutsideGame, tmp_path: Path) -> None:
    record = tmp_path / "nim.json"
    words = ("play", "nim", "--option", "sticks=5", "--seat", "human", "--seat", "4", "--seed", "1", "--plain")
    shown = run(outside_game, tmp_path, *words, "--save", str(record), typed="rules\nactions\n1\n1\n1\n1\n")
    assert "5 sticks are left." in shown
    assert "The player who takes the last stick wins." in shown
    assert "leaves 4" in shown
    assert "last-stick" in shown
    assert json.loads(record.read_text(encoding="utf-8"))["game"] == "nim"


def test_it_is_analysed(outside_game: OutsideGame, tmp_path: Path) -> None:
    request = {"game": "nim", "options": {"sticks": 7}, "budget": {"nodes": 1000}}
    assert json.loads(run(outside_game, tmp_path, "analyse", typed=json.dumps(request) + "\n"))["action"] == "3"


def test_it_keeps_the_laws_and_can_be_drawn(outside_game: OutsideGame) -> None:
    game = kemu.game(outside_game.key, sticks=9)
    check(game)
    assert text(outside_game.key).draw(game, game.view(game.initial(), 0)) == "|||||||||"
