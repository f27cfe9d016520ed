"""How well the net of Moeraki-Kemu predicts the ends of games that were held out, beside the evaluation of the search.

    python bench/moeraki_net.py FOLDER [FOLDER …] [--weights FILE]

reads the samples of batches (npz) that `kemu train moeraki-kemu` or `MoerakiLearner.play_batch` wrote, and takes the
games of each eighth number, which are not trained on. All figures are of the net in whole numbers, as study uses it.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import load_arrays
from kemu.engines.compiled import compiled
from kemu.engines.moeraki.evaluation import LOGIT, EvaluationContext, evaluate
from kemu.engines.moeraki.net import Net, Outlook, outlook
from kemu.engines.moeraki.net_descent import UNKNOWN, Samples
from kemu.engines.moeraki.net_fit import is_held_out, samples_of
from kemu.engines.moeraki.net_inputs import AREA_STATES, CLOSED_AREA, EQUAL_CHANCES, HANDS, LEFT, SCALES, TILES
from kemu.engines.moeraki.pattern_sums import RANKS, begin_patterns, weights_with_patterns
from kemu.engines.moeraki.selfplay import COLUMNS
from kemu.engines.moeraki.tables import MASKS
from kemu.engines.moeraki.transposition import Sides, Window
from kemu.engines.moeraki.weights import load_net_arrays, load_weights, shipped_file
from kemu.games.moeraki.options import VARIANTS

Positions = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]
PHASES = ((0, 57), (0, 10), (10, 20), (20, 30), (30, 40), (40, 57))
LEAST = 1e-6


def held_out(folders: Sequence[Path]) -> Positions:
    """The positions of games that were held out."""
    batches = [load_arrays(file.read_bytes()) for folder in folders for file in sorted(folder.glob("*.npz"))]
    joined = {name: np.concatenate([batch[name] for batch in batches]) for name in COLUMNS}
    chosen = is_held_out(joined)
    return {name: column[chosen] for name, column in joined.items()}


@compiled
def _evaluate_all(positions: Any, at: tuple[Any, int], masks: Any, weights: Any, found: Any) -> None:
    own, other, tanes = positions
    ranks = np.zeros(RANKS, np.int64)
    context = EvaluationContext(at[0], at[1], masks, weights)
    for number in range(len(own)):
        sides = Sides(own[number], other[number], tanes[number])
        begin_patterns(sides, ranks, weights)
        found[number] = evaluate(sides, Window(-(1 << 60), 1 << 60), context, ranks)


def evaluation_scores(positions: Positions, data: bytes) -> Floats:
    """The expected score by the evaluation of the search."""
    found, weights = np.zeros(len(positions["own"])), load_weights(data)
    for variant in np.unique(positions["variant"]):
        for ball in np.unique(positions["ball"]):
            chosen = np.flatnonzero((positions["variant"] == variant) & (positions["ball"] == ball))
            columns = tuple(positions[name][chosen] for name in ("own", "other", "tanes"))
            scores = np.zeros(len(chosen), np.int64)
            rows = weights_with_patterns(weights[variant], int(ball))
            _evaluate_all(columns, (np.uint64(1 << int(ball)), int(variant)), MASKS[0, ball], rows, scores)
            found[chosen] = 1 / (1 + np.exp(-scores / LOGIT))
    return found


def outlooks(net: Net, positions: Positions) -> Iterator[Outlook]:
    """What the net says of each position."""
    columns = (positions[name] for name in ("own", "other", "tanes", "ball", "variant"))
    for own, other, tanes, ball, variant in zip(*columns, strict=True):
        yield outlook(net, Sides(own, other, int(tanes)), int(ball), int(variant))


def entropy(chances: Floats, results: Floats) -> Floats:
    """The cross entropy of each result."""
    chances = np.clip(chances, LEAST, 1 - LEAST)
    return np.asarray(-(results * np.log(chances) + (1 - results) * np.log(1 - chances)))


def show_results(positions: Positions, scores: dict[str, Floats], left: NDArray[Any]) -> None:
    """Prints the cross entropy of results by variant and hollows left."""
    print("| variant | hollows left | positions |", " | ".join(scores), "|")
    for variant in np.unique(positions["variant"]):
        for first, last in PHASES:
            chosen = (positions["variant"] == variant) & (left >= first) & (left < last)
            if chosen.any():
                means = [entropy(each, positions["result"])[chosen].mean() for each in scores.values()]
                cells = " | ".join(f"{mean:.4f}" for mean in means)
                print(f"| {VARIANTS[variant]} | {first}-{last - 1} | {chosen.sum()} | {cells} |")


def show_calibration(positions: Positions, scores: Floats) -> None:
    """Prints how many of the positions with each expected score were won."""
    print("| called | positions | won |")
    for first in range(10):
        chosen = (scores >= first / 10) & (scores < (first + 1) / 10)
        if chosen.any():
            called, won = 100 * scores[chosen].mean(), 100 * positions["result"][chosen].mean()
            print(f"| {called:.1f} % | {chosen.sum()} | {won:.1f} % |")


def show_areas(positions: Positions, samples: Samples, areas: Floats) -> None:
    """Prints the mean square errors in tiles, of the net and of equal chances, in games that the Marae decided."""
    # The first states are those of games without Tane: what is closed is known, but not what a Tane will close.
    states = np.where(samples.areas == CLOSED_AREA, CLOSED_AREA, samples.areas % (AREA_STATES // HANDS))
    equal = EQUAL_CHANCES[states]
    print("| variant | positions | area, equal chances | area, net | sum, equal chances | sum, net | variance |")
    for variant in np.unique(positions["variant"]):
        chosen = (positions["variant"] == variant) & (samples.ends[:, 0] != UNKNOWN)
        if chosen.any():
            ends = TILES[samples.ends[chosen]]
            errors = [each[chosen] @ TILES - ends for each in (equal, areas)]
            cells = [f"{(error**2).mean():.4f}" for error in errors]
            cells += [f"{(error.sum(axis=1) ** 2).mean():.3f}" for error in errors]
            cells.append(f"{ends.sum(axis=1).var():.3f}")
            print(f"| {VARIANTS[variant]} | {chosen.sum()} |", " | ".join(cells), "|")


def show_endings(positions: Positions, samples: Samples, found: Sequence[Outlook]) -> None:
    """Prints the cross entropy of the kind of ending beside that of its base rates."""
    chances = np.array([(*each.win_kinds, *each.loss_kinds, each.draw) for each in found])
    ends = np.where(samples.kind == UNKNOWN, 8, samples.kind - 2)
    print("| variant | positions | base rates | net |")
    for variant in np.unique(positions["variant"]):
        chosen = positions["variant"] == variant
        rates = np.bincount(ends[chosen], minlength=9) / chosen.sum()
        base = -np.log(rates[ends[chosen]]).mean()
        net = -np.log(np.maximum(chances[chosen, ends[chosen]], LEAST)).mean()
        print(f"| {VARIANTS[variant]} | {chosen.sum()} | {base:.4f} | {net:.4f} |")


def main() -> None:
    """Read the samples and print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path)
    arguments = parser.parse_args()
    data = arguments.weights.read_bytes() if arguments.weights else shipped_file()
    positions, net = held_out(arguments.folders), Net(**load_net_arrays(data))
    samples = samples_of(positions)
    next(outlooks(net, positions))
    begin = time.process_time()
    found = list(outlooks(net, positions))
    spent = time.process_time() - begin
    scores = np.array([each.score for each in found])
    left = np.rint(samples.counts[:, LEFT] * SCALES[LEFT]).astype(np.int64)
    print(f"{len(found)} positions, {spent / len(found) * 1e6:.0f} µs for each with all that Python does\n")
    others = {"evaluation": evaluation_scores(positions, data), "search": positions["expected"]}
    show_results(positions, {"net": scores, **others}, left)
    for variant in (*np.unique(positions["variant"]), None):
        chosen = np.full(len(left), True) if variant is None else positions["variant"] == variant
        print(f"\nCalibration, {'all' if variant is None else VARIANTS[variant]}")
        show_calibration({"result": positions["result"][chosen]}, scores[chosen])
    print()
    show_areas(positions, samples, np.array([each.areas for each in found]))
    print()
    show_endings(positions, samples, found)


if __name__ == "__main__":
    main()
