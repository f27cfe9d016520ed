"""Pictures of the pairings in certificates: python bench/truth_pictures.py (writes docs/pictures/truth-*.svg)"""

import gzip
from pathlib import Path

from kemu.games.moeraki.board import HOLLOWS, Point

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src" / "kemu" / "certificates" / "data"
SHOWN = ("beginner-f6-second", "beginner-h6-second", "beginner-g7-first", "basic-f6-second", "basic-h6-second")
STEP = 30
POINT = {point.name: point for point in HOLLOWS}


def place(point: Point) -> tuple[int, int]:
    """Where a point is drawn."""
    return STEP * (point.x + 6), STEP * (6 - point.y)


def picture(text: str) -> str:
    """The board of a certificate, with lines between the partners and a disc for a first stone."""
    head, _, proof = text.partition("proof\n")
    ball = next(line.split()[1] for line in head.splitlines() if line.startswith("ball"))
    tokens = proof.split()
    pairs = [token.split("-") for token in tokens if "-" in token]
    first = tokens[0] if tokens[0] in POINT else None
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 360" width="360" height="360">']
    parts.append('<rect width="360" height="360" fill="#f6f1e7"/>')
    for one, two in pairs:
        (a, b), (c, d) = place(POINT[one]), place(POINT[two])
        parts.append(f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="#b5502f" stroke-width="4" opacity="0.75"/>')
    for name, point in POINT.items():
        x, y = place(point)
        fill = "#7a8794" if name == ball else "#222" if name == first else "#fff"
        parts.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}" stroke="#444"><title>{name}</title></circle>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    for name in SHOWN:
        text = gzip.decompress((DATA / f"moeraki-kemu-{name}.txt.gz").read_bytes()).decode("ascii")
        (ROOT / "docs" / "pictures" / f"truth-{name}.svg").write_text(picture(text), encoding="utf-8")


if __name__ == "__main__":
    main()
