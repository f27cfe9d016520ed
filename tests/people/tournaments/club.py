"""A club that plays a tournament to its end without a server: its journal, its matches and its clock are in memory."""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

from kemu.people.tournaments import commands as c
from kemu.people.tournaments.decide import decide, is_due
from kemu.people.tournaments.events import TournamentEntry, decode_tournament_entry, encode_tournament_entry, evolve
from kemu.people.tournaments.rounds import games_to_make, next_due
from kemu.people.tournaments.tables import points_of_places
from kemu.people.tournaments.values import FULL_POINTS, ComputerTerms, Entrant, Tournament, TournamentTerms
from kemu.play.errors import AlreadyDone
from kemu.play.terms import GameClock

COMPUTER = ComputerTerms("easy")


def terms(system: Any, **changed: Any) -> TournamentTerms:
    """Terms of a real-time tournament without pauses."""
    settings: dict[str, Any] = {"name": "Club", "game": "mu-torere", "clock": GameClock(60), "pause": 0, **changed}
    return TournamentTerms(system=system, **settings)


class Club:
    """A tournament with its journal; results come from a seed."""

    def __init__(self, settings: TournamentTerms, players: int, seed: int = 0) -> None:
        self.first = self.now = 1_000
        self.tournament = self.empty = Tournament("t-1", "host", self.first, settings)
        self.journal: list[bytes] = []
        self.ids = count(1)
        self.sent = count(1)
        self.random = Random(seed)
        for number in range(players):
            self.enter(f"p{number}", 2000 - 10 * number)

    def do(self, command: c.TournamentCommand) -> TournamentEntry | None:
        """Run a command; None if it changes nothing."""
        try:
            entry, after = decide(self.tournament, command, self.now, lambda: f"m{next(self.ids)}")
        except AlreadyDone:
            return None
        stored = encode_tournament_entry(entry)
        assert evolve(self.tournament, decode_tournament_entry(stored)) == after
        self.journal.append(stored)
        self.tournament = after
        return entry

    def ask(self, player: str, kind: Callable[..., c.AnyAsk], /, **fields: Any) -> TournamentEntry | None:
        return self.do(c.PersonCommand(player, kind(id=f"c{next(self.sent)}", **fields)))

    def enter(self, player: str, rating: int = 1500) -> None:
        ask = c.Enter(f"c{next(self.sent)}")
        self.do(c.PersonCommand(player, ask, Entrant(player, player.upper(), rating)))

    def replayed(self) -> Tournament:
        """The tournament as a server reads it after a restart."""
        found = self.empty
        for entry in self.journal:
            found = evolve(found, decode_tournament_entry(entry))
        return found

    # Play.

    def make(self) -> list[str]:
        """Make the matches that are due; the ids of all games that can be played."""
        made = tuple(game.match for _, game in games_to_make(self.tournament, self.now))
        if made:
            self.do(c.NoteMade(made))
        return self.running()

    def running(self) -> list[str]:
        newest = self.tournament.current
        games = [] if newest is None else [game for pairing in newest.pairings for game in pairing.games]
        return [game.match for game in games if game.phase == "made"]

    def seats(self, match: str) -> tuple[str, ...]:
        return next(
            game.seats
            for each in self.tournament.rounds
            for pairing in each.pairings
            for game in pairing.games
            if game.match == match
        )

    def points(self, match: str) -> tuple[int, ...]:
        """A result: the first of two wins mostly, and tables end in any order."""
        seats = self.seats(match)
        if len(seats) == 2:
            first = self.random.choice((FULL_POINTS, FULL_POINTS, FULL_POINTS // 2, 0))
            return first, FULL_POINTS - first
        places = list(range(1, len(seats) + 1))
        self.random.shuffle(places)
        return points_of_places(places)

    def score(self, match: str, points: Sequence[int] | None = None) -> None:
        self.do(c.NoteResult(match, tuple(points or self.points(match))))

    def wait(self) -> None:
        """Let time pass until something is due, and do it."""
        due = next_due(self.tournament)
        assert due is not None, "nothing will ever be due"
        self.now = max(self.now, due)
        if is_due(self.tournament, self.now):
            self.do(c.Tick())

    def play_round(self) -> None:
        """Play what is left of the newest round."""
        number = len(self.tournament.rounds)
        while self.tournament.stage == "running" and len(self.tournament.rounds) == number:
            matches = self.make()
            if matches:
                self.score(self.random.choice(matches))
            else:
                self.wait()

    def play(self, after_round: Callable[[int], None] = lambda number: None, most: int = 60) -> None:
        """Play to the end; `after_round` is called with the number of each round that is over."""
        while self.tournament.stage == "running":
            number = len(self.tournament.rounds)
            assert number <= most, "the tournament does not end"
            self.play_round()
            after_round(number)
