"""The tasks of the server's worker processes: each has a type for its question and one for its answers.

A task is a function from a question to its answers, one after the other. An answer should take no more than a moment,
because the tasks of a process take turns between them. A question that cannot be answered raises KemuError.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from time import perf_counter
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from kemu.analysis import analyse as analysis
from kemu.analysis import coach as coaching
from kemu.analysis import review as reviews
from kemu.bots import engines
from kemu.core.bot import Bot, TimedBot
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, AnyView, Seat
from kemu.core.record import Record, replay
from kemu.engines.analysis import Explainer, Prediction, ThreatLine
from kemu.engines.capabilities import Solver
from kemu.games import game as make_game
from kemu.games import manifest

Q = TypeVar("Q")
A = TypeVar("A")

MOST_STATES_TO_SOLVE: Final = 50_000
"""A game with more takes seconds to solve, and all other analyses would wait for that: 12 arms are solved, 14 not."""


class Task(NamedTuple, Generic[Q, A]):
    """A kind of work; `path` is where other processes import this value from.

    The service `play` is for what a match waits for. That of `analysis` stands behind it.
    """

    path: str
    service: Literal["play", "analysis"]
    run: Callable[[Q], Iterator[A]]
    question: type[Q]
    answer: type[A]


class ChoiceQuestion(Struct, frozen=True):
    """All that a bot may know when it chooses; `source` is the module that makes the bot."""

    source: str
    bot: str
    game: str
    options: dict[str, Any]
    view: AnyView
    log: list[str]
    actions: list[str]
    limit_ms: int | None = None


class ChosenAction(Struct, frozen=True):
    """The action that a bot chose, and the milliseconds that its clock is charged."""

    action: str
    spent_ms: int


class ThreatQuestion(Struct, frozen=True):
    """The view of a seat that is to act.

    `depth` is how deep a coach looks, every forced win if it is `None`; with an action the answer tells its stakes.
    """

    game: str
    options: dict[str, Any]
    view: AnyView
    depth: int | None = None
    action: str | None = None


class RescueQuestion(Struct, frozen=True):
    """All actions of a match that is over, and the seat that lost it."""

    game: str
    options: dict[str, Any]
    actions: tuple[str, ...]
    seat: Seat


class Threats(Struct, frozen=True, omit_defaults=True):
    """Immediate wins, their defences, and the threats of others; `stakes` are what an action is about, in points."""

    wins: list[str]
    stops: list[str]
    threats: tuple[ThreatLine, ...]
    stakes: dict[str, int] = field(default_factory=dict)


class Rescue(Struct, frozen=True, omit_defaults=True):
    """The last decision of the loser before the loss was proved: after how many actions, and what the loser saw.

    `saves` are the actions that would have avoided what followed, none if nothing threatened yet; `taken` is what was
    done; `threats` are how the others were about to win. In games with secrets nothing is proved: `chance` is the share
    of the victory that the loser could still expect, from what was known then.
    """

    ply: int
    view: AnyView
    saves: list[str]
    taken: str
    threats: tuple[ThreatLine, ...]
    chance: float | None = None


class RescueAnswer(Struct, frozen=True):
    """The rescue of a lost match; null if none is known."""

    rescue: Rescue | None


class ReviewQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be reviewed, as a JSON object."""

    record: Document


class RetryQuestion(ReviewQuestion, frozen=True):
    """Another action in the place of the one after `ply` actions of a record."""

    ply: Annotated[int, Meta(ge=0, le=2000)]
    action: Annotated[str, Meta(max_length=100)]


