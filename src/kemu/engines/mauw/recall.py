"""From the log of one seat back to a view of it: what was never shown is filled in so that all cards fit."""

import random
from collections.abc import Sequence

from kemu.core.document import Document, quote
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.engines.mauw.history import Given, Stacked, Tossed, Turned, follow
from kemu.engines.mauw.sight import counted, unseen
from kemu.games.mauw.cards import Counts
from kemu.games.mauw.documents import write_counts
from kemu.games.mauw.rules import Mauw


def recall(game: Mauw, seat: Seat, log: Sequence[str], seed: int = 0) -> Document:
    """The view of a seat after its log, or the error of the first line that cannot be.

    A log tells everything that a view shows, but for the cards of a hand that somebody else has discarded: of these
    any that may have been among them are put on the discards.
    """
    events, state = follow(game, seat, log)
    if any(isinstance(event, Given) and event.seat == seat and event.card is None for event in events):
        raise ParseError(f"Seat {seat} sees what it draws, so that none of its own draws is {quote('~?')}.")
    view = game.view(state, seat)
    assert isinstance(view, dict), "a view of MAUW is an object"
    stacked = max(at for at, event in enumerate(events) if isinstance(event, Stacked))
    tossed = [event.stand_ins for event in events[stacked:] if isinstance(event, Tossed)]
    if not tossed:
        return view
    known = _less(counted(view["discards"]), tossed)
    view["discards"] = write_counts(known)
    hidden = unseen(game, view)
    for event in events:
        if isinstance(event, Turned) and event.card in hidden:
            hidden.remove(event.card)
    filled = random.Random(seed).sample(hidden, sum(map(sum, tossed)))
    view["discards"] = write_counts(tuple(number + filled.count(each) for each, number in enumerate(known)))
    return view


def _less(counts: Counts, parts: Sequence[Counts]) -> Counts:
    return tuple(number - sum(part[each] for part in parts) for each, number in enumerate(counts))
