"""Ratings by openskill; bots are rated like people, each game for itself."""

from typing import Final

from openskill.models import PlackettLuce

from kemu.play.table import Table
from kemu.server.runtime import BackgroundTasks
from kemu.storage.rows import RatingRow
from kemu.storage.store import Players

_MODEL: Final = PlackettLuce()


class RatingJob:
    """Rates finished matches in the background."""

    def __init__(self, players: Players, tasks: BackgroundTasks) -> None:
        self._players = players
        self._tasks = tasks

    def match_ended(self, table: Table) -> None:
        """Rate a match that has just ended, if it is rated."""
        if table.terms.rated and table.status == "finished":
            self._tasks.start(self.rate(table))

    async def rate(self, table: Table) -> None:
        """Store the new ratings of a finished match; a match that was rated before is not rated again."""
        players = [player.id for player in table.players if player is not None]
        outcome, game = table.outcome, table.terms.game
        assert outcome is not None, "only finished matches are rated"
        if len(set(players)) < len(players):  # the same bot at several seats says nothing about its strength
            await self._players.rate(table.terms.id, game, players, lambda known: [])
            return
        ranks = [0.0 if seat in outcome.winners else 1.0 for seat in range(len(players))]
        await self._players.rate(table.terms.id, game, players, lambda known: _rated(known, game, players, ranks))


def _rated(known: dict[str, RatingRow], game: str, players: list[str], ranks: list[float]) -> list[RatingRow]:
    first = _MODEL.rating()
    rows = [known.get(player, RatingRow(player, game, first.mu, first.sigma, 0)) for player in players]
    teams = [[_MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    rated = _MODEL.rate(teams, ranks=ranks)
    return [
        RatingRow(row.player, game, team[0].mu, team[0].sigma, row.matches + 1)
        for row, team in zip(rows, rated, strict=True)
    ]
