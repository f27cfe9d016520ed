"""Decisions on commands: `decide` checks everything and returns a decision, or raises and changes nothing."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from kemu.core.game import CHANCE, Seat
from kemu.play import commands, errors
from kemu.play.commands import AnyEvent, Entry, SeatCommand, TableCommand, What
from kemu.play.dealer import Dealer
from kemu.play.runner import Decision, Runner
from kemu.play.table import STAND_IN, Table, apply_event, evolve
from kemu.play.terms import SECOND_MS, is_correspondence

CLAIM_GRACE_MS: Final = 60 * SECOND_MS
"""How long somebody whose turn it is may be away before the others can claim; leaving is never an instant loss."""

OFFER_PAUSE_MS: Final = 15 * SECOND_MS
"""How long a seat cannot offer again what was declined."""

LONGEST_MATCH: Final = 2000
"""The most entries of a match; with the last one it ends as a draw."""

AFTER_THE_END: Final = 50
"""How many entries a match of that length may still have: rematches offered and declined."""


def decide(table: Table, command: TableCommand, now: int, dealer: Dealer) -> Decision[Table, Entry]:
    """Return what a command changes at the moment `now`; nothing is random but what the dealer draws.

    Raises KemuError with the reason if the command is refused. The table given is never changed.
    """
    if table.version >= LONGEST_MATCH + AFTER_THE_END:
        raise errors.MatchOver("This match has as many entries as a match may have.")
    draft = _Draft(table, now, dealer)
    if isinstance(command, SeatCommand):
        _decide_for_seat(draft, command)
        entry = Entry(now, draft.events, command.player, command.command.id)
    else:
        _DECISIONS[type(command)](draft, command)
        entry = Entry(now, draft.events)
    if table.version + 1 >= LONGEST_MATCH and draft.table.status == "running":
        draft.add(commands.Stopped())
    return Decision(entry, replace(draft.table, version=table.version + 1))


class TableRules:
    """The rules of matches for their runners, with the dealer who draws for all of them."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer

    def decide(self, document: Table, command: TableCommand, now: int) -> Decision[Table, Entry]:
        """Return what a command changes, or raise KemuError."""
        return decide(document, command, now, self._dealer)

    def evolve(self, document: Table, entry: Entry) -> Table:
        """Return the table after a stored entry."""
        return evolve(document, entry)

    def overdue(self, document: Table, now: int) -> TableCommand | None:
        """Return the end of the match by time, if the running time is used up."""
        return commands.CheckClock() if time_is_up(document, now) else None

    def sender(self, command: TableCommand) -> tuple[str, str] | None:
        """Return who sent a player's command and its id."""
        return (command.player, command.command.id) if isinstance(command, SeatCommand) else None


TableRunner: TypeAlias = Runner[Table, TableCommand, Entry]
"""The runner of a match."""


def time_is_up(table: Table, now: int) -> bool:
    """Return whether the running time is used up at this moment."""
    deadline = table.deadline
    return deadline is not None and now >= deadline


def undoable(table: Table, seat: Seat) -> int:
    """Return how many actions go if this seat takes its last action back, or NoUndo."""
    ply = table.last
    while ply is not None:
        if ply.actor == CHANCE:
            raise errors.NoUndo("A card has been dealt since; that cannot be taken back.")
        if ply.actor == seat:
            return table.plies - ply.number + 1
        ply = ply.before
    raise errors.NoUndo("There is nothing to take back.")


class _Draft:
    """The events of an entry so far, and the table after them."""

    __slots__ = ("_dealer", "events", "now", "table")

    def __init__(self, table: Table, now: int, dealer: Dealer) -> None:
        self.table = table
        self.events: list[AnyEvent] = []
        self.now = now
        self._dealer = dealer

    def add(self, event: AnyEvent) -> None:
        """Add an event and apply it to the table."""
        self.table = apply_event(self.table, event, self.now)
        self.events.append(event)

    def deal(self) -> None:
        """Add chance actions for as long as it is the dealer's turn."""
        while self.table.turn == CHANCE:
            game = self.table.game
            action = self._dealer.deal(game.odds(self.table.state))
            self.add(commands.Acted(CHANCE, game.format(action)))

    def rematch(self) -> None:
        """Return the next match, under a new id."""
        self.add(commands.Rematched(self._dealer.new_id()))


# Commands of players.


def _decide_for_seat(draft: _Draft, asked: SeatCommand) -> None:
    if asked.seat < 0:
        raise errors.WrongSeat("You only watch this match.")
    player = draft.table.players[asked.seat]
    if player is None or player.id != asked.player:
        raise errors.NotYours(f"Seat {asked.seat} is not yours.")
    _SEAT_DECISIONS[type(asked.command)](draft, asked.command, asked)


