"""Times that players agree on for a pairing, and what becomes of pairings without one."""

from msgspec.structs import replace

from kemu.people.tournaments.rounds import REMINDER_MS
from kemu.people.tournaments.values import FULL_POINTS, Appointment, PairedGame, Round, RoundPairing


def due_times(newest: Round, now: int) -> list[tuple[int, Appointment]]:
    """Return the pairings whose players are to be reminded now, each with its appointment after that."""
    found = []
    for board, pairing in enumerate(newest.pairings):
        when = pairing.appointment
        if when is not None and when.agreed and not when.reminded and not pairing.begun and is_near(when, now):
            found.append((board, replace(when, reminded=True)))
    return found


def is_near(when: Appointment, now: int) -> bool:
    """Return whether it is time to remind of an appointment."""
    return when.at - REMINDER_MS <= now


def without_time(newest: Round) -> list[RoundPairing]:
    """Return the pairings that have no game to be played at the end of the round."""
    return [
        pairing
        for pairing in newest.pairings
        if not pairing.begun and not (pairing.appointment is not None and pairing.appointment.agreed)
    ]


def forfeits(pairing: RoundPairing) -> list[tuple[PairedGame, tuple[int, ...]]]:
    """Return the points of the games of a pairing that was not played in time.

    Whoever proposed a time that the other did not answer wins; if nobody did, the games are drawn.
    """
    when = pairing.appointment
    found = []
    for game in pairing.games:
        if when is None:
            points = (FULL_POINTS // 2,) * len(game.seats)
        else:
            points = tuple(FULL_POINTS * (player == when.by) for player in game.seats)
        found.append((game, points))
    return found
