"""The report of an arena: a progress bar while it plays, then a table, JSON or a plot."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from kemu.bots.arena import Played, Setting, jobs, results
from kemu.bots.ratings import EloEstimate, SequentialTest, ratings, sequential, share_interval
from kemu.core.document import Document
from kemu.core.errors import OptionError

Groups = dict[int, list[Played]]


def run_arena(
    setting: Setting,
    file: Path | None,
    workers: int,
    sprt: tuple[float, float] | None,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Play and print the report; a sequential test between the first two entrants stops as soon as it is decided.

    Raises OptionError if the two advantages of the test are not in order.
    """
    if sprt and not sprt[0] < sprt[1]:
        raise OptionError("A sequential test needs two advantages in Elo, the smaller one first.")
    groups: Groups = defaultdict(list)
    total = sum(1 for _ in jobs(setting))
    for done, played in enumerate(_with_progress(results(setting, file, workers), total), start=1):
        groups[played.group].append(played)
        if sprt and done % 8 == 0 and _verdict(setting, _whole(groups), sprt).decided:
            break
    report = _report(setting, _whole(groups), sprt)
    sys.stdout.write(json.dumps(report) + "\n" if as_json else _table(report))
    if plot:
        from kemu.terminal.plot import elo_plot

        plot.write_text(elo_plot(f"{setting.game}: Elo", report["elo"]), encoding="utf-8")


def _whole(groups: Groups) -> list[list[Played]]:
    """The groups of which all games were played, in order."""
    longest = max((len(group) for group in groups.values()), default=0)
    return [groups[number] for number in sorted(groups) if len(groups[number]) == longest]


def _with_progress(found: Iterable[Played], total: int) -> Iterable[Played]:
    """The same games; if standard error is a terminal, with a progress bar there."""
    if not sys.stderr.isatty():
        return found
    from rich.console import Console
    from rich.progress import track

    return track(found, "playing", total=total, console=Console(stderr=True), transient=True)


def _scores(pair: Sequence[str], groups: Sequence[Sequence[Played]]) -> list[float]:
    """For each group of a pair, the mean share that the first of it won when it sat alone or face to face."""
    scores = []
    for group in groups:
        if tuple(group[0].pair) == tuple(pair):
            alone = [game for game in group if game.seats.count(pair[0]) == 1]
            scores.append(sum(game.shares[game.seats.index(pair[0])] for game in alone) / len(alone))
    return scores


def _verdict(setting: Setting, groups: Sequence[Sequence[Played]], sprt: tuple[float, float]) -> SequentialTest:
    return sequential(_scores(setting.entrants[:2], groups), *sprt)


def _report(setting: Setting, groups: Sequence[Sequence[Played]], sprt: tuple[float, float] | None) -> Document:
    table = [[tuple(zip(game.seats, game.shares, strict=True)) for game in group] for group in groups]
    rated: dict[str, EloEstimate] = ratings(table) if table else {}
    pairs = []
    for pair in sorted({tuple(group[0].pair) for group in groups}):
        share, error = share_interval(_scores(pair, groups))
        games = [game for group in groups if tuple(group[0].pair) == pair for game in group]
        reasons: dict[str, int] = defaultdict(int)
        for game in games:
            reasons[game.reason] += 1
        pairs.append({"pair": pair, "games": len(games), "share": share, "error": error, "reasons": reasons})
    report: Document = {
        "setting": vars(setting),
        "elo": {name: vars(rating) for name, rating in sorted(rated.items(), key=lambda item: -item[1].elo)},
        "pairs": pairs,
    }
    if sprt:
        report["test"] = vars(_verdict(setting, groups, sprt))
    return report


def _table(report: Document) -> str:
    lines = ["entrant            Elo   95 %"]
    for name, rating in report["elo"].items():
        lines.append(f"{name:16} {rating['elo']:+6.0f}   {rating['low']:+.0f} to {rating['high']:+.0f}")
    lines += ["", "first against second             games   first wins"]
    for pair in report["pairs"]:
        against = " against ".join(pair["pair"])
        lines.append(f"{against:32} {pair['games']:5}   {pair['share']:.1%} ± {pair['error']:.1%}")
    if "test" in report:
        test = report["test"]
        low, high = test["bounds"]
        lines += ["", f"test: {test['decided'] or 'open'}, ratio {test['ratio']:.2f} between {low:.2f} and {high:.2f}"]
    return "\n".join(lines) + "\n"
