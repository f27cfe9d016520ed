"""Results of players: how their matches ended against each other, against people in general and against each bot."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from kemu.play.terms import Player

PEOPLE: Final = "people"
"""Stands for all people together, among the opponents of a player."""

BOT_PREFIX: Final = "bot:"
"""How the ids of bots begin."""


class Result(NamedTuple):
    """What one match, or many, add to the results of a player against another one in a game.

    `other` is the id of a person or of a bot, or PEOPLE. Between two people `rated` counts the rated matches,
    and `together` those that they played from one address.
    """

    player: str
    other: str
    game: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    rated: int = 0
    together: int = 0


class EndedMatch(NamedTuple):
    """A finished match: the players by seat, those who gave up included, and the seats that won."""

    game: str
    seats: Sequence[Player]
    winners: Collection[int]
    rated: bool = False
    together: bool = False


def results_of(match: EndedMatch) -> list[Result]:
    """Return what a match adds to the results of its people; nothing if a person sat at several seats.

    At a table of three and more, two who have both lost have no result against each other.
    """
    people = [player.id for player in match.seats if player.kind == "person"]
    if len(set(people)) < len(people):
        return []
    found: dict[tuple[str, str], Result] = {}
    for seat, player in enumerate(match.seats):
        if player.kind != "person":
            continue
        for other_seat, other in enumerate(match.seats):
            if other_seat == seat or _both_lost(match, seat, other_seat):
                continue
            result = _result(match, seat, other_seat)
            found[player.id, other.id] = result
            if other.kind == "person":
                found.setdefault((player.id, PEOPLE), _against_people(match, seat, result))
    return [found[key] for key in sorted(found)]


def _both_lost(match: EndedMatch, one: int, other: int) -> bool:
    return bool(match.winners) and one not in match.winners and other not in match.winners


def _result(match: EndedMatch, seat: int, other: int) -> Result:
    """Return the result of a seat against another one."""
    mine, theirs = seat in match.winners, other in match.winners
    players = match.seats[seat].id, match.seats[other].id
    between_people = match.seats[other].kind == "person"
    return Result(
        *(*players, match.game),
        *(int(mine and not theirs), int(mine == theirs), int(theirs and not mine)),
        rated=int(match.rated and between_people),
        together=int(match.rated and match.together and between_people),
    )


def _against_people(match: EndedMatch, seat: int, result: Result) -> Result:
    """Return the one result of a match against people, however many of them sat there."""
    won = seat in match.winners
    drawn = not match.winners or (won and len(match.winners) > 1)
    counts = int(won and not drawn), int(drawn), int(not won and not drawn)
    return Result(result.player, PEOPLE, match.game, *counts)
