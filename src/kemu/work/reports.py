"""Plots by matplotlib (`kemu[plots]`), and the results of a training: a card as JSON and a page of HTML."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from importlib.resources import files
from typing import Any, Final

from kemu.bots.ratings import sequential, share_interval
from kemu.core.document import Document
from kemu.core.errors import MissingPart
from kemu.core.parts import require
from kemu.games import manifest
from kemu.work.parallel import duration
from kemu.work.training import GAIN_ELO, NO_GAIN_ELO, TrainingRound, TrainingRun, digest

GROUND, INK, FAINT, COLOURS = "#fbfaf6", "#22302a", "#8fb3a3", ("#1f6b50", "#b8562f")
MOST_DOTS: Final = 40
"""A longer series has no dots on its line."""

VERDICTS: Final = {"stronger": "passed", "weaker": "failed", None: "not decided"}
"""The words for how a test was decided."""


def check_plots() -> None:
    """Raise MissingPart if nothing can draw plots here."""
    require("plots")


def elo_plot(title: str, rated: Mapping[str, Mapping[str, float]]) -> str:
    """Return a plot of strengths as SVG: for each entrant a row with its Elo as a dot and its interval as a bar."""
    figure, axes = _axes(title, height=1 + 0.35 * len(rated))
    names = list(rated)[::-1]
    for row, rating in enumerate(rated[name] for name in names):
        axes.plot((rating["low"], rating["high"]), (row, row), color=FAINT, linewidth=5)
        axes.plot(rating["elo"], row, "o", color=COLOURS[0])
        axes.annotate(f"{rating['elo']:+.0f}", (rating["high"], row), (6, -3), textcoords="offset points", color=INK)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("Elo above the average, with intervals of 95 %")
    axes.margins(x=0.1)
    return _svg(figure)


def line_plot(
    title: str, series: Mapping[str, Sequence[float]], across: str, levels: Mapping[str, float] | None = None
) -> str:
    """Return a plot as SVG: a line for each of at most two series over the numbers from 1 on, and the named levels.

    `across` says what is counted.
    """
    figure, axes = _axes(title, height=2.6)
    for colour, (name, values) in zip(COLOURS, series.items(), strict=False):
        dots = "o" if len(values) <= MOST_DOTS else ""
        axes.plot(range(1, len(values) + 1), values, marker=dots, markersize=4, color=colour, label=name)
    for name, level in (levels or {}).items():
        axes.axhline(level, color=FAINT, linestyle="--")
        axes.annotate(
            name, (1, level), (-4, 0), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right"
        )
    axes.set_xlabel(across)
    axes.xaxis.get_major_locator().set_params(integer=True)
    if len(series) > 1:
        axes.legend(frameon=False)
    return _svg(figure)


def _axes(title: str, height: float) -> tuple[Any, Any]:
    """Return an empty figure and its axes; raises MissingPart without matplotlib."""
    check_plots()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, height), facecolor=GROUND, layout="constrained")
    axes = figure.subplots(subplot_kw={"facecolor": GROUND})
    axes.set_title(title, loc="left", color=INK)
    axes.grid(color=FAINT, alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Any) -> str:
    """Return a figure as an SVG element, with its words as text and the same for the same figure."""
    import matplotlib

    text = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "kemu", "font.family": "sans-serif"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def training_card(run: TrainingRun, rounds: Sequence[TrainingRound], sources: Mapping[str, str]) -> Document:
    """Return the plan of a training, the sources it was made with, and the results of each round."""
    passed = [each for each in rounds if each.passed]
    return {
        "plan": asdict(run.plan),
        "learner": repr(run.learner),
        "sources": dict(sources),
        "weights": digest(passed[-1].weights) if passed else None,
        "hours": round(sum(each.seconds for each in rounds) / 3600, 3),
        "rounds": [_round_document(run, each) for each in rounds],
    }


def _round_document(run: TrainingRun, done: TrainingRound) -> Document:
    share, error = share_interval(done.scores)
    first, end = done.seeds
    return {
        "before": digest(done.before),
        "weights": digest(done.weights),
        "seeds": [first, end - 1],
        "games": (end - first) * run.learner.batch_games,
        "positions": done.positions,
        "losses": [asdict(loss) for loss in done.losses],
        "pairs": len(done.scores),
        "share": round(share, 4),
        "error": round(error, 4),
        "elo": [NO_GAIN_ELO, GAIN_ELO],
        "ratio": round(done.test.ratio, 3),
        "bounds": [round(bound, 3) for bound in done.test.bounds],
        "decided": done.test.decided,
        "hours": round(done.seconds / 3600, 3),
        "scores": list(done.scores),
    }


def report_page(card: Document) -> str:
    """Return the card as a page that needs no other file; without matplotlib it says how to get plots."""
    plan, sources = card["plan"], card["sources"]
    facts = {
        "rounds": f"{len(card['rounds'])} of {plan['rounds']}",
        "begins with": "nothing" if plan["untrained"] else "the weights in use",
        "each round": f"{plan['batches']} batches of games, {plan['epochs']} epochs, at most {plan['pairs']} pairs",
        "first seed": plan["seed"],
        "learner": card["learner"],
        "version": f"Kemu {sources['version']}",
        **({"commit": sources["commit"]} if sources.get("commit") else {}),
        "engines": f"hash of the sources {sources['engines']}",
        "work": f"{duration(60 * card['hours'])}, all processes added up",
    }
    return _template("report.html").format(
        title=f"Training of {escape(manifest(plan['game']).title)}",
        verdict=f"The weights {card['weights']} passed." if card["weights"] else "No weights passed the test yet.",
        facts="".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in facts.items()),
        rounds="".join(_round_section(number, done) for number, done in enumerate(card["rounds"], start=1)),
    )


def _round_section(number: int, done: Document) -> str:
    losses, scores, (low, high) = done["losses"], done["scores"], done["bounds"]
    curves = {"trained on": [loss["trained"] for loss in losses], "held out": [loss["held_out"] for loss in losses]}
    ratios = [sequential(scores[:count], *done["elo"]).ratio for count in range(1, len(scores) + 1)]
    try:
        loss_plot = line_plot("Loss", curves, "epoch")
        test_plot = line_plot("Course of the test", {"ratio": ratios}, "pair", {"pass": high, "fail": low})
    except MissingPart as error:
        loss_plot, test_plot = f"<p>{escape(str(error))}</p>", ""
    row = "<tr><td>{epoch}</td><td>{trained:.4f}</td><td>{held_out:.4f}</td></tr>"
    return _template("report_round.html").format(
        **done,
        number=number,
        verdict=VERDICTS[done["decided"]],
        duration=duration(60 * done["hours"]),
        best=min(losses, key=lambda loss: loss["held_out"]),
        rows="".join(row.format(**loss) for loss in losses),
        loss_plot=loss_plot,
        test_plot=test_plot,
    )


def _template(name: str) -> str:
    return (files("kemu.work") / name).read_text(encoding="utf-8")
