"""Fits the expected score of a review: what the value of a line is worth in games of bots.

    python bench/calibration.py moeraki-kemu variant=master --folder /tmp/calibration --write

plays games between neighbours of the ladder, searches some positions of each with the budget of a review, and fits a
logistic curve from the value of the best line to the score that whoever was to act got in the end. The games of two
thirds of the openings are fitted; the table and the diagram are of the others, without positions that were fitted too.
`--write` puts the two constants into the game's slice and the diagram into docs/pictures. Games and values are kept in
the folder, so that it can be stopped and taken up.
"""

import argparse
import ast
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import kemu
from kemu.bots.arena import Setting, jobs, results
from kemu.core.game import options
from kemu.core.picture import document, tag
from kemu.core.record import Record
from kemu.engines.analysis import Budget, calibrated
from kemu.games import manifest
from kemu.study.assessment import Positions
from kemu.study.explorer import position_key
from kemu.study.positions import canonical

ROOT = Path(__file__).parent.parent
LEVELS = ("4", "5", "6", "7")
RANDOM_ACTIONS = 3
"""At the start of each game, so that games differ."""
SAMPLES = 6
"""Positions of each game."""
BINS = 10
PRIOR = 0.5
SIZE, MARGIN = 320, 46


class Sample(NamedTuple):
    """A position of a game: the value for who was to act, and their score in the end."""

    game: int
    opening: int  # which all games that begin alike have in common
    position: str  # the same for positions that a symmetry turns into each other
    value: float
    score: float

    @property
    def is_held_out(self) -> bool:
        """Whether the curve is not fitted with it."""
        return self.opening % 3 == 0


def read(file: Path) -> list[Sample]:
    """The samples of a file."""
    return [Sample(*json.loads(line)) for line in file.read_text().splitlines()]


def sampled(setting: Setting, file: Path, budget: Budget) -> Iterator[Sample]:
    """The samples of all games; those in the file are not searched again."""
    kept = read(file) if file.exists() else []
    yield from kept
    done = {sample.game for sample in kept}
    by_number = {job.number: job for job in jobs(setting)}
    with file.open("a") as out:
        for played in results(setting, file.with_suffix(".games"), 1):
            if played.number in done:
                continue
            record = Record(setting.game, by_number[played.number].options, played.actions)
            # Openings are numbered for each pair of neighbours, so that every pair is fitted and held out.
            opening = played.group // (len(setting.entrants) - 1)
            for sample in searched(record, (played.number, opening), played.shares, budget):
                out.write(json.dumps(sample) + "\n")
                out.flush()
                yield sample


def searched(record: Record, numbers: tuple[int, int], shares: Sequence[float], budget: Budget) -> Iterator[Sample]:
    """Some positions of a game with the numbers of it and its opening, without those of which something is proved."""
    positions = Positions(record)
    dice = random.Random(numbers[0])
    plies = [ply for ply in positions.decisions if len(positions.game.actions(positions.states[ply])) > 1]
    for ply in sorted(dice.sample(plies, min(SAMPLES, len(plies)))):
        turn = positions.turn(ply)
        assert turn is not None, "decisions are of seats"
        found = positions.search(ply, budget)
        if found.proven is None and abs(found.value) < 1:
            position = position_key(canonical(positions.game, positions.states[ply]))
            yield Sample(*numbers, position, found.value, shares[turn])


def fit(samples: Sequence[Sample]) -> tuple[float, float]:
    """The likeliest slope and shift, by Newton's method; a slope below 0 would not be monotone.

    Without samples they are 1 and 0, give or take PRIOR, so that a few samples do not move them far.
    """
    slope, shift = 1.0, 0.0
    points = [(2 * math.atanh(sample.value), sample.score) for sample in samples]
    for _ in range(50):
        g0, g1 = (1 - slope) / PRIOR**2, -shift / PRIOR**2
        h00, h01, h11 = 1 / PRIOR**2, 0.0, 1 / PRIOR**2
        for x, score in points:
            expected = 1 / (1 + math.exp(-(slope * x + shift)))
            weight = expected * (1 - expected)
            g0, g1 = g0 + (score - expected) * x, g1 + score - expected
            h00, h01, h11 = h00 + weight * x * x, h01 + weight * x, h11 + weight
        determinant = h00 * h11 - h01 * h01
        slope += (h11 * g0 - h01 * g1) / determinant
        shift += (h00 * g1 - h01 * g0) / determinant
    assert slope > 0, "the value says nothing about the result"
    return round(slope, 3), round(shift, 3) + 0.0


