"""Bots: players that are programs."""

from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable

from kemu.core.game import AnyView

A = TypeVar("A")


class Bot(Protocol):
    """Chooses an action from what its seat may know; it never meets a state of a game with secrets."""

    @property
    def name(self) -> str: ...

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """Return one of the legal actions, given this seat's view and all its log lines so far."""


@runtime_checkable
class TimedBot(Protocol):
    """A bot that can be asked to hurry."""

    def choose_within(self, view: AnyView, log: Sequence[str], actions: Sequence[A], limit_ms: int) -> A:
        """Choose like `Bot.choose`, within a time limit in milliseconds if the budget is one of time."""
