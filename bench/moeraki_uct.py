"""The search of Moeraki-Kemu against plain UCT on the same kernel: equal time, pairs of games with seats swapped.

python bench/moeraki_uct.py --variant basic --ms 1000 --games 100
python bench/moeraki_uct.py --games 100 --undecided   from openings that nobody is proved to win
"""

import argparse
from collections import Counter
from itertools import islice

from openings import openings

from kemu.core.game import Seat
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.uct import Uct
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


def play(game: MoerakiKemu, state: State, searcher: Searcher, seat: Seat, uct: Uct, ms: int) -> tuple[float, str]:
    """What the search scores from an opening in this seat, and why the game ended."""
    while (outcome := game.outcome(state)) is None:
        ours = state.turn == seat
        action = searcher.search(state, Budget(ms=ms)).action if ours else uct.choose(state, Budget(ms=ms))
        state = game.apply(state, action)
    return (1.0 if outcome.winners == (seat,) else 0.0 if outcome.winners else 0.5), outcome.reason


def duel(game: MoerakiKemu, ms: int, games: int, undecided: bool) -> None:
    """Plays so many games and prints the result after each pair."""
    searcher, uct = Searcher(game), Uct(game)
    total, played, pairs, reasons = 0.0, 0, Counter[float](), Counter[str]()
    for opening in islice(openings(game, undecided), games // 2):
        state = game.initial()
        for action in opening:
            state = game.apply(state, action)
        results = [play(game, state, searcher, seat, uct, ms) for seat in (0, 1)]
        points = results[0][0] + results[1][0]
        total, played = total + points, played + 2
        pairs[points] += 1
        reasons.update(reason for _, reason in results)
        share = f"{total:g} of {played} = {total / played:.1%}"
        print(f"{game.variant}, {ms} ms: {share}; pairs {dict(pairs)}", flush=True)
    print(dict(reasons))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--variant", default="basic")
    words.add_argument("--ms", type=int, default=1000)
    words.add_argument("--games", type=int, default=10)
    words.add_argument("--undecided", action="store_true")
    chosen = words.parse_args()
    duel(MoerakiKemu(chosen.variant), chosen.ms, chosen.games, chosen.undecided)


if __name__ == "__main__":
    main()
