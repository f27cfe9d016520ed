"""A match on a full screen: whose turn it is, what people ask for, and the end."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Label

from kemu.bots import bot, bots
from kemu.core.bot import Bot
from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR, Seat, options
from kemu.games import game, manifest
from kemu.terminal.full_screen.dialogs import ActionDialog, AfterMatch, HandoverScreen, ResultDialog, RulesPage, YesNo
from kemu.terminal.full_screen.match_view import MatchView
from kemu.terminal.match import TerminalMatch, series_result, standing
from kemu.terminal.screen import outcome_sentence

TICK_S: Final = 0.1
KEYS: Final = """\
Keys
  arrows   move the cursor             a   list all actions, or type one
  Enter    choose, as a click does     h   a hint of the strongest bot
  Esc      take the choice back        u   take back the last action
  Tab      board, list and log         t   light or dark
Every game is kept: q leaves it, and --load goes on with it.\
"""


class MatchScreen(Screen[AfterMatch]):
    """One match; dismissed with what is wanted after it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "actions", "Actions"),
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("r", "rules", "Rules"),
        Binding("d", "draw", "Draw"),
        Binding("g", "give_up", "Give up"),
        Binding("p", "dismiss('again')", "Play again"),
        Binding("n", "dismiss('new')", "New"),
        Binding("t", "app.switch_theme", "Theme"),
        Binding("q", "dismiss('quit')", "Quit"),
    ]

    def __init__(self, match: TerminalMatch, pause_s: float) -> None:
        super().__init__()
        self.match = match
        self._pause_s = pause_s
        self._shown = MatchView(match)
        self._facing: Seat | None = None  # whose view is shown, where people see different things

    def compose(self) -> ComposeResult:
        """Show a title, the match and the keys."""
        yield Label(_title(self.match), id="title", markup=False)
        yield self._shown
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Begin."""
        if self.match.timed:
            self.set_interval(TICK_S, self._tick)
        self._advance()

    # What comes next.

    def _advance(self) -> None:
        """Show the match and wait for the player to act."""
        table, match = self.match.table, self.match
        self.refresh_bindings()
        if table.turn is None:
            self._shown.show(self._viewer())
            self._finish()
        elif chooses := match.bots[table.turn]:
            self._shown.show(self._viewer(), thinking=table.turn)
            self._think(chooses)
        elif match.secret and table.turn != self._facing:
            # Nobody's secrets are on the screen before the next person says so.
            self._facing = None
            self._shown.show(self._viewer())
            self.app.push_screen(HandoverScreen(match.name(table.turn)), lambda _: self._face(table.turn))
        else:
            self._face(table.turn)

    def _face(self, seat: Seat | None) -> None:
        """Show the match to a person who is to act."""
        self._facing = seat
        self._shown.show(self._viewer())
        self._shown.focus_choice()

    @work(group="bot")
    async def _think(self, chooses: Bot) -> None:
        """Let a bot choose in a thread; its choice is dropped if the match has changed meanwhile."""
        version = self.match.table.version
        asked = self.match.local.asked()
        choice = asyncio.to_thread(lambda: chooses.choose(*asked))
        chosen, _ = await asyncio.gather(choice, asyncio.sleep(self._pause_s))
        if self.match.table.version == version:
            self._take(chosen)

    def _take(self, action: Any) -> None:
        """Take an action for the seat whose turn it is."""
        version = self.match.table.version
        with self._refusing():  # it may not be legal, or cannot be written, or the time is up
            self.match.local.act(action)
        if self.match.table.version != version:
            self._advance()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Show why something cannot be done."""
        try:
            yield
        except KemuError as error:
            self._shown.refuse(str(error))

    def _tick(self) -> None:
        """Show the clocks; end the match if the time is up, whatever lies over this screen."""
        if self.match.local.check_clock():
            while self.app.screen is not self:
                self.app.pop_screen()
            self._advance()
        elif self.match.table.turn is not None:
            self._shown.show_clocks()

    @work(group="dialog")
    async def _finish(self) -> None:
        """Tell the outcome and ask what next."""
        outcome = self.match.table.outcome
        assert outcome, "nobody is to act, so it has ended"
        series = (standing(self.match), series_result(self.match))
        sentences = (outcome_sentence(outcome, self.match.name), *series, f"The record is {self.match.file.path}")
        again = "Play again" if self.match.table.series.decided else "Next game"
        wanted = await self.app.push_screen_wait(ResultDialog(list(filter(None, sentences)), again))
        if wanted != "look":
            self.dismiss(wanted)

    def _viewer(self) -> Seat:
        """Return the seat whose view is shown."""
        match = self.match
        if match.table.turn is None or len(match.people) == 1:
            return match.last_viewer
        if match.secret:
            return SPECTATOR if self._facing is None else self._facing
        return match.people[0] if match.people else SPECTATOR

    # What people do.

    def on_match_view_chosen(self, event: MatchView.Chosen) -> None:
        """Take the action."""
        self._take(event.action)

    @work(group="dialog")
    async def action_actions(self) -> None:
        """List all actions; one may be typed."""
        actions = self._shown.actions
        if not actions:
            self._shown.refuse("It is not your turn.")
            return
        typed = await self.app.push_screen_wait(ActionDialog(self._shown.explained(actions)))
        if typed is None:
            return
        with self._refusing():
            self._take(self.match.parse(typed))

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Mark what the strongest bot would do; for the only person against bots."""
        match = self.match
        if len(match.people) != 1 or not self._shown.actions:
            self._shown.refuse("Hints are for your turn in a match against bots.")
            return
        version, strongest = match.table.version, list(bots(match.game))[-1]
        self._shown.say("Looking for a good action…")
        asked = match.local.asked()
        action = await asyncio.to_thread(lambda: bot(strongest, match.game).choose(*asked))
        if match.table.version == version:
            self._shown.show_hint(action)

    def action_undo(self) -> None:
        """Take back to before the last action of the person who acts now, or of the only one."""
        with self._refusing():
            self.match.agree(self._person(), "takeback")
            self._advance()

    @work(group="dialog")
    async def action_draw(self) -> None:
        """Agree on a draw, if all people do; bots agree to none."""
        match, seat = self.match, self._person()
        with self._refusing():
            for question in match.draw_questions(seat):
                if not await self.app.push_screen_wait(YesNo(question)):
                    return
            match.agree(seat, "draw")
            self._advance()

    @work(group="dialog")
    async def action_give_up(self) -> None:
        """Give up, if the person is sure."""
        seat = self._person()
        if await self.app.push_screen_wait(YesNo(f"{self.match.name(seat)}, give up this game?")):
            self.match.resign(seat)
            self._advance()

    def _person(self) -> Seat:
        """Return the person who acts now, or the first one while a bot thinks."""
        people, turn = self.match.people, self.match.table.turn
        return turn if turn is not None and turn in people else people[0]

    def action_rules(self) -> None:
        """Show how the game is played, in short, and the keys."""
        self.app.push_screen(RulesPage(self.match.game.key, f"\n\n{KEYS}"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that make no sense now."""
        over = self.match.table.turn is None
        if parameters == ("again",):
            return over
        if action in ("actions", "hint", "undo", "draw", "give_up"):
            return not over and bool(self.match.people)
        return True


def _title(match: TerminalMatch) -> str:
    """Return the title of the game, its unusual options, and the number of the game in its series."""
    usual, series = options(game(match.game.key)), match.table.terms.series
    chosen = [f"{name} {value}" for name, value in options(match.game).items() if value != usual[name]]
    wins = [f"game {series.game}, {series.to} wins needed"] if series.to > 1 else []
    return " · ".join([manifest(match.game.key).title, *chosen, *wins])