def bins(samples: Sequence[Sample], curve: tuple[float, float]) -> list[tuple[float, float, int]]:
    """Mean expected score, mean score and number of samples, by the expected score."""
    groups: dict[int, list[tuple[float, float]]] = {}
    for sample in samples:
        expected = calibrated(sample.value, *curve)
        groups.setdefault(min(BINS - 1, int(BINS * expected)), []).append((expected, sample.score))
    return [
        (sum(each for each, _ in group) / len(group), sum(score for _, score in group) / len(group), len(group))
        for _, group in sorted(groups.items())
    ]


def errors(samples: Sequence[Sample], curve: tuple[float, float]) -> str:
    """How far the curve is from the results: by the means of the bins, and by squares beside always saying the mean."""
    rows, mean = bins(samples, curve), sum(sample.score for sample in samples) / len(samples)
    calibration = sum(count * abs(expected - score) for expected, score, count in rows) / len(samples)
    brier = sum((calibrated(each.value, *curve) - each.score) ** 2 for each in samples) / len(samples)
    constant = sum((mean - each.score) ** 2 for each in samples) / len(samples)
    return f"mean distance of the bins {calibration:.3f}; Brier score {brier:.3f}, of the mean {constant:.3f}"


def diagram(title: str, rows: Sequence[tuple[float, float, int]]) -> str:
    """A reliability diagram: expected score across, score in the end upward; a circle's area is its samples."""

    def at(expected: float, score: float) -> tuple[float, float]:
        return MARGIN + SIZE * expected, MARGIN + SIZE * (1 - score)

    most = max(count for *_, count in rows)
    grid = [
        tag(
            "path", d=f"M{at(0, n / 4)[0]} {at(0, n / 4)[1]}H{MARGIN + SIZE}M{at(n / 4, 0)[0]} {MARGIN}V{MARGIN + SIZE}"
        )
        for n in range(5)
    ]
    (x0, y0), (x1, y1) = at(0, 0), at(1, 1)
    circles = [
        tag("circle", cx=at(x, y)[0], cy=at(x, y)[1], r=3 + 9 * math.sqrt(count / most), fill="#1f6b50", opacity=0.75)
        for x, y, count in rows
    ]
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
        *circles,
        tag("g", *words, font_family="sans-serif", font_size=12, fill="#1b2829"),
    )


def write_constants(key: str, entry: Any, curve: tuple[float, float]) -> None:
    """Put the constants of one entry into `CALIBRATION` of the game's slice."""
    path = manifest(key).player
    assert path, "only a game with an engine has a slice for them"
    file = ROOT / "src" / (path.partition(":")[0].replace(".", "/") + ".py")
    text = file.read_text(encoding="utf-8")
    found = re.search(r"^CALIBRATION: Final = (\{.*?\})$", text, re.MULTILINE | re.DOTALL)
    assert found, f"{file} has no CALIBRATION"
    constants = ast.literal_eval(found[1]) | {entry: curve}
    file.write_text(text.replace(found[1], repr(constants).replace("'", '"')), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("option", help="NAME=VALUE: the option by whose value the slice keeps its constants")
    parser.add_argument("--openings", type=int, default=40, help="groups of games for each pair of neighbours")
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
    nodes = start.player.review.second
    file = chosen.folder / f"{chosen.game}-{value}.samples"
    samples = read(file) if chosen.fit else list(sampled(setting, file, Budget(nodes=nodes)))
    fitted = [sample for sample in samples if not sample.is_held_out]
    known = {sample.position for sample in fitted}
    held_out = [sample for sample in samples if sample.is_held_out and sample.position not in known]
    if start.is_open_pair:
        # What one side expects the other must not, or every action would seem to gain or to lose something.
        fitted += [each._replace(value=-each.value, score=1 - each.score) for each in fitted]
    curve = fit(fitted)
    rows = bins(held_out, curve)
    counts = f"{len(samples) - len(held_out)} positions fitted, {len(held_out)} held out, {nodes} nodes each"
    print(f"{chosen.game} {value}: slope {curve[0]}, shift {curve[1]}; {counts}; {errors(held_out, curve)}")
    print("| expected | in the end | positions |\n|---|---|---|")
    print("\n".join(f"| {expected:.2f} | {score:.2f} | {count} |" for expected, score, count in rows))
    if chosen.write:
        write_constants(chosen.game, value, curve)
        picture = ROOT / "docs" / "pictures" / f"calibration-{chosen.game}-{value}.svg"
        picture.write_text(diagram(f"{chosen.game}, {value}", rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
