"""A match: a game being played, from its first action to its record."""

from collections.abc import Sequence
from typing import Any

from kemu.core.game import CHANCE, AnyGame, Outcome, Seat, options
from kemu.core.record import Record, replay
from kemu.play.dealer import Dealer
from kemu.play.errors import MatchOver, NoUndo, WrongSeat


class Match:
    """Players at their seats, every state so far, and the result if the players ended it themselves."""

    def __init__(self, game: AnyGame, players: Sequence[str], dealer: Dealer) -> None:
        assert len(players) == game.seats, "every seat has a player"
        self.game = game
        self.players = tuple(players)
        self.result: Outcome | None = None
        self._dealer = dealer
        self._states: list[Any] = [game.initial()]
        self._actions: list[Any] = []
        self._actors: list[Seat] = []
        self._arrive()

    def resume(self, record: Record) -> None:
        """Take up a record of this game; a bad one raises and leaves the match as it was."""
        texts = record.actions
        states = list(replay(self.game, texts))
        self._states, self._actions = states, [self.game.parse(text) for text in texts]
        self._actors = [self._actor(state) for state in states[:-1]]
        self.result = record.result
        self._arrive()

    @property
    def state(self) -> Any:
        """The state now."""
        return self._states[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, by the rules or by the players."""
        return self.result or self._outcome

    @property
    def turn(self) -> Seat | None:
        """Who acts now."""
        return None if self.result else self._turn

    @property
    def plies(self) -> int:
        """How many actions were taken, the dealer's included."""
        return len(self._actions)

    def log(self, seat: Seat, start: int = 0) -> Sequence[tuple[Seat, str]]:
        """From action `start` on, who acted and what a seat was told of it."""
        steps = zip(self._actors[start:], self._states[start:], self._actions[start:], strict=False)
        return [(actor, self.game.seen(state, action, seat)) for actor, state, action in steps]

    def act(self, seat: Seat, action: Any) -> None:
        """A seat takes an action."""
        self._check(seat)
        self._states.append(self.game.apply(self.state, action))
        self._actions.append(action)
        self._actors.append(seat)
        self._arrive()

    def deal(self) -> None:
        """The dealer acts for as long as it is the dealer's turn."""
        while self.turn == CHANCE:
            self.act(CHANCE, self._dealer.deal(self.game.odds(self.state)))

    def resign(self, seat: Seat) -> None:
        """A seat gives up, at any time; all others win."""
        self.lose(seat, "resignation")

    def lose(self, seat: Seat, reason: str) -> None:
        """A seat loses for a reason outside the rules; all others win."""
        self.end(Outcome(tuple(other for other in range(self.game.seats) if other != seat), reason))

    def agree(self) -> None:
        """The players agree on a draw."""
        self.end(Outcome((), "agreement"))

    def end(self, result: Outcome) -> None:
        """The match ends by what the rules do not know."""
        self._check(None)
        self.result = result

    def undo(self, seat: Seat) -> None:
        """Back to before this seat's last action, unless the dealer has shown a card since."""
        self.take_back(self.undoable(seat))

    def undoable(self, seat: Seat) -> int:
        """How many plies go if this seat takes its last action back, or NoUndo."""
        self._check(None)
        for ply in reversed(range(self.plies)):
            actor = self._actors[ply]
            if actor == CHANCE:
                raise NoUndo("A card has been dealt since; that cannot be taken back.")
            if actor == seat:
                return self.plies - ply
        raise NoUndo("There is nothing to take back.")

    def take_back(self, plies: int) -> None:
        """The last plies never happened."""
        del self._states[-plies:], self._actions[-plies:], self._actors[-plies:]
        self._arrive()

    def record(self) -> Record:
        """This match as a record, whole: only for those who may see everything."""
        return Record(
            game=self.game.key,
            options=options(self.game),
            actions=tuple(self.game.format(action) for action in self._actions),
            players=self.players,
            result=self.result,
        )

    def _arrive(self) -> None:
        """Ask the rules once for each state whose turn it is and whether the game is over."""
        self._turn = self.game.turn(self.state)
        self._outcome = self.game.outcome(self.state) if self._turn is None else None

    def _actor(self, state: Any) -> Seat:
        seat = self.game.turn(state)
        assert seat is not None, "somebody acted in this state"
        return seat

    def _check(self, seat: Seat | None) -> None:
        """Refuse what comes after the end, or out of turn."""
        if self.outcome:
            raise MatchOver("The match is over.")
        if seat is not None and seat != self.turn:
            raise WrongSeat("It is another seat's turn.")
