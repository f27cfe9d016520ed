"""Any two bots of Moeraki-Kemu against each other: pairs of games from the same openings, with seats swapped.

python bench/moeraki_sparring.py 8@nodes=100000 puct@nodes=150000 --variant master --pairs 40
python bench/moeraki_sparring.py 8@ms=100 uct@ms=1000
python bench/moeraki_sparring.py 8@ms=1000 uct@ms=1000 --openings undecided     nobody is proved to win from there
python bench/moeraki_sparring.py 8@ms=200@threads=2 8@ms=200 --keep FILE        with openings that are kept in a file

Openings are contested ones (see moeraki_commits.py), random ones, or those of them that a search cannot prove decided.
For each bot the processor time and the time by the clock of an action are printed; choices of one action do not count.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from checkouts import error_95
from moeraki_commits import contested_openings
from openings import openings

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.games.moeraki.rules import MoerakiKemu


class Player:
    """A bot of the registry, and the time that its actions take."""

    def __init__(self, name: str, game: MoerakiKemu) -> None:
        self.name = name
        self._game = game
        self._bot: Bot
        self._actions, self._processor, self._clock = 0, 0.0, 0.0

    def begin(self, seed: int) -> None:
        """Begins a game with empty tables."""
        self._bot = bot(self.name, self._game, seed)

    def choose(self, view: Any, log: list[str], actions: list[Any]) -> Any:
        """The action of the bot."""
        processor, clock = time.process_time(), time.perf_counter()
        chosen = self._bot.choose(view, log, actions)
        if len(actions) > 1:
            self._actions += 1
            self._processor += time.process_time() - processor
            self._clock += time.perf_counter() - clock
        return chosen

    def speed(self) -> str:
        """The time of an action."""
        processor, clock = (1000 * seconds / max(self._actions, 1) for seconds in (self._processor, self._clock))
        return f"{self.name} {processor:.1f} ms an action ({clock:.0f} by the clock)"


def play(game: MoerakiKemu, opening: list[str], players: list[Player], seed: int) -> tuple[float, str]:
    """What the player in seat 0 scores from an opening, and why the game ended."""
    log, state = list(opening), game.initial()
    for player in players:
        player.begin(seed)
    for text in opening:
        state = game.apply(state, game.parse(text))
    while (outcome := game.outcome(state)) is None:
        seat = state.turn
        action = players[seat].choose(game.view(state, seat), log, list(game.actions(state)))
        log.append(game.format(action))
        state = game.apply(state, action)
    return (1.0 if outcome.winners == (0,) else 0.0 if outcome.winners else 0.5), outcome.reason


def match(game: MoerakiKemu, names: list[str], starts: Iterator[list[str]]) -> None:
    """Plays a pair of games from each opening and prints the result after each pair."""
    first, second = players = [Player(name, game) for name in names]
    shares: list[float] = []
    ends = {1.0: Counter[str](), 0.5: Counter[str](), 0.0: Counter[str]()}
    for seed, opening in enumerate(starts):
        score, reason = play(game, opening, players, seed)
        other_score, other_reason = play(game, opening, players[::-1], seed)
        ends[score][reason] += 1
        ends[1 - other_score][other_reason] += 1
        shares.append((score + 1 - other_score) / 2)
        won, lost = sum(share > 0.5 for share in shares), sum(share < 0.5 for share in shares)
        print(f"{game.variant}: {fmean(shares):.1%} ± {error_95(shares):.1%} of {len(shares)} pairs;", end=" ")
        print(f"{won} won, {lost} lost; {first.speed()}; {second.speed()};", end=" ")
        print(f"games won {dict(ends[1.0])}, lost {dict(ends[0.0])}", flush=True)


def kept(found: Iterator[list[str]], file: Path | None) -> Iterator[list[str]]:
    """The same openings, from a file as far as it has them; those found after them are added to it."""
    lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
    yield from (line.split() for line in lines)
    for opening in islice(found, len(lines), None):
        if file:
            with file.open("a", encoding="utf-8") as stream:
                print(*opening, file=stream)
        yield opening


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("first")
    words.add_argument("second")
    words.add_argument("--variant", default="basic")
    words.add_argument("--pairs", type=int, default=20)
    words.add_argument("--openings", choices=("contested", "random", "undecided"), default="contested")
    words.add_argument("--keep", type=Path, help="a file for the openings of this variant")
    chosen = words.parse_args()
    game = MoerakiKemu(chosen.variant)
    if chosen.openings == "contested":
        found = contested_openings(game)
    else:
        found = ([game.format(each) for each in opening] for opening in openings(game, chosen.openings == "undecided"))
    match(game, [chosen.first, chosen.second], islice(kept(found, chosen.keep), chosen.pairs))


if __name__ == "__main__":
    main()
