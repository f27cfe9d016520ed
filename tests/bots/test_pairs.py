"""Pairs of games: seats exchanged, the same cards, contested openings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import kemu
from kemu.bots import bot
from kemu.bots.pairs import MOST_OPENINGS, SHORT_GAMES, Pairing, SeededMaker, play_pair
from kemu.core.bot import Bot
from kemu.core.game import AnyGame


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


def test_an_opening_is_contested_unless_the_same_seat_always_wins() -> None:
    perfect = Recorded("perfect")
    play_pair(Pairing(kemu.game("mu-torere", arms=8), (named("random"), perfect), (0,), "0"))
    assert perfect.made == 2 + 2, "one drawn game of two seats is enough"
    perfect = Recorded("perfect")
    play_pair(Pairing(kemu.game("mu-torere", arms=6, flank="never"), (named("random"), perfect), (0,), "0"))
    assert perfect.made == 2 * SHORT_GAMES * (MOST_OPENINGS - 1) + 2, "seat 0 wins at once, whatever is tried"
