"""What follows a game of Mū tōrere, and who may start it."""

from kemu.games.mu_torere.rules import MuTorere


def starters(game: MuTorere) -> tuple[MuTorere, ...]:
    """Black always starts."""
    return (game,)
