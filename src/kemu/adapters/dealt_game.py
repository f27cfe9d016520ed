"""A game under way whose dealer draws from a seed: what the adapters of PettingZoo and Gymnasium play on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kemu.core.encoding import Encoding, action_ids, returns
from kemu.core.game import CHANCE, AnyGame, Seat
from kemu.play.dealer import Dealer


class DealtGame:
    """A state with the logs of all seats; after each action the dealer acts for as long as it is its turn."""

    def __init__(self, encoding: Encoding, seed: int) -> None:
        self.encoding = encoding
        self.rules: AnyGame = encoding.game
        self.state: Any = self.rules.initial()
        self.length = 0
        self.longest = encoding.longest(self.state)
        self._dealer = Dealer(seed)
        self._logs: list[list[str]] = [[] for _ in range(self.rules.seats)]
        self._deal()

    @property
    def seat(self) -> Seat | None:
        """The seat that is to act, None once the game is over or was stopped."""
        return None if self.truncated else self.rules.turn(self.state)

    @property
    def truncated(self) -> bool:
        """Whether the game went on for too long without an end."""
        return self.length >= self.longest and self.rules.outcome(self.state) is None

    @property
    def returns(self) -> tuple[float, ...]:
        """What the game was worth to each seat, 0 while it goes on."""
        outcome = self.rules.outcome(self.state)
        return returns(outcome, self.rules.seats) if outcome else (0.0,) * self.rules.seats

    def log(self, seat: Seat) -> Sequence[str]:
        """The log lines of a seat."""
        return self._logs[seat]

    def act(self, action: Any) -> None:
        """Take an action of the seat that is to act; raises IllegalAction."""
        self._apply(action)
        self._deal()

    def is_legal(self, number: int) -> bool:
        """Whether an id is that of a legal action."""
        return bool(self.mask()[number])

    def observation(self, seat: Seat) -> NDArray[np.uint8]:
        """What a seat sees, in the shape of the encoding."""
        numbers = self.encoding.observation(self.rules.view(self.state, seat), seat)
        return np.frombuffer(numbers, np.uint8).reshape(self.encoding.shape).copy()

    def mask(self) -> NDArray[np.int8]:
        """By id, 1 for each legal action of the seat that is to act; 0 everywhere once there is none."""
        mask = np.zeros(len(self.encoding.actions(0)), np.int8)
        if (seat := self.seat) is not None:
            ids = action_ids(self.encoding, seat)
            mask[[ids[action] for action in self.rules.actions(self.state)]] = 1
        return mask

    def _deal(self) -> None:
        while self.seat == CHANCE:
            self._apply(self._dealer.deal(self.rules.odds(self.state)))

    def _apply(self, action: Any) -> None:
        after = self.rules.apply(self.state, action)
        for seat, log in enumerate(self._logs):
            log.append(self.rules.seen(self.state, action, seat))
        self.state = after
        self.length += 1
