"""The ladder: every level plays every game, sensibly and repeatably, and the names lead to it."""

import random

import pytest

import kemu
from kemu.bots import DEFAULT, bot, bots
from kemu.bots.engines import require_player
from kemu.bots.registry import AUDIENCES
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.engines.moeraki.quick_choice import quick_choice
from kemu.engines.mu_torere.player import solution
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.mu_torere.rules import MuTorere
from tests.bots.matches import play, random_game, share
from tests.toss import Toss

TINY = {"moeraki-kemu": "@nodes=300", "mu-torere": "", "mauw": "@nodes=20"}
GAMES: dict[str, AnyGame] = {
    "moeraki-kemu": kemu.game("moeraki-kemu", variant="master"),
    "mu-torere": kemu.game("mu-torere"),
    "mauw": kemu.game("mauw", players=3),
}
LEVELS = [str(number) for number in range(1, 9)]

THREE = {"ball": "f6", "stones": [["c11", "b10", "k3"], ["d10", "a3", "k5"]], "tane": [None, None], "turn": 1}
"""Matau is one stone (a9) short of the corner diagonal, and Manaia is to move."""


def test_every_registered_game_has_eight_levels() -> None:
    for key in kemu.game_keys():
        assert len(require_player(kemu.game(key)).levels(kemu.game(key))) == len(AUDIENCES) == 8
        assert list(bots(kemu.game(key))) == ["random", *LEVELS]
    assert DEFAULT in LEVELS


@pytest.mark.parametrize("key", kemu.game_keys())
def test_all_levels_play_to_the_end_and_the_same_again_with_the_same_seed(key: str) -> None:
    game = GAMES[key]
    for first in (1, 3, 5, 7):
        names = [f"{first + seat % 2}{TINY[key]}" for seat in range(game.seats)]
        once = play(game, names, 3)
        assert once.outcome
        assert once.record().actions == play(game, names, 3).record().actions


@pytest.mark.parametrize("key", kemu.game_keys())
def test_a_choice_depends_on_seed_view_and_log_only(key: str) -> None:
    game = GAMES[key]
    played = random_game(game, 2)
    states = [state for state in kemu.replay(game, played.record().actions) if len(game.actions(state)) > 1]
    own = [state for state in states if game.turn(state) not in (None, -1)][:6]
    player = bot(f"6{TINY[key]}", game, 9)
    views = [(game.view(state, game.turn(state) or 0), game.actions(state)) for state in own]
    log = ["-"] * 3
    forward = [player.choose(view, log, actions) for view, actions in views]
    backward = [player.choose(view, log, actions) for view, actions in reversed(views)]
    assert forward == backward[::-1]


def test_names_numbers_and_settings_lead_to_the_same_bots() -> None:
    game = GAMES["moeraki-kemu"]
    assert bot("3", game).name == bot("3@nodes=50", game).name == "Level 3"
    assert bot("8@ms=20@threads=2", game).name == "Level 8"
    assert bot("reflex", game).name == "reflex"
    assert bot("greedy", GAMES["mauw"]).name == "greedy"


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("9", "moeraki-kemu", "moeraki-kemu has no bot '9'; its bots are random, 1, 2, 3, 4, 5, 6, 7, 8, reflex."),
        ("0", "mauw", "mauw has no bot '0'; its bots are random, 1, 2, 3, 4, 5, 6, 7, 8, greedy."),
        ("5@nodes=0", "mauw", "A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '5@nodes=0'."),
        ("5@nodes=x", "mauw", "A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '5@nodes=x'."),
        ("5@", "mauw", "A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '5@'."),
        ("5@ms=1@ms=2", "mauw", "A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '5@ms=1@ms=2'."),
        ("5@ms=1@nodes=2", "mauw", "A budget is a whole number of nodes or of milliseconds, at least 1, and not both."),
        ("random@nodes=2", "mauw", "The bot 'random' has no settings; leave '@nodes=2' out."),
        ("8@threads=2", "mauw", "mauw is searched by one thread, not 2."),
    ],
)
def test_a_name_that_is_none_gets_one_clear_sentence(name: str, key: str, says: str) -> None:
    with pytest.raises(OptionError) as caught:
        bot(name, GAMES[key])
    assert str(caught.value) == says


