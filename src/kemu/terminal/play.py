"""One match at a terminal: bots act, people type, every action is saved before the next is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from kemu.core.bot import Bot
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import CHANCE, SPECTATOR, Seat
from kemu.core.text import TextView
from kemu.games import manifest
from kemu.play.commands import Accept, Offer, Resign
from kemu.play.events import Entry, What
from kemu.play.local import NO_ID, LocalMatch
from kemu.play.runner import NoJournal, Saved
from kemu.play.table import Table
from kemu.terminal.records import save
from kemu.terminal.screen import Screen
from kemu.terminal.words import outcome_sentence, seat_name, with_log

HELP: Final = """\
Type an action to take it, or one of these words:
  actions  list the legal actions      board    show the board again
  rules    how this game is played     undo     take back your last action
  resign   give up this game           draw     agree on a draw
  scale    how the series stands       save     save (done anyway)
  quit     leave; the game is kept\
"""


class PersonLeft(Exception):
    """The person leaves; the game is kept."""


class RecordFile(NoJournal):
    """A journal that keeps the match as a record in one file, written anew for every entry."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, before: Table, entry: Entry, after: Table, saved: Saved) -> None:
        """Write the record; OptionError if the file cannot be written."""
        self.save(after)
        saved(None)

    def save(self, table: Table) -> None:
        """Write the record of a table, or raise OptionError."""
        save(self.path, table.record())


