"""The search of Moeraki-Kemu against that of another checkout of Kemu: pairs of games from contested openings.

python bench/moeraki_commits.py OTHER/src --variant basic --ms 200 --pairs 40
python bench/moeraki_commits.py OTHER/src --nodes 100000 --other-nodes 150000
python bench/moeraki_commits.py OTHER/src --ms 50 --other-ms 200

An opening, 4 to 8 random stones, is contested if a search finds less than SMALL for either side and short games of
this search against itself from there are won by both. Each engine is a process of its own.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from statistics import fmean

from checkouts import Engine, add_budgets, engines, error_95

from kemu.core.game import Seat
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

LENGTHS = range(5, 10)
SMALL = 0.25
"""The value of a score of about 300."""

SHORT_GAMES = 6
SHORT = (1_500, 2_500, 4_000)
"""Nodes for each action of those games."""


def is_contested(game: MoerakiKemu, searcher: Searcher, start: State) -> bool:
    """Whether neither side stands better from here, and both win some games."""
    if abs(searcher.search(start, Budget(nodes=60_000)).value) > SMALL:
        return False
    winners: set[Seat] = set()
    for seed in range(SHORT_GAMES):
        source, state = random.Random(seed), start
        while (outcome := game.outcome(state)) is None:
            budget = Budget(nodes=source.choice(SHORT))
            state = game.apply(state, searcher.search(state, budget, seed=source.randrange(1000)).action)
        winners.update(outcome.winners)
        if len(winners) == 2:
            return True
    return False


def contested_openings(game: MoerakiKemu) -> Iterator[list[str]]:
    """Contested openings without end, the same in every run."""
    searcher, seed = Searcher(game), 0
    while True:
        source, state, actions = random.Random(seed), game.initial(), []
        for _ in range(source.choice(LENGTHS)):
            if game.outcome(state) is None:
                action = source.choice(game.actions(state))
                actions.append(game.format(action))
                state = game.apply(state, action)
        if game.outcome(state) is None and is_contested(game, searcher, state):
            yield actions
        seed += 1


def play(game: MoerakiKemu, opening: list[str], engines: tuple[Engine, Engine]) -> tuple[float, str]:
    """What the engine in seat 0 scores from an opening, and why the game ended."""
    actions, state = list(opening), game.initial()
    for engine in engines:
        engine.begin(game.key, game.variant)
    for text in opening:
        state = game.apply(state, game.parse(text))
    while (outcome := game.outcome(state)) is None:
        choices = game.actions(state)
        text = game.format(choices[0]) if len(choices) == 1 else engines[state.turn].choose(" ".join(actions))
        actions.append(text)
        state = game.apply(state, game.parse(text))
    return (1.0 if outcome.winners == (0,) else 0.0 if outcome.winners else 0.5), outcome.reason


def match(game: MoerakiKemu, ours: Engine, theirs: Engine, pairs: int) -> None:
    """Plays so many pairs and prints the result after each."""
    shares: list[float] = []
    reasons = Counter[str]()
    for opening in islice(contested_openings(game), pairs):
        first, reason = play(game, opening, (ours, theirs))
        second, other_reason = play(game, opening, (theirs, ours))
        reasons.update((reason, other_reason))
        shares.append((first + 1 - second) / 2)
        won, lost = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        print(f"{game.variant}: {fmean(shares):.1%} ± {error_95(shares):.1%} of {len(shares)} pairs;", end=" ")
        print(f"{won} won, {lost} lost; ours {ours.speed()}; theirs {theirs.speed()}; {dict(reasons)}", flush=True)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_budgets(words)
    words.add_argument("--variant", default="basic")
    words.add_argument("--pairs", type=int, default=20)
    chosen = words.parse_args()
    ours, theirs = engines(chosen)
    match(MoerakiKemu(chosen.variant), ours, theirs, chosen.pairs)


if __name__ == "__main__":
    main()
