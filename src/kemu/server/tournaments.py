"""Jobs of tournaments: their matches are made, results come back from them, and their players are told.

Every step can be repeated. A match is made under the id that the journal of its tournament names, so a second attempt
finds it there. The end of a match leaves the work to report it in the same transaction, which goes once the journal of
the tournament has the result.
"""

import logging
from typing import Any, Final

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame, options
from kemu.games import game as make_game
from kemu.games import series
from kemu.people.notices import Notice, TournamentStep
from kemu.people.tournaments import events as e
from kemu.people.tournaments.commands import NoteMade, NoteResult, Tick
from kemu.people.tournaments.decide import is_due
from kemu.people.tournaments.results import game_points
from kemu.people.tournaments.rounds import games_to_make
from kemu.people.tournaments.values import PairedGame, RoundPairing, Tournament, TournamentTerms
from kemu.play.commands import Resign, SeatCommand
from kemu.play.errors import AlreadyDone, StaleVersion
from kemu.play.table import Table, new_table, next_match
from kemu.play.terms import Player, Terms, new_series
from kemu.server.live.match import MatchRegistry
from kemu.server.live.notices import NoticeCenter
from kemu.server.live.tournament import TournamentRegistry
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable, UnknownMatch, UnreadableMatch

AT_ONCE: Final = 50
"""How many tournaments and results are looked at in a round of upkeep."""

log = logging.getLogger(__name__)


class TournamentJobs:
    """Does what follows from the entries of tournaments and from the ends of their matches."""

    def __init__(
        self, tournaments: TournamentRegistry, matches: MatchRegistry, notices: NoticeCenter, runtime: Runtime
    ) -> None:
        self._tournaments = tournaments
        self._matches = matches
        self._notices = notices
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._looking: set[str] = set()

    def entry_saved(self, before: Tournament, entry: e.TournamentEntry, after: Tournament) -> None:
        """Follow an entry that this process saved: make matches, give up those of who left, tell the players."""
        for event in entry.events:
            if isinstance(event, e.Withdrew) and before.stage == "running":
                self._tasks.start(self._give_up(after, event.player))
        tell_players(self._notices, before, entry, after)
        if _is_waiting(after):
            self._tasks.start(self._look_patiently(after.id))

    def match_saved(self, before: Table | None, after: Table) -> None:
        """Take note of the end of a match of a tournament that this process saved."""
        ended = after.outcome is not None and before is not None and before.outcome is None
        if ended and after.terms.tournament is not None:
            self._tasks.start(self._report_patiently(after.id))

    async def run_once(self) -> None:
        """Do what is due in all tournaments, and report what other processes may have left."""
        for tournament in await self._store.tournaments.due(now_ms(), AT_ONCE):
            await self._look_patiently(tournament)
        for match in await self._store.matches.pending("report", AT_ONCE):
            await self._report_patiently(match)

    async def _look_patiently(self, tournament: str) -> None:
        """Look at a tournament; what cannot be done now is done by the upkeep, which finds it again."""
        if tournament in self._looking:
            return
        self._looking.add(tournament)
        try:
            await self._look(tournament)
        except StoreUnavailable as error:
            log.warning("tournament waits", exc_info=error)
        except Exception as error:  # of this tournament alone
            log.error("tournament cannot go on", exc_info=error, extra={"tournament": tournament})
        finally:
            self._looking.discard(tournament)

    async def _look(self, tournament: str) -> None:
        """Carry out what is due by time, then make the matches that are to be played now, until nothing is left."""
        actor = await self._tournaments.find(tournament)
        while _is_waiting(await actor.current()):
            try:
                if is_due(actor.document, now_ms()):
                    await actor.execute(Tick())
                    continue
                due = games_to_make(actor.document, now_ms())
                for board, game in due:
                    await self._make(actor.document, board, game)
                await actor.execute(NoteMade(tuple(game.match for _, game in due)))
            except AlreadyDone:  # another process was faster
                continue

    async def _make(self, tournament: Tournament, board: int, game: PairedGame) -> None:
        """Make the match of a game unless it is there."""
        table, players = await self._table(tournament, board, game)
        try:
            await self._matches.begin(table, list(enumerate(players)))
        except StaleVersion:
            return
        self._notices.turns_changed(game.match, {player.id for player in players if player.kind == "person"})

    async def _table(self, tournament: Tournament, board: int, game: PairedGame) -> tuple[Table, tuple[Player, ...]]:
        """Return the match of a game before its first entry, and who sits where."""
        terms, newest, now = tournament.terms, tournament.current, now_ms()
        assert newest is not None, "a game is made in a round"
        number = newest.pairings[board].games.index(game)
        if terms.wins > 1 and number > 0:
            before = await (await self._matches.find(newest.pairings[board].games[number - 1].match)).current()
            return next_match(before, game.match, series(before.terms.game).following, now)
        rules = game_of(terms, len(game.seats))
        entrants = [entrant for player in game.seats if (entrant := tournament.entrant(player)) is not None]
        computer = any(entrant.bot for entrant in entrants)
        match = Terms(
            id=game.match,
            game=rules.key,
            options=options(rules),
            host=tournament.id,
            created=now,
            clock=terms.clock,
            public=terms.group is None,
            rated=terms.rated and (not computer or (terms.computer is not None and terms.computer.rated)),
            series=new_series(terms.wins, rules.seats),
            tournament=tournament.id,
        )
        return new_table(match, rules), tuple(entrant.player for entrant in entrants)

    async def _report_patiently(self, match: str) -> None:
        """Tell the tournament of a match its result; the upkeep does it again should the database be away."""
        try:
            await self._report(match)
        except StoreUnavailable as error:
            log.warning("result waits", exc_info=error)
        except Exception as error:  # of this match alone
            log.error("result cannot be reported", exc_info=error, extra={"match": match})

    async def _report(self, match: str) -> None:
        table = await (await self._matches.find(match)).current()
        tournament = table.terms.tournament
        if tournament is not None and table.outcome is not None:
            actor = await self._tournaments.find(tournament)
            seats = _seats_of(await actor.current(), match)
            try:
                await actor.execute(NoteResult(match, game_points(table), _next_order(table, seats)))
            except AlreadyDone:  # it is known, or was forfeited meanwhile
                log.info("result is known", extra={"match": match})
        await self._store.matches.end_work("report", match)

    async def _give_up(self, tournament: Tournament, player: str) -> None:
        """Resign for somebody who left in the matches of the round that run."""
        newest = tournament.current
        for pairing in () if newest is None else newest.pairings:
            for game in pairing.games:
                if player in game.seats and game.phase != "ended":
                    await self._resign(game, player, tournament.id)

    async def _resign(self, game: PairedGame, player: str, tournament: str) -> None:
        try:
            actor = await self._matches.find(game.match)
            await actor.execute(SeatCommand(game.seats.index(player), player, Resign(tournament)))
        except (UnknownMatch, UnreadableMatch):  # it was not made
            return
        except KemuError as error:  # it is over; or the database is away, and the clock ends it
            log.info("resignation refused", extra={"reason": error.code})


