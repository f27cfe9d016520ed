"""Compiles the engines before anybody waits for them: `python -m kemu.bots.warm`; the results stay on the disk."""

from typing import Final

from kemu.bots import bot, bots
from kemu.core.game import AnyGame
from kemu.games import game, games, manifest
from kemu.play.dealer import Dealer
from kemu.play.match import Match

ACTIONS: Final = 2
"""The second one differs from the first where a game begins with something special."""


def warm(chosen: AnyGame) -> Match:
    """The first actions of a game, by the strongest bot with the least budget."""
    strongest = bot(f"{list(bots(chosen))[-1]}@nodes=1", chosen, seed=0)
    match = Match(chosen, ["bot"] * chosen.seats, Dealer(0))
    for _ in range(ACTIONS):
        match.deal()
        seat = match.turn
        assert seat is not None, "no game ends so soon"
        log = [line for _, line in match.log(seat)]
        match.act(seat, strongest.choose(chosen.view(match.state, seat), log, chosen.actions(match.state)))
    return match


def main() -> None:
    for key in games():
        if manifest(key).player:
            warm(game(key))


if __name__ == "__main__":
    main()
