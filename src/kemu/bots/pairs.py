"""Pairs of games between two players: the same opening and the same cards, with the seats exchanged.

From most random openings the same seat wins whoever sits there, so that such a pair says nothing. An opening is
contested if games of one player against itself from there do not all have the same winner.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from kemu.bots.arena import open_randomly, play_out
from kemu.core.bot import Bot
from kemu.core.game import AnyGame, Outcome
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start

SeededMaker: TypeAlias = Callable[[AnyGame, int], Bot]
"""Makes a bot from game and seed."""

SHORT_GAMES: Final = 4
"""So many games show whether an opening is contested."""

MOST_OPENINGS: Final = 12
"""If none of so many is contested, the last one is taken."""


class Pairing(NamedTuple):
    """Who plays which pair of games; the same pairing always gives the same games."""

    game: AnyGame
    players: tuple[SeededMaker, SeededMaker]
    opening_actions: Sequence[int]  # random actions of an opening, one of these; empty: only the cards are random
    seed: str


def play_pair(pairing: Pairing) -> float:
    """The share of both games that the first player wins, from 0 to 1; 0.5 is expected of equal players.

    At a table of more than two the players take every second seat.
    """
    first, second = pairing.players
    opening = _contested_opening(pairing) if pairing.opening_actions else 0
    won = 0.0
    for place in range(2):
        seats = [first if seat % 2 == place else second for seat in range(pairing.game.seats)]
        won += sum(_play(pairing, opening, seats, str(place)).shares(pairing.game.seats)[place::2])
    return won / 2


def _contested_opening(pairing: Pairing) -> int:
    """The number of an opening from which the second player's games against itself differ in their winners."""
    seats = [pairing.players[1]] * pairing.game.seats
    for number in range(MOST_OPENINGS - 1):
        winners = [_play(pairing, number, seats, f"{number}/0").winners]
        while len(winners) < SHORT_GAMES and winners[-1] == winners[0] != ():
            winners.append(_play(pairing, number, seats, f"{number}/{len(winners)}").winners)
        if winners[-1] != winners[0] or winners[0] == ():
            return number
    return MOST_OPENINGS - 1


def _play(pairing: Pairing, opening: int, seats: Sequence[SeededMaker], name: str) -> Outcome:
    """How a game ends from an opening; the name tells it from other games of the pairing."""
    game = pairing.game

    def seed(*parts: object) -> int:
        return random.Random("/".join(map(str, (pairing.seed, *parts)))).getrandbits(48)

    dealer = Dealer(seed("cards"))
    match = LocalMatch(start(game, bots_as_players(["bot"] * game.seats), dealer), dealer)
    if pairing.opening_actions:
        dice = random.Random(seed("opening", opening))
        open_randomly(match, dice, dice.choice(pairing.opening_actions))
    return play_out(match, [maker(game, seed(name, seat)) for seat, maker in enumerate(seats)])
