"""Words and small drawings for every game: seats, outcomes, times, and the Moeraki scale."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kemu.core.display import TextView
from kemu.core.game import CHANCE, AnyGame, AnyView, Outcome, Seat

MARKERS: Final = "●○◆◇▲△"
"""The marker of each player on a scale, as many as there are seats in any game."""

_TENTHS_MS: Final = 10_000


def seat_name(drawing: TextView, game: AnyGame, seat: Seat | None) -> str:
    """Return what people call a seat, or the dealer."""
    assert seat is not None, "somebody acts"
    return "Dealer" if seat == CHANCE else drawing.seat_name(game, seat)


def outcome_sentence(outcome: Outcome, name: Callable[[Seat], str]) -> str:
    """Say who won and why, with the scores if there are any."""
    scores = "" if outcome.scores is None else f" ({' : '.join(map(str, outcome.scores))})"
    if not outcome.winners:
        return f"A draw by {outcome.reason}{scores}."
    verb = "win" if len(outcome.winners) > 1 else "wins"
    return f"{' and '.join(map(name, outcome.winners))} {verb}: {outcome.reason}{scores}."


def with_log(view: AnyView, lines: Sequence[str]) -> Any:
    """Return a view with the log lines of its seat under `log`, so that a drawing can show the last ones."""
    return {**view, "log": list(lines)} if isinstance(view, dict) else view


def joined_lines(text: str) -> str:
    """Join lines that were broken inside sentences, so that each paragraph is one line; indented lines stay."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and line[:1] not in ("", " ") and lines[-1][:1] not in ("", " ") and lines[-1][-1] not in ".:;":
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def time_text(ms: int) -> str:
    """Write the time that is left, such as 4:09; the last ten seconds have tenths."""
    if ms < _TENTHS_MS:
        return f"0:{ms // 1000:02}.{ms % 1000 // 100}"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def scale(wins: Sequence[int], to: int, lengths: Mapping[str, int]) -> str:
    """Draw a scale up to `to` won games, at most 20 columns wide, with a marker for each player at their wins.

    `lengths` are the fields that have a name.
    """
    names = {count: name for name, count in lengths.items()}
    return "\n".join(_field(wins, count, names.get(count, ""), count in (0, to)) for count in range(to, -1, -1))


def _field(wins: Sequence[int], count: int, name: str, at_end: bool) -> str:
    here = "".join(MARKERS[player] if won == count else " " for player, won in enumerate(wins))
    edge = "╞" if at_end else "├"
    return f"{name:>9}{count:3} {edge}{here}".rstrip()
