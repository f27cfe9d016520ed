"""Who thinks next: a queue that is fair to people, however much each of them asks for.

Requests have an urgency. Within one urgency it is the turn of the player who was served least recently, so that a
request waits for at most one request of each other player and not for all that somebody else has asked.
"""

from asyncio import Future, get_running_loop
from collections import deque
from enum import IntEnum
from itertools import count
from typing import Final

MOST_REMEMBERED: Final = 1000
"""Of how many players the queue remembers when it was their turn."""


class Urgency(IntEnum):
    """What comes first: a bot's action that a person waits for, then help for a person, then bots among themselves."""

    ACTION = 0
    HELP = 1
    BOTS_ONLY = 2


class FairQueue:
    """Some places, each for one request at a time, and the requests that wait for one."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._turns = count(1)
        self._served: dict[str, int] = {}  # by player, the number of the last turn, the latest at the end
        # By urgency the players in the order in which they came, each with the requests that wait.
        self._waiting: dict[Urgency, dict[str, deque[Future[None]]]] = {urgency: {} for urgency in Urgency}

    def waiting(self, player: str, urgency: Urgency) -> int:
        """How many requests of a player wait."""
        return len(self._waiting[urgency].get(player, ()))

    async def enter(self, player: str, urgency: Urgency) -> None:
        """Wait for a place. Who is cancelled while waiting has left the queue."""
        if self._free:
            self._free -= 1
            self._remember(player)
            return
        turn: Future[None] = get_running_loop().create_future()
        self._waiting[urgency].setdefault(player, deque()).append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # the place was given in the same moment
                self.leave()
            else:
                self._remove(player, urgency, turn)
            raise

    def leave(self) -> None:
        """Give a place back; it goes to the next request."""
        for urgency in Urgency:
            players = self._waiting[urgency]
            if players:
                player = min(players, key=lambda each: self._served.get(each, 0))
                turn = players[player].popleft()
                if not players[player]:
                    del players[player]
                self._remember(player)
                turn.set_result(None)
                return
        self._free += 1

    def _remember(self, player: str) -> None:
        self._served.pop(player, None)
        self._served[player] = next(self._turns)
        if len(self._served) > MOST_REMEMBERED:
            del self._served[next(iter(self._served))]

    def _remove(self, player: str, urgency: Urgency, turn: "Future[None]") -> None:
        requests = self._waiting[urgency].get(player)
        if requests is not None and turn in requests:
            requests.remove(turn)
            if not requests:
                del self._waiting[urgency][player]
