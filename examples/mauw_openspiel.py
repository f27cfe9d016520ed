"""OpenSpiel's algorithms on a small MAUW: Monte-Carlo CFR finds a strategy that hardly loses, MCTS plays a game.

    python examples/mauw_openspiel.py

The game starts a turn before the limit of 500: one card is dealt to each seat, seat 0 plays a card, seat 1 may defend.
Its tree is small enough for the exact measure of a strategy, NashConv: what the seats could gain together if each knew
the other's strategy and played best against it.
"""

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, mcts

from kemu.adapters import openspiel

POSITION: dict[str, Any] = {
    "hands": [["1", "8", "s"], ["3", "1", "8"]],
    "zones": [
        [{"mauw": 3, "top": "1"}, {"mauw": 3, "top": "s"}, {"mauw": 2, "top": "5"}, {"mauw": 2, "top": "s"}],
        [{"mauw": 3, "top": "3"}, {"mauw": 3, "top": "s"}, {"mauw": 2, "top": "8"}, {"mauw": 2, "top": "s"}],
    ],
    "pile": {"8": 2, "6": 3},
    "discards": {"2": 5, "7": 5, "4": 4, "5": 3},
    "turn": 1,
    "turns": 498,
    "step": {"name": "refill"},
}


def small_game() -> Any:
    """MAUW for two from the position on."""
    return pyspiel.load_game("kemu_mauw", {"position": openspiel.position_parameter(POSITION)})


def solve(iterations: int) -> tuple[float, float]:
    """NashConv of uniform play, and of the strategy that external-sampling CFR has found after so many iterations."""
    np.random.seed(1)
    game = small_game()
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    while iterations:
        iterations -= 1
        solver.iteration()
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    return uniform, exploitability.nash_conv(game, solver.average_policy())


def play(simulations: int) -> tuple[list[str], list[float]]:
    """A game of two MCTS bots, which see all cards: its actions and what it was worth to each seat."""
    game, source = small_game(), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    state, texts = game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = int(source.choice(outcomes, p=chances))
        else:
            action = bot.step(state)
        texts.append(state.action_to_string(action))
        state.apply_action(action)
    return texts, state.returns()


def main() -> None:
    uniform, found = solve(100)
    print(f"NashConv of uniform play {uniform:.3f}, after 100 iterations of CFR {found:.3f}")
    texts, returns = play(50)
    print(f"MCTS against MCTS: {' '.join(texts)}, worth {returns}")


if __name__ == "__main__":
    main()
