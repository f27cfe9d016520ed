"""Learning by self-play, in rounds: games, fitting, and a sequential test of the new weights against those in use.

Batches of games, the fit and batches of pairs are leaves in a database in one folder, so that a run that was stopped is
taken up where it was. The same plan gives the same weights and the same test, whoever works on the leaves, in whatever
order they are finished.
"""

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from kemu.bots.ratings import SequentialTest, sequential
from kemu.cluster.folder import claim_folder, folder_store, held_folder
from kemu.cluster.leaves import LeafStore
from kemu.cluster.run import Report, finish_leaves, time_left
from kemu.cluster.training_work import PAIRS_A_LEAF, Contest, play_batch, play_pairs
from kemu.cluster.workers import Workers, results_here
from kemu.engines.arrays import count_positions
from kemu.engines.code_cache import source_hash
from kemu.engines.learning import Learner

NO_GAIN_ELO: Final = 0.0
GAIN_ELO: Final = 35.0
"""The test decides between these two advantages."""


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
    def store(self) -> LeafStore:
        """The database of batches, fits and pairs."""
        return folder_store(self.folder)

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
    """What a round has come to."""

    seeds: tuple[int, int]  # of the first batch that was learned from, and of the one after the last
    positions: int  # that were learned from or held out
    losses: tuple[Loss, ...]
    before: bytes  # the weights that played
    weights: bytes  # of the epoch with the least loss on games held out
    scores: tuple[float, ...]  # of the pairs, up to the one at which the test was decided
    seconds: float  # spent on leaves, added up over all workers

    @property
    def test(self) -> SequentialTest:
        """What the scores say."""
        return sequential(self.scores, NO_GAIN_ELO, GAIN_ELO)

    @property
    def passed(self) -> bool:
        """Whether the new weights are better than those before."""
        return self.test.decided == "stronger"


async def train(run: TrainingRun, finished: Callable[[Sequence[TrainingRound]], None]) -> bytes | None:
    """Plays, fits and tests round by round; `finished` is called with all rounds after each.

    Returns the last weights that passed their test, None if none did. These are used in the rounds after them; after
    weights that failed, the next round learns from more games of those before. Raises OptionError if the folder is
    that of another training, or one is running in it.
    """
    with held_folder(run.folder):
        plan, weights = run.plan, run.first_weights
        await claim_folder(run.folder, _facts(run), growing=("rounds", "pairs"))
        best, first, rounds = None, plan.seed, list[TrainingRound]()
        for number in range(1, plan.rounds + 1):
            seeds = range(first, plan.seed + number * plan.batches)
            rounds.append(await _Round(run, number, weights, seeds).finish())
            if rounds[-1].passed:
                best = weights = rounds[-1].weights
                first = seeds.stop
            finished(rounds)
        return best


def _facts(run: TrainingRun) -> dict[str, Any]:
    """What the results in a folder depend on."""
    plan = asdict(run.plan)
    begin = "nothing" if plan.pop("untrained") else digest(run.first_weights)
    # A learner is a dataclass: its settings, such as nodes and games of a batch, are in its repr.
    return {**plan, "begins with": begin, "learner": repr(run.learner), "sources": source_hash()}


def digest(data: bytes) -> str:
    """A name for some weights."""
    return sha256(data).hexdigest()[:12]


class _Round(NamedTuple):
    """Learns from the batches of some seeds and tests what was learned."""

    run: TrainingRun
    number: int
    before: bytes
    seeds: range

    async def finish(self) -> TrainingRound:
        seconds, samples = await self._play()
        fit_seconds, fit = await self._fit(samples)
        new = b64decode(fit["weights"])
        test_seconds, scores = await self._test(new)
        return TrainingRound(
            (self.seeds.start, self.seeds.stop),
            sum(map(count_positions, samples)),
            tuple(Loss(*loss) for loss in fit["losses"]),
            self.before,
            new,
            scores,
            seconds + fit_seconds + test_seconds,
        )

    async def _play(self) -> tuple[float, list[bytes]]:
        """The time that the batches of this round took, and the samples of all."""
        run, work, batches = self.run, f"games with {digest(self.before)}", [str(seed) for seed in self.seeds]

        def report(now: Report) -> None:
            self._say(f"games: {now.done} of {now.wanted} batches; {time_left(now.minutes_left)}")

        results = partial(run.workers, partial(play_batch, run.learner, self.before))
        found = await finish_leaves(run.store, work, batches, results, report)
        seconds = await run.store.seconds(work, batches[-run.plan.batches :])
        return seconds, [b64decode(found[batch]) for batch in batches]

    async def _fit(self, samples: Sequence[bytes]) -> tuple[float, Any]:
        """The time that it took, and the losses of all epochs with the weights of the best one."""
        run, plan, seeds = self.run, self.run.plan, self.seeds

        def work(leaf: str) -> str:
            begin, losses, best, least = time.perf_counter(), [], self.before, inf
            for number, trained, held_out, fitted in run.learner.fit(self.before, samples, plan.epochs, plan.seed):
                losses.append((number, trained, held_out))
                minutes = (time.perf_counter() - begin) / 60 * (plan.epochs - number) / number
                loss = f"loss {trained:.4f} on games trained on, {held_out:.4f} on games held out"
                self._say(f"fit: epoch {number} of {plan.epochs}, {loss}; {time_left(minutes)}")
                if held_out < least:
                    best, least = fitted, held_out
            return json.dumps({"losses": losses, "weights": b64encode(best).decode("ascii")})

        name = f"fit of {digest(self.before)}"
        leaf = f"batches {seeds.start} to {seeds.stop - 1}, {plan.epochs} epochs, seed {plan.seed}"
        found = await finish_leaves(run.store, name, [leaf], partial(results_here, work), lambda report: None)
        return await run.store.seconds(name, [leaf]), json.loads(found[leaf])

    async def _test(self, new: bytes) -> tuple[float, tuple[float, ...]]:
        """The time that it took, and the scores of pairs up to the one that decides the test."""
        run, plan, old = self.run, self.run.plan, self.before
        work = f"pairs of {digest(new)} against {digest(old)}, seed {plan.seed}"
        leaves = [str(first) for first in range(0, plan.pairs, PAIRS_A_LEAF)]

        def report(now: Report) -> None:
            pairs = min(plan.pairs, now.done * PAIRS_A_LEAF)
            left = f"{time_left(now.minutes_left)} unless it is decided before"
            self._say(f"test: {pairs} of at most {plan.pairs} pairs; {left}")

        found = await finish_leaves(
            run.store,
            work,
            leaves,
            partial(run.workers, partial(play_pairs, Contest(plan.game, run.learner, new, old, plan.seed))),
            report,
            lambda found: deciding_scores(leaves, found, plan.pairs)[1],
        )
        scores, _ = deciding_scores(leaves, found, plan.pairs)
        return await run.store.seconds(work, leaves), scores

    def _say(self, text: str) -> None:
        self.run.say(f"round {self.number} of {self.run.plan.rounds}, {text}")


def deciding_scores(leaves: Sequence[str], found: Mapping[str, str], most: int) -> tuple[tuple[float, ...], bool]:
    """The scores of pairs in their order up to the one that decides the test, and whether one does.

    What was found after a leaf that is still open does not count, so that the order of work does not matter.
    """
    scores: list[float] = []
    for leaf in leaves:
        if leaf not in found:
            break
        for score in json.loads(found[leaf]):
            if len(scores) < most:
                scores.append(score)
                if sequential(scores, NO_GAIN_ELO, GAIN_ELO).decided:
                    return tuple(scores), True
    return tuple(scores), False
