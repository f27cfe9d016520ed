"""MAUW: random games a second, what the first search of a fresh process takes, and the search against greedy players.

Without words it measures speed and plays a few short matches. A real measure is
    python bench/mauw.py --players 2 --games 400 --ms 1000 --keep mauw-2.jsonl
which keeps every game as a line of a file, so that it can be stopped and goes on where it was.
"""

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from yardstick import yardstick

from kemu.core.game import CHANCE
from kemu.engines.analysis import Budget
from kemu.engines.mauw import layout, playouts
from kemu.engines.mauw.greedy import Greedy
from kemu.engines.mauw.search import Searcher
from kemu.games.mauw.rules import Mauw
from kemu.play.dealer import Dealer

SECONDS = 2.0
ROLLOUTS = 500
FIRST_SEARCH = """
from kemu.engines.analysis import Budget
from kemu.engines.mauw.search import Searcher
from kemu.games.mauw.rules import Mauw
game = Mauw(4)
state = game.initial()
while game.turn(state) == -1:
    state = game.apply(state, game.actions(state)[0])
print(Searcher(game).search(game.view(state, 0), (), Budget(nodes=1000)).nodes)
"""


def random_games(players: int) -> float:
    """Random games a second of processor time on one core."""
    ends = np.zeros(3 + layout.MOST_PLAYERS, np.int64)
    playouts.random_games(players, 1, 1, ends)
    games, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        playouts.random_games(players, 1000, games + 1, ends)
        games += 1000
    return games / spent


def crazy_eights() -> float | None:
    """Random four-player games a second of OpenSpiel's crazy_eights, by its own C++ rollouts; None without it."""
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ModuleNotFoundError:
        return None
    game, source = pyspiel.load_game("crazy_eights", {"players": 4}), random.Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(source.choice(state.legal_actions()))
    # A tree search of one simulation, whose value is the mean of many rollouts: all but the deal is in C++.
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    games, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        bot.mcts_search(state)
        games += ROLLOUTS
    return games / spent


def first_search(cache: str) -> float:
    """Seconds of a fresh process from its start to the answer of a first small search."""
    start = time.perf_counter()
    words = [sys.executable, "-c", FIRST_SEARCH]
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, env=environment)
    return time.perf_counter() - start


def play(players: int, number: int, budget: Budget) -> dict[str, Any]:
    """One game of a searcher against greedy players; seats go round, and each round has a deal of its own."""
    game = Mauw(players)
    seat, dealer, searcher = number % players, Dealer(number // players), Searcher(game)
    others = [Greedy(game, players * number + each) for each in range(players)]
    logs: list[list[str]] = [[] for _ in range(players)]
    state, searches, spent = game.initial(), 0, 0
    while (turn := game.turn(state)) is not None:
        if turn == CHANCE:
            action = dealer.deal(game.odds(state))
        elif turn == seat:
            view: Any = game.view(state, seat)
            found = searcher.search(view, logs[seat], budget, seed=number)
            action, searches, spent = found.action, searches + 1, spent + found.nodes
        else:
            action = others[turn].choose(game.view(state, turn), logs[turn], game.actions(state))
        for each, log in enumerate(logs):
            log.append(game.seen(state, action, each))
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores is not None
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    scores = [int(score) for score in outcome.scores]
    return {
        "players": players,
        "nodes": budget.nodes,
        "ms": budget.ms,
        "number": number,
        "seat": seat,
        "share": share,
        "scores": scores,
        "reason": outcome.reason,
        "turns": state.turns,
        "searches": searches,
        "playouts": spent,
    }


def match(players: int, games: int, budget: Budget, keep: Path | None) -> None:
    """Plays what is missing of a match and says how it stands."""
    kept = [json.loads(line) for line in keep.read_text().splitlines()] if keep and keep.exists() else []
    settings = {"players": players, "nodes": budget.nodes, "ms": budget.ms}
    done = {each["number"]: each for each in kept if settings.items() <= each.items()}
    for number in range(games):
        if number not in done:
            done[number] = play(players, number, budget)
            if keep:
                with keep.open("a") as file:
                    file.write(json.dumps(done[number]) + "\n")
    shares = [done[number]["share"] for number in range(games)]
    mean = sum(shares) / games
    error = (sum((share - mean) ** 2 for share in shares) / games / games) ** 0.5
    searches = sum(each["searches"] for each in done.values())
    each = sum(each["playouts"] for each in done.values()) / searches
    cost = f"{budget.ms} ms" if budget.ms else f"{budget.nodes} playouts"
    print(
        f"{players} players, {cost} a search ({each:.0f} playouts on average): {mean:.1%} ± {error:.1%} of the "
        f"victories in {games} games, {searches / games:.0f} searches a game"
    )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--players", type=int)
    reader.add_argument("--games", type=int, default=20)
    reader.add_argument("--nodes", type=int, default=500)
    reader.add_argument("--ms", type=int)
    reader.add_argument("--keep", type=Path)
    words = reader.parse_args()
    budget = Budget(ms=words.ms) if words.ms else Budget(nodes=words.nodes)
    if words.players:
        match(words.players, words.games, budget, words.keep)
        return
    print(f"yardstick {yardstick():.3f} s")
    for players in range(2, 7):
        unit = yardstick()
        rate = random_games(players)
        print(f"{players} players: {rate:6.0f} random games/s = {rate * unit:6.0f} a yardstick")
    rate = crazy_eights() or 0.0
    print(f"4 players: {rate:6.0f} random games/s of OpenSpiel's crazy_eights (0 if it is not installed)")
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = first_search(cache), min(first_search(cache) for _ in range(3))
    print(f"first search of a fresh process: {cold:.1f} s with an empty cache, {warm:.2f} s with a warm one")
    for players in (2, 4):
        match(players, words.games, budget, None)


if __name__ == "__main__":
    main()
