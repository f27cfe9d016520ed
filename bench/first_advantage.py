"""How much it is worth to act first: games of one level against itself from the start, as points of a rating.

python -m bench.first_advantage moeraki-kemu 6 --games 300 -o variant=master

The points are what ratings take into account, `first_advantage` of a game's manifest.
"""

import argparse
from math import log10
from typing import Any

import msgspec

from kemu.bots.arena import Job, Setting, play, seed_from
from kemu.bots.ratings import share_interval
from kemu.core.game import CHANCE, AnyGame, options
from kemu.core.record import replay
from kemu.games import game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    chosen = game(asked.game, **dict(map(_option, asked.option)))
    shares = [_share(chosen, asked.bot, asked.seed, number) for number in range(asked.games)]
    mean, half = share_interval(shares)
    low, middle, high = (_points(share, len(shares)) for share in (mean - half, mean, mean + half))
    print(
        f"{asked.game} {options(chosen)}, level {asked.bot}: the first to act wins {mean:.1%} of {len(shares)} games,"
    )
    print(f"{middle:+.0f} points ({low:+.0f} to {high:+.0f}); drawn: {sum(share == 0.5 for share in shares)}")


def _option(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _share(chosen: AnyGame, bot: str, seed: int, number: int) -> float:
    """Return the share of the victory of the seat that acts first."""
    setting = Setting(chosen.key, options(chosen), (bot,), 1, seed=seed_from(seed, number))
    played = play(setting, Job(number, number, (bot, bot), (bot,) * chosen.seats, options(chosen)))
    steps = replay(chosen, played.actions)
    first = next(actor for state in steps if (actor := chosen.turn(state)) not in (None, CHANCE))
    return played.shares[first or 0]


def _points(share: float, games: int) -> float:
    """Return the advantage in points that a share promises; a share of all or nothing counts as half a game less."""
    bounded = min(1 - 0.5 / games, max(0.5 / games, share))
    return 400 * log10(bounded / (1 - bounded))


if __name__ == "__main__":
    main()
