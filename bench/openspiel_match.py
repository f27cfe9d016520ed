"""Level 8 of Moeraki-Kemu against the MCTS bot of OpenSpiel (the extra `bench`), in pairs from random openings.

    python -m bench.openspiel_match --games 100 --ms 1000
    python -m bench.openspiel_match --games 100 --undecided     openings that nobody is proved to win

The bot meets Moeraki-Kemu through the adapter below. It is the one in Python, since that in C++ crashes with games from
Python (it lets go of the interpreter lock and then calls them), and it plays on our kernel, with as many simulations as
fit into the same time.
"""

import argparse
import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from kemu.bots import bot
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.translation import kernel_action, kernel_rules, kernel_state, rules_action
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.rules import MoerakiKemu

TRIAL = 200
"""Simulations that show how long one takes."""

OPENING = 5
PROOF = Budget(nodes=1_000_000)
MOERAKI = MoerakiKemu("basic")
RULES = kernel_rules(MOERAKI)
GAME_TYPE = pyspiel.GameType(
    short_name="kemu_moeraki",
    long_name="Moeraki-Kemu",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=kernel.ACTION_COUNT,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=60,
)


class AdaptedState(pyspiel.State):
    """A state of our kernel as OpenSpiel wants it."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.words = kernel_state(MOERAKI, MOERAKI.initial())

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.words[kernel.TURN])

    def _legal_actions(self, player: int) -> list[int]:
        actions = np.zeros(kernel.ACTION_COUNT, np.int64)
        return sorted(actions[: kernel.legal(self.words, RULES, actions)].tolist())

    def _apply_action(self, action: int) -> None:
        kernel.apply(self.words, RULES, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return MOERAKI.format(rules_action(action))

    def is_terminal(self) -> bool:
        return bool(self.words[kernel.STEP] == kernel.OVER)

    def returns(self) -> list[float]:
        winner = int(self.words[kernel.LAST]) >> 3 if self.is_terminal() else kernel.NOBODY
        return [0.0, 0.0] if winner == kernel.NOBODY else [1.0 if seat == winner else -1.0 for seat in (0, 1)]

    def __str__(self) -> str:
        return str(self.words)


class Adapted(pyspiel.Game):
    """Moeraki-Kemu as a game of OpenSpiel."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self) -> AdaptedState:
        return AdaptedState(self)


pyspiel.register_game(GAME_TYPE, Adapted)
ADAPTED = pyspiel.load_game("kemu_moeraki")


def openings(undecided: bool) -> Iterator[list[Action]]:
    """Openings of the ball and four stones without end, the same in every run."""
    searcher, seed = Searcher(MOERAKI), 0
    while True:
        source, state, actions = random.Random(seed), MOERAKI.initial(), list[Action]()
        for _ in range(OPENING):
            actions.append(source.choice(MOERAKI.actions(state)))
            state = MOERAKI.apply(state, actions[-1])
        if not undecided or searcher.search(state, PROOF).proven is None:
            yield actions
        seed += 1


def their_action(state: Any, ms: int, seed: int) -> tuple[int, int]:
    """What OpenSpiel's MCTS bot does in about this time, and its simulations."""
    begin = time.perf_counter()
    _mcts(TRIAL, seed).step(state)
    each = (time.perf_counter() - begin) / TRIAL
    count = max(TRIAL, int(ms / 1000 / each))
    return int(_mcts(count, seed).step(state)), count


def _mcts(simulations: int, seed: int) -> Any:
    dice = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    return mcts.MCTSBot(ADAPTED, 2.0, simulations, evaluator, solve=True, random_state=dice)


def duel(games: int, ms: int, undecided: bool) -> None:
    """Pairs of games with seats swapped, each pair from one random opening of four stones."""
    score, played, simulations = 0.0, 0, list[int]()
    for opening in islice(openings(undecided), games // 2):
        for seat in (0, 1):
            points, counts = play(opening, seat, ms, played)
            score, played = score + points, played + 1
            simulations += counts
            print(f"game {played}: level 8 has {score:g} points", flush=True)
    mean = sum(simulations) / max(1, len(simulations))
    print(f"level 8 against MCTS, {ms} ms each: {score / played:.1%} of {played} games; MCTS: {mean:.0f} simulations")


def play(opening: list[Action], seat: int, ms: int, seed: int) -> tuple[float, list[int]]:
    """What level 8 scores in this seat, and how many simulations each action of the MCTS bot took."""
    player, counts = bot(f"8@ms={ms}", MOERAKI, seed), list[int]()
    state, theirs, coming = MOERAKI.initial(), ADAPTED.new_initial_state(), iter(opening)
    while (turn := MOERAKI.turn(state)) is not None:
        if (action := next(coming, None)) is None:
            if turn == seat:
                action = player.choose(MOERAKI.view(state, turn), [], MOERAKI.actions(state))
            else:
                found, count = their_action(theirs, ms, seed)
                action = rules_action(found)
                counts.append(count)
        state = MOERAKI.apply(state, action)
        theirs.apply_action(kernel_action(action))
    return (theirs.returns()[seat] + 1) / 2, counts


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--games", type=int, default=100)
    words.add_argument("--ms", type=int, default=1000)
    words.add_argument("--undecided", action="store_true")
    chosen = words.parse_args()
    duel(chosen.games, chosen.ms, chosen.undecided)


if __name__ == "__main__":
    main()