def _act(draft: _Draft, command: commands.Act, asked: SeatCommand) -> None:
    table, seat, spent_ms = draft.table, asked.seat, asked.spent_ms
    _check_running(table)
    if command.version < table.position:
        raise errors.StaleVersion(f"The position changed in version {table.position}; you looked at {command.version}.")
    if command.version > table.version:
        raise errors.StaleVersion(f"This match is at version {table.version}; nobody has seen {command.version}.")
    if seat != table.turn:
        raise errors.WrongSeat("It is another seat's turn.")
    timed = table.clock.running == seat and seat not in table.gave_up
    if timed and spent_ms is not None and spent_ms >= table.clock.left[seat]:
        _lose(draft, seat, commands.Flagged(seat))
        return
    draft.add(commands.Acted(seat, command.action, spent_ms))
    draft.deal()


def _offer(draft: _Draft, command: commands.Offer, asked: SeatCommand) -> None:
    table, seat, what = draft.table, asked.seat, command.what
    if table.terms.tournament is not None and what in ("rematch", "cancel"):
        raise errors.NoOffer("This game is part of a tournament, which makes the next one.")
    if what == "rematch":
        _check_over(table)
    else:
        _check_running(table)
    if what in table.offers:
        _accept(draft, command, asked)
        return
    if what == "takeback":
        undoable(table, seat)
    bots = any(player is not None and player.kind == "bot" for player in table.players)
    if bots and (what in ("draw", "cancel") or (what == "takeback" and table.terms.rated)):
        raise errors.NoOffer("Bots agree to no draw, not to cancel, and to a takeback only in casual matches.")
    if draft.now - table.declined.get((seat, what), -OFFER_PAUSE_MS) < OFFER_PAUSE_MS:
        raise errors.NoOffer(f"Your offer of a {what} was declined a moment ago; wait before you offer it again.")
    draft.add(commands.Offered(seat, what))
    _settle(draft, what, asked)


def _accept(draft: _Draft, command: commands.OfferCommand, asked: SeatCommand) -> None:
    offer = draft.table.offers.get(command.what)
    if offer is None or asked.player in offer.agreed:
        raise errors.NoOffer(f"There is no offer of a {command.what} for you to accept.")
    draft.add(commands.Accepted(asked.seat, command.what))
    _settle(draft, command.what, asked)


def _settle(draft: _Draft, what: What, asked: SeatCommand) -> None:
    """Do what was offered once everybody whose consent is needed has given it."""
    table = draft.table
    offer = table.offers[what]
    agreed = offer.agreed >= {player.id for player in table.players if player is not None and player.kind == "person"}
    if what == "rematch":
        if agreed or _goes_on(table, asked):
            draft.rematch()
    elif agreed and what == "draw":
        draft.add(commands.Agreed())
    elif agreed and what == "cancel":
        draft.add(commands.Cancelled())
    elif agreed:
        draft.add(commands.Undone(offer.seat, undoable(table, offer.seat)))


def _goes_on(table: Table, asked: SeatCommand) -> bool:
    """Return whether one player may begin the next game of a series, which was agreed on at its start.

    Everybody is here, the last game was played, and nobody has declined to go on; else the next game needs consent.
    """
    ended = any(what == "rematch" for _, what in table.declined)
    return not (table.series.decided or ended or table.status == "aborted" or asked.away)


def _decline(draft: _Draft, command: commands.Decline, asked: SeatCommand) -> None:
    ends_series = command.what == "rematch" and draft.table.outcome is not None and not draft.table.series.decided
    if command.what not in draft.table.offers and not (ends_series and draft.table.next is None):
        raise errors.NoOffer(f"There is no offer of a {command.what} to decline.")
    draft.add(commands.Declined(asked.seat, command.what))


def _resign(draft: _Draft, command: commands.Resign, asked: SeatCommand) -> None:
    _check_running(draft.table)
    _lose(draft, asked.seat, commands.Resigned(asked.seat))


def _lose(draft: _Draft, seat: Seat, event: commands.Ending) -> None:
    """End the match by an event that a seat has lost by, unless others play on.

    With two or more seats left, one of them another person's, the stand-in takes the seat, whose player comes last: no
    player who leaves decides a match among the others. A rated match that somebody never came to is called off.
    """
    table = draft.table
    loser = table.players[seat]
    left = [player for other, player in enumerate(table.players) if other != seat and other not in table.gave_up]
    came = table.has_acted(seat) or table.has_acted(CHANCE) or not (loser and loser.kind == "person")
    if table.terms.rated and not came and not isinstance(event, commands.Resigned):
        draft.add(commands.Aborted(seat))
    elif len(left) > 1 and any(each and each.kind == "person" and each != loser for each in left):
        draft.add(commands.Replaced(seat, STAND_IN, gave_up=True))
    else:
        draft.add(event)


