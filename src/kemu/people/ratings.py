"""How a match changes the ratings of its players; a bot has the fixed rating of its level.

A match counts the less the more often the same people met lately, and the less its other players are known, so that
ratings are not made among friends or with new accounts.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kemu.people.glicko import (
    LEAST_DEVIATION,
    PERIODS_PER_DAY,
    Score,
    Strength,
    after_game,
    aged,
    periods_until_provisional,
)
from kemu.people.pace import Pace
from kemu.people.table_ratings import after_table
from kemu.play.terms import DAY_MS

KNOWN_MATCHES: Final = 10
"""After how many rated matches a player moves the ratings of others in full, and is listed among the best."""

FRESH_MEETINGS: Final = 5
"""After how many matches of the same people within MEETING_MS another one counts half."""

MEETING_MS: Final = 7 * DAY_MS
"""How long ago matches of the same people count as meetings."""

FAR_POINTS: Final = 400
"""Points above all bots at the table from which a player gains nothing by a win."""


class GameRating(Struct, frozen=True):
    """The rating of a player in a game at a pace, after a number of rated matches, the last of which ended `at` (ms).

    Until `listed_until` (ms) the player is among the best of the game; 0 is never.
    """

    player: str
    game: str
    pace: Pace
    rating: float = Strength().rating
    deviation: float = Strength().deviation
    volatility: float = Strength().volatility
    matches: int = 0
    at: int = 0
    listed_until: int = 0

    @property
    def strength(self) -> Strength:
        """The strength as it was after the last match."""
        return Strength(self.rating, self.deviation, self.volatility)

    def strength_at(self, now: int) -> Strength:
        """Return the strength at a time (ms), which is the less sure the longer there were no matches."""
        return aged(self.strength, self._periods(now)) if self.matches else self.strength

    def _periods(self, now: int) -> float:
        return PERIODS_PER_DAY * max(0, now - self.at) / DAY_MS

    def moved(self, after: Strength, weight: float, at: int) -> "GameRating":
        """Return the standing after one more match, whose change counts with a weight from 0 to 1."""
        if not weight:
            return replace(self, matches=self.matches + 1)
        now = self.strength_at(at)
        rating, deviation, volatility = (old + weight * (new - old) for old, new in zip(now, after, strict=True))
        moved = GameRating(self.player, self.game, self.pace, rating, deviation, volatility, self.matches + 1, at)
        return replace(moved, listed_until=_listed_until(moved))


class Participant(NamedTuple):
    """The standing of a seat's player before a match, and the rank after it: less is better, equals share one."""

    standing: GameRating
    rank: float
    is_bot: bool = False


class FirstSeat(NamedTuple):
    """The seat that acted first, and what that is worth in points."""

    seat: int = 0
    advantage: float = 0.0


def bot_standing(player: str, game: str, pace: Pace, elo: float) -> GameRating:
    """Return the fixed rating of a bot, given above the bot that a newcomer meets: that one has a newcomer's rating."""
    return GameRating(player, game, pace, Strength().rating + elo, LEAST_DEVIATION, matches=KNOWN_MATCHES)


def after_match(seats: Sequence[Participant], first: FirstSeat, met: int, at: int) -> list[GameRating]:
    """Return the standings of a match's players after it, in the order of the seats; bots keep theirs.

    `met` is how many matches of the same people there were lately, and `at` when this one ended (ms).
    """
    return [
        seat.standing
        if seat.is_bot
        else seat.standing.moved(
            after, 0.0 if _gains_nothing(seats, number, after) else _weight(seats, number, met), at
        )
        for number, (seat, after) in enumerate(zip(seats, _strengths(seats, first, at), strict=True))
    ]


def _strengths(seats: Sequence[Participant], first: FirstSeat, at: int) -> list[Strength]:
    """Return the strengths after a match that counts in full."""
    before = [seat.standing.strength if seat.is_bot else seat.standing.strength_at(at) for seat in seats]
    if len(seats) > 2:
        return after_table(before, [seat.rank for seat in seats])
    found = []
    for number, seat in enumerate(seats):
        other = seats[1 - number]
        score = 0.5 if seat.rank == other.rank else float(seat.rank < other.rank)
        advantage = first.advantage if number == first.seat else -first.advantage
        # The time since the last match has made both less sure already.
        found.append(after_game(before[number], Score(before[1 - number], score, advantage), 0.0))
    return found


def _gains_nothing(seats: Sequence[Participant], number: int, after: Strength) -> bool:
    """Return whether a person would gain against bots alone that are far below."""
    rating = seats[number].standing.rating
    others = [seat for place, seat in enumerate(seats) if place != number]
    above = rating - max(other.standing.rating for other in others) >= FAR_POINTS
    return above and after.rating > rating and all(other.is_bot for other in others)


def _weight(seats: Sequence[Participant], number: int, met: int) -> float:
    """Return how much of a change counts, from 0 to 1."""
    others = [seat for place, seat in enumerate(seats) if place != number]
    known = [1.0 if other.is_bot else min(1.0, (other.standing.matches + 2) / KNOWN_MATCHES) for other in others]
    return sum(known) / len(known) / (1 + met / FRESH_MEETINGS)


def _listed_until(standing: GameRating) -> int:
    """Return until when (ms) somebody who plays no more is among the best: as long as the rating is not provisional."""
    if standing.matches < KNOWN_MATCHES or standing.strength.provisional:
        return 0
    return standing.at + int(periods_until_provisional(standing.strength) / PERIODS_PER_DAY * DAY_MS)
