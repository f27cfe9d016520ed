"""The cards of bots: what each level notices, how it thinks, and what it scores against the next ones."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import kemu
from kemu.bots import bot_elo, default_bot
from kemu.bots.ratings import expected_score
from kemu.bots.registry import AUDIENCES, bot_cards
from kemu.cli.app import app
from kemu.core.game import AnyGame
from tests.outside_package import OutsideGame
from tests.toss import Toss

WEB = Path(__file__).parents[2] / "web" / "src"
GAMES: list[AnyGame] = [
    *(kemu.game("moeraki-kemu", variant=variant) for variant in ("beginner", "basic", "master")),
    kemu.game("mu-torere"),
    *(kemu.game("mauw", players=players) for players in range(2, 7)),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_stronger_level_notices_more_and_has_more_elo(game: AnyGame) -> None:
    cards = bot_cards(game)
    for weak, strong in pairwise(cards):
        assert strong.elo > weak.elo
        assert strong.quick <= weak.quick
        assert all(strong.notices[motif] >= chance for motif, chance in weak.notices.items())
    assert {card.bot: card.elo for card in cards} == {card.bot: bot_elo(card.bot, game) for card in cards}
    assert next(card.elo for card in cards if card.bot == default_bot(game)) == 0
    assert set(cards[-1].notices.values()) == {1.0}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_step_of_the_ladder_is_worth_60_to_75_percent(game: AnyGame) -> None:
    """By the Elo of the table, as for two players; docs/strength.md says what of it is measured, with error bars."""
    cards = bot_cards(game)
    for weak, strong in pairwise(cards):
        assert 0.595 <= expected_score(strong.elo - weak.elo) <= 0.755


def test_the_shares_to_expect_of_neighbours_add_up() -> None:
    cards = bot_cards(kemu.game("moeraki-kemu", variant="basic"))
    assert list(cards[0].scores) == ["2"]
    assert list(cards[4].scores) == ["4", "6"]
    assert cards[0].scores["2"] + cards[1].scores["1"] == pytest.approx(1)
    assert expected_score(0, 4) == 0.25


def test_a_card_says_how_a_level_thinks() -> None:
    moeraki, solved = bot_cards(kemu.game("moeraki-kemu")), bot_cards(kemu.game("mu-torere"))
    assert (moeraki[0].quick, moeraki[0].nodes, moeraki[0].ms) == (1, None, None)
    assert moeraki[5].nodes
    assert moeraki[7].ms == 1000
    assert (solved[3].depth, solved[3].nodes) == (3, None)
    assert (solved[7].depth, solved[7].ms) == (None, None)


def test_a_game_without_a_ladder_has_no_cards() -> None:
    assert bot_cards(Toss()) == []


def test_the_client_has_words_for_everything_on_a_card() -> None:
    texts = json.loads((WEB / "language" / "en.json").read_text(encoding="utf-8"))
    assert tuple(texts[f"bot.{number}"] for number in range(1, 9)) == AUDIENCES
    eye = kemu.game("moeraki-kemu", variant="master", eye=True)
    for game in (*GAMES, eye):
        file = WEB / "boards" / game.key / "language" / "en.json"
        words = json.loads(file.read_text(encoding="utf-8"))
        assert all(f"motif.{game.key}.{motif}" in words for card in bot_cards(game) for motif in card.notices)


def test_kemu_bots_lists_them() -> None:
    listed = CliRunner().invoke(app, ["bots", "moeraki-kemu", "-o", "variant=master"]).stdout
    assert "1       first game; Elo -" in listed
    assert "often misses: " in listed
    assert "searches for 1 s" in listed
    assert "of its choices at a glance" in listed
    assert "thinks: knows every position" in CliRunner().invoke(app, ["bots", "mu-torere"]).stdout
    found = json.loads(CliRunner().invoke(app, ["bots", "mauw", "-o", "players=4", "--json"]).stdout)
    assert [card["bot"] for card in found] == [str(number) for number in range(1, 9)]
    assert found[0]["notices"]["count"] == 0


def test_a_strength_that_nobody_measured_is_not_printed(outside_game: OutsideGame) -> None:
    listed = CliRunner().invoke(app, ["bots", outside_game.key]).stdout
    assert "strength not measured" in listed
    assert "Elo" not in listed
    assert "scores" not in listed
