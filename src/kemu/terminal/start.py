"""From the words of the command line to a match at the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kemu.bots import bot, default_bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.core.record import Record
from kemu.games import games, manifest, text
from kemu.games import series as series_rules
from kemu.play.dealer import Dealer
from kemu.play.match import Match
from kemu.play.series import Series
from kemu.terminal.play import Evening
from kemu.terminal.records import load, new_path
from kemu.terminal.scale import MARKERS, scale
from kemu.terminal.screen import Screen


@dataclass(frozen=True)
class Guests:
    """Who comes to play, and how they are shown the game."""

    names: Sequence[str]  # by seat: human, or a bot; what is missing is filled up
    seed: int | None
    screen: Screen

    def play(self, game: AnyGame, path: Path, record: Record | None = None, scale: str = "") -> Match | None:
        """One game, or the rest of a record; None if somebody left before the end."""
        names = _fill(game, self.names)
        people = {"human", *(name for name in (record.players if record else ()) if not _is_bot(name, game))}
        bots = [None if name in people else bot(name, game, self._seed(seat)) for seat, name in enumerate(names)]
        match = Match(game, names, Dealer(self.seed))
        if record:
            match.resume(record)
        finished = Evening(match, bots, text(game.key), self.screen, path, scale).play()
        return match if finished else None

    def _seed(self, seat: Seat) -> int | None:
        return None if self.seed is None else self.seed + seat


def play_new(game: AnyGame, guests: Guests, path: Path | None) -> None:
    """Play one game."""
    guests.screen.say(_greeting(game))
    guests.play(game, _unused(path) or new_path(game.key))


def go_on(file: Path, guests: Guests, path: Path | None) -> None:
    """Play the rest of a record, with the same bots unless others are named."""
    record, game = load(file)
    guests.screen.say(_greeting(game))
    seated = guests if guests.names else replace(guests, names=record.players)
    seated.play(game, _unused(path) or file, record)


def play_series(game: AnyGame, guests: Guests, wanted: str) -> None:
    """Play games until somebody has won the series, or leaves; each game has a file of its own."""
    rules = series_rules(game.key)
    lengths = {name.lower(): length for name, length in rules.LENGTHS.items()}
    if wanted.lower() not in lengths and not wanted.isdecimal():
        titles = f"{', '.join(rules.LENGTHS)} or " if rules.LENGTHS else ""
        raise OptionError(f"A series of {game.key} is {titles}a number of games to win, not '{wanted}'.")
    series = Series.begin(game, lengths.get(wanted.lower()) or int(wanted), rules.following)
    names = _fill(game, guests.names)
    guests.screen.say(_greeting(game))
    while not series.winners:
        stand = scale(series, rules.LENGTHS)
        guests.screen.say(stand)
        seated = replace(guests, names=[names[player] for player in series.seating])
        match = seated.play(series.game, new_path(game.key), scale=stand)
        if not match or not match.outcome:
            return
        series = series.after(match.state, match.outcome)
        if not series.winners and "human" in names and not _pause(guests.screen):
            return
    winners = " and ".join(f"{MARKERS[player]} {names[player]}" for player in series.winners)
    guests.screen.say(scale(series, rules.LENGTHS), f"The series goes to {winners}.")


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


def _pause(screen: Screen) -> bool:
    """Wait until somebody wants the next game; false if nobody does."""
    try:
        screen.ask("Press Enter for the next game.")
    except (EOFError, KeyboardInterrupt):
        screen.say("")
        return False
    return True


def _greeting(game: AnyGame) -> str:
    return f"{manifest(game.key).title}. Type ? for help."


def ask_game(screen: Screen) -> str:
    """Let a newcomer pick a game by its number."""
    for number, key in enumerate(games(), start=1):
        screen.say(f"{number}  {manifest(key).title}: {manifest(key).summary}")
    while True:
        text = screen.ask("Which game? Type its number:")
        if text in games():
            return text
        if text.isdecimal() and 1 <= int(text) <= len(games()):
            return games()[int(text) - 1]
        screen.say(f"Type a number from 1 to {len(games())}, or press Ctrl-C to leave.")


def _fill(game: AnyGame, names: Sequence[str]) -> list[str]:
    """A name for every seat: those that nobody named get a bot for newcomers, the first one a person."""
    if len(names) > game.seats:
        raise OptionError(f"{game.key} has {game.seats} seats here, not {len(names)}.")
    return [*(names or ["human"]), *[default_bot(game)] * game.seats][: game.seats]
