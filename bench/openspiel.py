"""Kemu beside OpenSpiel (the extra `bench`), all in one run: random games, and the level 8 against its MCTS bot.

    python bench/openspiel.py                          random games a second in turn on one core, medians of rounds
    python bench/openspiel.py --games 100 --ms 1000    also so many games against OpenSpiel's MCTS bot
    python bench/openspiel.py --games 100 --undecided  the same from openings that nobody is proved to win

OpenSpiel's own games are driven by its own C++ random rollouts. Its MCTS bot meets Moeraki-Kemu through the adapter
below. It is the one in Python, since that in C++ crashes with games from Python (it lets go of the interpreter lock and
then calls them), and it plays on our kernel, with as many simulations as fit into the same time.
"""

import argparse
import os
import random
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from statistics import median
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from openings import openings
from yardstick import processor, yardstick

from kemu.bots import bot
from kemu.engines.mauw import layout
from kemu.engines.mauw import playouts as mauw_playouts
from kemu.engines.moeraki import kernel, playouts
from kemu.engines.moeraki.translation import kernel_action, kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.rules import MoerakiKemu

SECONDS = 1.0
ROUNDS = 5
VARIANTS = ("beginner", "basic", "master")
COMPARED = ("hex(board_size=7)", "y(board_size=7)", "y(board_size=10)")
"""The last one has 55 points, as many as we have hollows."""

ROLLOUTS = 200
TRIAL = 200
"""So many simulations show how long one takes."""

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


def rollouts(name: str) -> tuple[float, float]:
    """Games and actions a second of a game of OpenSpiel, by its own random rollouts."""
    game = pyspiel.load_game(name)
    # A tree search of one simulation, whose value is the mean of many rollouts: all of it is in C++.
    searcher = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 1.4, 1, 100, False, 1, False)
    state = game.new_initial_state()
    source = random.Random(1)
    # The rollouts do not count their actions; the same games from Python do.
    lengths = [_length(game, source) for _ in range(50)]
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    games, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        searcher.mcts_search(state)
        games += ROLLOUTS
    return games / spent, games / spent * sum(lengths) / len(lengths)


def _length(game: Any, source: random.Random) -> int:
    state = game.new_initial_state()
    length = 0
    while not state.is_terminal():
        state.apply_action(source.choice(state.legal_actions()))
        length += 1
    return length


def moeraki(variant: str) -> tuple[float, float]:
    """Games and stones a second of our kernel."""
    game = MoerakiKemu(variant)
    start, rules, ends = kernel_state(game, game.initial()), kernel_rules(game), np.zeros((1, 8), np.uint64)
    playouts.playouts(start, rules, 1000, 1, ends)
    games, stones, begin = 0, 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        stones += playouts.playouts(start, rules, 50_000, games + 1, ends)
        games += 50_000
    return games / spent, stones / spent


def mauw() -> tuple[float, float]:
    """Random four-player games and turns a second of our kernel."""
    ends = np.zeros(3 + layout.MOST_PLAYERS, np.int64)
    mauw_playouts.random_games(4, 1, 1, ends)
    games, turns, begin = 0, 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        turns += mauw_playouts.random_games(4, 1000, games + 1, ends)
        games += 1000
    return games / spent, turns / spent


def speeds() -> None:
    """All random games, each beside its comparison."""
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}, yardstick {yardstick():.3f} s", flush=True)
    runs: dict[str, Callable[[], tuple[float, float]]] = {
        **{variant: partial(moeraki, variant) for variant in VARIANTS},
        **{name: partial(rollouts, name) for name in COMPARED},
        "MAUW": mauw,
        "crazy_eights": partial(rollouts, "crazy_eights(players=4)"),
    }
    rounds = [{name: run() for name, run in runs.items()} for _ in range(ROUNDS)]
    games, actions = ({name: median(each[name][part] for each in rounds) for name in runs} for part in (0, 1))
    for name in runs:
        print(f"{name:18} {games[name]:12,.0f} games/s {actions[name]:14,.0f} actions/s")
    for variant in VARIANTS:
        ratios = ", ".join(f"{actions[variant] / actions[name]:.1f} times {name}" for name in COMPARED)
        print(f"{variant:10} {ratios} in actions a second")


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
    for opening in islice(openings(MOERAKI, undecided), games // 2):
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
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--games", type=int, default=0)
    words.add_argument("--ms", type=int, default=1000)
    words.add_argument("--undecided", action="store_true")
    chosen = words.parse_args()
    speeds()
    if chosen.games:
        duel(chosen.games, chosen.ms, chosen.undecided)


if __name__ == "__main__":
    main()
