"""Sentences about seats and outcomes, for every game."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kemu.core.game import CHANCE, AnyGame, Outcome, Seat
from kemu.core.text import TextView

_TENTHS_MS: Final = 10_000


def seat_name(drawing: TextView, game: AnyGame, seat: Seat | None) -> str:
    """What people call whoever acts."""
    assert seat is not None, "somebody acts"
    return "Dealer" if seat == CHANCE else drawing.seat_name(game, seat)


def outcome_sentence(outcome: Outcome, name: Callable[[Seat], str]) -> str:
    """Who won and why, with the scores if there are any."""
    scores = "" if outcome.scores is None else f" ({' : '.join(map(str, outcome.scores))})"
    if not outcome.winners:
        return f"A draw by {outcome.reason}{scores}."
    verb = "win" if len(outcome.winners) > 1 else "wins"
    return f"{' and '.join(map(name, outcome.winners))} {verb}: {outcome.reason}{scores}."


def with_log(view: Any, lines: Sequence[str]) -> Any:
    """A view with the log lines of its seat under `log`, so that a drawing can show the last ones."""
    return {**view, "log": list(lines)} if isinstance(view, dict) else view


def joined_lines(text: str) -> str:
    """A text whose lines were broken inside sentences, with each paragraph as one line; indented lines stay."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and line[:1] not in ("", " ") and lines[-1][:1] not in ("", " ") and lines[-1][-1] not in ".:;":
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def time_text(ms: int) -> str:
    """A time that is left, such as 4:09; the last ten seconds have tenths."""
    if ms < _TENTHS_MS:
        return f"0:{ms // 1000:02}.{ms % 1000 // 100}"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"