@dataclass
class TerminalMatch:
    """One match at one terminal."""

    match: LocalMatch
    bots: Sequence[Bot | None]  # by seat; None is a person
    text: TextView
    screen: Screen
    file: RecordFile
    scale: str = ""  # how the series stands, if there is one
    _shown: dict[Seat, int] = field(default_factory=dict)  # how many actions each person has been shown
    _facing: Seat | None = None  # whose hand was shown last

    @property
    def table(self) -> Table:
        """The match now."""
        return self.match.table

    def play(self) -> bool:
        """Play to the end, or until the person leaves (then false); the record is saved either way."""
        try:
            self._play()
        except (KeyboardInterrupt, EOFError, PersonLeft):
            self.file.save(self.table)
            self.screen.say("", f"The game is kept. Go on with: kemu play --load {self.file.path}")
            return False
        return True

    def _play(self) -> None:
        self.file.save(self.table)
        while (seat := self.table.turn) is not None:
            bot = self.bots[seat]
            if bot:
                self.match.act_by(bot)
            else:
                self._person(seat)
        self._end()

    def _person(self, seat: Seat) -> None:
        """Ask one person until an action or another end of the turn."""
        self._hand_over(seat)
        self._show_log(seat)
        self.show(seat)
        while True:
            text = self.screen.ask(f"{self._name(seat)} >")
            try:
                if self._typed(seat, text):
                    return
            except KemuError as error:
                self.screen.say(str(error))

    def _typed(self, seat: Seat, text: str) -> bool:
        """Do what was typed; true when the turn has passed or gone back."""
        command = COMMANDS.get(text.lower())
        if command:
            return bool(command(self, seat))
        before = self.table.plies
        self.match.act(self._action(text))
        self._shown[seat] = before + 1
        return True

    def help(self, seat: Seat) -> None:
        """What can be typed."""
        self.screen.say(*HELP.splitlines())

    def rules(self, seat: Seat) -> None:
        """How the game is played, in short."""
        self.screen.say(*manifest(self.table.game.key).how_to_play.splitlines())

    def show_scale(self, seat: Seat) -> None:
        """How the series stands."""
        self.screen.say(*(self.scale or "This game is not part of a series.").splitlines())

    def undo(self, seat: Seat) -> bool:
        """Back to before this person's last action."""
        self._agree(seat, "takeback")
        self._shown.clear()
        self.screen.say("Taken back.")
        return True

    def resign(self, seat: Seat) -> bool:
        """Give up, if the person is sure."""
        if not self._sure(f"{self._name(seat)}, give up this game?"):
            return False
        self.match.submit(seat, Resign(NO_ID))
        return True

    def draw(self, seat: Seat) -> bool:
        """A draw, if all people agree; bots agree to none."""
        self.match.check(seat, Offer(NO_ID, "draw"))
        others = [other for other in range(self.table.game.seats) if other != seat]
        if not all(self._sure(f"{self._name(other)}, do you agree on a draw?") for other in others):
            return False
        self._agree(seat, "draw")
        return True

    def _agree(self, seat: Seat, what: What) -> None:
        """An offer of a seat that all other people accept."""
        self.match.submit(seat, Offer(NO_ID, what))
        for other, bot in enumerate(self.bots):
            if what in self.table.offers and bot is None and other != seat:
                self.match.submit(other, Accept(NO_ID, what))

    def save(self, seat: Seat) -> None:
        """Save once more and say where."""
        self.file.save(self.table)
        self.screen.say(f"Saved as {self.file.path}")

    def leave(self, seat: Seat) -> None:
        """Leave; the game is kept."""
        raise PersonLeft

    def show(self, seat: Seat) -> None:
        """The board as this person sees it."""
        game = self.table.game
        lines = [line for _, line in self.table.log(seat)]
        self.screen.show(self.text, game, with_log(game.view(self.table.state, seat), lines))

    def list(self, seat: Seat) -> None:
        """The legal actions, each in words."""
        game, state = self.table.game, self.table.state
        view = game.view(state, seat)
        texts: dict[str, list[str]] = {}
        for action in game.actions(state):
            texts.setdefault(self.text.explain(game, view, action), []).append(game.format(action))
        for words, alike in texts.items():
            self.screen.say(*([f"  {alike[0]:8} {words}"] if len(alike) == 1 else [f"  {words}:", *_wrapped(alike)]))

    def _action(self, text: str) -> Any:
        """The action of a text, big or small letters alike."""
        game = self.table.game
        for action in game.actions(self.table.state):
            if game.format(action).lower() == text.lower():
                return action
        try:
            return game.parse(text)
        except ParseError as error:
            raise ParseError(f"{error} Type ? for help.") from None

    def _sure(self, question: str) -> bool:
        return self.screen.ask(f"{question} (y/n)").lower() in ("y", "yes")

    def _hand_over(self, seat: Seat) -> None:
        """With several people at one screen, no hand is shown before its owner says so."""
        people = [other for other in range(self.table.game.seats) if not self.bots[other]]
        views = [self.table.game.view(self.table.state, person) for person in people]
        secret = any(view != views[0] for view in views)
        if secret and seat != self._facing:
            self.screen.hide()
            self.screen.ask(f"{self._name(seat)}: press Enter when only you see the screen.")
        self._facing = seat

    def _show_log(self, seat: Seat) -> None:
        """The actions since this person last looked."""
        start = self._shown.get(seat, 0)
        for actor, entries in groupby(self.table.log(seat, start), key=itemgetter(0)):
            self.screen.say(f"{self._name(actor)}: {' '.join(line for _, line in entries)}")
        self._shown[seat] = self.table.plies

    def _name(self, seat: Seat) -> str:
        name = seat_name(self.text, self.table.game, seat)
        bot = None if seat == CHANCE else self.bots[seat]
        return f"{name} ({bot.name} bot)" if bot else name

    def _end(self) -> None:
        people = [seat for seat in range(self.table.game.seats) if not self.bots[seat]]
        viewer = people[0] if len(people) == 1 else SPECTATOR
        self._show_log(viewer)
        self.show(viewer)
        outcome = self.table.outcome
        assert outcome, "nobody is to act, so it has ended"
        self.screen.say(outcome_sentence(outcome, self._name), f"The record is {self.file.path}")


def _wrapped(texts: Sequence[str]) -> Sequence[str]:
    return wrap(" ".join(texts), 76, initial_indent="    ", subsequent_indent="    ")


COMMANDS: Final[dict[str, Callable[[TerminalMatch, Seat], bool | None]]] = {
    "": TerminalMatch.help,
    "?": TerminalMatch.help,
    "help": TerminalMatch.help,
    "actions": TerminalMatch.list,
    "board": TerminalMatch.show,
    "rules": TerminalMatch.rules,
    "scale": TerminalMatch.show_scale,
    "undo": TerminalMatch.undo,
    "resign": TerminalMatch.resign,
    "draw": TerminalMatch.draw,
    "save": TerminalMatch.save,
    "quit": TerminalMatch.leave,
}
"""What a person may type besides actions; true when the turn has passed or gone back."""
