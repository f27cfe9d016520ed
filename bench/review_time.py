"""The time of a review: python bench/review_time.py [--variant master] [--stones 50] [--level 6]

Plays games of a level against itself until one has so many stones, reviews it up to there with the default budget, and
prints after how long the first graph and the whole review are there, in seconds of the clock and of the processor.
"""

import argparse
import time
from itertools import count

import kemu
from kemu.bots import bot
from kemu.core.game import options
from kemu.core.record import Record
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start
from kemu.study.review import review_steps


def long_game(variant: str, level: str, stones: int) -> Record:
    """A game with so many stones, cut after the last of them."""
    game = kemu.game("moeraki-kemu", variant=variant)
    for seed in count():
        dealer = Dealer(seed)
        match = LocalMatch(start(game, bots_as_players([level] * 2), dealer), dealer)
        players = [bot(level, game, 2 * seed + seat) for seat in range(2)]
        while (seat := match.table.turn) is not None:
            match.act_by(players[seat])
        actions = match.table.record().actions
        laid = [number for number, text in enumerate(actions, start=1) if text[0] not in "@T-" and text != "swap"]
        if len(laid) >= stones:
            return Record(game.key, options(game), actions[: laid[stones - 1]])
    raise AssertionError("count never ends")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="master")
    parser.add_argument("--stones", type=int, default=50)
    parser.add_argument("--level", default="6")
    chosen = parser.parse_args()
    record = long_game(chosen.variant, chosen.level, chosen.stones)
    list(review_steps(Record(record.game, record.options, record.actions[:20])))  # compiles and loads what is needed
    clock, processor = time.perf_counter(), time.process_time()
    first = None
    for step in review_steps(record):
        if step.review is not None and first is None:
            first = time.perf_counter() - clock, time.process_time() - processor
    whole = time.perf_counter() - clock, time.process_time() - processor
    assert first is not None, "a review has a first graph"
    print(f"{chosen.variant}: {len(record.actions)} actions, {chosen.stones} stones")
    print(f"first graph   {first[0]:6.1f} s, {first[1]:6.1f} s of the processor")
    print(f"whole review  {whole[0]:6.1f} s, {whole[1]:6.1f} s of the processor")


if __name__ == "__main__":
    main()
