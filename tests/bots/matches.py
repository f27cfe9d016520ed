"""Matches between bots, with a seeded dealer."""

import random
from collections.abc import Callable, Sequence

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.core.game import AnyGame, Seat
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start
from kemu.play.table import Table


def play(game: AnyGame, names: Sequence[str], seed: int) -> Table:
    """A whole match between the bots of these names."""
    return play_bots(game, [bot(name, game, seed + seat) for seat, name in enumerate(names)], seed)


def play_bots(game: AnyGame, players: Sequence[Bot], seed: int, longest: int = 2000) -> Table:
    """A match between these bots, to its end or of so many actions."""
    return _play(game, lambda match, seat: match.act_by(players[seat]), seed, longest)


def random_game(game: AnyGame, seed: int, longest: int = 2000) -> Table:
    """A random match, to its end or of so many actions."""
    dice = random.Random(seed)
    return _play(game, lambda match, seat: match.act(dice.choice(game.actions(match.table.state))), seed, longest)


def _play(game: AnyGame, act: Callable[[LocalMatch, Seat], None], seed: int, longest: int) -> Table:
    dealer = Dealer(seed)
    match = LocalMatch(start(game, bots_as_players(["bot"] * game.seats), dealer), dealer)
    while (seat := match.table.turn) is not None and match.table.plies < longest:
        act(match, seat)
    return match.table


def share(played: Table, seat: Seat) -> float:
    """The part of the victory that a seat got in a finished game."""
    assert played.outcome
    return played.outcome.shares(played.game.seats)[seat]
