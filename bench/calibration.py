"""Fits the expected score of a review: what the value of a line is worth in games of bots.

    python -m bench.calibration moeraki-kemu variant=master --folder /tmp/calibration --write

plays games between neighbours of the ladder, each from an opening of its own, searches some positions of each with the
budget of a review, and fits a curve from the value of the best line to the score that whoever was to act got in the
end. The table and the diagram are of positions that were held out: those of each third of the openings are tested with
the curve fitted to the other two, without positions that were fitted too. The curve that is kept is fitted to all.
`--write` puts it into the game's slice and the diagram into docs/pictures. Games and values are kept in the folder, so
that it can be stopped and taken up.
"""

import argparse
import ast
import json
import math
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kemu
from kemu.analysis.explorer import canonical, position_key
from kemu.analysis.positions import Positions
from kemu.bots.arena import Job, Played, Setting, jobs, results
from kemu.bots.engines import review_budget
from kemu.core.display import document, tag
from kemu.core.game import options
from kemu.core.record import Record
from kemu.engines.analysis import Budget, Curve, calibrated
from kemu.games import manifest

ROOT = Path(__file__).parent.parent
LEVELS = ("4", "5", "6", "7")
RANDOM_ACTIONS = 3
"""At the start of each game, so that games differ."""
SAMPLES = 4
"""Positions of each game, at most."""
FOLDS = 3
BINS = 10
KNOTS = (1.0, 2.5, 5.0, 10.0)
"""The log odds of values, and their negatives, at which the curve may bend."""
PRIOR = 0.5
"""How far the log odds of the score at a knot may well be from those of a single straight line."""
SURE = 1.96
SIZE, MARGIN = 320, 46


class Sample(NamedTuple):
    """A position of a game: the value for who was to act, and their score in the end."""

    game: int
    opening: int  # numbered for each pair of neighbours, so that every fold has games of all
    position: str  # the same for positions that a symmetry turns into each other
    value: float
    score: float

    def reversed(self) -> "Sample":
        """The same for the other one of two seats."""
        return self._replace(value=-self.value, score=1 - self.score)


class Bin(NamedTuple):
    """Positions of about the same expected score."""

    expected: float
    score: float
    error: float  # half the width of the 95 % interval of the score, by games
    positions: int
    games: int


def read(file: Path) -> list[Sample]:
    """The samples of a file."""
    return [Sample(*json.loads(line)) for line in file.read_text().splitlines()]


def sampled(setting: Setting, file: Path, budget: Budget) -> Iterator[Sample]:
    """The samples of all games; those in the file are not searched again."""
    kept = read(file) if file.exists() else []
    yield from kept
    done = {sample.game for sample in kept}
    by_number = {job.number: job for job in one_a_group(setting)}

    def play_chosen(run: Callable[[Job], Played], waiting: Iterable[Job]) -> Iterator[Played]:
        return (run(job) for job in waiting if job.number in by_number)

    with file.open("a") as out:
        for played in results(setting, file.with_suffix(".games"), play_chosen):
            if played.number in done:
                continue
            record = Record(setting.game, by_number[played.number].options, played.actions)
            opening = played.group // (len(setting.entrants) - 1)
            for sample in searched(record, (played.number, opening), played.shares, budget):
                out.write(json.dumps(sample) + "\n")
                out.flush()
                yield sample


def one_a_group(setting: Setting) -> Iterator[Job]:
    """One game from each opening: games from the same one often have the same winner and say little more."""
    groups: dict[int, list[Job]] = {}
    for job in jobs(setting):
        groups.setdefault(job.group, []).append(job)
    return (random.Random(group).choice(games) for group, games in groups.items())


def searched(record: Record, numbers: tuple[int, int], shares: Sequence[float], budget: Budget) -> Iterator[Sample]:
    """Some positions of a game with the numbers of it and its opening, without those of which something is proved.

    Positions of the opening are left out: what follows there is random and not what a search expects.
    """
    positions = Positions(record)
    dice = random.Random(numbers[0])
    decisions = positions.decisions[RANDOM_ACTIONS:]
    plies = [ply for ply in decisions if len(positions.game.actions(positions.states[ply])) > 1]
    for ply in sorted(dice.sample(plies, min(SAMPLES, len(plies)))):
        turn = positions.turn(ply)
        assert turn is not None, "decisions are of seats"
        found = positions.search(ply, budget)
        if found.proven is None and abs(found.value) < 1:
            position = position_key(canonical(positions.game, positions.states[ply]))
            yield Sample(*numbers, position, found.value, shares[turn])


