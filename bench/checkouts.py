"""The search of this checkout against that of another one, in pairs of games or deals with seats exchanged.

    python -m bench.checkouts OTHER/src moeraki-kemu variant=basic --ms 200 --rounds 40
    python -m bench.checkouts OTHER/src moeraki-kemu variant=master --nodes 100000 --other-nodes 150000
    python -m bench.checkouts OTHER/src mauw players=4 --nodes 3000 --other-nodes 1000

Each engine is a process of its own (engine_process.py). Moeraki-Kemu is played from contested openings of 4 to 8
random stones, chosen as `kemu train` does (`kemu.bots.arena`). Each deal of MAUW is played once for each seat of this
checkout's search; the other checkout has all other seats. The result is printed after each round, with its 95 %
interval over rounds.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean

from bench.measure import error_95
from kemu.bots.arena import is_contested, random_openings
from kemu.core.game import CHANCE, Seat
from kemu.core.record import SeatLogs
from kemu.games.mauw.rules import Mauw
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.play.dealer import Dealer

HERE = Path(__file__).parent
LENGTHS = range(5, 10)
"""The ball and four to eight stones."""


class Engine:
    """A process that plays with the sources of one folder."""

    def __init__(self, sources: Path, kind: str, limit: int) -> None:
        command = [sys.executable, str(HERE / "engine_process.py")]
        environment = {**os.environ, "PYTHONPATH": str(sources)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.budget = f"{kind} {limit}"
        self.nodes = self.microseconds = self.asked = 0

    def begin(self, game: str, option: str) -> None:
        """Begins a game with empty tables."""
        self._ask(f"new {game} {option}")

    def choose(self, position: str) -> str:
        """The action in a position, which is told as engine_process.py says."""
        action, nodes, microseconds = self._ask(f"go {self.budget} {position}")
        self.nodes, self.microseconds = self.nodes + int(nodes), self.microseconds + int(microseconds)
        self.asked += 1
        return action

    def speed(self) -> str:
        """The processor time of an action, and of a node."""
        if not self.asked:
            return "not asked"
        return (
            f"{self.microseconds / self.asked / 1000:.1f} ms an action, {self.microseconds / self.nodes:.3f} µs a node"
        )

    def _ask(self, line: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().split()


def engines(chosen: Namespace) -> tuple[Engine, Engine]:
    """The engine of this checkout and that of the other one."""
    kind = "nodes" if chosen.nodes else "ms"
    limit = chosen.nodes or chosen.ms
    other = (chosen.other_nodes if chosen.nodes else chosen.other_ms) or limit
    return Engine(HERE.parent / "src", kind, limit), Engine(chosen.sources, kind, other)


# Moeraki-Kemu.


def play_stones(game: MoerakiKemu, opening: Sequence[str], seats: tuple[Engine, Engine]) -> float:
    """Return what the engine in seat 0 scores from an opening."""
    actions, state = list(opening), game.initial()
    for engine in seats:
        engine.begin(game.key, game.variant)
    for text in opening:
        state = game.apply(state, game.parse(text))
    while (outcome := game.outcome(state)) is None:
        choices = game.actions(state)
        text = game.format(choices[0]) if len(choices) == 1 else seats[state.turn].choose(" ".join(actions))
        actions.append(text)
        state = game.apply(state, game.parse(text))
    return 1.0 if outcome.winners == (0,) else 0.0 if outcome.winners else 0.5


def pairs(game: MoerakiKemu, ours: Engine, theirs: Engine) -> Iterator[float]:
    """Our share of each pair of games from one opening."""
    for opening in filter(partial(is_contested, game), random_openings(game, LENGTHS, "checkouts")):
        begun = opening.actions
        yield (play_stones(game, begun, (ours, theirs)) + 1 - play_stones(game, begun, (theirs, ours))) / 2


# MAUW.


def play_cards(game: Mauw, seats: list[Engine], seed: int) -> tuple[Seat, ...]:
    """Return the winners of a game with the cards that a seed deals."""
    dealer, state = Dealer(seed), game.initial()
    logs = SeatLogs(game, range(game.seats))
    for engine in set(seats):
        engine.begin(game.key, str(game.players))
    while (turn := game.turn(state)) is not None:
        choices = game.actions(state)
        if turn == CHANCE:
            action = dealer.deal(game.odds(state))
        elif len(choices) == 1:
            action = choices[0]
        else:
            action = game.parse(seats[turn].choose(json.dumps([game.view(state, turn), logs[turn], seed])))
        logs = logs.after(state, action)
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome is not None, "the game is over"
    return outcome.winners


def deals(game: Mauw, ours: Engine, theirs: Engine) -> Iterator[float]:
    """Our share of the victories over all seats of each deal, and a fair share is 1 / players."""
    seed = 0
    while True:
        shares = []
        for seat in range(game.players):
            winners = play_cards(game, [ours if each == seat else theirs for each in range(game.players)], seed)
            shares.append(1 / len(winners) if seat in winners else 0.0)
        yield fmean(shares)
        seed += 1


def main() -> None:
    """Play a match and print its result after each round."""
    words = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    words.add_argument("sources", type=Path, help="the folder src of the other checkout")
    words.add_argument("game", choices=["moeraki-kemu", "mauw"])
    words.add_argument("option", nargs="?", default="", help="variant=… or players=…")
    words.add_argument("--ms", type=int, default=200)
    words.add_argument("--nodes", type=int)
    words.add_argument("--other-ms", type=int)
    words.add_argument("--other-nodes", type=int)
    words.add_argument("--rounds", type=int, default=20, help="pairs of games, or deals")
    chosen = words.parse_args()
    ours, theirs = engines(chosen)
    value = chosen.option.partition("=")[2]
    if chosen.game == "mauw":
        results = deals(Mauw(int(value or 2)), ours, theirs)
    else:
        results = pairs(MoerakiKemu(value or "basic"), ours, theirs)
    shares: list[float] = []
    for share in islice(results, chosen.rounds):
        shares.append(share)
        won, lost = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        print(f"{fmean(shares):.1%} ± {error_95(shares):.1%} of {len(shares)} rounds; {won} won, {lost} lost;", end=" ")
        print(f"ours {ours.speed()}; theirs {theirs.speed()}", flush=True)


if __name__ == "__main__":
    main()
