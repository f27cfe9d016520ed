"""What a training has come to: a card as JSON, and a page of HTML that needs no other file."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Final

from kemu.bots.ratings import sequential, share_interval
from kemu.cluster.plots import PLOT_STYLE, line_plot
from kemu.cluster.training import GAIN_ELO, NO_GAIN_ELO, TrainingRound, TrainingRun, digest
from kemu.core.document import Document
from kemu.games import manifest

_STYLE: Final = f"""
:root {{ color-scheme: light dark; --text: #22302a; --faint: #5c6a63; --ground: #fbfaf6; --rule: #d8ddd8;
  --a: #1f6b50; --b: #b8562f }}
@media (prefers-color-scheme: dark) {{
  :root {{ --text: #e6ebe7; --faint: #a3b0a9; --ground: #18201c; --rule: #37423c; --a: #6cc4a0; --b: #e39a74 }}
}}
* {{ box-sizing: border-box }}
body {{ max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--ground) }}
h1 {{ font-size: 1.6rem; line-height: 1.2; margin: 0 0 .8rem }}
h2 {{ font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--rule) }}
dl {{ display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: .25rem 1rem }}
dt {{ color: var(--faint) }} dd {{ margin: 0; overflow-wrap: anywhere }}
.verdict {{ font-size: 1.1rem; font-weight: 600 }}
details {{ margin: 1rem 0 }} summary {{ cursor: pointer }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ padding: .2rem 1.2rem .2rem 0; text-align: left; font-weight: normal }} th {{ color: var(--faint) }}
{PLOT_STYLE}"""

VERDICTS: Final = {"stronger": "passed", "weaker": "failed", None: "not decided"}
"""What is said of the new weights by how their test was decided."""

_SENTENCES: Final = {
    "stronger": "The new weights passed.",
    "weaker": "The new weights did not pass: they gain too little.",
    None: "The test was not decided within its pairs, so that the weights before stay in use.",
}


def training_card(run: TrainingRun, rounds: Sequence[TrainingRound], sources: Mapping[str, str]) -> Document:
    """The plan of a training, the sources it was made with, and what each round has come to."""
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
    """The card as a page with plots."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in _facts(card).items())
    rounds = "".join(_section(number, done) for number, done in enumerate(card["rounds"], start=1))
    title = f"Training of {escape(manifest(card['plan']['game']).title)}"
    found = f"The weights {card['weights']} passed." if card["weights"] else "No weights passed the test yet."
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{_STYLE}</style></head>
<body><h1>{title}</h1>
<p class="verdict">{found}</p>
<dl>{facts}</dl>
{rounds}</body>
</html>
"""


def _facts(card: Document) -> dict[str, object]:
    plan, sources = card["plan"], card["sources"]
    return {
        "rounds": f"{len(card['rounds'])} of {plan['rounds']}",
        "begins with": "nothing" if plan["untrained"] else "the weights in use",
        "each round": f"{plan['batches']} batches of games, {plan['epochs']} epochs, at most {plan['pairs']} pairs",
        "first seed": plan["seed"],
        "learner": card["learner"],
        "version": f"Kemu {sources['version']}",
        **({"commit": sources["commit"]} if sources.get("commit") else {}),
        "engines": f"hash of the sources {sources['engines']}",
        "work": f"{duration(card['hours'])}, all processes added up",
    }


def _percent(share: float) -> str:
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def duration(hours: float) -> str:
    """A number of hours in words."""
    return f"{hours:.1f} hours" if hours >= 1.5 else f"{60 * hours:.0f} minutes" if hours >= 1 / 40 else "a minute"


def _section(number: int, done: Document) -> str:
    losses, scores, (low, high) = done["losses"], done["scores"], done["bounds"]
    rows = "".join(
        f"<tr><td>{each['epoch']}</td><td>{each['trained']:.4f}</td><td>{each['held_out']:.4f}</td></tr>"
        for each in losses
    )
    curves = {"trained on": [loss["trained"] for loss in losses], "held out": [loss["held_out"] for loss in losses]}
    ratios = [sequential(scores[:count], *done["elo"]).ratio for count in range(1, len(scores) + 1)]
    best = min(losses, key=lambda loss: loss["held_out"])
    return f"""<h2>Round {number}: {VERDICTS[done["decided"]]}</h2>
<p><strong>{_percent(done["share"])} ± {_percent(done["error"])}</strong> of {done["pairs"]} pairs against the weights
before ({done["before"]}). {_SENTENCES[done["decided"]]}</p>
<p>Learned from {done["games"]:,} games with {done["positions"]:,} positions, seeds {done["seeds"][0]} to
{done["seeds"][1]}, in {duration(done["hours"])} of work. Epoch {best["epoch"]} of {len(losses)} is the best on games
held out, with a loss of {best["held_out"]:.4f}.</p>
{line_plot("Loss", curves, "epoch")}
<details><summary>Losses of all epochs</summary>
<table><tr><th>epoch</th><th>trained on</th><th>held out</th></tr>{rows}</table></details>
{line_plot("Course of the test", {"ratio": ratios}, "pair", {"pass": high, "fail": low})}
<p>The test decides between a gain of {done["elo"][1]:g} and of {done["elo"][0]:g} Elo by the log-likelihood ratio of
the pairs; it ends at ±{high:.2f} and came to {done["ratio"]:.2f}.</p>
"""
