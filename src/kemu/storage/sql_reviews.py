"""Reviews in SQL."""

from kemu.storage.executor import Executor, Transaction
from kemu.storage.review_statements import ReviewStatements
from kemu.storage.statements import Arguments, Database, Statement


class SqlReviews:
    """The Reviews of a store in SQL."""

    def __init__(self, executor: Executor, database: Database) -> None:
        self._executor = executor
        self._statements = ReviewStatements(database)

    async def review(self, digest: str) -> str | None:
        found = await self._executor.fetch(self._statements.review, {"review": digest})
        return str(found[0][0]) if found else None

    async def save_review(self, digest: str, text: str, at: int) -> None:
        await self._executor.transact(_single(self._statements.save, {"review": digest, "text": text, "at": at}))

    async def prune_reviews(self, before: int) -> None:
        await self._executor.transact(_single(self._statements.prune, {"before": before}))


def _single(statement: Statement, arguments: Arguments) -> Transaction[None]:
    yield statement, arguments
