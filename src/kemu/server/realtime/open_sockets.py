"""The open sockets of a process, counted by player and by address, and found by what they were opened with."""

from collections import Counter
from collections.abc import Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

from kemu.server.limits import TooMany
from kemu.server.settings import Settings


class SocketOwner(NamedTuple):
    """Who opened a socket, from where, and with what."""

    player: str
    address: str
    credential: str
    """The id of a session or token; empty for a spectator without either."""
    reads_only: bool


class OwnedSocket(Protocol):
    """An open socket."""

    @property
    def owner(self) -> SocketOwner:
        """Who opened it."""


S = TypeVar("S", bound=OwnedSocket)


class OpenSockets(Generic[S]):
    """All open sockets of a process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_credential: dict[str, set[S]] = {}
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many are open."""
        return self._addresses.total()

    @property
    def credentials(self) -> list[str]:
        """What the open sockets were opened with."""
        return [credential for credential in self._by_credential if credential]

    def check(self, owner: SocketOwner) -> None:
        """Raise TooMany if this player or address may open no more."""
        if self._players[owner.player] >= self._settings.sockets_per_player:
            raise TooMany("You have too many sockets open.")
        if self._addresses[owner.address] >= self._settings.sockets_per_address:
            raise TooMany("Too many sockets are open from your address.")

    def add(self, opened: S) -> None:
        """Count a socket that was opened."""
        owner = opened.owner
        self._by_credential.setdefault(owner.credential, set()).add(opened)
        self._players[owner.player] += 1
        self._addresses[owner.address] += 1

    def discard(self, closed: S) -> None:
        """Count a socket no more; one that was not counted is ignored."""
        owner = closed.owner
        same = self._by_credential.get(owner.credential, set())
        if closed not in same:
            return
        same.discard(closed)
        if not same:
            del self._by_credential[owner.credential]
        for counter, name in ((self._players, owner.player), (self._addresses, owner.address)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]

    def __iter__(self) -> Iterator[S]:
        """Every socket; they may be closed meanwhile."""
        return iter([opened for same in self._by_credential.values() for opened in same])

    def opened_with(self, credential: str) -> tuple[S, ...]:
        """The sockets that were opened with a session or token."""
        return tuple(self._by_credential.get(credential, ()))
