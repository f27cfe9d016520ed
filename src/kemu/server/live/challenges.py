"""The pages that show challenges: told when a list has changed, and when a challenge of their player became a match."""

import asyncio
from collections.abc import Iterable, Mapping, Set
from typing import Final

from msgspec import Struct

from kemu.server.live.connection import SocketConnection
from kemu.server.live.frames import encode
from kemu.storage.database import Notifications

GATHER_SECONDS: Final = 0.2
"""How long changes are gathered before pages are told."""

MOST_NAMED: Final = 100
"""How many players are named in one text, whose size is limited; of more, everybody is told."""

_CHANGED: Final = "challenges"
_MET: Final = "met"
"""First words of the texts between processes; players follow whose pages are to be told, nobody for all pages.

After the second come the match and the challenge.
"""


class ChallengesChanged(Struct, frozen=True, tag="challenges"):
    """The lists of challenges have changed; ask for those that are shown."""


class ChallengeMet(Struct, frozen=True, tag="met"):
    """A challenge of the player of this socket became a match."""

    challenge: str
    match: str


class ChallengeBoard:
    """Tells pages of challenges, at the sockets that also show the notices of their players."""

    def __init__(self, notifications: Notifications, listening: Mapping[str, Set[SocketConnection]]) -> None:
        self._notifications = notifications
        self._listening = listening
        self._changes: set[str] = set()  # the players to be told; the empty name is everybody
        notifications.on_text[_CHANGED] = self._changed_elsewhere
        notifications.on_text[_MET] = self._met_elsewhere
        notifications.on_resume.append(lambda: self._gather([""]))

    @property
    def players(self) -> Set[str]:
        """The players who have a page open at this process."""
        return self._listening.keys()

    def changed(self, players: Iterable[str]) -> None:
        """Tell the pages of some players, at all processes, that their lists have changed; of all players if none."""
        names = sorted(players)
        self._gather(names or [""])
        self._notifications.publish(" ".join((_CHANGED, *names[:MOST_NAMED])) if len(names) <= MOST_NAMED else _CHANGED)

    def met(self, player: str, challenge: str, match: str) -> None:
        """Tell the pages of a challenger, at all processes, which match a challenge became."""
        self._show_met(player, challenge, match)
        self._notifications.publish(f"{_MET} {match} {challenge} {player}")

    def _changed_elsewhere(self, process: str, text: str) -> None:
        self._gather(text.split(" ")[1:] or [""])

    def _met_elsewhere(self, process: str, text: str) -> None:
        _, match, challenge, player = text.split(" ")
        self._show_met(player, challenge, match)

    def _gather(self, players: Iterable[str]) -> None:
        if not self._changes:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self._show_changes)
        self._changes.update(players)

    def _show_changes(self) -> None:
        players, self._changes = self._changes, set()
        frame = encode(ChallengesChanged())
        for player in tuple(self._listening) if "" in players else players:
            for connection in tuple(self._listening.get(player, ())):
                connection.send(frame)

    def _show_met(self, player: str, challenge: str, match: str) -> None:
        frame = encode(ChallengeMet(challenge, match))
        for connection in tuple(self._listening.get(player, ())):
            connection.send(frame)
