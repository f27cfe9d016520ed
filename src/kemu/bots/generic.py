"""Bots that know nothing but the core protocol, for games without an engine.

The searcher is UCT, a tree search by random playouts. Where the rules sample states, each playout begins in another
state that the seat cannot tell from the real one, and the tree branches by what the seat sees of an action instead of
the action itself: single-observer information-set search (Cowling, Powley and Whitehouse, 2012). In an open game the
one state is the position of the view, and the same code is plain UCT. The dealer's actions are drawn by their odds.
"""

import random
import time
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Any, Final, TypeVar

from kemu.core.game import CHANCE, AnyGame, AnyView, Outcome, SamplesStates, Seat
from kemu.engines.analysis import Analysis, Budget, Comparison, Line
from kemu.engines.capabilities import ONE_SECOND, Level, require_one_thread, searching

A = TypeVar("A")

EXPLORATION: Final = 0.7
"""The weight of the uncertainty of an action against its mean result, which is from 0 to 1."""

LONGEST_PLAYOUT: Final = 1000
"""Length at which a playout counts as a draw, since some games have no end of their own."""

UNFINISHED: Final = Outcome((), "unfinished")


class RandomBot:
    """Takes any legal action, each as likely as the other."""

    name: Final = "random"

    def __init__(self, game: AnyGame, seed: int | None = None) -> None:
        self._source = random.Random(seed)

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """Return any of the actions."""
        return self._source.choice(actions)


class _Node:
    """Statistics of an action in the tree."""

    __slots__ = ("action", "actor", "available", "branches", "total", "visits")

    def __init__(self, actor: Seat, action: Any) -> None:
        self.actor = actor
        self.action = action
        self.available = 0  # how often it could have been chosen
        self.visits = 0
        self.total = 0.0  # of the results for the actor
        self.branches: dict[str, _Node] = {}  # by what the searching seat sees of the next action

    def bound(self) -> float:
        """Return the upper confidence bound of its mean result."""
        return self.total / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


