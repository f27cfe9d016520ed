"""From the words of the command line to a match at the terminal."""

from collections.abc import Callable, Sequence
from pathlib import Path

from kemu.bots import bot, bots
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.core.record import Record
from kemu.games import drawing, games, package
from kemu.play.dealer import Dealer
from kemu.play.match import Match
from kemu.terminal.play import Evening
from kemu.terminal.records import load, new_path
from kemu.terminal.screen import Screen, open_screen


def start(
    key: str | None,
    seats: Sequence[str],
    make: Callable[[str], AnyGame],
    loaded: Path | None,
    saved: Path | None,
    seed: int | None,
    plain: bool,
) -> None:
    """Play a new game, or go on with a record."""
    screen = open_screen(plain)
    record: Record | None = None
    if loaded:
        record, chosen = load(loaded)
    else:
        try:
            chosen = make(key or _ask_game(screen))
        except (EOFError, KeyboardInterrupt):
            return
    players = _players(chosen, seats, seed)
    match = Match(chosen, [player.name if player else "human" for player in players], Dealer(seed))
    if record:
        match.resume(record)
    path = saved or loaded or new_path(chosen.key)
    screen.say(f"{package(chosen.key).TITLE}. Type ? for help.")
    Evening(match, players, drawing(chosen.key), screen, path).play()


def _ask_game(screen: Screen) -> str:
    """Let a newcomer pick a game by its number."""
    for number, key in enumerate(games(), start=1):
        screen.say(f"{number}  {package(key).TITLE}: {package(key).SUMMARY}")
    while True:
        text = screen.ask("Which game? Type its number:")
        if text in games():
            return text
        if text.isdecimal() and 1 <= int(text) <= len(games()):
            return games()[int(text) - 1]
        screen.say(f"Type a number from 1 to {len(games())}, or press Ctrl-C to leave.")


def _players(chosen: AnyGame, names: Sequence[str], seed: int | None) -> list[Bot | None]:
    """Who sits where; seats that nobody named get the best bot there is, the first one a person."""
    if len(names) > chosen.seats:
        raise OptionError(f"{chosen.key} has {chosen.seats} seats here, not {len(names)}.")
    best = list(bots(chosen))[-1]
    everyone = [*names, *(["human"] if not names else []), *[best] * chosen.seats][: chosen.seats]
    return [None if name == "human" else bot(name, chosen, seed) for name in everyone]
