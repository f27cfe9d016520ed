"""Studies and the index of the explorer in SQL."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import astuple

from kemu.storage.executor import Executor, Lookups, Transaction, storable
from kemu.storage.rows import StudyRow, TallyRow
from kemu.storage.statements import Database
from kemu.storage.study_statements import StudyStatements

NO_VERSION: Final = 2**31 - 1
"""Greater than the version of any study."""


class SqlStudies:
    """The Studies and the Explorer of a store in SQL."""

    def __init__(self, executor: Executor, lookups: Lookups, database: Database) -> None:
        self._executor = executor
        self._statements = StudyStatements(database)
        self._lookups = lookups

    async def add_study(self, study: StudyRow) -> None:
        await self._executor.transact(self._add_study(study))

    async def study(self, study: str) -> StudyRow | None:
        found = await self._lookups.find(self._statements.studies_by_id, study)
        return StudyRow(*found[0]) if found else None

    async def studies(self, owner: str) -> list[StudyRow]:
        if not storable(owner):
            return []
        found = await self._executor.fetch(self._statements.studies_of, {"owner": owner})
        return [StudyRow(*row) for row in found]

    async def page(self, after: str = "", limit: int = 100) -> list[StudyRow]:
        found = await self._executor.fetch(self._statements.page, {"after": after, "limit": limit})
        return [StudyRow(*row) for row in found]

    async def save_document(self, study: StudyRow, keep: int) -> None:
        await self._executor.transact(self._save_document(study, keep))

    async def set_keys(self, study: str, read_key: str | None, write_key: str | None) -> None:
        await self._executor.transact(self._set_keys(study, read_key, write_key))

    async def delete_study(self, study: str) -> None:
        await self._executor.transact(self._delete_study(study))

    async def unexplored(self, limit: int) -> list[str]:
        return [match for (match,) in await self._executor.fetch(self._statements.unexplored, {"limit": limit})]

    async def add_explored(self, match: str, tallies: Sequence[TallyRow]) -> bool:
        return await self._executor.transact(self._add_explored(match, tallies))

    async def tallies(self, position: str, scope: str) -> list[TallyRow]:
        found = await self._lookups.find(self._statements.tallies, position, scope)
        return [TallyRow(scope, position, *row) for row in map(tuple, found)]

    def _add_study(self, study: StudyRow) -> Transaction[None]:
        yield self._statements.insert_studies, [astuple(study)]

    def _save_document(self, study: StudyRow, keep: int) -> Transaction[None]:
        yield (
            self._statements.save_document,
            {
                "study": study.id,
                "since": study.version,
                "new_name": study.name,
                "new_changed": study.changed,
                "new_version": study.version,
                "new_document": study.document,
            },
        )
        yield self._statements.delete_edits, {"study": study.id, "before": study.version - keep + 1}

    def _set_keys(self, study: str, read_key: str | None, write_key: str | None) -> Transaction[None]:
        yield self._statements.set_keys, {"study": study, "reads": read_key, "writes": write_key}

    def _delete_study(self, study: str) -> Transaction[None]:
        yield self._statements.delete_study, {"study": study}
        yield self._statements.delete_edits, {"study": study, "before": NO_VERSION}

    def _add_explored(self, match: str, tallies: Sequence[TallyRow]) -> Transaction[bool]:
        if not (yield self._statements.mark_explored, {"match": match}):
            return False
        if tallies:  # in one order, so that processes never wait for each other in a circle
            yield self._statements.add_tallies, sorted(astuple(tally) for tally in tallies)
        return True
