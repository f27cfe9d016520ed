"""The search of Moeraki-Kemu against plain UCT on the same kernel: equal time, pairs of games with seats swapped."""

import random
import sys
from collections import Counter

from kemu.core.game import Seat
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.uct import Uct
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

STONES = 4


def opening(game: MoerakiKemu, seed: int) -> State:
    """The ball and four random stones."""
    source = random.Random(seed)
    state = game.initial()
    for _ in range(1 + STONES):
        state = game.apply(state, source.choice(game.actions(state)))
    return state


def play(game: MoerakiKemu, state: State, searcher: Searcher, seat: Seat, uct: Uct, ms: int) -> tuple[float, str]:
    """What the search scores from an opening in this seat, and why the game ended."""
    while (outcome := game.outcome(state)) is None:
        ours = state.turn == seat
        action = searcher.search(state, Budget(ms=ms)).action if ours else uct.choose(state, Budget(ms=ms))
        state = game.apply(state, action)
    return (1.0 if outcome.winners == (seat,) else 0.0 if outcome.winners else 0.5), outcome.reason


def main() -> None:
    words = dict(enumerate(sys.argv))
    variant, ms, games = words.get(1, "basic"), int(words.get(2, "100")), int(words.get(3, "10"))
    game = MoerakiKemu(variant)
    searcher, uct = Searcher(game), Uct(game)
    total, pairs, reasons = 0.0, Counter[float](), Counter[str]()
    for pair in range(games // 2):
        state = opening(game, pair)
        results = [play(game, state, searcher, seat, uct, ms) for seat in (0, 1)]
        total += results[0][0] + results[1][0]
        pairs[results[0][0] + results[1][0]] += 1
        reasons.update(reason for _, reason in results)
        played = 2 * (pair + 1)
        print(f"{variant}, {ms} ms: {total:.1f} of {played} = {total / played:.1%}; pairs {dict(pairs)}", flush=True)
    print(dict(reasons))


if __name__ == "__main__":
    main()
