"""Bots solve puzzles: a perfect one all of them, and files of weights are bots too."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import kemu
from kemu.analysis.puzzles.puzzle import shipped_puzzles
from kemu.analysis.puzzles.scores import solves
from kemu.bots.engines import learner
from kemu.bots.named import named_bot
from kemu.cli.app import app
from kemu.core.errors import OptionError


def test_perfect_play_solves_every_puzzle_and_random_play_does_not() -> None:
    scored = {
        name: CliRunner().invoke(app, ["puzzles", "score", "mu-torere", name, "--count", "20"]).stdout
        for name in ("8", "random")
    }
    assert scored["8"] == "8: 100.0% (83.9% to 100.0%) of 20 puzzles of mu-torere\n"
    assert not scored["random"].startswith("random: 100")


def test_a_puzzle_with_hidden_cards_is_asked_by_its_view() -> None:
    puzzle = next(iter(shipped_puzzles("mauw").values()))
    assert solves(puzzle, named_bot("1", puzzle.game, 1)) in (0, 1)


def test_weights_of_a_training_play(tmp_path: Path) -> None:
    game = kemu.game("moeraki-kemu", variant="beginner")
    file = tmp_path / "weights.npz"
    file.write_bytes(learner(game).weights_in_use())
    assert named_bot(f"weights:{file}", game, 1).name == "search"
    (tmp_path / "text.npz").write_text("nothing", encoding="utf-8")
    for name, sentence in (("text.npz", "holds no weights of moeraki-kemu"), ("none.npz", "No such file")):
        with pytest.raises(OptionError, match=sentence):
            named_bot(f"weights:{tmp_path / name}", game, 1)
    with pytest.raises(OptionError, match="Nothing is learned for mu-torere"):
        named_bot(f"weights:{file}", kemu.game("mu-torere"), 1)
