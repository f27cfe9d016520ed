"""Reports: what players tell the operator about each other, one of each for each other."""

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.people.relations import WithYourself

Reason: TypeAlias = Literal["name", "unfair", "stalling", "greetings", "other"]
"""An offensive name, help by a computer or agreed results, time wasted on purpose, greetings to annoy, else."""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)

MOST_REPORTS: Final = 50
"""How many players one player can report."""


class Report(Struct, frozen=True):
    """A player was reported by another one at a time (ms), perhaps for a match."""

    player: str
    reporter: str
    reason: Reason
    at: int
    match: str | None = None


class ReportLimit(KemuError, code="report-limit"):
    """A player has reported as many players as one may."""


def check_report(report: Report, count: int) -> None:
    """Check that a player who has reported `count` players may report this one. Raises WithYourself, ReportLimit."""
    if report.player == report.reporter:
        raise WithYourself("This is you; report somebody else.")
    if count >= MOST_REPORTS:
        raise ReportLimit(f"You have reported {count} players; wait until the operator has looked at them.")
