"""Ratings by openskill; bots are rated like people, each game for itself. The journal saves them."""

from typing import Final

from openskill.models import PlackettLuce

from kemu.play.table import Table
from kemu.storage.rows import RatingRow
from kemu.storage.store import Rating

_MODEL: Final = PlackettLuce()


def rating_of(table: Table) -> Rating | None:
    """How a match changes the ratings, to be saved with its end; None unless it is rated and finished."""
    outcome, game = table.outcome, table.terms.game
    if outcome is None or not table.terms.rated or table.status != "finished":
        return None
    players = [player.id for player in table.players if player is not None]
    if len(set(players)) < len(players):  # the same bot at several seats says nothing about its strength
        return Rating(game, (), lambda known: [])
    ranks = [0.0 if seat in outcome.winners else 1.0 for seat in range(len(players))]
    return Rating(game, players, lambda known: _rated(known, game, players, ranks))


def _rated(known: dict[str, RatingRow], game: str, players: list[str], ranks: list[float]) -> list[RatingRow]:
    first = _MODEL.rating()
    rows = [known.get(player, RatingRow(player, game, first.mu, first.sigma, 0)) for player in players]
    teams = [[_MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    rated = _MODEL.rate(teams, ranks=ranks)
    return [
        RatingRow(row.player, game, team[0].mu, team[0].sigma, row.matches + 1)
        for row, team in zip(rows, rated, strict=True)
    ]
