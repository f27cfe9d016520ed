"""Notices: what a player is told about matches, challenges and tournaments while looking elsewhere.

A notice holds ids, names and numbers, never a position, a card or a move, so it may leave the server by any way.
There is at most one notice about a subject, the newest, and nobody is alerted again until it is seen.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["your-turn", "running-out", "challenge", "accepted", "declined", "finished", "tournament"]

Result: TypeAlias = Literal["won", "drawn", "lost"]

TournamentStep: TypeAlias = Literal["round", "proposed", "agreed", "declined", "reminder", "over"]
"""What a notice tells of a tournament: a round begins, a time is proposed, agreed, declined or near, or it is over."""

URGENT: Final[frozenset[Kind]] = frozenset({"running-out"})
"""Kinds that alert although an earlier notice about the subject has not been seen."""

_PAGES: Final[Mapping[Kind, str]] = {
    "your-turn": "/match/{}",
    "running-out": "/match/{}",
    "challenge": "/challenges",
    "accepted": "/match/{}",
    "declined": "/challenges",
    "finished": "/match/{}",
    "tournament": "/tournament/{}",
}


class Notice(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One event that concerns a player.

    `about` is the id of its subject: the match of "your-turn", "running-out", "accepted" and "finished", else the
    challenge or tournament. `names` are those of the other players, or of the tournament. `deadline` (ms) is when the
    player's time is over, or the time of a tournament that `step` is about. `rating` and `change` are the new rating
    and how far it moved.
    """

    kind: Kind
    about: str
    game: str = ""
    names: tuple[str, ...] = ()
    result: Result | None = None
    rating: int | None = None
    change: int | None = None
    deadline: int | None = None
    step: TournamentStep | None = None


class SavedNotice(Notice, frozen=True, omit_defaults=True, kw_only=True):
    """A notice with the time (ms) at which the player was told, and whether they have seen it."""

    at: int
    seen: bool


def page(notice: Notice) -> str:
    """Return the address of the page that a notice leads to."""
    return _PAGES[notice.kind].format(notice.about)


def alerts(notice: Notice, before: SavedNotice | None) -> bool:
    """Return whether a notice is worth an alert, such as a push message, after the last one about its subject."""
    if before is None or before.seen:
        return True
    return notice.kind in URGENT and before.kind not in URGENT
