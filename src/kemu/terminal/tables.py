"""The report of an arena as a table for a paper: Markdown, LaTeX or CSV, by the ending of the file."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kemu import __version__
from kemu.core.document import Document
from kemu.core.errors import OptionError

Rows = Sequence[Sequence[str]]

ELO_HEAD: Final = ("entrant", "Elo", "low", "high")
PAIRS_HEAD: Final = ("first", "second", "games", "first wins", "low", "high")
SPECIAL: Final = {each: f"\\{each}" for each in "&%$#_{}"} | {"~": r"\textasciitilde{}", "\\": r"\textbackslash{}"}


def table_writer(file: Path) -> Callable[[Document], str]:
    """Return what makes the text of a file of this name from a report; raises OptionError for another ending."""
    if file.suffix not in WRITERS:
        raise OptionError(f"A table is a file that ends with {', '.join(WRITERS)}, not '{file.name}'.")
    return WRITERS[file.suffix]


def markdown(report: Document) -> str:
    """Return both tables in Markdown."""
    return f"{_caption(report)}\n\n{_markdown(ELO_HEAD, _elo(report))}\n{_markdown(PAIRS_HEAD, _pairs(report))}"


def latex(report: Document) -> str:
    """Return both tables as LaTeX with the rules of booktabs."""
    tables = _latex(ELO_HEAD, _elo(report)) + "\n" + _latex(PAIRS_HEAD, _pairs(report))
    return f"% {_caption(report)}\n{tables}"


def comma_separated(report: Document) -> str:
    """Return the pairs as CSV, shares as numbers from 0 to 1."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PAIRS_HEAD)
    for pair in report["pairs"]:
        writer.writerow([*pair["pair"], pair["games"], pair["share"], pair["low"], pair["high"]])
    return text.getvalue()


WRITERS: Final[Mapping[str, Callable[[Document], str]]] = {".md": markdown, ".tex": latex, ".csv": comma_separated}


def _caption(report: Document) -> str:
    setting = report["setting"]
    options = ", ".join(f"{name}={value}" for name, value in setting["options"].items())
    played = f"{setting['openings']} openings, {setting['opening']} random actions each, seed {setting['seed']}"
    return f"Kemu {__version__}, {setting['game']} ({options}): {played}. Intervals of 95 %."


def _elo(report: Document) -> Rows:
    return [(name, *(f"{each[part]:+.0f}" for part in ("elo", "low", "high"))) for name, each in report["elo"].items()]


def _pairs(report: Document) -> Rows:
    rows = []
    for pair in report["pairs"]:
        shares = [f"{100 * pair[part]:.1f} %" for part in ("share", "low", "high")]
        rows.append([*pair["pair"], str(pair["games"]), *shares])
    return rows


def _markdown(head: Sequence[str], rows: Rows) -> str:
    marks = ["---" if name in ("entrant", "first", "second") else "---:" for name in head]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, marks, *rows))


def _latex(head: Sequence[str], rows: Rows) -> str:
    columns = "".join("l" if name in ("entrant", "first", "second") else "r" for name in head)
    escaped = (["".join(SPECIAL.get(each, each) for each in cell) for cell in row] for row in (head, *rows))
    first, *others = (" & ".join(row) for row in escaped)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{first} \\", r"\midrule"]
    return "\n".join([*lines, *(rf"{row} \\" for row in others), r"\bottomrule", r"\end{tabular}", ""])