def game_of(terms: TournamentTerms, seats: int) -> AnyGame:
    """Return the game of a tournament for a number of seats. Raises OptionError if it has no such form."""
    chosen = make_game(terms.game, **terms.options)
    if chosen.seats == seats:
        return chosen
    return make_game(terms.game, **{**terms.options, **_seats_option(chosen, seats)})


def _seats_option(chosen: AnyGame, seats: int) -> dict[str, Any]:
    """Return the option that gives a game a number of seats; nothing if it has none."""
    for name, value in options(chosen).items():
        if type(value) is int and value == chosen.seats:
            return {name: seats}
    return {}


def _is_waiting(tournament: Tournament) -> bool:
    now = now_ms()
    return is_due(tournament, now) or bool(games_to_make(tournament, now))


def _seats_of(tournament: Tournament, match: str) -> tuple[str, ...]:
    newest = tournament.current
    games = (game for pairing in (() if newest is None else newest.pairings) for game in pairing.games)
    return next((game.seats for game in games if game.match == match), ())


def _next_order(table: Table, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return who sits where in the next game of a series; nothing for other games."""
    outcome = table.outcome
    if outcome is None or table.terms.series.to == 1 or not seats:
        return ()
    _, came_from = series(table.terms.game).following(table.game, table.state, outcome)
    return tuple(seats[seat] for seat in came_from)


def tell_players(notices: NoticeCenter, before: Tournament, entry: e.TournamentEntry, after: Tournament) -> None:
    """Tell the persons of a tournament what an entry means for them."""
    for event in entry.events:
        match event:
            case e.RoundBegan(round=begun):
                for pairing in begun.pairings:
                    _tell(notices, after, pairing, "round")
            case e.TimeSet(board=board, appointment=when):
                known = before.current
                if known is None or board >= len(known.pairings):
                    continue
                old = known.pairings[board].appointment
                step: TournamentStep = "declined"
                if when is not None:
                    step = "reminder" if when.reminded else "agreed" if when.agreed else "proposed"
                time = when or old
                skip = entry.by if step != "reminder" else ""
                _tell(notices, after, known.pairings[board], step, None if time is None else time.at, skip)
            case e.StageChanged(stage="finished" | "cancelled"):
                everybody = RoundPairing(tuple(entrant.id for entrant in after.present), ())
                _tell(notices, after, everybody, "over")
            case _:
                pass


def _tell(
    notices: NoticeCenter,
    tournament: Tournament,
    pairing: RoundPairing,
    step: TournamentStep,
    at: int | None = None,
    skip: str = "",
) -> None:
    for player in pairing.players:
        entrant = tournament.entrant(player)
        if entrant is not None and not entrant.bot and player != skip:
            terms = tournament.terms
            notice = Notice(
                kind="tournament", about=tournament.id, game=terms.game, names=(terms.name,), deadline=at, step=step
            )
            notices.tell(player, notice)
