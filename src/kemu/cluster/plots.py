"""Plots as HTML: the lines are SVG and stretch with the page, all words keep the size of its text."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

PLOT_STYLE: Final = """
.plot { display: grid; grid-template: auto 13rem auto / auto 1fr; gap: .6rem .5rem; margin: 1.5rem 0 }
.plot figcaption { grid-column: 1 / -1 }
.plot .across, .plot .upward { position: relative; min-width: 2.8rem }
.plot .across { grid-column: 2; height: 1.2rem }
.plot .upward span { position: absolute; right: 0; transform: translateY(50%) }
.plot .across span { position: absolute; transform: translateX(-50%) }
.plot .across span:first-child { transform: none }
.plot .across span:last-child:not(:first-child) { transform: translateX(-100%) }
.plot .across, .plot .upward { font-size: .8rem; font-variant-numeric: tabular-nums; color: var(--faint) }
.plot svg { width: 100%; height: 100%; overflow: visible }
.plot path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round }
.plot .dots { stroke-width: 7 }
.plot .grid { stroke: var(--rule); stroke-width: 1 }
.plot .level { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 4 5 }
.plot .a { stroke: var(--a) } .plot .b { stroke: var(--b) }
.key { white-space: nowrap; font-size: .85rem; margin-left: .8rem }
.key::before { content: ""; display: inline-block; width: 1.2rem; height: 3px; margin: 0 .4rem .2rem 0;
  background: var(--a) }
.key.b::before { background: var(--b) }
"""

MOST_DOTS: Final = 40
"""A longer series has no dots on its line."""

STEPS: Final = (1.0, 2.0, 5.0, 10.0)


def line_plot(
    title: str, series: Mapping[str, Sequence[float]], across: str, levels: Mapping[str, float] | None = None
) -> str:
    """A line for each of at most two series over the numbers from 1 on, with a dashed line for each named level.

    `across` says what is counted.
    """
    named = levels or {}
    values = [*named.values(), *(value for each in series.values() for value in each)]
    ticks = round_ticks(min(values), max(values))
    low, high, count = ticks[0], ticks[-1], max(len(each) for each in series.values())

    def up(value: float) -> float:
        return 100 * (value - low) / (high - low)

    def right(number: int) -> float:
        return 100 * (number - 1) / max(count - 1, 1)

    kinds = list(zip("ab", series.items(), strict=False))
    keys = "".join(f'<span class="key {kind}">{escape(name)}</span>' for kind, (name, _) in kinds if len(series) > 1)
    lines = [f'<path class="grid" d="M0 {100 - up(tick):.2f}H100"/>' for tick in ticks]
    lines += [f'<path class="level" d="M0 {100 - up(value):.2f}H100"/>' for value in named.values()]
    for kind, (_, each) in kinds:
        points = [f"{right(number):.2f} {100 - up(value):.2f}" for number, value in enumerate(each, start=1)]
        lines.append(f'<path class="{kind}" d="M{"L".join(points)}"/>')
        if len(points) <= MOST_DOTS:
            lines.append(f'<path class="{kind} dots" d="{"".join(f"M{place}h0" for place in points)}"/>')
    labels = {
        up(tick): f"{tick:g}".replace("-", "−")
        for tick in ticks
        if all(abs(up(tick) - up(value)) > 9 for value in named.values())
    }
    labels |= {up(value): name for name, value in named.items()}
    upward = "".join(f'<span style="bottom:{place:.1f}%">{escape(text)}</span>' for place, text in labels.items())
    # The widest label, out of sight, gives the column its width.
    widest = max(labels.values(), key=len)
    numbers = {1: f"{across} 1"} | {number: str(number) for number in ((count + 1) // 2, count) if number > 1}
    below = "".join(f'<span style="left:{right(number):.1f}%">{text}</span>' for number, text in numbers.items())
    return f"""<figure class="plot"><figcaption>{escape(title)}{keys}</figcaption>
<div class="upward"><div style="visibility:hidden">{escape(widest)}</div>{upward}</div>
<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="{escape(title)}">{"".join(lines)}</svg>
<div class="across">{below}</div></figure>"""


def round_ticks(low: float, high: float) -> list[float]:
    """Three to six round numbers, of which the first is not above `low` and the last not below `high`."""
    width = (high - low) or abs(high) or 1.0
    unit = 10 ** floor(log10(width / 4))
    step = next(step * unit for step in STEPS if width / (step * unit) <= 4.5)
    first = floor(low / step)
    last = max(ceil(high / step), first + 1)
    return [round(number * step, 10) for number in range(first, last + 1)]