def _abort(draft: _Draft, command: commands.Abort, asked: SeatCommand) -> None:
    _check_running(draft.table)
    if draft.table.terms.tournament is not None:
        raise errors.AlreadyStarted("This game is part of a tournament; you can resign.")
    if draft.table.begun:
        raise errors.AlreadyStarted("The first action has been taken; you can resign.")
    if draft.table.terms.rated and draft.table.last is not None:
        raise errors.AlreadyStarted("Cards have been dealt, which counts in a rated match; you can resign.")
    draft.add(commands.Aborted(asked.seat))


def _claim(draft: _Draft, command: commands.Claim, asked: SeatCommand) -> None:
    table = draft.table
    _check_running(table)
    if is_correspondence(table.terms.clock):
        raise errors.NotAway("In a correspondence match nobody has to stay; the clock alone ends the match.")
    if table.terms.rated and command.what == "bot":
        raise errors.NoOffer("In a rated match no bot plays on for somebody; you can claim the win.")
    turn = table.turn
    assert turn is not None, "somebody acts while a match is running"
    since = asked.away.get(turn)
    if since is None or draft.now - since < CLAIM_GRACE_MS:
        raise errors.NotAway(f"Nobody whose turn it is has been away for {CLAIM_GRACE_MS // SECOND_MS} seconds.")
    if command.what == "win":
        _lose(draft, turn, commands.Claimed(asked.seat, turn))
    else:
        draft.add(commands.Replaced(turn, STAND_IN))


def _check_running(table: Table) -> None:
    if table.outcome:
        raise errors.MatchOver("The match is over.")
    if not table.started:
        raise errors.NotStarted("The match starts when all seats are filled.")


def _check_over(table: Table) -> None:
    if not table.outcome:
        raise errors.MatchRunning("A rematch can be played when the match is over.")
    if table.next:
        raise errors.NoOffer("The next match has begun.")


# Commands of the server.


def _join(draft: _Draft, command: commands.Join) -> None:
    if draft.table.status != "open":
        raise errors.AlreadyStarted("The match has started or was called off.")
    for wanted, player in command.players:
        players = draft.table.players
        if wanted is None and None not in players:
            raise errors.SeatTaken("No seat is open.")
        seat = players.index(None) if wanted is None else wanted
        if not 0 <= seat < len(players) or players[seat] is not None:
            raise errors.SeatTaken(f"Seat {seat} is not open.")
        if draft.table.terms.rated and player.kind == "person" and draft.table.seats(player.id):
            raise errors.SeatTaken("In a rated match everybody has one seat.")
        draft.add(commands.Joined(seat, player))
    if None not in draft.table.players:
        terms = draft.table.terms  # else who dislikes a hand could wait for ever, or an opponent for who never comes
        draft.add(commands.Started(timed=terms.rated or terms.tournament is not None))
        draft.deal()


def _leave(draft: _Draft, command: commands.Leave) -> None:
    if draft.table.status != "open":
        raise errors.AlreadyStarted("The match has started or was called off; it cannot be left.")
    seats = draft.table.seats(command.player)
    if not seats:
        raise errors.NotYours("You have no seat at this match.")
    for seat in seats:
        draft.add(commands.Left(seat))
    if all(player is None or player.kind == "bot" for player in draft.table.players):
        draft.add(commands.Aborted(seats[0]))


def _check_clock(draft: _Draft, command: commands.CheckClock) -> None:
    seat = draft.table.clock.running
    if seat is None or not time_is_up(draft.table, draft.now):
        raise errors.TimeLeft("No seat's time is used up.")
    _lose(draft, seat, commands.Flagged(seat))


def _set_vacation(draft: _Draft, command: commands.SetVacation) -> None:
    table = draft.table
    _check_running(table)
    seats = [seat for seat in table.seats(command.player) if (seat in table.vacation) is not command.on]
    if not seats or not is_correspondence(table.terms.clock):
        raise errors.NoVacation("There is no clock in this match that a vacation of this player would change.")
    for seat in seats:
        draft.add(commands.Vacation(seat, command.on))


def _replace(draft: _Draft, command: commands.Replace) -> None:
    _check_running(draft.table)
    draft.add(commands.Replaced(command.seat, STAND_IN))


def _deal(draft: _Draft, command: commands.Deal) -> None:
    if draft.table.turn != CHANCE:
        raise errors.WrongSeat("It is not the dealer's turn.")
    draft.deal()


_SEAT_DECISIONS: Final[dict[type, Callable[[_Draft, Any, SeatCommand], None]]] = {
    commands.Act: _act,
    commands.Claim: _claim,
    commands.Offer: _offer,
    commands.Accept: _accept,
    commands.Decline: _decline,
    commands.Resign: _resign,
    commands.Abort: _abort,
}
_DECISIONS: Final[dict[type, Callable[[_Draft, Any], None]]] = {
    commands.Join: _join,
    commands.Leave: _leave,
    commands.CheckClock: _check_clock,
    commands.SetVacation: _set_vacation,
    commands.Replace: _replace,
    commands.Deal: _deal,
}
