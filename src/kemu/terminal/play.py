"""The evening at a terminal: bots answer, people type, every action is saved before the next is asked for."""

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
from kemu.play.match import Match
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


class Leave(Exception):
    """The person leaves; the game is kept."""


@dataclass
class Evening:
    """One match at one terminal."""

    match: Match
    bots: Sequence[Bot | None]  # by seat; None is a person
    drawing: TextView
    screen: Screen
    path: Path
    scale: str = ""  # how the series stands, if there is one
    _told: dict[Seat, int] = field(default_factory=dict)  # how many actions each person was told of
    _facing: Seat | None = None  # whose hand was shown last

    def play(self) -> bool:
        """Play to the end, or until the person leaves (then false); the record is saved either way."""
        try:
            self._play()
        except (KeyboardInterrupt, EOFError, Leave):
            self._save()
            self.screen.say("", f"The game is kept. Go on with: kemu play --load {self.path}")
            return False
        return True

    def _play(self) -> None:
        match = self.match
        self._deal()
        while (seat := match.turn) is not None:
            bot = self.bots[seat]
            if bot:
                lines = [line for _, line in match.log(seat)]
                match.act(seat, bot.choose(match.game.view(match.state, seat), lines, match.game.actions(match.state)))
            else:
                self._person(seat)
            self._deal()
        self._end()

    def _deal(self) -> None:
        self.match.deal()
        self._save()

    def _save(self) -> None:
        save(self.path, self.match.record())

    def _person(self, seat: Seat) -> None:
        """Ask one person until an action or another end of the turn."""
        self._hand_over(seat)
        self._tell(seat)
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
        self.match.act(seat, self._action(text))
        self._told[seat] = self.match.plies
        return True

    def help(self, seat: Seat) -> None:
        """What can be typed."""
        self.screen.say(*HELP.splitlines())

    def rules(self, seat: Seat) -> None:
        """How the game is played, in short."""
        self.screen.say(*manifest(self.match.game.key).how_to_play.splitlines())

    def stand(self, seat: Seat) -> None:
        """How the series stands."""
        self.screen.say(*(self.scale or "This game is not part of a series.").splitlines())

    def undo(self, seat: Seat) -> bool:
        """Back to before this person's last action."""
        self.match.undo(seat)
        self._told.clear()
        self.screen.say("Taken back.")
        return True

    def resign(self, seat: Seat) -> bool:
        """Give up, if the person is sure."""
        if not self._sure(f"{self._name(seat)}, give up this game?"):
            return False
        self.match.resign(seat)
        return True

    def agree(self, seat: Seat) -> bool:
        """A draw, if all agree."""
        others = [other for other in range(self.match.game.seats) if other != seat]
        if any(self.bots[other] for other in others):
            self.screen.say("Bots do not agree on draws; play on or resign.")
            return False
        if not all(self._sure(f"{self._name(other)}, do you agree on a draw?") for other in others):
            return False
        self.match.agree()
        return True

    def save(self, seat: Seat) -> None:
        """Save once more and say where."""
        self._save()
        self.screen.say(f"Saved as {self.path}")

    def leave(self, seat: Seat) -> None:
        """Leave; the game is kept."""
        raise Leave

    def show(self, seat: Seat) -> None:
        """The board as this person sees it."""
        game = self.match.game
        lines = [line for _, line in self.match.log(seat)]
        self.screen.show(self.drawing, game, with_log(game.view(self.match.state, seat), lines))

    def list(self, seat: Seat) -> None:
        """The legal actions, each in words."""
        game, state = self.match.game, self.match.state
        view = game.view(state, seat)
        texts: dict[str, list[str]] = {}
        for action in game.actions(state):
            texts.setdefault(self.drawing.explain(game, view, action), []).append(game.format(action))
        for words, alike in texts.items():
            self.screen.say(*([f"  {alike[0]:8} {words}"] if len(alike) == 1 else [f"  {words}:", *_wrapped(alike)]))

    def _action(self, text: str) -> Any:
        """The action of a text, big or small letters alike."""
        game = self.match.game
        for action in game.actions(self.match.state):
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
        people = [other for other in range(self.match.game.seats) if not self.bots[other]]
        views = [self.match.game.view(self.match.state, person) for person in people]
        secret = any(view != views[0] for view in views)
        if secret and seat != self._facing:
            self.screen.hide()
            self.screen.ask(f"{self._name(seat)}: press Enter when only you see the screen.")
        self._facing = seat

    def _tell(self, seat: Seat) -> None:
        """What has happened since this person last looked."""
        start = self._told.get(seat, 0)
        for actor, entries in groupby(self.match.log(seat, start), key=itemgetter(0)):
            self.screen.say(f"{self._name(actor)}: {' '.join(line for _, line in entries)}")
        self._told[seat] = self.match.plies

    def _name(self, seat: Seat) -> str:
        name = seat_name(self.drawing, self.match.game, seat)
        bot = None if seat == CHANCE else self.bots[seat]
        return f"{name} ({bot.name} bot)" if bot else name

    def _end(self) -> None:
        people = [seat for seat in range(self.match.game.seats) if not self.bots[seat]]
        viewer = people[0] if len(people) == 1 else SPECTATOR
        self._tell(viewer)
        self.show(viewer)
        outcome = self.match.outcome
        assert outcome, "nobody is to act, so it has ended"
        self.screen.say(outcome_sentence(outcome, self._name), f"The record is {self.path}")


def _wrapped(texts: Sequence[str]) -> Sequence[str]:
    return wrap(" ".join(texts), 76, initial_indent="    ", subsequent_indent="    ")


COMMANDS: Final[dict[str, Callable[[Evening, Seat], bool | None]]] = {
    "": Evening.help,
    "?": Evening.help,
    "help": Evening.help,
    "actions": Evening.list,
    "board": Evening.show,
    "rules": Evening.rules,
    "scale": Evening.stand,
    "undo": Evening.undo,
    "resign": Evening.resign,
    "draw": Evening.agree,
    "save": Evening.save,
    "quit": Evening.leave,
}
"""What a person may type besides actions; true when the turn has passed or gone back."""