def test_a_game_that_is_not_registered_has_no_ladder() -> None:
    assert list(bots(Toss())) == ["random"]
    with pytest.raises(OptionError, match="toss has no engine; games with one are moeraki-kemu, mu-torere, mauw"):
        require_player(Toss())


def chosen(game: AnyGame, name: str, position: Document, seed: int = 0) -> str:
    state = game.decode(position)
    action = bot(name, game, seed).choose(game.view(state, game.turn(state) or 0), [], game.actions(state))
    return game.format(action)


@pytest.mark.parametrize("name", ["reflex", "4@nodes=2000", "8@nodes=2000"])
def test_a_threat_is_answered(name: str) -> None:
    assert chosen(kemu.game("moeraki-kemu", variant="basic"), name, THREE) == "a9"


def test_a_win_at_once_goes_before_a_block() -> None:
    game = kemu.game("moeraki-kemu", variant="basic")
    both = {**THREE, "stones": [["c11", "b10", "k3", "f2"], ["d10", "a3", "b2", "k5"]], "turn": 1}
    for name in ("reflex", "5@nodes=2000", "8@nodes=2000"):
        assert chosen(game, name, both) == "c1"


def test_a_quick_choice_without_attention_misses_a_block_now_and_then() -> None:
    game = MoerakiKemu(variant="basic")
    state = game.decode(THREE)
    actions, view = game.actions(state), game.view(state, 1)
    for attention, blocks in ((1.0, True), (0.0, False)):
        found = [quick_choice(game, view, actions, attention, random.Random(seed)) for seed in range(30)]
        assert all(game.format(action) == "a9" for action in found) is blocks


def test_a_reflex_of_mu_torere_wins_at_once_and_does_not_let_the_opponent() -> None:
    game = MuTorere()
    solved = solution(game)
    reflex = bot("reflex", game, 1)
    wins = blocks = 0
    for state in solved:
        _, plies = solved.value(state)
        actions = game.actions(state)
        if plies in (0, None):
            continue
        after = game.apply(state, reflex.choose(game.view(state, state.position.turn), [], actions))
        if plies == 1:
            assert not game.actions(after)
            wins += 1
        elif plies > 2:
            assert solved.value(after).plies != 1
            blocks += 1
    assert wins
    assert blocks


def test_the_highest_level_of_mu_torere_is_perfect_and_sets_traps() -> None:
    game = kemu.game("mu-torere")
    wins = 0
    for seed in range(20):
        outcome = play(game, ["random", "8"] if seed % 2 else ["8", "random"], seed).outcome
        assert outcome
        assert outcome.winners in ((seed % 2,), ())
        wins += bool(outcome.winners)
    assert wins >= 17


SMALL_BUDGETS = {
    "moeraki-kemu": {4: 500, 5: 500, 6: 1000, 7: 4000, 8: 16000},
    "mu-torere": {8: 1},
    "mauw": {6: 10, 7: 120, 8: 300},
}
"""Nodes for the levels that search, fewer than in real games, but with about the same ratios."""

MATCHES = {"moeraki-kemu": 10, "mu-torere": 20, "mauw": 20}
LEAST_SHARE = 0.6


@pytest.mark.no_cover
@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("key", kemu.game_keys())
def test_every_level_beats_the_one_two_below(key: str, number: int) -> None:
    game = kemu.game(key, variant="basic") if key == "moeraki-kemu" else kemu.game(key)
    budgets = SMALL_BUDGETS[key]
    weak, strong = (f"{each}@nodes={budgets[each]}" if each in budgets else str(each) for each in (number, number + 2))
    won = 0.0
    for seed in range(MATCHES[key]):
        names = [strong, weak] if seed % 2 == 0 else [weak, strong]
        won += share(play(game, names, seed), seed % 2)
    assert won >= LEAST_SHARE * MATCHES[key]
