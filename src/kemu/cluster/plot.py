"""A plot of some series of numbers as an SVG picture."""

from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 320, 70, 20, 56, 30
_COLOURS: Final = ("#1f6b50", "#b8562f", "#3a5a8c")


def line_plot(title: str, series: Mapping[str, Sequence[float]]) -> str:
    """A line for each of at most three series, all over the same numbers from 1 on."""
    values = [value for each in series.values() for value in each] or [0.0]
    low, high = min(values), max(values)
    count = max(len(each) for each in series.values())

    def place(number: int, value: float) -> str:
        x = _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / max(count - 1, 1)
        y = _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - low) / ((high - low) or 1.0)
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
        ' font-family="sans-serif" font-size="13" fill="#22302a">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fbfaf6"/>',
        f'<text x="16" y="26" font-size="16">{escape(title)}</text>',
        f'<text x="12" y="{_TOP + 4}">{high:.3g}</text><text x="12" y="{_HEIGHT - _BOTTOM + 4}">{low:.3g}</text>',
    ]
    for each, colour in zip(series.values(), _COLOURS, strict=False):
        points = " ".join(place(number, value) for number, value in enumerate(each))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    names = "   ".join(
        f'<tspan fill="{colour}">{escape(name)}</tspan>' for name, colour in zip(series, _COLOURS, strict=False)
    )
    return "\n".join([*parts, f'<text x="{_LEFT}" y="46" xml:space="preserve">{names}</text>', "</svg>"]) + "\n"