def fit(samples: Sequence[Sample], is_symmetric: bool) -> Curve:
    """The likeliest curve; a symmetric one if what one side expects the other must not.

    Where there are few samples it is near the likeliest straight line, which is itself near the value's own odds.
    """
    used = [*samples, *(each.reversed() for each in samples)] if is_symmetric else samples
    odds = np.array([2 * math.atanh(each.value) for each in used])
    scores = np.array([each.score for each in used])
    line = newton(np.stack([odds, np.ones_like(odds)], axis=1), scores, np.array([1.0, 0.0]), PRIOR)
    assert line[0] > 0, "the value says nothing about the result"
    knots, spread = np.array(sorted({*KNOTS, *(-knot for knot in KNOTS)})), PRIOR
    while True:
        found = newton(interpolation(odds, knots), scores, line[0] * knots + line[1], spread)
        if (np.diff(found) > 0).all():
            break
        # A curve that falls would call better positions worse; the nearer to the line, the less it bends.
        spread /= 2
    if is_symmetric:
        found = (found - found[::-1]) / 2
    return tuple(map(float, knots)), tuple(round(float(value), 3) for value in found)


def interpolation(odds: NDArray[np.float64], knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each knot counts at each of these odds, the outer lines going on beyond the ends."""
    end = np.clip(np.searchsorted(knots, odds), 1, len(knots) - 1)
    share = (odds - knots[end - 1]) / (knots[end] - knots[end - 1])
    rows, counts = np.arange(len(odds)), np.zeros((len(odds), len(knots)))
    counts[rows, end - 1], counts[rows, end] = 1 - share, share
    return counts


def newton(
    features: NDArray[np.float64], scores: NDArray[np.float64], prior: NDArray[np.float64], spread: float
) -> NDArray[np.float64]:
    """The likeliest weights of a logistic regression that are, without samples, `prior` give or take `spread`."""
    weights = np.zeros_like(prior)  # from where no step is too long
    for _ in range(50):
        expected = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (scores - expected) - (weights - prior) / spread**2
        curvature = (features.T * (expected * (1 - expected))) @ features + np.eye(len(prior)) / spread**2
        weights += np.linalg.solve(curvature, slope)
    return weights


def held_out(samples: Sequence[Sample], is_symmetric: bool) -> Iterator[tuple[Sample, float]]:
    """Every sample with the expected score by a curve that was fitted without its opening and its position."""
    for fold in range(FOLDS):
        fitted = [each for each in samples if each.opening % FOLDS != fold]
        known, curve = {each.position for each in fitted}, fit(fitted, is_symmetric)
        for each in samples:
            if each.opening % FOLDS == fold and each.position not in known:
                yield each, calibrated(each.value, curve)


def bins(tested: Sequence[tuple[Sample, float]], is_symmetric: bool) -> list[Bin]:
    """The samples by their expected score; in a symmetric game by that of the side that expects more."""
    groups: dict[int, list[tuple[Sample, float]]] = {}
    for sample, expected in tested:
        if is_symmetric and expected < 0.5:
            sample, expected = sample.reversed(), 1 - expected
        groups.setdefault(min(BINS - 1, int(BINS * expected)), []).append((sample, expected))
    return [_bin(group) for _, group in sorted(groups.items())]


def _bin(group: Sequence[tuple[Sample, float]]) -> Bin:
    count, mean = len(group), sum(sample.score for sample, _ in group) / len(group)
    # Positions of one game have one result, so that the games are what is independent.
    games: dict[int, float] = {}
    for sample, _ in group:
        games[sample.game] = games.get(sample.game, 0.0) + sample.score - mean
    error = SURE * math.sqrt(sum(off**2 for off in games.values())) / count
    return Bin(sum(expected for _, expected in group) / count, mean, error, count, len(games))


def summary(tested: Sequence[tuple[Sample, float]], rows: Sequence[Bin]) -> str:
    """How far the expected scores are from the results, beside chance alone and always saying the mean."""
    mean = sum(sample.score for sample, _ in tested) / len(tested)
    distance = sum(row.positions * abs(row.expected - row.score) for row in rows) / len(tested)
    # The mean distance of a normal number from its mean is its deviation times the root of 2 / pi.
    chance = sum(row.positions * row.error for row in rows) / len(tested) / SURE * math.sqrt(2 / math.pi)
    brier = sum((expected - sample.score) ** 2 for sample, expected in tested) / len(tested)
    constant = sum((mean - sample.score) ** 2 for sample, _ in tested) / len(tested)
    return (
        f"mean distance of the bins {distance:.3f}, by chance alone {chance:.3f};"
        f" Brier score {brier:.3f}, of the mean {constant:.3f}"
    )


def diagram(title: str, rows: Sequence[Bin]) -> str:
    """A reliability diagram: expected score across, score in the end upward; a circle's area is its samples."""

    def at(expected: float, score: float) -> tuple[float, float]:
        return MARGIN + SIZE * expected, MARGIN + SIZE * (1 - score)

    most = max(row.positions for row in rows)
    grid = [
        tag(
            "path", d=f"M{at(0, n / 4)[0]} {at(0, n / 4)[1]}H{MARGIN + SIZE}M{at(n / 4, 0)[0]} {MARGIN}V{MARGIN + SIZE}"
        )
        for n in range(5)
    ]
    (x0, y0), (x1, y1) = at(0, 0), at(1, 1)
    bars, circles = [], []
    for row in rows:
        x, y = at(row.expected, row.score)
        top, end = (at(0, min(1.0, max(0.0, row.score + sign * row.error)))[1] for sign in (1, -1))
        bars.append(tag("path", d=f"M{x:.1f} {top:.1f}V{end:.1f}"))
        radius = 3 + 6 * math.sqrt(row.positions / most)
        circles.append(tag("circle", cx=round(x, 1), cy=round(y, 1), r=round(radius, 1)))
    words = [
        tag("text", title, x=MARGIN, y=26, font_size=15, font_weight="bold"),
        tag("text", "expected score", x=MARGIN + SIZE / 2, y=MARGIN + SIZE + 34, text_anchor="middle"),
        tag(
            "text", "score in the end", transform=f"translate(14 {MARGIN + SIZE / 2}) rotate(-90)", text_anchor="middle"
        ),
        *(tag("text", f"{n / 4:g}", x=at(n / 4, 0)[0], y=MARGIN + SIZE + 16, text_anchor="middle") for n in range(5)),
        *(tag("text", f"{n / 4:g}", x=MARGIN - 6, y=at(0, n / 4)[1] + 4, text_anchor="end") for n in range(5)),
    ]
    side = SIZE + 2 * MARGIN
    return document(
        title,
        (0, 0, side, side),
        tag("rect", width=side, height=side, fill="#fffdf8"),
        tag("g", *grid, stroke="#d9d4c5", fill="none"),
        tag("path", d=f"M{x0} {y0}L{x1} {y1}", stroke="#b0562c", stroke_dasharray="5 4", fill="none"),
        tag("g", *bars, stroke="#1f6b50", stroke_width=2),
        tag("g", *circles, fill="#1f6b50", opacity=0.75),
        tag("g", *words, font_family="sans-serif", font_size=12, fill="#1b2829"),
    )


def write_curve(key: str, entry: Any, curve: Curve) -> None:
    """Put the curve of one entry into `CALIBRATION` of the game's slice."""
    path = manifest(key).player
    assert path, "only a game with an engine has a slice for them"
    file = ROOT / "src" / (path.partition(":")[0].replace(".", "/") + ".py")
    text = file.read_text(encoding="utf-8")
    found = re.search(r"^CALIBRATION: Final = (\{.*?\})$", text, re.MULTILINE | re.DOTALL)
    assert found, f"{file} has no CALIBRATION"
    constants = ast.literal_eval(found[1]) | {entry: curve}
    lines = "".join(f"    {json.dumps(name)}: {value},\n" for name, value in constants.items())
    file.write_text(text.replace(found[1], f"{{\n{lines}}}"), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("option", help="NAME=VALUE: the option by whose value the slice keeps its constants")
    parser.add_argument("--openings", type=int, default=500, help="games for each pair of neighbours")
    parser.add_argument("--folder", type=Path, default=Path("calibration"))
    parser.add_argument("--fit", action="store_true", help="only fit what the folder holds")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    name, _, text = chosen.option.partition("=")
    value = json.loads(text) if text.isdecimal() else text
    game = kemu.game(chosen.game, **{name: value})
    setting = Setting(chosen.game, options(game), LEVELS, chosen.openings, RANDOM_ACTIONS, seed=14, neighbours=True)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    start = Positions(Record(chosen.game, options(game)))
    nodes = review_budget(start.game).second
    file = chosen.folder / f"{chosen.game}-{value}.samples"
    begin = time.process_time()
    samples = read(file) if chosen.fit else list(sampled(setting, file, Budget(nodes=nodes)))
    seconds, symmetric = time.process_time() - begin, start.is_open_pair
    curve, tested = fit(samples, symmetric), list(held_out(samples, symmetric))
    rows = bins(tested, symmetric)
    games = len({sample.game for sample in samples})
    print(f"{chosen.game} {value}: {len(samples)} positions of {games} games, {nodes} nodes each; {seconds:.0f} s")
    print(f"{len(tested)} held out; {summary(tested, rows)}")
    print("curve " + ", ".join(f"{odds:g} {score:g}" for odds, score in zip(*curve, strict=True)))
    print("| expected | in the end | positions | games |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.expected:.3f} | {row.score:.3f} ± {row.error:.3f} | {row.positions} | {row.games} |")
    if chosen.write:
        write_curve(chosen.game, value, curve)
        picture = ROOT / "docs" / "pictures" / f"calibration-{chosen.game}-{value}.svg"
        picture.write_text(diagram(f"{chosen.game}, {value}", rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
