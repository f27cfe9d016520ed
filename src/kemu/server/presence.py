"""Who is at the board now, in this process and in the others; nothing of it is ever saved."""

from collections import Counter
from typing import Final, TypeAlias

from kemu.core.game import Seat
from kemu.storage.store import News

Place: TypeAlias = tuple[str, Seat]

SILENT: Final = 15_000
"""Milliseconds after which a process that says nothing is taken for dead."""

BATCH: Final = 200


class Presence:
    """Counts sockets at seats, and tells the other processes when the first comes and the last goes."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._here: Counter[Place] = Counter()
        self._elsewhere: dict[str, set[Place]] = {}
        self._seen: dict[str, int] = {}

    def here(self, match: str, seat: Seat) -> bool:
        """Whether somebody sits at this seat's board."""
        place = (match, seat)
        return place in self._here or any(place in places for places in self._elsewhere.values())

    def come(self, match: str, seat: Seat) -> None:
        """One more socket at a seat of this process."""
        self._here[match, seat] += 1
        if self._here[match, seat] == 1:
            self._news.tell(f"come {match}:{seat}")

    def go(self, match: str, seat: Seat) -> None:
        """One socket less."""
        self._here[match, seat] -= 1
        if not self._here[match, seat]:
            del self._here[match, seat]
            self._news.tell(f"go {match}:{seat}")

    def announce(self, word: str) -> None:
        """Say that this process lives ("alive"), or ask all to say who is with them ("hello")."""
        self._news.tell(word)

    def hear(self, process: str, text: str, now: int) -> set[str]:
        """What another process said; gives the matches whose presence changed."""
        self._seen[process] = now
        word, *names = text.split()
        if word == "hello":
            self._say_all()
        changed: set[str] = set()
        for name in names:
            match, seat = name.rsplit(":", 1)
            places = self._elsewhere.setdefault(process, set())
            (places.add if word == "come" else places.discard)((match, int(seat)))
            changed.add(match)
        return changed

    def bury(self, now: int) -> set[str]:
        """Forget processes that have fallen silent; gives the matches whose presence changed."""
        dead = [process for process, seen in self._seen.items() if now - seen > SILENT]
        changed: set[str] = set()
        for process in dead:
            del self._seen[process]
            changed |= {match for match, _ in self._elsewhere.pop(process, set())}
        return changed

    def _say_all(self) -> None:
        names = [f"{match}:{seat}" for match, seat in self._here]
        for start in range(0, len(names), BATCH):
            self._news.tell(" ".join(("come", *names[start : start + BATCH])))
