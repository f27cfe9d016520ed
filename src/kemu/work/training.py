"""Learning by self-play, in rounds: games, fitting, and a sequential test of the new weights against those in use.

Batches of games, the fit and batches of pairs are tasks, finished ones of which are kept in one folder. A run that was
stopped is taken up where it was. The same plan gives the same weights and the same test, whoever works on the tasks, in
whatever order they are finished.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from itertools import count, takewhile
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from kemu.bots.arena import Pairing, SeededMaker, play_pair
from kemu.bots.ratings import SequentialTest, sequential
from kemu.core.errors import OptionError
from kemu.engines.arrays import count_positions
from kemu.engines.capabilities import Learner
from kemu.engines.code_cache import source_hash
from kemu.games import game
from kemu.work.parallel import Progress, TaskStore, TasksUnavailable, Workers, duration, finish_tasks, results_here

NO_GAIN_ELO: Final = 0.0
GAIN_ELO: Final = 35.0
"""The test decides between these two advantages."""

GROWING: Final = ("rounds", "pairs")
"""The numbers of a plan that may become larger."""

_REFUSALS: Final = {
    "sources": "was begun with other sources of the engines: go on with those, or name another folder.",
    "first_weights": "was begun with other weights than those in use now; name another folder.",
    "judge": "chose its openings with other weights than those in use now; name another folder.",
}


@dataclass(frozen=True)
class TrainingPlan:
    """All that the weights and the tests depend on, beside the learner and the sources."""

    game: str
    rounds: int
    batches: int  # of each round
    epochs: int
    pairs: int  # of each test, at most
    seed: int = 0
    untrained: bool = False  # whether to begin with nothing instead of the weights in use


@dataclass(frozen=True)
class TrainingRun:
    """A plan, where its results are kept, and who works on it."""

    plan: TrainingPlan
    learner: Learner
    folder: Path
    workers: Workers
    say: Callable[[str], None]

    @property
    def store(self) -> TaskStore:
        """The finished batches, fits and pairs."""
        return TaskStore(self.folder / "training.db")

    @property
    def first_weights(self) -> bytes:
        """The weights that the first round plays with."""
        return self.learner.untrained_weights() if self.plan.untrained else self.learner.weights_in_use()


@dataclass(frozen=True)
class Loss:
    """The mean loss after an epoch, on games that were trained on and on games held out."""

    epoch: int
    trained: float
    held_out: float


@dataclass(frozen=True)
class TrainingRound:
    """The outcome of a round."""

    seeds: tuple[int, int]  # of the first batch that was learned from, and of the one after the last
    positions: int  # that were learned from or held out
    losses: tuple[Loss, ...]
    before: bytes  # the weights that played
    weights: bytes  # of the epoch with the least loss on games held out
    scores: tuple[float, ...]  # of the pairs, up to the one at which the test was decided
    seconds: float  # spent on tasks, added up over all workers

    @property
    def test(self) -> SequentialTest:
        """State of the sequential test."""
        return sequential(self.scores, NO_GAIN_ELO, GAIN_ELO)

    @property
    def passed(self) -> bool:
        """Whether the new weights are better than those before."""
        return self.test.decided == "stronger"


def train(run: TrainingRun, finished: Callable[[Sequence[TrainingRound]], None]) -> bytes | None:
    """Play, fit and test round by round; `finished` is called with all rounds after each.

    Returns the last weights that passed their test, None if none did. These are used in the rounds after them; after
    weights that failed, the next round learns from more games of those before. Raises OptionError if the folder is
    that of another training, or one is running in it.
    """
    with held_folder(run.folder):
        plan, weights = run.plan, run.first_weights
        _claim(run)
        best, first, rounds = None, plan.seed, list[TrainingRound]()
        for number in range(1, plan.rounds + 1):
            seeds = range(first, plan.seed + number * plan.batches)
            rounds.append(_Round(run, number, weights, seeds).finish())
            if rounds[-1].passed:
                best = weights = rounds[-1].weights
                first = seeds.stop
            finished(rounds)
        return best


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Make a folder if it is missing, and hold it for this process until it ends, however it ends.

    Raises OptionError if another process holds it. The lock is a transaction that no other process can begin; the
    system ends it with this process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(folder / "training.lock", timeout=0, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise OptionError(f"Another training is running in {folder}.") from None
        raise TasksUnavailable(f"{folder} cannot be written to: {error}.") from error


def _claim(run: TrainingRun) -> None:
    """Make the folder of a run that of its training, by the facts that the results in it depend on.

    Raises OptionError if it is that of another training. The numbers of rounds and pairs may have become larger.
    """
    plan, store, folder = asdict(run.plan), run.store, run.folder
    begin = "nothing" if plan.pop("untrained") else digest(run.first_weights)
    # A learner is a dataclass: its settings, such as nodes and games of a batch, are in its repr.
    facts = {**plan, "first_weights": begin, "learner": repr(run.learner), "sources": source_hash()}
    facts["judge"] = digest(run.learner.weights_in_use())  # the engine in use chooses the openings of the test
    for name, before in store.facts().items():
        now: Any = facts.get(name)
        if name in GROWING and now < before:
            raise OptionError(f"The training in {folder} has {before} {name} already; {now} would be fewer.")
        if name not in GROWING and now != before:
            other = f"holds a training with {name} {before}, not {now}; name another folder."
            raise OptionError(f"{folder} {_REFUSALS.get(name, other)}")
    store.set_facts(facts)


def digest(data: bytes) -> str:
    """Return a name for some weights."""
    return sha256(data).hexdigest()[:12]


def score_pair(plan: TrainingPlan, learner: Learner, weights: tuple[bytes, bytes], number: int) -> float:
    """Return the score of the first of two weights in the pair with this number."""

    def maker(own: bytes) -> SeededMaker:
        return lambda chosen, seed: learner.bot(chosen, own, seed)

    chosen = game(plan.game, **learner.options[number % len(learner.options)])
    players = maker(weights[0]), maker(weights[1])
    return play_pair(Pairing(chosen, players, learner.opening_actions, f"{plan.seed}/{number}"))


class _Fit(msgspec.Struct, frozen=True):
    """The losses of all epochs, and the weights of the one with the least loss on games held out."""

    losses: tuple[Loss, ...]
    weights: bytes


class _Round(NamedTuple):
    """Learns from the batches of some seeds and tests what was learned."""

    run: TrainingRun
    number: int
    before: bytes
    seeds: range

    def finish(self) -> TrainingRound:
        """Play, fit and test."""
        seconds, samples = self._play()
        fit_seconds, fit = self._fit(samples)
        test_seconds, scores = self._test(fit.weights)
        return TrainingRound(
            (self.seeds.start, self.seeds.stop),
            sum(map(count_positions, samples)),
            fit.losses,
            self.before,
            fit.weights,
            scores,
            seconds + fit_seconds + test_seconds,
        )

    def _play(self) -> tuple[float, list[bytes]]:
        """Return the time that the batches of this round took, and the samples of all."""
        run, work = self.run, ("games", digest(self.before))

        def report(now: Progress) -> None:
            self._say(f"games: {now.done} of {len(self.seeds)} batches; {now.time_left}")

        results = partial(run.workers, partial(run.learner.play_batch, self.before))
        found = finish_tasks(run.store, work, self.seeds, results, report)
        return run.store.seconds(work, self.seeds[-run.plan.batches :]), [found[seed] for seed in self.seeds]

    def _fit(self, samples: Sequence[bytes]) -> tuple[float, _Fit]:
        """Return the time that the fit took, and what it came to."""
        run, plan, seeds = self.run, self.run.plan, self.seeds

        def fit(seed: int) -> bytes:
            begin, losses, best, least = time.perf_counter(), list[Loss](), self.before, inf
            for number, trained, held_out, fitted in run.learner.fit(self.before, samples, plan.epochs, seed):
                losses.append(Loss(number, trained, held_out))
                minutes = (time.perf_counter() - begin) / 60 * (plan.epochs - number) / number
                loss = f"loss {trained:.4f} on games trained on, {held_out:.4f} on games held out"
                self._say(f"fit: epoch {number} of {plan.epochs}, {loss}; {duration(minutes)} left")
                if held_out < least:
                    best, least = fitted, held_out
            return msgspec.msgpack.encode(_Fit(tuple(losses), best))

        work = ("fit", digest(self.before), seeds.start, seeds.stop, plan.epochs)
        found = finish_tasks(run.store, work, [plan.seed], partial(results_here, fit), lambda progress: None)
        return run.store.seconds(work, [plan.seed]), msgspec.msgpack.decode(found[plan.seed], type=_Fit)

    def _test(self, new: bytes) -> tuple[float, tuple[float, ...]]:
        """Return the time that the test took, and the scores of pairs up to the one that decides it."""
        run, plan, old = self.run, self.run.plan, self.before
        work, pairs = ("pairs", digest(new), digest(old), plan.seed), range(plan.pairs)

        def report(now: Progress) -> None:
            self._say(f"test: {now.done} of at most {plan.pairs} pairs; {now.time_left} unless it is decided before")

        results = partial(run.workers, partial(score_pair, plan, run.learner, (new, old)))
        found = finish_tasks(run.store, work, pairs, results, report, lambda found: deciding_scores(found)[1])
        return run.store.seconds(work, pairs), deciding_scores(found)[0]

    def _say(self, text: str) -> None:
        self.run.say(f"round {self.number} of {self.run.plan.rounds}, {text}")


def deciding_scores(found: Mapping[int, float]) -> tuple[tuple[float, ...], bool]:
    """Return the scores of pairs in their order up to the one that decides the test, and whether one does.

    What was found after a pair that is still open does not count, so the order of work does not matter.
    """
    scores: list[float] = []
    for number in takewhile(found.__contains__, count()):
        scores.append(found[number])
        if sequential(scores, NO_GAIN_ELO, GAIN_ELO).decided:
            return tuple(scores), True
    return tuple(scores), False