class GenericAnalyst:
    """Searches any game that is open or samples its states; a node of the budget is a playout."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._kept: tuple[Any, _Node, random.Random] | None = None  # the last question, if its tree may grow on

    def analyse(self, view: AnyView, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        """Rank the actions by their playouts; with a budget of time the same question grows the tree on."""
        begin = time.perf_counter()
        question, root, dice = (view, tuple(log), seed), _Node(CHANCE, None), random.Random(seed)
        if budget.ms and self._kept and self._kept[0] == question:
            _, root, dice = self._kept
        self._kept = (question, root, dice) if budget.ms else None
        playouts = self._grow(root, self._sampler(view, log, dice), dice, budget)
        ranked = _ranked(root)[:lines]
        found = tuple(Line(node.action, _value(node), self._pv(text, node)) for text, node in ranked)
        return Analysis(found, playouts, round(1000 * (time.perf_counter() - begin)))

    def compare(self, view: AnyView, log: Sequence[str], budget: Budget, action: Any, seed: int) -> Comparison[Any]:
        """Compare all actions by one search; those that it tried seldom have a large error."""
        dice, root = random.Random(seed), _Node(CHANCE, None)
        self._grow(root, self._sampler(view, log, dice), dice, budget)
        ranked = _ranked(root)
        lines = tuple(Line(node.action, _value(node), self._pv(text, node)) for text, node in ranked)
        return Comparison(lines, tuple(1 / sqrt(node.visits) for _, node in ranked))

    def state(self, view: AnyView) -> Any:
        return self._sampler(view, (), random.Random(0))()

    def _grow(self, root: _Node, sampled: Callable[[], Any], dice: random.Random, budget: Budget) -> int:
        """Play out from the root until the budget is spent; return the number of playouts."""
        begin, playouts = time.perf_counter(), 0
        while playouts == 0 or not _spent(budget, playouts, begin):
            self._playout(root, sampled(), dice)
            playouts += 1
        return playouts

    def _sampler(self, view: AnyView, log: Sequence[str], dice: random.Random) -> Callable[[], Any]:
        """Return the states in which playouts begin."""
        game = self._game
        if isinstance(game, SamplesStates):
            return lambda: game.sample_state(view, log, dice)
        state = game.decode(view["position"])
        return lambda: state

    def _playout(self, root: _Node, state: Any, dice: random.Random) -> None:
        """Return one game from a state to its end: first down the tree, which grows by one choice, then at random."""
        seat = self._game.turn(state)
        assert seat is not None, "a game that is over has no action to find"
        path = [root]
        grown = False
        while not grown and (turn := self._game.turn(state)) is not None:
            if turn == CHANCE:
                action = _drawn(self._game, state, dice)
                text = self._game.seen(state, action, seat)
                node = path[-1].branches.setdefault(text, _Node(CHANCE, action))
            else:
                node, action, grown = self._descend(path[-1], state, seat, dice)
            path.append(node)
            state = self._game.apply(state, action)
        shares = self._result(state, dice)
        for node in path:
            node.visits += 1
            node.total += 0.0 if node.actor == CHANCE else shares[node.actor]

    def _descend(self, node: _Node, state: Any, seat: Seat, dice: random.Random) -> tuple[_Node, Any, bool]:
        """Return the next choice of the seat to act: its node, the action, and whether the node is new."""
        game, turn = self._game, self._game.turn(state)
        assert turn is not None, "somebody acts"
        choices: dict[str, list[Any]] = {}
        for action in game.actions(state):
            # A seat knows what it does itself, even where the log says less.
            text = game.format(action) if turn == seat else game.seen(state, action, seat)
            choices.setdefault(text, []).append(action)
        untried = [text for text in choices if text not in node.branches]
        for text in choices:
            if text in node.branches:
                node.branches[text].available += 1
        text = dice.choice(untried) if untried else max(choices, key=lambda each: node.branches[each].bound())
        action = dice.choice(choices[text])
        if untried:
            node.branches[text] = _Node(turn, action)
            node.branches[text].available = 1
        return node.branches[text], action, bool(untried)

    def _result(self, state: Any, dice: random.Random) -> tuple[float, ...]:
        """Return the share of the victory of each seat after random actions."""
        game = self._game
        for _ in range(LONGEST_PLAYOUT):
            turn = game.turn(state)
            if turn is None:
                break
            action = _drawn(game, state, dice) if turn == CHANCE else dice.choice(game.actions(state))
            state = game.apply(state, action)
        return (game.outcome(state) or UNFINISHED).shares(game.seats)

    def _pv(self, text: str, node: _Node) -> tuple[Any, ...]:
        """Return the most visited actions from a node on, until chance or something hidden comes between."""
        pv = []
        while node.actor != CHANCE and text == self._game.format(node.action):
            pv.append(node.action)
            if not node.branches:
                break
            text, node = _ranked(node)[0]
        return tuple(pv)


def _spent(budget: Budget, playouts: int, begin: float) -> bool:
    if budget.ms is None:
        return playouts >= (budget.nodes or 0)
    return time.perf_counter() - begin >= budget.ms / 1000


def _drawn(game: AnyGame, state: Any, dice: random.Random) -> Any:
    """Return an action of the dealer, by the odds."""
    odds = game.odds(state)
    return dice.choices([action for action, _ in odds], [float(chance) for _, chance in odds])[0]


def _ranked(node: _Node) -> list[tuple[str, _Node]]:
    """Return the branches of a node, the most visited one first, and among equals the one with the better result."""
    return sorted(node.branches.items(), key=lambda each: (-each[1].visits, -each[1].total))


def _value(node: _Node) -> float:
    return round(2 * node.total / node.visits - 1, 4)


def quick_choice(game: AnyGame, view: AnyView, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
    """Return any action: without an engine nothing is known of a game but its rules."""
    return dice.choice(actions)


LEVELS: Final = (
    searching(10, slip=0.5),
    searching(30, slip=0.25, elo=100),
    searching(100, slip=0.1, elo=200),
    searching(400, elo=300),
    Level(ONE_SECOND, elo=400),
)
"""Elo is a guess for games that nobody has measured."""


def levels(game: AnyGame) -> Sequence[Level]:
    """Return the ladder, which is the same for every game."""
    return LEVELS


def analyst(game: AnyGame, depth: int | None, threads: int) -> GenericAnalyst:
    """Return an analyst; it searches by one thread, and to the end of the game whatever the depth."""
    require_one_thread(game, threads)
    return GenericAnalyst(game)
