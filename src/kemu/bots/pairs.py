"""Pairs of games between two players: the same opening and the same cards, with the seats exchanged.

From most random openings the same seat wins whoever sits there, so that such a pair says nothing. An opening is
contested if the engine in use finds it even and does not always win its own short games from there with the same seat.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Any, Final, NamedTuple, TypeAlias

from kemu.bots.arena import bot_match, open_randomly, play_out, seed_from
from kemu.bots.engines import require_player
from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.core.record import Record
from kemu.engines.analysis import Budget
from kemu.engines.capabilities import Analyst, SearchBot

SeededMaker: TypeAlias = Callable[[AnyGame, int], Bot]
"""Makes a bot from game and seed."""

EVEN_VALUE: Final = 0.25
"""The greatest value of an even opening for either side; in Moeraki-Kemu that of a score of about 300."""

EVEN_BUDGET: Final = Budget(nodes=60_000)
SHORT_NODES: Final = (1_500, 2_500, 4_000)
"""Nodes for each action of short games, drawn at random so that the games differ."""

SHORT_GAMES: Final = 6
MOST_OPENINGS: Final = 200
"""The openings tried for a pair; if none of them is contested, the last one is taken."""


class Pairing(NamedTuple):
    """Who plays which pair of games; the same pairing always gives the same games."""

    game: AnyGame
    players: tuple[SeededMaker, SeededMaker]
    opening_actions: Sequence[int]  # random actions of an opening, one of these; empty: only the cards are random
    seed: str


def play_pair(pairing: Pairing) -> float:
    """Return the share of both games that the first player wins, from 0 to 1; 0.5 is expected of equal players.

    At a table of more than two the players take every second seat.
    """
    game, (first, second) = pairing.game, pairing.players
    opening = _opening(pairing)
    won = 0.0
    for place in range(2):
        makers = [first if seat % 2 == place else second for seat in range(game.seats)]
        bots = [maker(game, seed_from(pairing.seed, place, seat)) for seat, maker in enumerate(makers)]
        outcome = play_out(bot_match(game, seed_from(pairing.seed, "cards"), opening), bots)
        won += sum(outcome.shares(game.seats)[place::2])
    return won / 2


def random_openings(game: AnyGame, lengths: Sequence[int], seed: str) -> Iterator[Record]:
    """Yield random openings without end, each with one of these numbers of actions; the same seed gives the same."""
    for number in count():
        dice = random.Random(f"{seed}/opening/{number}")
        match = bot_match(game, dice.getrandbits(48))
        open_randomly(match, dice, dice.choice(lengths))
        yield match.table.record()


def is_contested(game: AnyGame, opening: Record) -> bool:
    """Return whether neither side stands better after an opening, and short games from there end differently.

    A drawn short game is enough, since then no seat wins whoever sits there.
    """
    judge = _judge(game)
    view, log, _ = bot_match(game, 0, opening).asked()
    if abs(judge.analyse(view, log, EVEN_BUDGET, 1, 0).value) > EVEN_VALUE:
        return False

    def short_search(view: Any, log: Sequence[str], seed: int) -> Any:
        return judge.analyse(view, log, Budget(nodes=SHORT_NODES[seed % len(SHORT_NODES)]), 1, seed).action

    endings = set()
    for number in range(SHORT_GAMES):
        bots = [SearchBot(short_search, seed_from("short", number))] * game.seats
        endings.add(play_out(bot_match(game, number, opening), bots).winners)
        if len(endings) > 1 or () in endings:
            return True
    return False


@lru_cache(maxsize=2)  # a training tests two variants in turn
def _judge(game: AnyGame) -> Analyst:
    """Return the engine in use, which answers the same question in nodes the same however often it is asked."""
    return require_player(game).analyst(game, None, 1)


def _opening(pairing: Pairing) -> Record | None:
    """Return the first contested opening of a pairing, None if its games begin at the start."""
    if not pairing.opening_actions:
        return None
    opening = None
    for opening in islice(random_openings(pairing.game, pairing.opening_actions, pairing.seed), MOST_OPENINGS):
        if is_contested(pairing.game, opening):
            break
    return opening
