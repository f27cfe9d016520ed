"""The weights that come with Kemu: each has the card that `kemu train` wrote, and new ones have passed its test."""

import json
from pathlib import Path

import pytest

import kemu
from kemu.bots.engines import games_with, learner
from kemu.cli.measure import write_results
from kemu.core.document import Document
from kemu.engines.capabilities import Trainable
from kemu.work.parallel import results_here
from kemu.work.training import TrainingPlan, TrainingRun, digest, train
from tests.work.learning import ToyLearner

CARDS = sorted((Path(kemu.__file__).parent / "engines").rglob("weights.json"))
BEFORE_THE_GATE = {"62e10c7123d0": "moeraki-kemu", "ce9748f9c5a0": "mauw"}
"""Weights whose cards are older than the fields that name weights, by their digests."""

NEWER = {"weights", "before", "positions", "elo", "engines"}
"""The fields that these cards lack."""


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """A card as the program writes it now."""
    folder = tmp_path_factory.mktemp("training")
    plan = TrainingPlan("mu-torere", rounds=1, batches=2, epochs=2, pairs=40)
    run = TrainingRun(plan, ToyLearner(), folder, results_here, lambda text: None)
    train(run, lambda rounds: write_results(run, rounds))
    card: Document = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    return card


def test_every_learned_game_has_a_card() -> None:
    shipped = {digest(learner(kemu.game(key)).weights_in_use()) for key in games_with(Trainable)}
    assert {digest(card.with_suffix(".npz").read_bytes()) for card in CARDS} == shipped


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.parent.name)
def test_a_card_has_the_fields_that_the_program_writes(path: Path, written: Document) -> None:
    card, weights = json.loads(path.read_text(encoding="utf-8")), digest(path.with_suffix(".npz").read_bytes())
    lacking = NEWER if weights in BEFORE_THE_GATE else set()
    assert_same_fields(card, written, lacking)
    assert_same_fields(card["plan"], written["plan"], set())
    assert_same_fields(card["sources"], {"commit": "", **written["sources"]}, lacking)
    for done in card["rounds"]:
        assert_same_fields(done, written["rounds"][0], lacking)


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.parent.name)
def test_weights_have_passed_the_test_of_their_card(path: Path) -> None:
    card, weights = json.loads(path.read_text(encoding="utf-8")), digest(path.with_suffix(".npz").read_bytes())
    if weights in BEFORE_THE_GATE:
        assert card["plan"]["game"] == BEFORE_THE_GATE[weights]
        return
    assert card["weights"] == weights
    assert weights in [done["weights"] for done in card["rounds"] if done["decided"] == "stronger"]


def assert_same_fields(found: Document, expected: Document, lacking: set[str]) -> None:
    assert set(found) == set(expected) - lacking