class PositionQuestion(Struct, frozen=True):
    """A position: the actions are played from it, or from the start of the game if it is null."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    actions: Annotated[list[str], Meta(max_length=2000)] = field(default_factory=list)


class LinesQuestion(PositionQuestion, frozen=True):
    """A position, and how many of its best lines are wanted."""

    lines: Annotated[int, Meta(ge=1, le=analysis.MOST_LINES)] = 1


class AnalysisLine(Struct, frozen=True):
    """An action, its expected score for the seat to act, from 0 to 1, and the continuation.

    `proven` is such as "win in 5", counted in actions of the winner; null if nothing is proved.
    """

    action: str
    score: float
    pv: list[str]
    proven: str | None = None


class AnalysisStep(Struct, frozen=True, omit_defaults=True):
    """The best lines so far and all that was searched; `depth` is null for searches that do not count plies.

    The first step has what needs no search: by area the tiles to expect, from -1, all of seat 1, to 1, how the game is
    expected to end, and the chance of each kind of card to be the next one drawn, as the seat to act knows it.
    """

    seat: Seat
    lines: list[AnalysisLine]
    nodes: int
    ms: int
    depth: int | None = None
    ownership: dict[str, float] | UnsetType = UNSET
    prediction: Prediction | UnsetType = UNSET
    odds: dict[str, float] | UnsetType = UNSET


class Refutation(Struct, frozen=True):
    """The reply to one answer of the side that is lost; `left` answers follow.

    `action` is null if the answer ends the game or the same seat acts again, `proven` if no proof was found.
    """

    answer: str
    action: str | None
    proven: str | None
    left: int


class GraphPosition(Struct, frozen=True):
    """A position up to symmetry, the numbers of those after it, and its result for the side to act in `plies`."""

    position: dict[str, Any]
    after: list[int]
    result: Literal["win", "draw", "loss"]
    plies: int | None


class GraphAnswer(Struct, frozen=True):
    """All positions of a small solved game; `at` is the number of the one asked for, null if it is none of them."""

    positions: list[GraphPosition]
    at: int | None


@lru_cache(maxsize=64)
def _bot(source: str, name: str, key: str, options: str) -> tuple[AnyGame, Bot]:
    game = make_game(key, **json.loads(options))
    return game, importlib.import_module(source).bot(name, game)


def choose(question: ChoiceQuestion) -> Iterator[ChosenAction]:
    """Have a bot choose.

    A bot that has a limit is charged no more than that: what it takes beyond is the fault of the machine.
    """
    game, bot = _bot(question.source, question.bot, question.game, json.dumps(question.options))
    actions, limit = [game.parse(text) for text in question.actions], question.limit_ms
    begin = perf_counter()
    if limit is not None and isinstance(bot, TimedBot):
        chosen = bot.choose_within(question.view, question.log, actions, limit)
    else:
        chosen = bot.choose(question.view, question.log, actions)
    spent = round(1000 * (perf_counter() - begin))
    yield ChosenAction(game.format(chosen), spent if limit is None else min(spent, limit))


def threats(question: ThreatQuestion) -> Iterator[Threats]:
    """Find what wins, what threatens and what stops it."""
    game = make_game(question.game, **question.options)
    found = coaching.coached(game, question.view, question.depth)
    explainer = engines.capability(game, Explainer) if question.action is not None else None
    stakes = explainer.stakes(game, question.view, game.parse(question.action or "")) if explainer else {}
    yield Threats(_texts(game, found.wins), _texts(game, found.stops), found.lines, dict(stakes))


def rescue(question: RescueQuestion) -> Iterator[RescueAnswer]:
    """Find the last decision that could have saved a lost match."""
    game, actions, seat = make_game(question.game, **question.options), question.actions, question.seat
    if manifest(game.key).hidden:
        yield RescueAnswer(_last_chance(game, question))
        return
    found = engines.rescue(game, actions, seat)
    if found is None:
        yield RescueAnswer(None)
        return
    *_, state = replay(game, actions[: found.ply])
    view, saves = game.view(state, seat), _texts(game, found.saves)
    yield RescueAnswer(Rescue(found.ply, view, saves, actions[found.ply], found.lines))


def _last_chance(game: AnyGame, question: RescueQuestion) -> Rescue | None:
    """Return the last decision at which a seat could still win a game with secrets, as far as it knew."""
    actions, seat = question.actions, question.seat
    found = coaching.last_chance(game, actions, question.options, seat)
    if found is None:
        return None
    *_, state = replay(game, actions[: found.ply])
    saves = [found.better] if found.better else []
    return Rescue(found.ply, game.view(state, seat), saves, actions[found.ply], (), found.chance)


def review(question: ReviewQuestion) -> Iterator[reviews.ReviewStep]:
    """Review a record step by step."""
    return reviews.review_steps(_record(question.record))


def retry(question: RetryQuestion) -> Iterator[reviews.Retry]:
    """Judge another action."""
    yield reviews.retry(_record(question.record), question.ply, question.action)


def analyse(question: LinesQuestion) -> Iterator[AnalysisStep]:
    """Find the best lines of a position, better ones with every step."""
    return _positions(analysis.analyse, question, AnalysisStep)


def refute(question: PositionQuestion) -> Iterator[Refutation]:
    """Find the reply that wins to each action of a side that is lost."""
    return _positions(analysis.refute, question, Refutation)


def graph(question: PositionQuestion) -> Iterator[GraphAnswer]:
    """Draw the graph of a small solved game."""
    return _positions(analysis.graph, question, GraphAnswer)


def _positions(run: Callable[[Document], Iterator[Document]], question: PositionQuestion, kind: type[A]) -> Iterator[A]:
    _check_size(question.game, question.options)
    return (msgspec.convert(document, kind) for document in run(msgspec.to_builtins(question)))


def _record(document: Document) -> Record:
    record = Record.decode(document)
    _check_size(record.game, dict(record.options))
    return record


def _check_size(key: str, options: Document) -> None:
    """Raise OptionError if a game takes too long to solve."""
    chosen = analysis.make(key, options)
    solver = engines.capability(chosen, Solver)
    if solver and solver.states_to_solve(chosen) > MOST_STATES_TO_SOLVE:
        raise OptionError("With these options the game takes too long to solve here; kemu on your computer can do it.")


def _texts(game: AnyGame, actions: Iterable[Any]) -> list[str]:
    return [game.format(action) for action in actions]


CHOOSE: Final = Task("kemu.work.tasks:CHOOSE", "play", choose, ChoiceQuestion, ChosenAction)
THREATS: Final = Task("kemu.work.tasks:THREATS", "play", threats, ThreatQuestion, Threats)
RESCUE: Final = Task("kemu.work.tasks:RESCUE", "play", rescue, RescueQuestion, RescueAnswer)
REVIEW: Final = Task("kemu.work.tasks:REVIEW", "analysis", review, ReviewQuestion, reviews.ReviewStep)
RETRY: Final = Task("kemu.work.tasks:RETRY", "analysis", retry, RetryQuestion, reviews.Retry)
ANALYSE: Final = Task("kemu.work.tasks:ANALYSE", "analysis", analyse, LinesQuestion, AnalysisStep)
REFUTE: Final = Task("kemu.work.tasks:REFUTE", "analysis", refute, PositionQuestion, Refutation)
GRAPH: Final = Task("kemu.work.tasks:GRAPH", "analysis", graph, PositionQuestion, GraphAnswer)
