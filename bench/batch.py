"""Batched steps a second, with masks and observations, beside other libraries (the extra `bench`), on one core.

    python bench/batch.py                    all of them in turn, several rounds, in processor time
    python bench/batch.py --rounds 5 --seconds 2

Each step of every contestant takes a random legal action, and gives the mask of legal actions and the observation after
it. OpenSpiel's games and RLCard's UNO are stepped one at a time from Python, which is how they are used; pgx's `hex` is
compiled by JAX for the CPU and stepped in a batch, with one thread. Rounds alternate, and the ratios are those of the
medians.
"""

import argparse
import os
import platform
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from yardstick import processor, yardstick

import kemu

LANES = 4096
PGX_LANES = 1024
Stepper = Callable[[], int]
"""Takes some steps and returns how many."""


def batched(key: str, **options: Any) -> Stepper:
    """Random play on a batch."""
    batch = kemu.batch(key, LANES, seed=1, **options)
    buffers = batch.reset()

    def run() -> int:
        batch.step(batch.random_actions(buffers.masks), buffers)
        return LANES

    return run


def openspiel(name: str) -> Stepper:
    """Random play of a game of OpenSpiel from Python; the dealer's actions are taken and not counted."""
    import pyspiel

    game, source = pyspiel.load_game(name), random.Random(1)

    def run() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(source.choices(outcomes, chances)[0])
                continue
            state.legal_actions_mask()
            state.observation_tensor()
            state.apply_action(source.choice(state.legal_actions()))
            steps += 1
        return steps

    return run


def pgx_hex() -> Stepper:
    """Random play of pgx's hex in a batch, with its own automatic reset."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    environment = pgx.make("hex")
    stepped = jax.vmap(auto_reset(environment.step, environment.init))

    def random_step(state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        actions = jax.random.categorical(first, jax.numpy.log(state.legal_action_mask.astype("float32")), axis=-1)
        return stepped(state, actions, jax.random.split(second, PGX_LANES))

    step = jax.jit(random_step)
    held = [jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(1), PGX_LANES))]
    keys = [jax.random.PRNGKey(2)]

    def run() -> int:
        keys[0], key = jax.random.split(keys[0])
        held[0] = step(held[0], key)
        held[0].observation.block_until_ready()
        return PGX_LANES

    return run


def rlcard_uno() -> Stepper:
    """Random play of RLCard's UNO."""
    import rlcard

    environment = rlcard.make("uno", config={"seed": 1})
    source = random.Random(1)

    def run() -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            state, _ = environment.step(source.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return run


CONTESTANTS: dict[str, Callable[[], Stepper]] = {
    "Moeraki-Kemu, beginner": lambda: batched("moeraki-kemu", variant="beginner"),
    "Moeraki-Kemu, basic": lambda: batched("moeraki-kemu", variant="basic"),
    "Moeraki-Kemu, master": lambda: batched("moeraki-kemu"),
    "OpenSpiel y": lambda: openspiel("y"),
    "OpenSpiel y, side 10": lambda: openspiel("y(board_size=10)"),  # 55 points, as many as we have hollows
    "pgx hex": pgx_hex,
    "MAUW, 2 players": lambda: batched("mauw"),
    "MAUW, 4 players": lambda: batched("mauw", players=4),
    "MAUW, 6 players": lambda: batched("mauw", players=6),
    "RLCard uno": rlcard_uno,
    "OpenSpiel crazy_eights": lambda: openspiel("crazy_eights"),
    "Mū tōrere": lambda: batched("mu-torere"),
}
AIMS = (
    ("Moeraki-Kemu", "OpenSpiel y", 50),
    ("Moeraki-Kemu", "OpenSpiel y, side 10", 50),
    ("Moeraki-Kemu", "pgx hex", 10),
    ("MAUW", "RLCard uno", 20),
    ("MAUW", "OpenSpiel crazy_eights", 10),
)


def measure(run: Stepper, seconds: float) -> float:
    """Steps a second of processor time."""
    steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        steps += run()
    return steps / spent


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=float, default=1.0)
    chosen = words.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    steppers = {name: make() for name, make in CONTESTANTS.items()}
    for run in steppers.values():
        run()  # compiles
    print(f"{processor()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}", flush=True)
    speeds: dict[str, list[float]] = {name: [] for name in steppers}
    for _ in range(chosen.rounds):
        for name, run in steppers.items():
            speeds[name].append(measure(run, chosen.seconds))
    middle = {name: median(found) for name, found in speeds.items()}
    for name, speed in middle.items():
        print(f"{name:24} {speed:12,.0f} steps a second")
    for ours, theirs, aim in AIMS:
        for name in middle:
            if name.startswith(ours):
                print(f"{name:24} is {middle[name] / middle[theirs]:6.1f} times {theirs} (at least {aim})")
    print(f"yardstick {yardstick():.3f} s")


if __name__ == "__main__":
    main()
