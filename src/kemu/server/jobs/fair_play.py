"""No help from the engines for who plays a rated match: they are silent about its game until it is over."""

from kemu.play.errors import MatchRunning
from kemu.storage.store import Matches


async def check_fair_play(matches: Matches, player: str, game: str) -> None:
    """Raise MatchRunning if a player sits at a running rated match of this game."""
    if await matches.plays_rated(player, game):
        raise MatchRunning("You play a rated match of this game; ask again when it is over.")
