"""Pairs of games: seats exchanged, the same cards, contested openings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest

import kemu
from kemu.bots import arena, bot
from kemu.bots.arena import Pairing, SeededMaker, is_contested, play_pair, random_openings
from kemu.bots.engines import require_player
from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.core.record import Record, replay
from kemu.engines.capabilities import Analyst


def named(name: str) -> SeededMaker:
    return lambda game, seed: bot(name, game, seed)


@dataclass
class Recorded:
    """Makes bots of one name, and keeps how many it made and the views that these were asked with."""

    bot: str
    views: list[Any] = field(default_factory=list)
    made: int = 0

    def __call__(self, game: AnyGame, seed: int) -> Bot:
        self.made += 1
        return RecordedBot(bot(self.bot, game, seed), self.views)


@dataclass
class RecordedBot:
    inner: Bot
    views: list[Any]
    name: str = "recorded"

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        self.views.append(view)
        return self.inner.choose(view, log, actions)


def test_equal_players_who_repeat_share_the_games_and_a_pairing_repeats() -> None:
    game = kemu.game("mu-torere", arms=6)
    perfect, weak = named("perfect"), named("random")
    assert play_pair(Pairing(game, (perfect, perfect), (), "0")) == 0.5
    pairing = Pairing(game, (perfect, weak), (1, 2), "3")
    assert play_pair(pairing) > 0.5
    assert play_pair(pairing) == play_pair(pairing)


def test_both_games_of_a_pair_have_the_same_cards() -> None:
    first, second = Recorded("random"), Recorded("random")
    play_pair(Pairing(kemu.game("mauw"), (first, second), (), "0"))
    assert first.made == second.made == 1 + 1
    hands = [next(view["hand"] for view in each.views if view["seat"] == 0) for each in (first, second)]
    assert hands[0] == hands[1]


def test_all_seats_of_a_larger_table_are_shared_evenly() -> None:
    first, second = Recorded("random"), Recorded("random")
    score = play_pair(Pairing(kemu.game("mauw", players=3), (first, second), (), "0"))
    assert 0 <= score <= 1
    assert first.made == second.made == 2 + 1


def test_openings_repeat_and_have_the_length_that_is_asked_for() -> None:
    game = kemu.game("moeraki-kemu")
    first, second = (list(islice(random_openings(game, (5, 7), "0"), 8)) for _ in range(2))
    assert first == second
    assert {len(each.actions) for each in first} == {5, 7}
    assert len({each.actions for each in first}) == 8


def test_a_drawn_opening_is_contested_and_one_that_is_won_is_not() -> None:
    drawn = kemu.game("mu-torere", arms=8)
    assert is_contested(drawn, next(random_openings(drawn, (0,), "0")))
    won = kemu.game("mu-torere", arms=6, flank="never")
    assert not is_contested(won, next(random_openings(won, (0,), "0"))), "seat 0 wins at once, whatever is tried"
    assert 0 <= play_pair(Pairing(won, (named("random"), named("perfect")), (0,), "0")) <= 1, "there is no other"


def test_an_opening_in_which_one_side_stands_better_is_not_contested(monkeypatch: pytest.MonkeyPatch) -> None:
    """However its short games end: that they differ makes an opening contested only if it is even."""
    game = kemu.game("moeraki-kemu", variant="basic")
    judge = kemu_judge(game)
    openings = list(islice(random_openings(game, (7, 8, 9), "values"), 12))
    values = {opening.actions: value_of(judge, game, opening) for opening in openings}
    contested = [opening for opening in openings if is_contested(game, opening)]
    assert all(abs(values[opening.actions]) <= arena.EVEN_VALUE for opening in contested)
    assert any(abs(value) > arena.EVEN_VALUE for value in values.values())
    even = [opening for opening in openings if abs(values[opening.actions]) <= arena.EVEN_VALUE]
    monkeypatch.setattr(arena, "SHORT_GAMES", 0)
    assert even
    assert not any(is_contested(game, opening) for opening in even), "both sides must win some short games"


def kemu_judge(game: AnyGame) -> Analyst:
    return require_player(game).analyst(game, None, 1)


def value_of(judge: Analyst, game: AnyGame, opening: Record) -> float:
    state = last_state(game, opening)
    turn = game.turn(state)
    assert turn is not None
    return judge.analyse(game.view(state, turn), (), arena.EVEN_BUDGET, 1, 0).value


def last_state(game: AnyGame, opening: Record) -> Any:
    return list(replay(game, opening.actions))[-1]
