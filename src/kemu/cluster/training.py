"""Learning by self-play, in rounds: games, fitting, and a sequential test of the new weights against those in use.

Batches of games, the fit and batches of pairs are leaves in a database in one folder, so that a run that was stopped is
taken up where it was. The same plan gives the same weights and the same test, whoever works on the leaves, in whatever
order they are finished.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

from kemu.bots.pairs import Pairing, SeededMaker, play_pair
from kemu.bots.ratings import SequentialTest, sequential
from kemu.cluster.leaves import LeafStore
from kemu.cluster.run import Report, Results, finish_leaves
from kemu.cluster.workers import Workers, results_here
from kemu.engines.learning import Learner
from kemu.games import game

PAIRS_A_LEAF: Final = 4

NO_GAIN_ELO: Final = 0.0
GAIN_ELO: Final = 35.0
"""The test decides between these two advantages."""


@dataclass(frozen=True)
class TrainingPlan:
    """All that the weights and the tests depend on."""

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
        return LeafStore(f"sqlite:///{self.folder / 'training.db'}")


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
    losses: tuple[Loss, ...]
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
    weights that failed, the next round learns from more games of those before.
    """
    run.folder.mkdir(parents=True, exist_ok=True)
    learner, plan = run.learner, run.plan
    weights = learner.untrained_weights() if plan.untrained else learner.weights_in_use()
    best, first, rounds = None, plan.seed, list[TrainingRound]()
    for number in range(1, plan.rounds + 1):
        seeds = range(first, plan.seed + number * plan.batches)
        rounds.append(await _round(run, weights, seeds))
        if rounds[-1].passed:
            best = weights = rounds[-1].weights
            first = seeds.stop
        finished(rounds)
    return best


async def _round(run: TrainingRun, weights: bytes, seeds: range) -> TrainingRound:
    """Learns from the batches of some seeds and tests what was learned."""
    seconds, samples = await _play(run, weights, seeds)
    fit_seconds, fit = await _fit(run, weights, samples, seeds)
    new = b64decode(fit["weights"])
    test_seconds, scores = await _test(run, new, weights)
    losses = tuple(Loss(*loss) for loss in fit["losses"])
    return TrainingRound((seeds.start, seeds.stop), losses, new, scores, seconds + fit_seconds + test_seconds)


async def _play(run: TrainingRun, weights: bytes, seeds: range) -> tuple[float, list[bytes]]:
    """The time that the batches of this round took, and the samples of all."""
    work, batches = f"games with {_digest(weights)}", [str(seed) for seed in seeds]
    found = await _finish(run, work, batches, partial(run.workers, partial(play_batch, run.learner, weights)))
    seconds = await run.store.seconds(work, batches[-run.plan.batches :])
    return seconds, [b64decode(found[batch]) for batch in batches]


async def _fit(run: TrainingRun, weights: bytes, samples: Sequence[bytes], seeds: range) -> tuple[float, Any]:
    """The time that it took, and the losses of all epochs with the weights of the best one."""
    plan = run.plan

    def work(leaf: str) -> str:
        losses, best, least = [], weights, inf
        for number, trained, held_out, fitted in run.learner.fit(weights, samples, plan.epochs, plan.seed):
            losses.append((number, trained, held_out))
            run.say(f"epoch {number}: loss {trained:.4f} on games trained on, {held_out:.4f} on games held out")
            if held_out < least:
                best, least = fitted, held_out
        return json.dumps({"losses": losses, "weights": b64encode(best).decode("ascii")})

    name = f"fit of {_digest(weights)}"
    leaf = f"batches {seeds.start} to {seeds.stop - 1}, {plan.epochs} epochs, seed {plan.seed}"
    found = await _finish(run, name, [leaf], partial(results_here, work))
    return await run.store.seconds(name, [leaf]), json.loads(found[leaf])


async def _test(run: TrainingRun, new: bytes, old: bytes) -> tuple[float, tuple[float, ...]]:
    """The time that it took, and the scores of pairs up to the one that decides the test."""
    plan = run.plan
    work = f"pairs of {_digest(new)} against {_digest(old)}, seed {plan.seed}"
    leaves = [str(first) for first in range(0, plan.pairs, PAIRS_A_LEAF)]
    both = Contest(plan.game, run.learner, new, old, plan.seed)
    found = await _finish(
        run,
        work,
        leaves,
        partial(run.workers, partial(play_pairs, both)),
        lambda found: deciding_scores(leaves, found, plan.pairs)[1],
    )
    scores, _ = deciding_scores(leaves, found, plan.pairs)
    run.say(f"{work}: {sum(scores) / len(scores):.1%} of {len(scores)} pairs")
    return await run.store.seconds(work, leaves), scores


async def _finish(
    run: TrainingRun,
    work: str,
    leaves: Sequence[str],
    results: Results,
    enough: Callable[[Mapping[str, str]], bool] | None = None,
) -> dict[str, str]:
    def report(now: Report) -> None:
        progress = now.progress
        run.say(f"{work}: {progress.found} done, {progress.left} left, about {now.minutes_left:.0f} minutes")

    return await finish_leaves(run.store, work, leaves, results, report, enough)


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


def _digest(weights: bytes) -> str:
    return sha256(weights).hexdigest()[:12]


def play_batch(learner: Learner, weights: bytes, leaf: str) -> str:
    """The samples of the batch with this seed, in Base64."""
    return b64encode(learner.play_batch(weights, int(leaf))).decode("ascii")


class Contest(NamedTuple):
    """Whose pairs are played."""

    game: str
    learner: Learner
    new: bytes
    old: bytes
    seed: int


def play_pairs(contest: Contest, leaf: str) -> str:
    """The scores of the new weights in some pairs, from the one with this number on, as JSON."""
    learner = contest.learner

    def maker(weights: bytes) -> SeededMaker:
        return lambda chosen, seed: learner.bot(chosen, weights, seed)

    players = maker(contest.new), maker(contest.old)
    scores = []
    for number in range(int(leaf), int(leaf) + PAIRS_A_LEAF):
        chosen = game(contest.game, **learner.options[number % len(learner.options)])
        scores.append(play_pair(Pairing(chosen, players, learner.opening_actions, f"{contest.seed}/{number}")))
    return json.dumps(scores)
