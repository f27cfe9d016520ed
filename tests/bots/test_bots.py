"""Bots: legal, repeatable, and the perfect one unbeaten."""

import pytest

import kemu
from kemu.bots import DEFAULT, bot, bots, default_bot, solution
from kemu.core.errors import OptionError, UnknownGame
from tests.bots.matches import play
from tests.toss import Toss


@pytest.mark.parametrize("key", kemu.game_keys())
def test_random_bots_finish_every_game(key: str) -> None:
    game = kemu.game(key)
    assert play(game, ["random"] * game.seats, 1).outcome


@pytest.mark.parametrize("key", kemu.game_keys())
def test_a_seed_makes_a_match_repeatable(key: str) -> None:
    game = kemu.game(key)
    names = ["random"] * game.seats
    assert play(game, names, 5) == play(game, names, 5)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("flank", ["always", "opening"])
def test_the_perfect_bot_never_loses_mu_torere(flank: str, seat: int) -> None:
    game = kemu.game("mu-torere", flank=flank)
    wins = 0
    for seed in range(15):
        names = ["random", "random"]
        names[seat] = "perfect"
        outcome = play(game, names, seed).outcome
        assert outcome
        assert outcome.winners in ((seat,), ())
        wins += outcome.winners == (seat,)
    assert wins > 0


def test_an_unknown_bot_names_what_exists() -> None:
    game = kemu.game("mu-torere")
    with pytest.raises(OptionError) as caught:
        bot("genius", game)
    others = "reflex, perfect"
    assert str(caught.value) == f"mu-torere has no bot 'genius'; its bots are {', '.join(bots(game))}, {others}."


def test_a_game_that_is_not_solved_says_so() -> None:
    with pytest.raises(UnknownGame, match="toss is not solved; solved is mu-torere"):
        solution(Toss())
    with pytest.raises(OptionError, match="toss has no bot 'perfect'; its bots are random"):
        bot("perfect", Toss())


def test_a_newcomer_meets_the_third_level_or_the_only_bot() -> None:
    assert {default_bot(kemu.game(key)) for key in kemu.game_keys()} == {DEFAULT}
    assert default_bot(Toss()) == "random"
