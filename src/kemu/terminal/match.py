"""A match of people and bots at one terminal: made from the words of a command or of the start screen, kept in a file.

The plain and the full screen play it. A record is one JSON file for each game, replaced as a whole, so that none is
half written.
"""

import os
import re
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final

from platformdirs import user_data_path

from kemu.bots import bot, default_bot
from kemu.bots.named import named_bot
from kemu.core.bot import Bot
from kemu.core.display import TextView
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, Seat
from kemu.core.record import LARGEST, Record, replay
from kemu.games import game, text
from kemu.games import series as series_rules
from kemu.play.commands import Accept, Entry, Offer, Resign, What
from kemu.play.dealer import Dealer
from kemu.play.local import NO_ID, LocalMatch, start, start_from
from kemu.play.runner import Answer, NoJournal
from kemu.play.table import Table, next_match
from kemu.play.terms import ClockTerms, GameClock, NoClock, Player, new_series
from kemu.terminal.screen import MARKERS, scale, seat_name, with_log

HUMAN: Final = "human"
MINUTE_S: Final = 60
LONGEST_MINUTES, LONGEST_INCREMENT_S = 180, 180


class RecordFile(NoJournal):
    """A journal that keeps the match as a record in one file, written anew for every entry."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, before: Table, entry: Entry, after: Table, saved: Answer) -> None:
        """Write the record; OptionError if the file cannot be written."""
        self.save(after)
        saved(None)

    def save(self, table: Table) -> None:
        """Write the record of a table, or raise OptionError."""
        write_whole(self.path, table.record().to_text().encode())


@dataclass
class TerminalMatch:
    """One match at one terminal; its record is written when it is made and after every entry."""

    local: LocalMatch
    bots: Sequence[Bot | None]  # by seat; None is a person
    file: RecordFile

    def __post_init__(self) -> None:
        self.file.save(self.table)

    @property
    def table(self) -> Table:
        """The match now."""
        return self.local.table

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.table.game

    @cached_property
    def text(self) -> TextView:
        """The text module of the game."""
        return text(self.game.key)

    @property
    def timed(self) -> bool:
        """Whether the match has a clock."""
        return not isinstance(self.table.clock.terms, NoClock)

    @property
    def people(self) -> list[Seat]:
        """The seats of people."""
        return [seat for seat, bot in enumerate(self.bots) if not bot]

    @property
    def secret(self) -> bool:
        """Whether the people at this terminal may know different things now."""
        views = [self.game.view(self.table.state, seat) for seat in self.people]
        return any(view != views[0] for view in views)

    @property
    def last_viewer(self) -> Seat:
        """The viewer of the end: the only person, or all of them as spectators."""
        people = self.people
        return people[0] if len(people) == 1 else SPECTATOR

    def name(self, seat: Seat) -> str:
        """Return what people call a seat, with the name of its bot."""
        name = seat_name(self.text, self.game, seat)
        bot = None if seat == CHANCE else self.bots[seat]
        return f"{name} ({bot.name} bot)" if bot else name

    def view(self, seat: Seat) -> Any:
        """Return what a seat sees now, with its log."""
        lines = [line for _, line in self.table.log(seat)]
        return with_log(self.game.view(self.table.state, seat), lines)

    def parse(self, typed: str) -> Any:
        """Return the action that was typed in capital or small letters; raises ParseError."""
        for action in self.game.actions(self.table.state):
            if self.game.format(action).lower() == typed.lower():
                return action
        try:
            return self.game.parse(typed)
        except ParseError as error:
            raise ParseError(f"{error} Type ? for help.") from None

    def resign(self, seat: Seat) -> None:
        """Resign for a seat."""
        self.local.submit(seat, Resign(NO_ID))

    def draw_questions(self, seat: Seat) -> list[str]:
        """Return what to ask the other people before a draw; raises the reason why this seat cannot offer one."""
        self.local.check(seat, Offer(NO_ID, "draw"))
        return [f"{self.name(other)}, do you agree on a draw?" for other in self.people if other != seat]

    def agree(self, seat: Seat, what: What) -> None:
        """Make an offer for a seat and accept it for all other people."""
        self.local.submit(seat, Offer(NO_ID, what))
        for other in self.people:
            if what in self.table.offers and other != seat:
                self.local.submit(other, Accept(NO_ID, what))


def now_ms() -> int:
    """Return the time of the clocks at this terminal, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True)
