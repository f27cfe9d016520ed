"""One table of what Kemu costs, each figure against something measured in the same run.

    python -m bench.ratios                          every row whose libraries are installed; `make bench`
    python -m bench.ratios --rounds 9 batch         the rows whose names contain `batch`

A round measures both sides of a row one after the other, in processor time; the ratio is the mean of all rounds with
its 95 % interval. The yardstick is a loop of plain Python, the same on every machine. The extra `bench` installs the
other libraries: their games are stepped as they are meant to be used, one at a time from Python, or compiled by JAX in
a batch on one thread.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from statistics import fmean
from typing import Any, NamedTuple

import kemu
from bench.measure import error_95, processor, yardstick
from kemu.bots import bot
from kemu.core.game import CHANCE, AnyGame
from kemu.engines.mu_torere.solver import solve
from kemu.games.mu_torere.rules import MuTorere

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

LANES = 4096
PGX_LANES = 1024
LONGEST_GAME = 2000
SEARCH_NODES = 20_000
SEARCHED = 8
FIRST_ACTION = """
import kemu
from kemu.bots import bot
game = kemu.game("{key}")
state = game.initial()
while game.turn(state) == kemu.CHANCE:
    state = game.apply(state, game.actions(state)[0])
bot("8@nodes=1000", game, 1).choose(game.view(state, game.turn(state)), [], game.actions(state))
"""

Work = Callable[[], float]
"""Does a piece of work and returns the processor seconds of one unit of it."""


class Row(NamedTuple):
    """A line of the table: how many times as fast ours is, or how many times as long it takes."""

    name: str
    against: str
    ours: Callable[[], Work]
    theirs: Callable[[], Work]
    needs: str = "kemu"
    slower: bool = False


def timed(step: Callable[[], int], seconds: float = 0.3) -> Work:
    """Return work that repeats a step for a while; the step returns how many units it did."""

    def work() -> float:
        units, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds:
            units += step()
        return spent / units

    return work


def command(*words: str) -> Work:
    """Return work that starts a process and waits for its end."""

    def work() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return work


def random_game(game: AnyGame, source: random.Random) -> int:
    """Play one game through the public contract and return 1."""
    state = game.initial()
    for _ in range(LONGEST_GAME):
        turn = game.turn(state)
        if turn is None:
            break
        if turn == CHANCE:
            actions, chances = zip(*game.odds(state), strict=True)
            action = source.choices(actions, [float(chance) for chance in chances])[0]
        else:
            action = source.choice(game.actions(state))
        state = game.apply(state, action)
        game.outcome(state)
    return 1


def rules(key: str, **options: Any) -> Work:
    """Random games by the reference rules."""
    game, source = kemu.game(key, **options), random.Random(1)
    return timed(lambda: random_game(game, source))


def solution(arms: int) -> Work:
    """The strong solution of Mū tōrere with its census."""

    def once() -> int:
        solve(MuTorere(arms=arms)).census()
        return 1

    return timed(once)


def search(key: str) -> Work:
    """Searches of level 8 with a fixed number of nodes, in the same random positions each time."""
    game, source, positions = kemu.game(key), random.Random(1), list[Any]()
    while len(positions) < SEARCHED:
        state = game.initial()
        for _ in range(source.randrange(5, 25)):
            if game.turn(state) is not None:
                state = game.apply(state, source.choice(game.actions(state)))
        if game.turn(state) not in (None, CHANCE):
            positions.append(state)

    def once() -> int:
        for state in positions:
            turn = game.turn(state)
            assert turn is not None, "games that are over are left out"
            bot(f"8@nodes={SEARCH_NODES}", game, 1).choose(game.view(state, turn), [], game.actions(state))
        return len(positions)

    return timed(once)


def batched(key: str, **options: Any) -> Work:
    """Steps of a batch with masks and observations, by random legal actions."""
    batch = kemu.batch(key, LANES, seed=1, **options)
    buffers = batch.reset()

    def step() -> int:
        batch.step(batch.random_actions(buffers.masks), buffers)
        return LANES

    step()
    return timed(step)


def openspiel(name: str) -> Work:
    """Steps of a game of OpenSpiel from Python; the dealer's actions are taken and not counted."""
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

    return timed(run)


def pgx_hex() -> Work:
    """Steps of pgx's hex in a batch, with its own automatic reset."""
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

    run()
    return timed(run)


def rlcard_uno() -> Work:
    """Steps of RLCard's UNO."""
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

    return timed(run)


def yardsticks() -> Work:
    """The yardstick."""
    return yardstick


def rows() -> Iterator[Row]:
    """Every line of the table."""
    imports = partial(command, "-c", "import json")
    yield Row("start: kemu --help", "import json", partial(command, "-m", "kemu", "--help"), imports, slower=True)
    for key in kemu.game_keys():
        first = partial(command, "-c", FIRST_ACTION.format(key=key))
        yield Row(f"start: first action, {key}", "import json", first, imports, slower=True)
    for key, given in (
        ("mu-torere", {}),
        ("moeraki-kemu", {"variant": "basic"}),
        ("moeraki-kemu", {"variant": "master"}),
        ("mauw", {"players": 2}),
        ("mauw", {"players": 4}),
    ):
        name = " ".join([f"rules: random game, {key}", *map(str, given.values())])
        yield Row(name, "yardstick", partial(rules, key, **given), yardsticks)
    yield Row("solver: Mū tōrere, 12 arms", "yardstick", partial(solution, 12), yardsticks)
    for key in ("moeraki-kemu", "mauw"):
        yield Row(f"search: {SEARCH_NODES:,} nodes, {key}", "yardstick", partial(search, key), yardsticks)
    for variant in ("beginner", "basic", "master"):
        name, ours = f"batch: step, moeraki-kemu {variant}", partial(batched, "moeraki-kemu", variant=variant)
        # With side 10 y has 55 points, as many as Moeraki-Kemu has hollows.
        yield Row(name, "OpenSpiel y, side 10", ours, partial(openspiel, "y(board_size=10)"), "pyspiel")
        yield Row(name, "pgx hex", ours, pgx_hex, "pgx")
    for players in (2, 4, 6):
        name, ours = f"batch: step, mauw {players}", partial(batched, "mauw", players=players)
        yield Row(name, "OpenSpiel crazy_eights", ours, partial(openspiel, "crazy_eights"), "pyspiel")
        yield Row(name, "RLCard uno", ours, rlcard_uno, "rlcard")


def measure(row: Row, rounds: int) -> list[float]:
    """Return the ratio of every round; one before them compiles and fills caches."""
    ours, theirs = row.ours(), row.theirs()
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return [mine / other if row.slower else other / mine for mine, other in pairs]


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*")
    words.add_argument("--rounds", type=int, default=5)
    chosen = words.parse_args()
    print(f"{processor()}, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}, Kemu {kemu.__version__}\n")
    print("| what | against | ratio | ± |\n|---|---|---|---|", flush=True)
    missing = set()
    for row in rows():
        if chosen.names and not any(each in row.name for each in chosen.names):
            continue
        if find_spec(row.needs) is None:
            missing.add(row.needs)
            continue
        ratios = measure(row, chosen.rounds)
        meaning = "times as long" if row.slower else "times as fast"
        print(f"| {row.name} | {row.against} | {fmean(ratios):.3g} {meaning} | {error_95(ratios):.2g} |", flush=True)
    if missing:
        print(f"\nNot installed, with the extra `bench`: {', '.join(sorted(missing))}.")


if __name__ == "__main__":
    main()
