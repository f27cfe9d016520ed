"""Which seats have a socket open, at this process and at the others. Nothing of it is stored.

Processes publish short texts to each other: "come MATCH:SEAT …" and "go MATCH:SEAT" when the first socket of a seat
opens and the last one closes, "alive" as a heartbeat, and "hello" to ask all others for their open seats.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import UNSET

from kemu.core.game import SPECTATOR, Seat
from kemu.play.terms import Player
from kemu.server.live.frames import Presence, SeatPresence, encode
from kemu.server.runtime import PROCESS_TIMEOUT_MS, OpenCounts, now_ms
from kemu.storage.database import Notifications

SeatOfMatch: TypeAlias = tuple[str, Seat]

WORDS: Final = ("come", "go", "alive", "hello")
"""The first words of the texts."""

BATCH: Final = 200
"""Seats in one notification, whose size is limited."""


class PresenceTracker:
    """Counts the open sockets of each seat, and publishes the first and the last to the other processes."""

    def __init__(self, notifications: Notifications) -> None:
        self._notifications = notifications
        self._here = OpenCounts[SeatOfMatch]()
        self._elsewhere: dict[str, set[SeatOfMatch]] = {}
        self._last_message_ms: dict[str, int] = {}

    def is_present(self, match: str, seat: Seat) -> bool:
        """Whether a socket of this seat is open at any process."""
        place = (match, seat)
        return place in self._here or any(place in places for places in self._elsewhere.values())

    def opened(self, match: str, seat: Seat) -> None:
        """One more socket of a seat is open at this process."""
        self._here[match, seat] += 1
        if self._here[match, seat] == 1:
            self._notifications.publish(f"come {match}:{seat}")

    def closed(self, match: str, seat: Seat) -> None:
        """One socket less."""
        self._here.leave((match, seat))
        if (match, seat) not in self._here:
            self._notifications.publish(f"go {match}:{seat}")

    def ask_others(self) -> None:
        """Ask all other processes to publish their open seats."""
        self._notifications.publish("hello")

    def send_heartbeat(self) -> None:
        """Publish that this process is alive."""
        self._notifications.publish("alive")

    def message_received(self, process: str, text: str, now: int) -> set[str]:
        """Take in a message of another process; gives the matches whose presence may have changed."""
        self._last_message_ms[process] = now
        word, *names = text.split()
        if word == "hello":
            self._publish_all()
        changed: set[str] = set()
        for name in names:
            match, seat = name.rsplit(":", 1)
            places = self._elsewhere.setdefault(process, set())
            (places.add if word == "come" else places.discard)((match, int(seat)))
            changed.add(match)
        return changed

    def drop_silent_processes(self, now: int) -> set[str]:
        """Drop processes that have timed out; gives the matches whose presence may have changed."""
        silent = [process for process, last in self._last_message_ms.items() if now - last > PROCESS_TIMEOUT_MS]
        changed: set[str] = set()
        for process in silent:
            del self._last_message_ms[process]
            changed |= {match for match, _ in self._elsewhere.pop(process, set())}
        return changed

    def _publish_all(self) -> None:
        names = [f"{match}:{seat}" for match, seat in self._here]
        for start in range(0, len(names), BATCH):
            self._notifications.publish(" ".join(("come", *names[start : start + BATCH])))


class MatchPresence:
    """The presence at one match: which of its seats have a socket, and since when the others have been away."""

    def __init__(self, match: str, tracker: PresenceTracker) -> None:
        self._match = match
        self._tracker = tracker
        self.away: Mapping[Seat, int] = {}  # since when each absent seat has been away, in milliseconds since 1970
        self._seats = 0

    def opened(self, seat: Seat) -> None:
        """One more socket looks through a seat; spectators are not counted."""
        if seat != SPECTATOR:
            self._tracker.opened(self._match, seat)

    def closed(self, seat: Seat) -> None:
        """One socket less."""
        if seat != SPECTATOR:
            self._tracker.closed(self._match, seat)

    def update(self, players: Sequence[Player | None]) -> bool:
        """Note who is away now, which bots never are; whether anything changed."""
        away: dict[Seat, int] = {}
        for seat, player in enumerate(players):
            bot = player is not None and player.kind == "bot"
            if not bot and not self._tracker.is_present(self._match, seat):
                away[seat] = self.away.get(seat) or now_ms()
        changed = away != self.away
        self.away, self._seats = away, len(players)
        return changed

    def frame(self, watching: int) -> bytes:
        """Return the encoded frame for all connections, with the number of spectators."""
        seats = [SeatPresence(seat not in self.away, self.away.get(seat, UNSET)) for seat in range(self._seats)]
        return encode(Presence(seats, watching))