class Seating:
    """The players of a match, and their time."""

    names: Sequence[str] = ()  # by seat: human, or a bot; what is missing is filled up
    seed: int | None = None
    clock: ClockTerms = NoClock()  # noqa: RUF009  it is frozen
    now: Callable[[], int] = now_ms

    def players(self, game: AnyGame, people: Collection[str] = ()) -> list[Player]:
        """Return a player for every seat, with the number of the seat as id; a name that is not of `people` is a bot's.

        Seats that nobody named get a bot for newcomers, the first one a person. Raises OptionError for too many names.
        """
        if len(self.names) > game.seats:
            raise OptionError(f"{game.key} has {game.seats} seats here, not {len(self.names)}.")
        names = [*(self.names or [HUMAN]), *[default_bot(game)] * game.seats][: game.seats]
        return [
            Player(str(seat), name, "person" if name == HUMAN or name in people else "bot")
            for seat, name in enumerate(names)
        ]

    def _bot(self, name: str, game: AnyGame, seed: int | None) -> Bot:
        """Return a bot; only names that were given here, not those in a record, may be files and programs."""
        return (named_bot if name in self.names else bot)(name, game, seed)

    def match(self, table: Table, dealer: Dealer, path: Path) -> TerminalMatch:
        """Return the match of a table, kept in this file."""
        file = RecordFile(path)
        bots = [
            self._bot(player.name, table.game, None if self.seed is None else self.seed + seat)
            if player and player.kind == "bot"
            else None
            for seat, player in enumerate(table.players)
        ]
        return TerminalMatch(LocalMatch(table, dealer, file, self.now), bots, file)


def new_match(game: AnyGame, seating: Seating, path: Path | None = None, to: int = 1) -> TerminalMatch:
    """Return the first game of a series to `to` wins; raises OptionError if the file exists or cannot be written."""
    file, dealer = _unused(path) or new_path(game.key), Dealer(seating.seed)
    table = start(game, seating.players(game), dealer, new_series(to, game.seats), seating.clock)
    return seating.match(table, dealer, file)


def loaded_match(file: Path, seating: Seating, path: Path | None = None) -> TerminalMatch:
    """Return the rest of a record as a match, with the same bots unless others are named; raises KemuError."""
    record, game = load(file)
    seated = seating if seating.names else replace(seating, names=record.players)
    people = [name for name in record.players if not _is_bot(name, game)]
    table = start_from(game, seated.players(game, people), record, seating.clock)
    return seated.match(table, Dealer(seating.seed), _unused(path) or file)


def following_match(match: TerminalMatch, seating: Seating) -> TerminalMatch:
    """Return the next game of the same players, in its own file; a decided series is followed by a new one."""
    game = match.game
    following, players = next_match(match.table, match.table.terms.id, series_rules(game.key).following, 0)
    dealer = Dealer(seating.seed)
    table = start(following.game, players, dealer, following.terms.series, following.terms.clock)
    return seating.match(table, dealer, new_path(game.key))


def standing(match: TerminalMatch) -> str:
    """Draw how the series stands; empty for a single game."""
    series = match.table.series
    return scale(_wins(match.table), series.to, series_rules(match.game.key).LENGTHS) if series.to > 1 else ""


def series_result(match: TerminalMatch) -> str:
    """Return a sentence that names the winners of the series; empty while it is running, or without one."""
    series = match.table.series
    players = [match.table.players[seat] for seat in series.winners]
    names = " and ".join(f"{MARKERS[int(player.id)]} {player.name}" for player in players if player)
    return f"The series goes to {names}." if names and series.to > 1 else ""


