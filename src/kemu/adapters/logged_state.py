"""A state of a game with the logs that led to it: what the adapters of OpenSpiel, PettingZoo and Gymnasium play on."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kemu.core.encoding import Encoding, action_ids, payoffs
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, AnyView, Seat
from kemu.core.record import SeatLogs
from kemu.games import text
from kemu.play.dealer import Dealer


@dataclass(frozen=True)
class LoggedState:
    """A state of a game, and what each seat and a spectator have been told on the way to it."""

    encoding: Encoding
    state: Any
    logs: SeatLogs
    longest: int
    length: int = 0

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return self.encoding.game

    @property
    def turn(self) -> Seat | None:
        """The seat that is to act, or CHANCE; None once the game is over or was stopped."""
        return None if self.length >= self.longest else self.rules.turn(self.state)

    @property
    def terminated(self) -> bool:
        """Whether the game is over by its rules."""
        return self.rules.outcome(self.state) is not None

    @property
    def returns(self) -> tuple[float, ...]:
        """Return the return of each seat; 0 while the game is running."""
        outcome = self.rules.outcome(self.state)
        return payoffs(self.encoding, outcome) if outcome else (0.0,) * self.rules.seats

    def view(self, seat: Seat) -> Any:
        """Return what a seat, or a spectator, may know now."""
        return self.rules.view(self.state, seat)

    def observation(self, seat: Seat) -> NDArray[np.uint8]:
        """Return the view of a seat as numbers."""
        return observe(self.encoding, self.view(seat), seat)

    def drawing(self, seat: Seat) -> str:
        """Return the view of a seat as a drawing in text."""
        return text(self.rules.key).draw(self.rules, self.view(seat))

    def legal_ids(self) -> list[int]:
        """Return the ids of the legal actions of the seat that is to act, or of CHANCE; none once the game is over."""
        if (seat := self.turn) is None:
            return []
        ids = action_ids(self.encoding, seat)
        return sorted(ids[action] for action in self.rules.actions(self.state))

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for the id of each legal action of the seat that is to act, and 0 for all others."""
        mask = np.zeros(len(self.encoding.actions(0)), np.int8)
        mask[self.legal_ids()] = 1
        return mask

    def after(self, action: Any) -> "LoggedState":
        """Return the state and the logs after an action; raises IllegalAction."""
        state = self.rules.apply(self.state, action)
        return replace(self, state=state, logs=self.logs.after(self.state, action), length=self.length + 1)

    def dealt(self, dealer: Dealer) -> "LoggedState":
        """Return the state after a dealer has acted for as long as it is its turn."""
        now = self
        while now.turn == CHANCE:
            now = now.after(dealer.deal(now.rules.odds(now.state)))
        return now

    def __deepcopy__(self, memo: object) -> "LoggedState":
        return self  # frozen; OpenSpiel copies a state for each child


def first_state(encoding: Encoding, state: Any = None) -> LoggedState:
    """Return a state in which nobody has been told anything, by default the initial one."""
    rules = encoding.game
    first = rules.initial() if state is None else state
    return LoggedState(encoding, first, SeatLogs(rules, (SPECTATOR, *range(rules.seats))), encoding.longest(first))


def observe(encoding: Encoding, view: AnyView, seat: Seat) -> NDArray[np.uint8]:
    """Return a view of a seat as numbers in the shape of the encoding."""
    return np.frombuffer(encoding.observation(view, seat), np.uint8).reshape(encoding.shape).copy()
