"""A queue for the places of a pool that is fair to people, however much each of them asks for.

Requests have an urgency. Within one urgency it is the turn of the name, a player or an address, that was served least
recently. A request waits for at most one request of each other name, and not for all that somebody else has asked.
"""

from asyncio import Future, get_running_loop
from collections import deque
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple

MOST_REMEMBERED: Final = 1000
"""Names of which the queue remembers when it was their turn."""


class Urgency(IntEnum):
    """What comes first: a bot's action that a person waits for, then help for a person, then bots among themselves."""

    ACTION = 0
    HELP = 1
    BOTS_ONLY = 2


class Asker(NamedTuple):
    """The name whose turn a request takes, and how urgent the request is."""

    name: str
    urgency: Urgency


class _Waiting(NamedTuple):
    """A request: the place it needs, None if any will do, and the place that it is given."""

    wanted: int | None
    given: "Future[int]"


class FairQueue:
    """Some numbered places, each for one request at a time, and the requests that wait for one."""

    def __init__(self, places: int) -> None:
        self._free = list(range(places))
        self._turns = count(1)
        self._served: dict[str, int] = {}  # by name, the number of the last turn, the latest at the end
        # By urgency the names in the order in which they came, each with the requests that wait.
        self._waiting: dict[Urgency, dict[str, deque[_Waiting]]] = {urgency: {} for urgency in Urgency}

    def waiting(self, asker: Asker) -> int:
        """Return how many requests of this name and urgency wait."""
        return len(self._waiting[asker.urgency].get(asker.name, ()))

    async def enter(self, asker: Asker, wanted: int | None = None) -> int:
        """Wait for a place, or for one particular place. A request that is cancelled while it waits is forgotten."""
        if self._free and (wanted is None or wanted in self._free):
            place = self._free[-1] if wanted is None else wanted
            self._free.remove(place)
            self._remember(asker.name)
            return place
        request = _Waiting(wanted, get_running_loop().create_future())
        self._waiting[asker.urgency].setdefault(asker.name, deque()).append(request)
        try:
            return await request.given
        except BaseException:
            if request.given.done() and not request.given.cancelled():  # the place was given in the same moment
                self.leave(request.given.result())
            else:
                self._remove(asker, request)
            raise

    def leave(self, place: int) -> None:
        """Give a place back; it goes to the next request that it will do for."""
        for urgency, names in self._waiting.items():
            fitting = {name: request for name, requests in names.items() if (request := _first(requests, place))}
            if fitting:
                name = min(fitting, key=lambda each: self._served.get(each, 0))
                self._remove(Asker(name, urgency), fitting[name])
                self._remember(name)
                fitting[name].given.set_result(place)
                return
        self._free.append(place)

    def _remember(self, name: str) -> None:
        self._served.pop(name, None)
        self._served[name] = next(self._turns)
        if len(self._served) > MOST_REMEMBERED:
            del self._served[next(iter(self._served))]

    def _remove(self, asker: Asker, request: _Waiting) -> None:
        names = self._waiting[asker.urgency]
        if request in names.get(asker.name, ()):
            names[asker.name].remove(request)
            if not names[asker.name]:
                del names[asker.name]


def _first(requests: deque[_Waiting], place: int) -> _Waiting | None:
    """Return the first request that a place will do for; one that was cancelled a moment ago still stands there."""
    return next((each for each in requests if each.wanted in (None, place) and not each.given.cancelled()), None)
