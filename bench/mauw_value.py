"""The weights of MAUW's learned value from nothing: python bench/mauw_value.py FILE [--positions 400000] [--batches 50]

First the nets are fitted to positions of games that the rollout policy plays against itself to the end, then further,
with a smaller rate, to batches of the search against itself with these nets. What is shipped was made with 600,000
positions for two players and 400,000 for others, and 10,200 games of the search, of which none were of five players.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import load_arrays
from kemu.engines.compiled import below, compiled
from kemu.engines.mauw.fitting import Parameters, Samples, fitted_weights, parameters, random_weights, run_epoch
from kemu.engines.mauw.kernel import begin
from kemu.engines.mauw.layout import ACTION_COUNT, MOST_PLAYERS, OVER, PLAYERS, STATE_SIZE, STEP, Reals
from kemu.engines.mauw.learner import ValueLearner
from kemu.engines.mauw.legal import write_victory
from kemu.engines.mauw.playouts import Choices, roll_out
from kemu.engines.mauw.policy import gain_policy
from kemu.engines.mauw.policy_fitting import policy_parameters
from kemu.engines.mauw.weights import write_nets
from kemu.games.mauw.state import LEFT_OUT

NOISE = 10.0
LONGEST_STEP = 20
"""Positions of a game are at most so many turns apart."""

EPOCHS = 4
RATE = 0.03
FURTHER_RATE = 0.002


@compiled
def write_positions(players: int, seed: int, states: NDArray[np.int16], shares: Reals) -> int:
    """Fills the arrays with positions of whole games and the shares of the victory; returns how many they are."""
    state, stream, count = np.empty(STATE_SIZE, np.int64), np.uint64(seed), 0
    choices, won = Choices(np.empty(ACTION_COUNT, np.int64), np.empty(ACTION_COUNT)), np.empty(MOST_PLAYERS)
    while True:
        first = count
        begin(state, players)
        while state[STEP] < OVER:
            turns, stream = below(LONGEST_STEP, stream)
            stream = roll_out(state, choices, NOISE, turns + 1.0, stream)
            if state[STEP] < OVER:
                if count == states.shape[0]:
                    return first
                states[count] = state
                count += 1
        write_victory(state, won)
        for position in range(first, count):
            shares[position, :players] = won[:players]


def fit_rollouts(players: int, positions: int) -> Parameters:
    """A net that is fitted to games of the rollout policy."""
    states, shares = np.empty((positions, STATE_SIZE), np.int16), np.zeros((positions, MOST_PLAYERS))
    count = write_positions(players, players, states, shares)
    samples, net = Samples(states, shares.astype(np.float32)), parameters(random_weights(1))
    source = np.random.default_rng(1)
    for epoch in range(1, EPOCHS + 1):
        loss = run_epoch(samples, source.permutation(count), net, RATE / epoch)
        print(f"{players} players, rollouts, epoch {epoch}: {loss:.4f}", flush=True)
    return net


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("file", type=Path)
    words.add_argument("--positions", type=int, default=400_000)
    words.add_argument("--batches", type=int, default=50)
    chosen = words.parse_args()
    policy = policy_parameters(gain_policy())
    nets = {players: fitted_weights(fit_rollouts(players, chosen.positions), policy) for players in LEFT_OUT}
    data, learner, source = write_nets(nets), ValueLearner(), np.random.default_rng(2)
    batches = [load_arrays(learner.play_batch(data, seed)) for seed in range(chosen.batches)]
    samples = Samples(*(np.concatenate([batch[name] for batch in batches]) for name in ("states", "shares")))
    for players, net in nets.items():
        further = parameters(net)
        order = source.permutation(np.flatnonzero(samples.states[:, PLAYERS] == players))
        print(f"{players} players, {len(order)} positions of the search: {run_epoch(samples, order, further, 0.0):.4f}")
        run_epoch(samples, order, further, FURTHER_RATE)
        nets[players] = fitted_weights(further, policy)
    chosen.file.write_bytes(write_nets(nets))


if __name__ == "__main__":
    main()
