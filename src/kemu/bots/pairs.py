"""Pairs of games between two players: the same opening and the same cards, with the seats exchanged.

From most random openings the same seat wins whoever sits there, so that such a pair says nothing. An opening is
contested if the engine in use finds it even and does not always win its own short games from there with the same seat.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Any, Final, NamedTuple, TypeAlias

from kemu.bots.arena import open_randomly, play_out
from kemu.bots.engines import require_player
from kemu.core.bot import Bot
from kemu.core.game import AnyGame, Outcome
from kemu.core.record import Record
from kemu.engines.analysis import Budget
from kemu.engines.capabilities import Analyst
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start, start_from

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
        bots = [maker(game, _number(pairing.seed, place, seat)) for seat, maker in enumerate(makers)]
        outcome = _play_from(game, opening, bots, _number(pairing.seed, "cards"))
        won += sum(outcome.shares(game.seats)[place::2])
    return won / 2


def random_openings(game: AnyGame, lengths: Sequence[int], seed: str) -> Iterator[Record]:
    """Yield random openings without end, each with one of these numbers of actions; the same seed gives the same."""
    for number in count():
        dice = random.Random(f"{seed}/opening/{number}")
        dealer = Dealer(dice.getrandbits(48))
        match = LocalMatch(start(game, bots_as_players(["bot"] * game.seats), dealer), dealer)
        open_randomly(match, dice, dice.choice(lengths))
        yield match.table.record()


def is_contested(game: AnyGame, opening: Record) -> bool:
    """Return whether neither side stands better after an opening, and short games from there end differently.

    A drawn short game is enough, since then no seat wins whoever sits there.
    """
    judge = _judge(game)
    view, log, _ = _match_from(game, opening, seed=0).asked()
    if abs(judge.analyse(view, log, EVEN_BUDGET, 1, 0).value) > EVEN_VALUE:
        return False
    endings = set()
    for number in range(SHORT_GAMES):
        bots = [_ShortSighted(judge, _number("short", number))] * game.seats
        endings.add(_play_from(game, opening, bots, number).winners)
        if len(endings) > 1 or () in endings:
            return True
    return False


@lru_cache(maxsize=2)  # a training tests two variants in turn
def _judge(game: AnyGame) -> Analyst:
    """The engine in use, which answers the same question in nodes the same however often it is asked."""
    return require_player(game).analyst(game, None, 1)


class _ShortSighted:
    """Plays what the engine finds with few nodes."""

    name: Final = "short-sighted"

    def __init__(self, judge: Analyst, seed: int) -> None:
        self._judge = judge
        self._dice = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """Return the best action of a small search."""
        budget = Budget(nodes=self._dice.choice(SHORT_NODES))
        return self._judge.analyse(view, log, budget, 1, self._dice.getrandbits(32)).action


def _opening(pairing: Pairing) -> Record | None:
    """The first contested opening of a pairing, None if its games begin at the start."""
    if not pairing.opening_actions:
        return None
    opening = None
    for opening in islice(random_openings(pairing.game, pairing.opening_actions, pairing.seed), MOST_OPENINGS):
        if is_contested(pairing.game, opening):
            break
    return opening


def _play_from(game: AnyGame, opening: Record | None, bots: Sequence[Bot], seed: int) -> Outcome:
    """How a game of bots ends after an opening, with the cards of a seed."""
    return play_out(_match_from(game, opening, seed), bots)


def _match_from(game: AnyGame, opening: Record | None, seed: int) -> LocalMatch:
    players, dealer = bots_as_players(["bot"] * game.seats), Dealer(seed)
    return LocalMatch(start_from(game, players, opening) if opening else start(game, players, dealer), dealer)


def _number(*parts: object) -> int:
    """A seed from its parts."""
    return random.Random("/".join(map(str, parts))).getrandbits(48)
