"""A queue for the places of a pool that is fair to people, however much each of them asks for.

Requests have an urgency. Within one urgency it is the turn of the name, a player or an address, that was served least
recently. A request waits for at most one request of each other name, and not for all that somebody else has asked.
"""

from asyncio import Future, get_running_loop
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple

MOST_REMEMBERED: Final = 1000
"""Names of which the queue remembers when it was their turn."""


class Urgency(IntEnum):
    """The order of service: a bot's action that a person waits for, help for a person, bots among themselves."""

    ACTION = 0
    HELP = 1
    BOTS_ONLY = 2


class Asker(NamedTuple):
    """The name whose turn a request takes, and how urgent the request is."""

    name: str
    urgency: Urgency


class _Waiting(NamedTuple):
    """A request: its asker, the place that it needs, None if any will do, and the place that it is given."""

    asker: Asker
    wanted: int | None
    given: "Future[int]"


class FairQueue:
    """Some numbered places, each for one request at a time, and the requests that wait for one."""

    def __init__(self, places: int) -> None:
        self._free = list(range(places))
        self._turns = count(1)
        self._served: dict[str, int] = {}  # by name, the number of the last turn, the latest at the end
        self._waiting: list[_Waiting] = []  # in the order in which they came

    def waiting(self, asker: Asker) -> int:
        """Return how many requests of this name and urgency wait."""
        return sum(request.asker == asker for request in self._waiting)

    async def enter(self, asker: Asker, wanted: int | None = None) -> int:
        """Wait for a place, or for one particular place. A request that is cancelled while it waits is forgotten."""
        if self._free and (wanted is None or wanted in self._free):
            place = self._free[-1] if wanted is None else wanted
            self._free.remove(place)
            self._remember(asker.name)
            return place
        request = _Waiting(asker, wanted, get_running_loop().create_future())
        self._waiting.append(request)
        try:
            return await request.given
        except BaseException:
            if request.given.done() and not request.given.cancelled():  # the place was given in the same moment
                self.leave(request.given.result())
            elif request in self._waiting:
                self._waiting.remove(request)
            raise

    def leave(self, place: int) -> None:
        """Give a place back; it goes to the next request that it will do for."""
        # A request that was cancelled a moment ago still stands there.
        fitting = [each for each in self._waiting if each.wanted in (None, place) and not each.given.cancelled()]
        if not fitting:
            self._free.append(place)
            return
        chosen = min(fitting, key=lambda each: (each.asker.urgency, self._served.get(each.asker.name, 0)))
        self._waiting.remove(chosen)
        self._remember(chosen.asker.name)
        chosen.given.set_result(place)

    def _remember(self, name: str) -> None:
        self._served.pop(name, None)
        self._served[name] = next(self._turns)
        if len(self._served) > MOST_REMEMBERED:
            del self._served[next(iter(self._served))]
