"""What a training has come to: a card as JSON, and a page of HTML that needs no other file."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Final

from kemu.bots.ratings import sequential, share_interval
from kemu.cluster.training import GAIN_ELO, NO_GAIN_ELO, TrainingRound, TrainingRun
from kemu.core.document import Document

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 300, 64, 16, 40, 28

_STYLE: Final = """
:root { color-scheme: light dark; --text: #22302a; --ground: #fbfaf6; --rule: #b9c3bd; --a: #1f6b50; --b: #b8562f }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6ebe7; --ground: #18201c; --rule: #4a5650; --a: #6cc4a0; --b: #e39a74 }
}
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: var(--text);
  background: var(--ground) }
table { border-collapse: collapse } th, td { padding: .2rem .8rem .2rem 0; text-align: left }
svg { width: 100%; height: auto; font-size: 13px } svg text { fill: var(--text) }
.axis, .level { stroke: var(--rule) } .level { stroke-dasharray: 4 4 }
polyline { fill: none; stroke-width: 2 } .a { stroke: var(--a) } .b { stroke: var(--b) }
tspan.a { fill: var(--a); stroke: none } tspan.b { fill: var(--b); stroke: none }
"""


def training_card(run: TrainingRun, rounds: Sequence[TrainingRound], sources: Mapping[str, str]) -> Document:
    """The plan of a training, the sources it was made with, and what each round has come to."""
    return {
        "plan": asdict(run.plan),
        "learner": type(run.learner).__name__,
        "sources": dict(sources),
        "hours": round(sum(each.seconds for each in rounds) / 3600, 3),
        "rounds": [_round_document(run, each) for each in rounds],
    }


def _round_document(run: TrainingRun, done: TrainingRound) -> Document:
    share, error = share_interval(done.scores)
    first, end = done.seeds
    return {
        "seeds": [first, end - 1],
        "games": (end - first) * run.learner.batch_games,
        "losses": [asdict(loss) for loss in done.losses],
        "pairs": len(done.scores),
        "share": round(share, 4),
        "error": round(error, 4),
        "ratio": round(done.test.ratio, 3),
        "bounds": [round(bound, 3) for bound in done.test.bounds],
        "decided": done.test.decided,
        "hours": round(done.seconds / 3600, 3),
        "scores": list(done.scores),
    }


def report_page(card: Document) -> str:
    """The card as a page with plots."""
    plan = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in _facts(card))
    rounds = "".join(_section(number, done) for number, done in enumerate(card["rounds"], start=1))
    title = f"Training of {escape(card['plan']['game'])}"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{_STYLE}</style></head>
<body><h1>{title}</h1>
<table>{plan}</table>
{rounds}</body>
</html>
"""


def _facts(card: Document) -> list[tuple[str, object]]:
    return [
        *card["plan"].items(),
        ("learner", card["learner"]),
        *card["sources"].items(),
        ("hours of work", card["hours"]),
    ]


def _section(number: int, done: Document) -> str:
    losses = done["losses"]
    rows = "".join(f"<tr>{''.join(f'<td>{value:.5g}</td>' for value in loss.values())}</tr>" for loss in losses)
    curves = {"trained on": [loss["trained"] for loss in losses], "held out": [loss["held_out"] for loss in losses]}
    scores = done["scores"]
    ratios = [sequential(scores[:count], NO_GAIN_ELO, GAIN_ELO).ratio for count in range(1, len(scores) + 1)]
    return f"""<h2>Round {number}</h2>
<p>{done["games"]} games, seeds {done["seeds"][0]} to {done["seeds"][1]}; {done["hours"]:g} hours of work.</p>
{line_plot("Loss by epoch", curves, ())}
<table><tr><th>epoch</th><th>trained on</th><th>held out</th></tr>{rows}</table>
<p>Against the weights before: {done["share"]:.1%} ± {done["error"]:.1%} of {done["pairs"]} pairs. The test of
{GAIN_ELO:g} against {NO_GAIN_ELO:g} Elo: {done["decided"] or "open"}, ratio {done["ratio"]:.2f}.</p>
{line_plot("Log-likelihood ratio by pair, with both bounds", {"ratio": ratios}, done["bounds"])}
"""


def line_plot(title: str, series: Mapping[str, Sequence[float]], levels: Sequence[float]) -> str:
    """A line for each of at most two series, over the numbers from 1 on, and a dashed one for each level, as SVG."""
    values = [*levels, *(value for each in series.values() for value in each)]
    low, high = min(values), max(values)
    count = max(len(each) for each in series.values())

    def down(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / ((high - low) or 1.0)

    def across(number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / max(count - 1, 1)

    end, floor = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{escape(title)}</title>',
        f'<text x="{_LEFT}" y="16">{escape(title)}:',
        *(f' <tspan class="{kind}">{escape(name)}</tspan>' for kind, name in zip("ab", series, strict=False)),
        f'</text><line class="axis" x1="{_LEFT}" x2="{end}" y1="{floor}" y2="{floor}"/>',
        f'<text x="{_LEFT}" y="{floor + 20}">1</text>',
        f'<text x="{end}" y="{floor + 20}" text-anchor="end">{count}</text>',
        *(f'<text x="4" y="{down(value) + 4:.1f}">{value:.3g}</text>' for value in levels or (low, high)),
        *(f'<line class="level" x1="{_LEFT}" x2="{end}" y1="{down(v):.1f}" y2="{down(v):.1f}"/>' for v in levels),
    ]
    for kind, each in zip("ab", series.values(), strict=False):
        points = " ".join(f"{across(number):.1f},{down(value):.1f}" for number, value in enumerate(each))
        parts.append(f'<polyline class="{kind}" points="{points}"/>')
    return "\n".join([*parts, "</svg>"])
