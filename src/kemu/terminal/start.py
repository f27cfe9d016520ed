"""From the words of the command line to a match at the terminal."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kemu.bots import bot, default_bot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.games import games, manifest, text
from kemu.games import series as series_rules
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, start, start_from
from kemu.play.table import Table, next_match
from kemu.play.terms import Player, new_series
from kemu.terminal.play import RecordFile, TerminalMatch
from kemu.terminal.records import load, new_path
from kemu.terminal.scale import MARKERS, scale
from kemu.terminal.screen import Screen

HUMAN: Final = "human"


@dataclass(frozen=True)
class Setup:
    """Who plays, and how they are shown the game."""

    names: Sequence[str]  # by seat: human, or a bot; what is missing is filled up
    seed: int | None
    screen: Screen

    def players(self, game: AnyGame, people: Collection[str] = ()) -> list[Player]:
        """A player for every seat, with the number of the seat as id; a name that is not of `people` is a bot's."""
        names = _fill(game, self.names)
        return [
            Player(str(seat), name, "person" if name == HUMAN or name in people else "bot")
            for seat, name in enumerate(names)
        ]

    def play(self, table: Table, dealer: Dealer, path: Path, standing: str = "") -> Table | None:
        """Play a match to its end; None if somebody left before."""
        game, file = table.game, RecordFile(path)
        match = LocalMatch(table, dealer, file)
        bots = [self._bot(game, seat, player) for seat, player in enumerate(table.players)]
        shown = TerminalMatch(match, bots, text(game.key), self.screen, file, standing)
        return match.table if shown.play() else None

    def _bot(self, game: AnyGame, seat: Seat, player: Player | None) -> Bot | None:
        if player is None or player.kind == "person":
            return None
        return bot(player.name, game, None if self.seed is None else self.seed + seat)


def play_new(game: AnyGame, setup: Setup, path: Path | None) -> None:
    """Play one game."""
    setup.screen.say(_greeting(game))
    file, dealer = _unused(path) or new_path(game.key), Dealer(setup.seed)
    setup.play(start(game, setup.players(game), dealer), dealer, file)


def play_on(file: Path, setup: Setup, path: Path | None) -> None:
    """Play the rest of a record, with the same bots unless others are named."""
    record, game = load(file)
    setup.screen.say(_greeting(game))
    seated = setup if setup.names else replace(setup, names=record.players)
    people = [name for name in record.players if not _is_bot(name, game)]
    table = start_from(game, seated.players(game, people), record)
    seated.play(table, Dealer(setup.seed), _unused(path) or file)


def play_series(game: AnyGame, setup: Setup, wanted: str) -> None:
    """Play games until somebody has won the series, or leaves; each game has a file of its own."""
    rules = series_rules(game.key)
    series = new_series(_length(game, rules.LENGTHS, wanted), game.seats)
    players = setup.players(game)
    setup.screen.say(_greeting(game))
    dealer = Dealer(setup.seed)
    table = start(game, players, dealer, series)
    while True:
        standing = scale(_wins(table), series.to, rules.LENGTHS)
        setup.screen.say(standing)
        played = setup.play(table, dealer, new_path(game.key), standing)
        if played is None:
            return
        if played.series.winners:
            break
        if any(player.kind == "person" for player in players) and not _pause(setup.screen):
            return
        following, seated = next_match(played, played.terms.id, rules.following, 0)
        dealer = Dealer(setup.seed)
        table = start(following.game, seated, dealer, following.terms.series)
    winners = [played.players[seat] for seat in played.series.winners]
    names = " and ".join(f"{MARKERS[int(player.id)]} {player.name}" for player in winners if player is not None)
    setup.screen.say(scale(_wins(played), series.to, rules.LENGTHS), f"The series goes to {names}.")


def _length(game: AnyGame, lengths: Mapping[str, int], wanted: str) -> int:
    """How many games win a series, from a number or the name of a length."""
    named = {name.lower(): length for name, length in lengths.items()}
    if wanted.lower() not in named and not wanted.isdecimal():
        titles = f"{', '.join(lengths)} or " if lengths else ""
        raise OptionError(f"A series of {game.key} is {titles}a number of games to win, not '{wanted}'.")
    return named.get(wanted.lower()) or int(wanted)


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
    return [*(names or [HUMAN]), *[default_bot(game)] * game.seats][: game.seats]
