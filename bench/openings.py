"""Random openings of Moeraki-Kemu for matches in pairs: the ball and four stones."""

import random
from collections.abc import Iterator

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.search import Searcher
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.rules import MoerakiKemu

LENGTH = 5
PROOF = Budget(nodes=1_000_000)


def openings(game: MoerakiKemu, undecided: bool) -> Iterator[list[Action]]:
    """Openings without end, the same in every run; if asked for, only those that the search cannot prove decided."""
    searcher, seed = Searcher(game), 0
    while True:
        source, state, actions = random.Random(seed), game.initial(), []
        for _ in range(LENGTH):
            actions.append(source.choice(game.actions(state)))
            state = game.apply(state, actions[-1])
        if not undecided or searcher.search(state, PROOF).proven is None:
            yield actions
        seed += 1
