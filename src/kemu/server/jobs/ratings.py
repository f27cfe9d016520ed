"""How strong players are, by openskill; bots are rated like people, each game for itself."""

from typing import Final

from openskill.models import PlackettLuce

from kemu.play.table import Table
from kemu.server.answers import Rating
from kemu.storage.store import People, RatingRow

SCALE: Final = 20
"""Points for one unit of openskill: who begins with its mean of 25 has 1500."""

BASE: Final = 1000

_MODEL: Final = PlackettLuce()


async def count(people: People, table: Table) -> None:
    """Count a finished rated match, once."""
    players = [player.id for player in table.players if player is not None]
    outcome = table.match.outcome
    assert outcome is not None, "only finished matches are counted"
    if len(set(players)) < len(players):  # the same bot at several seats tells nothing
        await people.rate(table.terms.id, table.terms.game, players, lambda known: [])
        return
    ranks = [0.0 if seat in outcome.winners else 1.0 for seat in range(len(players))]

    def rate(known: dict[str, RatingRow]) -> list[RatingRow]:
        return _rated(known, table.terms.game, players, ranks)

    await people.rate(table.terms.id, table.terms.game, players, rate)


def answer(row: RatingRow) -> Rating:
    """A rating in points."""
    return Rating(row.game, round(BASE + SCALE * row.mu), round(SCALE * row.sigma), row.matches)


def _rated(known: dict[str, RatingRow], game: str, players: list[str], ranks: list[float]) -> list[RatingRow]:
    first = _MODEL.rating()
    rows = [known.get(player, RatingRow(player, game, first.mu, first.sigma, 0)) for player in players]
    teams = [[_MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows]
    rated = _MODEL.rate(teams, ranks=ranks)
    return [
        RatingRow(row.player, game, team[0].mu, team[0].sigma, row.matches + 1)
        for row, team in zip(rows, rated, strict=True)
    ]
