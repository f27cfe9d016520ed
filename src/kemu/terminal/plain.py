"""Play in plain lines: bots act, people type, every action is saved before the next is asked for."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from textwrap import wrap
from typing import Final

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.games import game_keys, manifest
from kemu.play.errors import MatchOver
from kemu.play.table import Table
from kemu.terminal.match import Seating, TerminalMatch, following_match, series_result, standing
from kemu.terminal.screen import PlainScreen, outcome_sentence, time_text

HELP: Final = """\
Type an action to take it, or one of these words:
  actions  list the legal actions      board    show the board again
  rules    how this game is played     undo     take back your last action
  resign   give up this game           draw     agree on a draw
  scale    how the series stands       save     save (done anyway)
  quit     leave; the game is kept\
"""


@dataclass
class PlainMatch:
    """One match in lines: what is shown, asked and typed."""

    match: TerminalMatch
    screen: PlainScreen
    _shown: dict[Seat, int] = field(default_factory=dict)  # how many actions each person has been shown
    _facing: Seat | None = None  # whose hand was shown last

    @property
    def table(self) -> Table:
        """The match now."""
        return self.match.table

    def play(self) -> None:
        """Play to the end; raises EOFError or KeyboardInterrupt if the person leaves."""
        while (seat := self.table.turn) is not None:
            bot = self.match.bots[seat]
            if bot:
                with suppress(MatchOver):  # its time was up
                    self.match.local.act_by(bot)
            else:
                self._person(seat)
        self._end()

    def _person(self, seat: Seat) -> None:
        """Ask one person until an action or another end of the turn."""
        self._hand_over(seat)
        self._show_log(seat)
        self.show(seat)
        while True:
            text = self.screen.ask(f"{self.match.name(seat)}{self._time(seat)} >")
            try:
                if self._typed(seat, text):
                    return
            except KemuError as error:
                self.screen.say(str(error))
            if self.table.turn is None:  # the time was up
                return

    def _typed(self, seat: Seat, text: str) -> bool:
        """Do what was typed; true when the turn has passed or gone back."""
        command = COMMANDS.get(text.lower())
        if command:
            return bool(command(self, seat))
        before = self.table.plies
        self.match.local.act(self.match.parse(text))
        self._shown[seat] = before + 1
        return True

    def help(self, seat: Seat) -> None:
        """Say what can be typed."""
        self.screen.say(*HELP.splitlines())

    def rules(self, seat: Seat) -> None:
        """Say how the game is played, in short."""
        self.screen.say(*manifest(self.table.game.key).how_to_play.splitlines())

    def show_scale(self, seat: Seat) -> None:
        """Show how the series stands."""
        self.screen.say(*(standing(self.match) or "This game is not part of a series.").splitlines())

    def undo(self, seat: Seat) -> bool:
        """Take back to before this person's last action."""
        self.match.agree(seat, "takeback")
        self._shown.clear()
        self.screen.say("Taken back.")
        return True

    def resign(self, seat: Seat) -> bool:
        """Give up, if the person is sure."""
        if not self._sure(f"{self.match.name(seat)}, give up this game?"):
            return False
        self.match.resign(seat)
        return True

    def draw(self, seat: Seat) -> bool:
        """Agree on a draw, if all people do; bots agree to none."""
        if not all(map(self._sure, self.match.draw_questions(seat))):
            return False
        self.match.agree(seat, "draw")
        return True

    def save(self, seat: Seat) -> None:
        """Save once more and say where."""
        self.match.file.save(self.table)
        self.screen.say(f"Saved as {self.match.file.path}")

    def leave(self, seat: Seat) -> None:
        """Leave, as the end of input does; the game is kept."""
        raise EOFError

    def show(self, seat: Seat) -> None:
        """Show the board as this person sees it."""
        self.screen.show(self.match.text, self.table.game, self.match.view(seat))

    def list(self, seat: Seat) -> None:
        """List the legal actions, each in words."""
        game, state = self.table.game, self.table.state
        view = game.view(state, seat)
        texts: dict[str, list[str]] = {}
        for action in game.actions(state):
            texts.setdefault(self.match.text.explain(game, view, action), []).append(game.format(action))
        for words, alike in texts.items():
            self.screen.say(*([f"  {alike[0]:8} {words}"] if len(alike) == 1 else [f"  {words}:", *_wrapped(alike)]))

    def _sure(self, question: str) -> bool:
        return self.screen.ask(f"{question} (y/n)").lower() in ("y", "yes")

    def _hand_over(self, seat: Seat) -> None:
        """Hide the screen until its next viewer is ready, if people see different things."""
        if self.match.secret and seat != self._facing:
            self.screen.hide()
            self.screen.ask(f"{self.match.name(seat)}: press Enter when only you see the screen.")
        self._facing = seat

    def _show_log(self, seat: Seat) -> None:
        """Show the actions since this person last looked."""
        start = self._shown.get(seat, 0)
        for actor, entries in groupby(self.table.log(seat, start), key=itemgetter(0)):
            self.screen.say(f"{self.match.name(actor)}: {' '.join(line for _, line in entries)}")
        self._shown[seat] = self.table.plies

    def _time(self, seat: Seat) -> str:
        """Return the time that a seat has left, if it is counted."""
        return f" {time_text(self.match.local.remaining()[seat])}" if self.match.timed else ""

    def _end(self) -> None:
        viewer = self.match.last_viewer
        self._show_log(viewer)
        self.show(viewer)
        outcome = self.table.outcome
        assert outcome, "nobody is to act, so it has ended"
        self.screen.say(outcome_sentence(outcome, self.match.name), f"The record is {self.match.file.path}")


