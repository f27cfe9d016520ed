"""Games between bots without a table: only the rules, the bots and a seeded dealer."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.core.game import CHANCE, AnyGame, Outcome, Seat


@dataclass
class Played:
    """A game as far as it was played."""

    game: AnyGame
    state: Any
    actions: list[str] = field(default_factory=list)
    logs: list[list[str]] = field(default_factory=list)  # by seat

    @property
    def turn(self) -> Seat | None:
        return self.game.turn(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def act(self, action: Any) -> None:
        for seat, log in enumerate(self.logs):
            log.append(self.game.seen(self.state, action, seat))
        self.actions.append(self.game.format(action))
        self.state = self.game.apply(self.state, action)


def play(game: AnyGame, names: Sequence[str], seed: int) -> Played:
    """A whole game between the bots of these names."""
    return play_bots(game, [bot(name, game, seed + seat) for seat, name in enumerate(names)], seed)


def play_bots(game: AnyGame, players: Sequence[Bot], seed: int, longest: int = 2000) -> Played:
    """A game between these bots, to its end or of so many actions."""

    def choose(played: Played, seat: Seat) -> Any:
        view = game.view(played.state, seat)
        return players[seat].choose(view, played.logs[seat], game.actions(played.state))

    return _played(game, choose, seed, longest)


def random_game(game: AnyGame, seed: int, longest: int = 2000) -> Played:
    """A random game, to its end or of so many actions, then up to where a seat acts."""
    dice = random.Random(seed)
    return _played(game, lambda played, seat: dice.choice(game.actions(played.state)), seed, longest)


def _played(game: AnyGame, choose: Callable[[Played, Seat], Any], seed: int, longest: int) -> Played:
    dealer = random.Random(seed)
    played = Played(game, game.initial(), logs=[[] for _ in range(game.seats)])
    while (seat := played.turn) is not None and (len(played.actions) < longest or seat == CHANCE):
        if seat == CHANCE:
            odds = game.odds(played.state)
            played.act(dealer.choices([action for action, _ in odds], [float(chance) for _, chance in odds])[0])
        else:
            played.act(choose(played, seat))
    return played


def share(played: Played, seat: Seat) -> float:
    """The part of the victory that a seat got in a finished game."""
    assert played.outcome
    return played.outcome.shares(played.game.seats)[seat]
