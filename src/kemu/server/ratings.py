"""Ratings by openskill, each game for itself; the journal saves them with the end of a match.

The rating of a bot is fixed: its mean follows from the Elo that matches gave its level (docs/strength.md), and its
sigma is small. So a win against it is worth the less the higher the winner's own rating is, and nothing from a distance
of FAR_ELO on; and no number of wins moves the bot.
"""

import logging
from math import log, sqrt
from typing import Final

from openskill.models import PlackettLuce

from kemu.bots.registry import bot_elo
from kemu.core.game import CHANCE, AnyGame, options
from kemu.games import manifest
from kemu.play.table import Table
from kemu.play.terms import DAY_MS, Player
from kemu.storage.players import Rating, RatingRow

logger = logging.getLogger(__name__)

_MODEL: Final = PlackettLuce()

ELO_PER_UNIT: Final = 400 / log(10) / (sqrt(2) * _MODEL.beta)
"""Of openskill's mean, between two players who are known well."""

ANCHOR_SIGMA: Final = 1.0
"""How well the rating of a bot is known, in openskill's units; that of a new player is 25 / 3."""

KNOWN_MATCHES: Final = 10
"""After how many rated matches a player moves the ratings of others in full."""

FRESH_MEETINGS: Final = 5
"""After how many matches of the same people within MEETING_MS another one counts half."""

MEETING_MS: Final = 7 * DAY_MS
"""How long ago matches of the same people count as meetings."""

FAR_ELO: Final = 400
"""Elo above all bots at the table from which a player gains nothing by a win."""


def rating_of(table: Table) -> Rating | None:
    """Return how a match changes the ratings, to be saved with its end; None unless it is rated and finished.

    A fault in computing the ratings is logged and changes none: it must not keep the match from ending.
    """
    if not table.terms.rated or table.status != "finished":
        return None

    def update(known: dict[str, RatingRow], met: int) -> list[RatingRow]:
        try:
            return new_ratings(known, table, met)
        except Exception as error:
            logger.error("rating failed", exc_info=error)
            return []

    players = dict.fromkeys(player.id for player in _seated(table))
    people = sorted({player.id for player in _seated(table) if player.kind == "person"})
    pair = people if len(people) == 2 else []
    return Rating(table.terms.game, list(players), update, pair, table.terms.created - MEETING_MS)


def _seated(table: Table) -> list[Player]:
    """Return who is rated at each seat: its player, or the one who gave up and was replaced."""
    seated = (table.gave_up.get(seat, player) for seat, player in enumerate(table.players))
    return [player for player in seated if player is not None]


def new_ratings(known: dict[str, RatingRow], table: Table, met: int = 0) -> list[RatingRow]:
    """The ratings after a finished match, from those before it by player; pure.

    Nothing if a person sits at several seats, or if the options are for study, as earlier versions allowed: that says
    nothing about strength. Where not every seat has acted, nothing changes but the ratings of players who saw their
    cards, never acted and lost. Those who gave up come last. A match counts the less the more often its people `met`
    lately, and the less its other players are known. A bot gets the fixed rating of its level and one more match.
    """
    outcome, seated = table.outcome, _seated(table)
    assert outcome is not None, "only finished matches are rated"
    people = [player.id for player in seated if player.kind == "person"]
    if not people or len(set(people)) < len(people) or is_unrated(table.game):
        return []
    fled = {seat for seat in range(len(seated)) if not table.has_acted(seat)}
    if fled and not table.has_acted(CHANCE):
        return []
    rows = [
        anchor(known, player.id, player.name, table.game) if player.kind == "bot" else _row(known, player.id, table)
        for player in seated
    ]
    ranks = [0.0 if seat in outcome.winners else 2.0 if seat in table.gave_up else 1.0 for seat in range(len(seated))]
    rated = _MODEL.rate([[_MODEL.rating(mu=row.mu, sigma=row.sigma)] for row in rows], ranks=ranks)
    changed: dict[str, RatingRow] = {}
    for seat, (row, team) in enumerate(zip(rows, rated, strict=True)):
        fixed = row.player not in people or (len(people) == 1 and team[0].mu > row.mu and _is_far_above(row, rows))
        if fled:
            fixed = fixed or seat not in fled or seat in outcome.winners
        weight = 0.0 if fixed else _weight(row, [other for other in rows if other is not row], met)
        mu, sigma = row.mu + weight * (team[0].mu - row.mu), row.sigma + weight * (team[0].sigma - row.sigma)
        changed[row.player] = RatingRow(row.player, row.game, mu, sigma, row.matches + 1)
    return list(changed.values())


def _weight(row: RatingRow, others: list[RatingRow], met: int) -> float:
    """Return how much of a change counts, from 0 to 1: less for people who meet often, and against new accounts."""
    known = [1.0 if other.sigma <= ANCHOR_SIGMA else min(1.0, (other.matches + 2) / KNOWN_MATCHES) for other in others]
    return sum(known) / len(known) / (1 + met / FRESH_MEETINGS)


def is_unrated(game: AnyGame) -> bool:
    """Return whether a game has options with which no match is rated."""
    return any(option in manifest(game.key).unrated_options for option in options(game).items())


def _is_far_above(row: RatingRow, rows: list[RatingRow]) -> bool:
    return row.mu - max(other.mu for other in rows if other.player != row.player) >= FAR_ELO / ELO_PER_UNIT


def anchor(known: dict[str, RatingRow], player: str, name: str, game: AnyGame) -> RatingRow:
    """The fixed rating of a bot: the bot that a newcomer meets has the rating of a new player."""
    elo = bot_elo(name, game) or 0.0
    matches = known[player].matches if player in known else 0
    return RatingRow(player, game.key, _MODEL.mu + elo / ELO_PER_UNIT, ANCHOR_SIGMA, matches)


def _row(known: dict[str, RatingRow], player: str, table: Table) -> RatingRow:
    return known.get(player) or RatingRow(player, table.terms.game, _MODEL.mu, _MODEL.sigma, 0)
