"""Reviews and analyses for players: who may ask for them, and how many at once."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from kemu.play.errors import MatchRunning
from kemu.server.limits import AnalysisAsker, TooMany
from kemu.server.settings import Settings
from kemu.storage.matches import Matches
from kemu.work.fair_queue import Asker, Urgency
from kemu.work.pool import WorkerPool
from kemu.work.tasks import A, Q, Task


class Analyses:
    """Passes questions to the workers for analyses, with a fair share for each address."""

    def __init__(self, pool: WorkerPool, settings: Settings, matches: Matches) -> None:
        self._pool = pool
        self._per_player = settings.analyses_per_player
        self._per_address = settings.analyses_per_address
        self._matches = matches
        self._players: Counter[str] = Counter()  # open streams
        self._addresses: Counter[str] = Counter()

    async def check(self, asker: AnalysisAsker, game: str) -> None:
        """Raise MatchRunning if the asker sits at a running rated match of this game."""
        if await self._matches.plays_rated(asker.player, game):
            raise MatchRunning("You play a rated match of this game; ask again when it is over.")

    async def stream(self, task: Task[Q, A], question: Q, asker: AnalysisAsker) -> AsyncGenerator[A, None]:
        """Yield the answers of a task one after the other; close the generator to end the work.

        Raises MatchRunning for help in a rated match, TooMany if the player or address has too many open streams, and
        TaskRefused and TaskFailed like `WorkerPool.stream`.
        """
        await self.check(asker, _game(question))
        self._begin(asker)
        try:
            async with aclosing(self._pool.stream(task, question, Asker(asker.address, Urgency.HELP))) as answers:
                async for answer in answers:
                    yield answer
        finally:
            self._end(asker)

    async def ask(self, task: Task[Q, A], question: Q, asker: AnalysisAsker) -> A:
        """Return the first answer of a task; raises like `stream`."""
        async with aclosing(self.stream(task, question, asker)) as answers:
            return await anext(answers)

    def _begin(self, asker: AnalysisAsker) -> None:
        """Count one more stream, or raise TooMany."""
        if self._players[asker.player] >= self._per_player:
            raise TooMany("You have as many analyses and reviews open as you may; close another page.")
        if self._addresses[asker.address] >= self._per_address:
            raise TooMany("Too many analyses are open from your address; try again later.")
        self._players[asker.player] += 1
        self._addresses[asker.address] += 1

    def _end(self, asker: AnalysisAsker) -> None:
        for counter, name in ((self._players, asker.player), (self._addresses, asker.address)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]


def _game(question: Any) -> str:
    """Return the key of the game that a question is about, empty if its record names none."""
    return str(question.record.get("game", "") if hasattr(question, "record") else question.game)
