"""A tournament as a frozen value: its terms, who takes part, and the pairings of its rounds with their games.

Points are whole numbers: a game that is won is worth FULL_POINTS, a drawn one half of it, and at a table of several
players each place its share, so every mean of places is a whole number as well.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from kemu.play.terms import ClockTerms, Player

FULL_POINTS: Final = 120
"""What a won game is worth; places of three to six players and their means divide it."""

SMALLEST_TABLE: Final = 3
LARGEST_TABLE: Final = 6

System: TypeAlias = Literal["round-robin", "swiss", "league", "tables"]
"""How the players of a round are chosen for each other."""

Stage: TypeAlias = Literal["open", "running", "finished", "cancelled"]
"""How far a tournament is."""

Phase: TypeAlias = Literal["named", "made", "ended", "forfeit"]
"""How far a game is: its match has an id, is there to be played, has a result, or is decided without being played."""


class ComputerTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """The computer that fills odd places, and whether games against it count for ratings."""

    bot: Annotated[str, Meta(min_length=1, max_length=40)]
    rated: bool = False


class TournamentTerms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the organiser decides before anybody enters.

    A pairing is two games with colours swapped, or a series to `wins` victories if that is more than 1. `rounds` is the
    number of rounds of a Swiss or of tables, and of seasons of a league (0 for as many as there are players); a round
    robin takes as many as it needs. With `appointments` players agree on a time for each pairing, within `days` days
    from the begin of a round; a season of a league takes `days` days too. `starts` is when it begins by itself (ms),
    `pause` the seconds between two rounds. Only members of a `group` may enter if one is named.
    """

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    game: Annotated[str, Meta(min_length=1, max_length=40)]
    system: System
    clock: ClockTerms
    options: dict[str, Any] = field(default_factory=dict)
    rounds: Annotated[int, Meta(ge=0, le=20)] = 0
    wins: Annotated[int, Meta(ge=1, le=10)] = 1
    appointments: bool = False
    days: Annotated[int, Meta(ge=0, le=366)] = 0
    rated: bool = False
    computer: ComputerTerms | None = None
    starts: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=2, le=128)] = 64
    late: bool = True
    pause: Annotated[int, Meta(ge=0, le=86400)] = 60
    division: Annotated[int, Meta(ge=4, le=10)] = 8
    group: Annotated[str, Meta(min_length=1, max_length=40)] | None = None


class Entrant(Struct, frozen=True, omit_defaults=True):
    """Somebody who takes part: a person by the id of the player, or a computer under a name of its own.

    `rating` is that at the entry, `since` the round from which on they play, and `away` says that they have withdrawn.
    A computer is `bot`, the name of its level.
    """

    id: str
    name: str
    rating: int = 1500
    since: int = 1
    away: bool = False
    bot: str = ""

    @property
    def player(self) -> Player:
        """Whoever sits at the matches."""
        return Player(f"bot:{self.bot}", self.bot, "bot") if self.bot else Player(self.id, self.name)


class PairedGame(Struct, frozen=True, omit_defaults=True):
    """One game of a pairing: the id of its match, named before the match is made, and who sits at which seat.

    `points` are those of the seats once the game has a result.
    """

    match: str
    seats: tuple[str, ...]
    phase: Phase = "named"
    points: tuple[int, ...] | None = None


class Appointment(Struct, frozen=True, omit_defaults=True):
    """A time (ms) that a player proposed for a pairing, and whether the other has agreed and both were reminded."""

    by: str
    at: int
    agreed: bool = False
    reminded: bool = False


class RoundPairing(Struct, frozen=True, omit_defaults=True):
    """Players who meet in a round, in the order of the seats of the first game, and their games so far."""

    players: tuple[str, ...]
    games: tuple[PairedGame, ...]
    division: int = 0
    appointment: Appointment | None = None

    @property
    def begun(self) -> bool:
        """Whether one of its games can be played or was."""
        return any(game.phase in ("made", "ended") for game in self.games)

    def ended(self, wins: int) -> bool:
        """Return whether nothing is left to play; `wins` is the length of a series, 1 for two games."""
        if any(game.points is None for game in self.games):
            return False
        return wins == 1 or len(self.players) > 2 or series_over(self, wins)

    def points(self, wins: int) -> dict[str, int]:
        """Return the points of its players so far; a series is worth one game, once it is over."""
        total = dict.fromkeys(self.players, 0)
        for game in self.games:
            for player, points in zip(game.seats, game.points or (), strict=False):
                total[player] += points
        if wins == 1 or len(self.players) > 2:
            return total
        if not self.ended(wins):
            return dict.fromkeys(self.players, 0)
        first, second = (total[player] for player in self.players)
        share = FULL_POINTS // 2 if first == second else FULL_POINTS * (first > second)
        return dict(zip(self.players, (share, FULL_POINTS - share), strict=True))


GAMES_PER_WIN: Final = 3
"""A series ends after this many games for each victory that is needed, should that many be drawn."""


def series_over(pairing: RoundPairing, wins: int) -> bool:
    """Return whether somebody has won a series, or it has as many games as it may have, or was forfeited."""
    if any(game.phase == "forfeit" for game in pairing.games) or len(pairing.games) >= GAMES_PER_WIN * wins:
        return True
    won = dict.fromkeys(pairing.players, 0)
    for game in pairing.games:
        for player, points in zip(game.seats, game.points or (), strict=False):
            won[player] += points == FULL_POINTS
    return max(won.values()) >= wins


class Round(Struct, frozen=True, omit_defaults=True):
    """One round, or one season of a league: its pairings, and who has none.

    `ends` is when its time is up, and `closed` when nothing was left to be played (ms).
    """

    number: int
    began: int
    pairings: tuple[RoundPairing, ...]
    byes: tuple[str, ...] = ()
    ends: int | None = None
    divisions: tuple[tuple[str, ...], ...] = ()
    closed: int | None = None


class Tournament(Struct, frozen=True):
    """One tournament, from the first entrant to the last result."""

    id: str
    host: str
    created: int
    terms: TournamentTerms
    stage: Stage = "open"
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    version: int = 0

    @property
    def current(self) -> Round | None:
        """The newest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants who have not withdrawn."""
        return tuple(entrant for entrant in self.entrants if not entrant.away)

    def entrant(self, player: str) -> Entrant | None:
        """Return an entrant by id."""
        return next((entrant for entrant in self.entrants if entrant.id == player), None)
