"""A plot of strengths as an SVG picture."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 640, 28, 150, 40, 48


def elo_plot(title: str, rated: Mapping[str, Mapping[str, float]]) -> str:
    """One row for each entrant: its Elo as a dot, its interval as a bar."""
    low = min((rating["low"] for rating in rated.values()), default=0.0)
    high = max((rating["high"] for rating in rated.values()), default=1.0)
    scale = (_WIDTH - _LEFT - _RIGHT) / max(high - low, 1.0)

    def across(elo: float) -> float:
        return _LEFT + (elo - low) * scale

    height = _TOP + _ROW * len(rated) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"',
        ' font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fbfaf6"/>',
        f'<text x="16" y="26" font-size="16" fill="#22302a">{escape(title)}</text>',
    ]
    for row, (name, rating) in enumerate(rated.items()):
        y = _TOP + _ROW * row + _ROW / 2
        start, end, middle = across(rating["low"]), across(rating["high"]), across(rating["elo"])
        parts.append(f'<text x="16" y="{y + 4:.1f}" fill="#22302a">{escape(name)}</text>')
        parts.append(f'<line x1="{start:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}" stroke="#8fb3a3" stroke-width="6"/>')
        parts.append(f'<circle cx="{middle:.1f}" cy="{y}" r="5" fill="#1f6b50"/>')
        parts.append(f'<text x="{end + 6:.1f}" y="{y + 4:.1f}" fill="#6b746f">{rating["elo"]:+.0f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