def series_length(game: AnyGame, wanted: str) -> int:
    """Return how many games win a series, from a number or the name of a length; raises OptionError."""
    lengths: Mapping[str, int] = series_rules(game.key).LENGTHS
    named = {name.lower(): length for name, length in lengths.items()}
    if wanted.lower() not in named and not wanted.isdecimal():
        titles = f"{', '.join(lengths)} or " if lengths else ""
        raise OptionError(f"A series of {game.key} is {titles}a number of games to win, not '{wanted}'.")
    return named.get(wanted.lower()) or int(wanted)


def clock_terms(text: str | None) -> ClockTerms:
    """Return the clock of a text such as 5+3, minutes for the game and seconds for each turn; raises OptionError."""
    if text is None:
        return NoClock()
    found = re.fullmatch("([0-9]{1,3})([+]([0-9]{1,3}))?", text, re.ASCII)
    minutes, increment = (int(found[1]), int(found[3] or 0)) if found else (0, 0)
    if not (1 <= minutes <= LONGEST_MINUTES and increment <= LONGEST_INCREMENT_S):
        raise OptionError(f"A clock is minutes and seconds for each turn, such as 5+3, not '{text}'.")
    return GameClock(minutes * MINUTE_S, increment)


def _wins(table: Table) -> list[int]:
    """Return the won games of each player, in the order in which they sat in the first game."""
    wins = {int(player.id): won for player, won in zip(table.players, table.series.wins, strict=True) if player}
    return [wins[number] for number in sorted(wins)]


def _unused(path: Path | None) -> Path | None:
    """Return the path that was named for a record; raises OptionError if a file is there, which must not be lost."""
    if path is not None and path.exists():
        raise OptionError(f"{path} exists already; go on with it by --load, or name another file.")
    return path


def _is_bot(name: str, game: AnyGame) -> bool:
    try:
        bot(name, game)
    except OptionError:
        return False
    return True


def data_folder() -> Path:
    """Return KEMU_HOME or the user's data folder."""
    home = os.environ.get("KEMU_HOME")
    return Path(home) if home else user_data_path("kemu", appauthor=False)


def new_path(key: str) -> Path:
    """Return the path of a file that does not exist yet, in the data folder."""
    folder = data_folder() / "records"
    stem = f"{key}-{datetime.now():%Y%m%d-%H%M%S}"
    files = (folder / f"{stem}-{number}.json" for number in count(1))
    return next(file for file in files if not file.exists())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves either the old one or the new one; raises OptionError if that fails."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None


def load(path: Path) -> tuple[Record, AnyGame]:
    """Return a record whose actions were all replayed, and its game; raises KemuError with the file's name first.

    Names and the reason of the result can be printed: characters that steer a terminal are replaced.
    """
    try:
        with path.open("rb") as file:
            record = Record.from_text(file.read(LARGEST + 1))
        chosen = game(record.game, **record.options)
        _check_seats(record, chosen)
        deque(replay(chosen, record.actions), maxlen=0)
    except OSError as error:
        raise ParseError(f"{path}: {error.strerror}.") from None
    except KemuError as error:
        raise error.located(str(path)) from None
    return _printable(record), chosen


def _printable(record: Record) -> Record:
    result = record.result and replace(record.result, reason=_printable_text(record.result.reason))
    return replace(record, players=tuple(map(_printable_text, record.players)), result=result)


def _printable_text(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _check_seats(record: Record, chosen: AnyGame) -> None:
    """Raise ParseError if winners are no seats of the game, or the players are not as many as its seats."""
    winners = record.result.winners if record.result else ()
    if any(seat >= chosen.seats for seat in winners) or len(record.players) not in (0, chosen.seats):
        raise ParseError(f"{chosen.key} has {chosen.seats} seats here; 'players' and 'winners' are of others.")
