"""Level 8 in the beginner's game against all bots: python bench/holds.py [GAMES] [MS] [FROM]

The ball goes round the nine hollows, and level 8 lays the first stone in every second game. Each of its stones has MS
(200) milliseconds. Prints the result of each game and how many it lost; FROM is the number of the first game.
"""

import sys
from collections import Counter

from kemu.bots import bot
from kemu.games.moeraki.board import HOLLOWS, MOERAKI
from kemu.games.moeraki.rules import MoerakiKemu

OPPONENTS = ("random", "reflex", "1", "2", "3", "4", "5", "6", "7", "8@ms=200", "uct@nodes=2000", "6@nodes=20000")


def played(number: int, ms: int) -> str:
    """The result of a game for level 8: won, lost or drawn."""
    game = MoerakiKemu("beginner")
    opponent = OPPONENTS[number % len(OPPONENTS)]
    level_8 = number // len(OPPONENTS) % 2
    bots = [bot(opponent, game, seed=number), bot(opponent, game, seed=number)]
    bots[level_8] = bot(f"8@ms={ms}", game, seed=number)
    ball = game.parse(f"@{HOLLOWS[MOERAKI[number % len(MOERAKI)]].name}")
    logs: list[list[str]] = [[game.seen(game.initial(), ball, seat)] for seat in (0, 1)]
    state = game.apply(game.initial(), ball)
    while (seat := game.turn(state)) is not None:
        action = bots[seat].choose(game.view(state, seat), logs[seat], game.actions(state))
        for each in (0, 1):
            logs[each].append(game.seen(state, action, each))
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None
    return "drawn" if not outcome.winners else "won" if outcome.winners == (level_8,) else "lost"


def main(games: int = 200, ms: int = 200, first: int = 0) -> None:
    results: Counter[str] = Counter()
    for number in range(first, games):
        result = played(number, ms)
        results[result] += 1
        print(f"{number}: {OPPONENTS[number % len(OPPONENTS)]} {result}; {dict(results)}", flush=True)


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
