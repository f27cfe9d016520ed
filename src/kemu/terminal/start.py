"""From the words of the command line, or of the start screen, to a match at the terminal."""

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kemu.bots import bot, default_bot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.games import series as series_rules
from kemu.play.clock import ClockTerms, GameClock, NoClock
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, start, start_from
from kemu.play.table import Table, next_match
from kemu.play.terms import Player, new_series
from kemu.terminal.match import RecordFile, TerminalMatch
from kemu.terminal.records import load, new_path
from kemu.terminal.words import MARKERS, scale

HUMAN: Final = "human"
MINUTE_S: Final = 60
LONGEST_MINUTES, LONGEST_INCREMENT_S = 180, 180


def now_ms() -> int:
    """The time of clocks at this terminal, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True)
class Seating:
    """Who plays, and with how much time."""

    names: Sequence[str] = ()  # by seat: human, or a bot; what is missing is filled up
    seed: int | None = None
    clock: ClockTerms = NoClock()  # noqa: RUF009  it is frozen
    now: Callable[[], int] = now_ms

    def players(self, game: AnyGame, people: Collection[str] = ()) -> list[Player]:
        """A player for every seat, with the number of the seat as id; a name that is not of `people` is a bot's."""
        names = _fill(game, self.names)
        return [
            Player(str(seat), name, "person" if name == HUMAN or name in people else "bot")
            for seat, name in enumerate(names)
        ]

    def match(self, table: Table, dealer: Dealer, path: Path) -> TerminalMatch:
        """The match of a table, kept in this file."""
        file = RecordFile(path)
        bots = [self._bot(table.game, seat, player) for seat, player in enumerate(table.players)]
        return TerminalMatch(LocalMatch(table, dealer, file, self.now), bots, file)

    def _bot(self, game: AnyGame, seat: Seat, player: Player | None) -> Bot | None:
        if player is None or player.kind == "person":
            return None
        return bot(player.name, game, None if self.seed is None else self.seed + seat)


def new_match(game: AnyGame, seating: Seating, path: Path | None = None, to: int = 1) -> TerminalMatch:
    """The first game of a series to so many won games; raises OptionError if the file exists or cannot be written."""
    file, dealer = _unused(path) or new_path(game.key), Dealer(seating.seed)
    table = start(game, seating.players(game), dealer, new_series(to, game.seats), seating.clock)
    return seating.match(table, dealer, file)


def loaded_match(file: Path, seating: Seating, path: Path | None = None) -> TerminalMatch:
    """The rest of a record, with the same bots unless others are named; raises KemuError."""
    record, game = load(file)
    seated = seating if seating.names else replace(seating, names=record.players)
    people = [name for name in record.players if not _is_bot(name, game)]
    table = start_from(game, seated.players(game, people), record, seating.clock)
    return seated.match(table, Dealer(seating.seed), _unused(path) or file)


def following_match(match: TerminalMatch, seating: Seating) -> TerminalMatch:
    """The next game of the same players, in a file of its own; a decided series is followed by a new one."""
    game = match.game
    following, players = next_match(match.table, match.table.terms.id, series_rules(game.key).following, 0)
    dealer = Dealer(seating.seed)
    table = start(following.game, players, dealer, following.terms.series, following.terms.clock)
    return seating.match(table, dealer, new_path(game.key))


def standing(match: TerminalMatch) -> str:
    """How the series stands, empty for a single game."""
    series = match.table.series
    return scale(_wins(match.table), series.to, series_rules(match.game.key).LENGTHS) if series.to > 1 else ""


def series_winners(match: TerminalMatch) -> str:
    """Who has won the series, by marker and name; empty while nobody has."""
    players = [match.table.players[seat] for seat in match.table.series.winners]
    return " and ".join(f"{MARKERS[int(player.id)]} {player.name}" for player in players if player is not None)


def series_length(game: AnyGame, wanted: str) -> int:
    """How many games win a series, from a number or the name of a length; raises OptionError."""
    lengths: Mapping[str, int] = series_rules(game.key).LENGTHS
    named = {name.lower(): length for name, length in lengths.items()}
    if wanted.lower() not in named and not wanted.isdecimal():
        titles = f"{', '.join(lengths)} or " if lengths else ""
        raise OptionError(f"A series of {game.key} is {titles}a number of games to win, not '{wanted}'.")
    return named.get(wanted.lower()) or int(wanted)


def clock_terms(text: str | None) -> ClockTerms:
    """The clock of a text such as 5+3: minutes for the game and seconds more for each turn; raises OptionError."""
    if text is None:
        return NoClock()
    found = re.fullmatch("([0-9]{1,3})([+]([0-9]{1,3}))?", text, re.ASCII)
    minutes, increment = (int(found[1]), int(found[3] or 0)) if found else (0, 0)
    if not (1 <= minutes <= LONGEST_MINUTES and increment <= LONGEST_INCREMENT_S):
        raise OptionError(f"A clock is minutes and seconds for each turn, such as 5+3, not '{text}'.")
    return GameClock(minutes * MINUTE_S, increment)


def _wins(table: Table) -> list[int]:
    """How many games each player has won, in the order in which they sat in the first game."""
    wins = {int(player.id): won for player, won in zip(table.players, table.series.wins, strict=True) if player}
    return [wins[number] for number in sorted(wins)]


def _unused(path: Path | None) -> Path | None:
    """The file that was named for a record, unless there is one already, which must not be lost."""
    if path is not None and path.exists():
        raise OptionError(f"{path} exists already; go on with it by --load, or name another file.")
    return path


def _is_bot(name: str, game: AnyGame) -> bool:
    try:
        bot(name, game)
    except OptionError:
        return False
    return True


def _fill(game: AnyGame, names: Sequence[str]) -> list[str]:
    """A name for every seat: those that nobody named get a bot for newcomers, the first one a person."""
    if len(names) > game.seats:
        raise OptionError(f"{game.key} has {game.seats} seats here, not {len(names)}.")
    return [*(names or [HUMAN]), *[default_bot(game)] * game.seats][: game.seats]
