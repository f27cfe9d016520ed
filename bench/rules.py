"""Random games a second through the public contract, on one core, beside the yardstick."""

import random
import time
from typing import Any

from yardstick import yardstick

import kemu
from kemu.core.game import CHANCE, AnyGame

SECONDS = 4.0
LONGEST = 2000
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "moeraki-kemu": [{"variant": "beginner"}, {"variant": "basic"}, {"variant": "master"}],
    "mauw": [{"players": players} for players in range(2, 7)],
}
"""The options to measure; a game that is not here is measured as it comes."""


def play(game: AnyGame, source: random.Random) -> int:
    """One game, as a stranger would play it; the number of its actions."""
    state = game.initial()
    for number in range(LONGEST):
        turn = game.turn(state)
        if turn is None:
            return number
        if turn == CHANCE:
            actions, chances = zip(*game.odds(state), strict=True)
            action = source.choices(actions, [float(chance) for chance in chances])[0]
        else:
            action = source.choice(game.actions(state))
        state = game.apply(state, action)
        game.outcome(state)
    return LONGEST


def measure(game: AnyGame) -> tuple[float, float]:
    """Games a second of processor time, and actions a game."""
    source = random.Random(1)
    games = actions = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        actions += play(game, source)
        games += 1
    return games / spent, actions / games


def main() -> None:
    print(f"yardstick {yardstick():.3f} s")
    for key in kemu.games():
        for options in OPTIONS.get(key, [{}]):
            name = " ".join([key, *(f"{option}={value}" for option, value in options.items())])
            unit = yardstick()
            rate, length = measure(kemu.game(key, **options))
            print(f"{name:30} {rate:7.0f} games/s = {rate * unit:6.1f} a yardstick, {length:5.1f} actions a game")


if __name__ == "__main__":
    main()
