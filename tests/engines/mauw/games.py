"""Games of MAUW played at random, with every seat's log, for tests of what a seat can know."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from kemu.core.game import CHANCE
from kemu.games.mauw.actions import Action
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import State


@dataclass
class Played:
    """A game under way: its state, every seat's log, and the dealt actions so far."""

    game: Mauw
    state: State
    logs: list[list[str]] = field(default_factory=list)

    def view(self, seat: int) -> View:
        return self.game.view(self.state, seat)


def playing(players: int, seed: int) -> Iterator[tuple[Played, Action]]:
    """The game before each action, with the action that is about to be taken."""
    game, source = Mauw(players), random.Random(f"{players} {seed}")
    played = Played(game, game.initial(), [[] for _ in range(players)])
    while game.outcome(played.state) is None:
        state = played.state
        if game.turn(state) == CHANCE:
            actions, chances = zip(*game.odds(state), strict=True)
            action = source.choices(actions, [float(chance) for chance in chances])[0]
        else:
            action = source.choice(game.actions(state))
        yield played, action
        for seat, log in enumerate(played.logs):
            log.append(game.seen(state, action, seat))
        played.state = game.apply(state, action)
