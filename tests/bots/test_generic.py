"""The generic searcher: it beats the random bot in games of which it knows only the rules, and looks at no secret."""

import random
from collections.abc import Iterator

import pytest

import kemu
from kemu.bots import bot, bots, generic
from kemu.bots.generic import GenericAnalyst, RandomBot
from kemu.bots.registry import LadderBot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, SamplesStates
from kemu.core.laws import check
from kemu.core.manifest import Manifest
from kemu.engines.analysis import Budget
from kemu.games import register, unregister
from tests.bots.guess import CARDS, Guess, State
from tests.bots.matches import play, play_bots, share
from tests.outside_package import OutsideGame
from tests.toss import Toss

GUESS = Manifest("guess", "Guess", "a test", "", rules="tests.bots.guess:Guess", text="tests.bots.guess", hidden=True)


@pytest.fixture
def guess() -> Iterator[Guess]:
    register(GUESS)
    yield Guess()
    unregister("guess")


def won_against_random(game: AnyGame, level: int, games: int) -> float:
    """The share of the points that a level of the generic searcher wins against the random bot, in both seats."""
    won = 0.0
    for seed in range(games):
        searcher: Bot = LadderBot(game, generic, level, seed)
        other: Bot = RandomBot(game, seed)
        seats = [searcher, other] if seed % 2 == 0 else [other, searcher]
        won += share(play_bots(game, seats, seed), seed % 2)
    return won / games


@pytest.mark.no_cover
def test_it_beats_the_random_bot_in_mu_torere() -> None:
    assert won_against_random(kemu.game("mu-torere"), 3, 8) > 0.8


def test_it_beats_the_random_bot_in_the_game_of_another_package(outside_game: OutsideGame) -> None:
    game = kemu.game(outside_game.key)
    assert list(bots(game)) == ["random", "1", "2", "3", "4", "5"]
    assert won_against_random(game, 3, 20) > 0.8
    assert won_against_random(game, 4, 20) > 0.9


def test_names_and_settings_are_those_of_every_ladder(outside_game: OutsideGame) -> None:
    game = kemu.game(outside_game.key)
    assert bot("4@nodes=50", game, 1).name == bot("4", game).name == "Level 4"
    assert play(game, ["5@ms=5", "2"], 0).outcome
    assert play(game, ["4@nodes=50", "random"], 3) == play(game, ["4@nodes=50", "random"], 3)
    with pytest.raises(OptionError, match="nim has no bot '6'; its bots are random, 1, 2, 3, 4, 5"):
        bot("6", game)
    with pytest.raises(OptionError, match="nim is searched by one thread, not 2"):
        bot("4@threads=2", game)


def test_an_analysis_knows_the_winning_action_and_how_it_goes_on(outside_game: OutsideGame) -> None:
    game = kemu.game(outside_game.key, sticks=7)
    found = GenericAnalyst(game).analyse(game.view(game.initial(), 0), [], Budget(nodes=2000), 2, 1)
    assert (found.action, found.nodes, len(found.lines)) == (3, 2000, 2)
    assert found.value > 0.5 > found.lines[1].value
    assert found.lines[0].pv[0] == 3
    assert sum(found.lines[0].pv) == 7


def test_a_playout_without_end_counts_as_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kemu.bots.generic.LONGEST_PLAYOUT", 2)
    game = kemu.game("mu-torere", repetition=False)
    found = GenericAnalyst(game).analyse(game.view(game.initial(), 0), [], Budget(nodes=2), 2, 1)
    assert [line.value for line in found.lines] == [0.0, 0.0]


def test_the_game_with_a_secret_keeps_the_laws() -> None:
    check(Guess())


def test_a_game_with_secrets_is_searched_from_what_a_seat_sees(guess: Guess) -> None:
    assert isinstance(guess, SamplesStates)
    player = bot("4", guess, 5)
    for own in CARDS:
        chosen = set()
        for other in CARDS:
            if other != own:
                state = State((own, other))
                chosen.add(player.choose(guess.view(state, 0), [str(own), "?"], guess.actions(state)))
        assert len(chosen) == 1
        if own != 4:  # with the middle card both are as good
            assert chosen == {"higher" if own > 4 else "lower"}


def test_the_tree_goes_through_the_dealer_by_the_odds(guess: Guess) -> None:
    analyst = GenericAnalyst(guess)
    first = analyst.analyse(guess.view(State((6, 1)), 0), [], Budget(nodes=600), 1, 3)
    assert first.action == "higher"
    assert first.value == pytest.approx(2 * 5 / 6 - 1, abs=0.1)
    assert guess.view(analyst.state(guess.view(State((6, 1)), 0)), 0) == guess.view(State((6, 1)), 0)


def test_a_game_with_secrets_that_samples_no_states_has_only_the_random_bot() -> None:
    register(Manifest("toss", "Toss", "a test", "", rules="tests.toss:Toss", text="tests.toss", hidden=True))
    try:
        assert list(bots(Toss())) == ["random"]
        assert random.Random(0).choice(["done"]) == bot("random", Toss()).choose("hidden", [], ["done"])
    finally:
        unregister("toss")