def play_plain(match: TerminalMatch, seating: Seating, screen: PlainScreen) -> None:
    """Play a match, and if it is of a series the games after it, until somebody has won the series or leaves."""
    screen.say(f"{manifest(match.game.key).title}. Type ? for help.")
    try:
        while True:
            screen.say(*filter(None, [standing(match)]))
            PlainMatch(match, screen).play()
            if match.table.series.decided:
                break
            if match.people:
                screen.ask("Press Enter for the next game.")
            match = following_match(match, seating)
    except (EOFError, KeyboardInterrupt):
        kept = f"The game is kept. Go on with: kemu play --load {match.file.path}"
        screen.say("", *([] if match.table.turn is None else [kept]))
        return
    if result := series_result(match):
        screen.say(standing(match), result)


def ask_game(screen: PlainScreen) -> str:
    """Let a newcomer pick a game by its number; raises EOFError or KeyboardInterrupt."""
    for number, key in enumerate(game_keys(), start=1):
        screen.say(f"{number}  {manifest(key).title}: {manifest(key).summary}")
    while True:
        text = screen.ask("Which game? Type its number:")
        if text in game_keys():
            return text
        if text.isdecimal() and 1 <= int(text) <= len(game_keys()):
            return game_keys()[int(text) - 1]
        screen.say(f"Type a number from 1 to {len(game_keys())}, or press Ctrl-C to leave.")


def _wrapped(texts: Sequence[str]) -> Sequence[str]:
    return wrap(" ".join(texts), 76, initial_indent="    ", subsequent_indent="    ")


COMMANDS: Final[dict[str, Callable[[PlainMatch, Seat], bool | None]]] = {
    **dict.fromkeys(("", "?", "help"), PlainMatch.help),
    "actions": PlainMatch.list,
    "board": PlainMatch.show,
    "rules": PlainMatch.rules,
    "scale": PlainMatch.show_scale,
    "undo": PlainMatch.undo,
    "resign": PlainMatch.resign,
    "draw": PlainMatch.draw,
    "save": PlainMatch.save,
    "quit": PlainMatch.leave,
}
"""Carry out a typed command; returns whether the turn has passed or gone back."""
