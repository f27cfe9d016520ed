"""Which terms of a tournament go together."""

from collections.abc import Collection

from kemu.core.errors import OptionError
from kemu.people.tournaments.values import LARGEST_TABLE, SMALLEST_TABLE, TournamentTerms
from kemu.play.terms import NoClock, fit_for_rating, is_correspondence


def check_tournament(terms: TournamentTerms, seats: Collection[int], now: int) -> None:
    """Raise OptionError unless a tournament can have these terms; `seats` are the numbers that its game can have."""
    for wrong, sentence in (
        (isinstance(terms.clock, NoClock), "A tournament needs a clock, or somebody could wait for ever."),
        (terms.rated and not fit_for_rating(terms.clock), "This clock is too short for rated games."),
        (terms.starts is not None and terms.starts <= now, "A tournament begins in the future, or when you say so."),
        (terms.appointments and terms.days < 1, "With appointments a round lasts at least a day."),
    ):
        if wrong:
            raise OptionError(sentence)
    if terms.system == "tables":
        _check_tables(terms, seats)
    elif 2 not in seats:
        raise OptionError("This kind of tournament is for two players at a game.")
    if terms.system == "league":
        _check_league(terms)


def _check_tables(terms: TournamentTerms, seats: Collection[int]) -> None:
    if not set(range(SMALLEST_TABLE, LARGEST_TABLE + 1)) <= set(seats):
        raise OptionError("Rounds of tables are for a game that three to six can play.")
    if terms.wins > 1 or terms.appointments:
        raise OptionError("At tables of several players there is one game a round, and no appointment.")


def _check_league(terms: TournamentTerms) -> None:
    if not is_correspondence(terms.clock) or terms.days < 1:
        raise OptionError("A league is played by correspondence, in seasons of at least a day.")
    if terms.wins > 1 or terms.appointments:
        raise OptionError("In a league each pair plays two games, and nobody needs an appointment.")
