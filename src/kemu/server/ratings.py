"""How finished matches change the ratings of their players; the journal saves them with the end of a match."""

import logging
from typing import Final

from kemu.bots.registry import bot_elo
from kemu.core.game import CHANCE, AnyGame, Seat, options
from kemu.games import manifest
from kemu.people.pace import Pace, pace_of
from kemu.people.ratings import MEETING_MS, FirstSeat, GameRating, Participant, after_match, bot_standing
from kemu.play.table import Table
from kemu.play.terms import Player
from kemu.storage.ratings import RatedMatch

logger = logging.getLogger(__name__)

UNTIMED: Final[Pace] = "rapid"
"""The pace of rated matches without a clock, which earlier versions allowed."""


def rating_of(table: Table) -> RatedMatch | None:
    """Return how a match changes the ratings, to be saved with its end; None unless it is rated and finished.

    A fault in computing the ratings is logged and changes none: it must not keep the match from ending.
    """
    if not table.terms.rated or table.status != "finished":
        return None

    def update(known: dict[str, GameRating], met: int) -> list[GameRating]:
        try:
            return new_ratings(known, table, met)
        except Exception as error:
            logger.error("rating failed", exc_info=error)
            return []

    people = dict.fromkeys(player.id for player in _seated(table) if player.kind == "person")
    pair = sorted(people) if len(people) == 2 else []
    terms = table.terms
    return RatedMatch(terms.id, terms.game, pace(table), list(people), update, pair, terms.created - MEETING_MS)


def pace(table: Table) -> Pace:
    """Return the pace at which a match is rated."""
    return pace_of(table.terms.clock, table.game.seats) or UNTIMED


def ended_at(table: Table) -> int:
    """Return when a match with a clock ended, in ms; of one without a clock, when it was made."""
    return max(table.clock.since, table.terms.created)


def _seated(table: Table) -> list[Player]:
    """Return who is rated at each seat: its player, or the one who gave up and was replaced."""
    seated = (table.gave_up.get(seat, player) for seat, player in enumerate(table.players))
    return [player for player in seated if player is not None]


def new_ratings(known: dict[str, GameRating], table: Table, met: int = 0) -> list[GameRating]:
    """Return the standings of the people after a finished match, from those before it by player; pure.

    Nothing if a person sits at several seats, or if the options are for study, as earlier versions allowed: that says
    nothing about strength. Where not every seat has acted, nothing changes but the ratings of players who saw their
    cards, never acted and lost. Those who gave up come last.
    """
    outcome, seated = table.outcome, _seated(table)
    assert outcome is not None, "only finished matches are rated"
    people = [player.id for player in seated if player.kind == "person"]
    if not people or len(set(people)) < len(people) or is_unrated(table.game):
        return []
    fled = {seat for seat in range(len(seated)) if not table.has_acted(seat)}
    if fled and not table.has_acted(CHANCE):
        return []
    ranks = [0.0 if seat in outcome.winners else 2.0 if seat in table.gave_up else 1.0 for seat in range(len(seated))]
    seats = [
        Participant(_standing(known, player, table), rank, player.kind == "bot")
        for player, rank in zip(seated, ranks, strict=True)
    ]
    first = FirstSeat(_first_to_act(table), first_advantage(table.game))
    changed = after_match(seats, first, met, ended_at(table))
    for seat, before in enumerate(seats):
        if fled and (seat not in fled or seat in outcome.winners):
            changed[seat] = before.standing.moved(before.standing.strength, 0.0, ended_at(table))
    return [row for row, seat in zip(changed, seats, strict=True) if not seat.is_bot]


def is_unrated(game: AnyGame) -> bool:
    """Return whether a game has options with which no match is rated."""
    return any(option in manifest(game.key).unrated_options for option in options(game).items())


def first_advantage(game: AnyGame) -> float:
    """Return how many points it is worth to act first in a game with its options."""
    chosen = options(game).items()
    for wanted, points in manifest(game.key).first_advantages:
        if all(option in chosen for option in wanted):
            return points
    return 0.0


def _first_to_act(table: Table) -> Seat:
    ply, first = table.last, 0
    while ply is not None:
        first = first if ply.actor == CHANCE else ply.actor
        ply = ply.before
    return first


def _standing(known: dict[str, GameRating], player: Player, table: Table) -> GameRating:
    if player.kind == "bot":
        return bot_standing(player.id, table.game.key, pace(table), bot_elo(player.name, table.game) or 0.0)
    return known.get(player.id) or GameRating(player.id, table.game.key, pace(table))
