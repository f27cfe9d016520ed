"""Studies, whose edits are entries of the journal under their ids: rows, statements and methods."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, select, update

from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.schema import entries, studies
from kemu.storage.statements import insert_all, lookup, page, plain

NO_VERSION: Final = 2**31 - 1
"""Greater than the version of any study."""


class StudyRow(Struct, frozen=True):
    """A study as it was at a version; later edits are entries. The keys are the secrets of its links, if it has any.

    The document is the JSON text of a shared study; lists leave it empty. Times are in ms.
    """

    id: str
    owner: str
    name: str
    created: int
    changed: int
    version: int
    read_key: str | None = None
    write_key: str | None = None
    document: str = ""


_SAVED: Final[dict[str, Any]] = {name: bindparam(f"new_{name}") for name in ("name", "changed", "version", "document")}
_KEYS: Final[dict[str, Any]] = {"read_key": bindparam("reads"), "write_key": bindparam("writes")}
_THIS: Final = studies.c.id == bindparam("study")

_INSERT: Final = insert_all(studies)
_BY_ID: Final = lookup(studies, "id")
_OF_OWNER: Final = plain(
    select(*(column for column in studies.c if column.name != "document"))
    .where(studies.c.owner == bindparam("of"))
    .order_by(studies.c.changed.desc(), studies.c.id)
)
_PAGE: Final = page(studies, *studies.c)
_SAVE_DOCUMENT: Final = plain(update(studies).values(_SAVED).where(_THIS, studies.c.version < bindparam("since")))
_DELETE_EDITS: Final = plain(
    delete(entries).where(entries.c.match == bindparam("study"), entries.c.version < bindparam("before"))
)
_SET_KEYS: Final = plain(update(studies).values(_KEYS).where(_THIS))
_DELETE: Final = plain(delete(studies).where(_THIS))


class Studies(Aggregate):
    """Studies and the secrets of their links."""

    async def add_study(self, study: StudyRow) -> None:
        """Insert a study."""
        await self._database.change(_INSERT, [astuple(study)])

    async def study(self, study: str) -> StudyRow | None:
        """Return a study by id."""
        return first(StudyRow, await self._database.find(_BY_ID, study))

    async def studies(self, owner: str) -> list[StudyRow]:
        """Return the studies of a player without their documents, the last changed first."""
        return [StudyRow(*row) for row in await self._database.fetch(_OF_OWNER, of=owner)]

    async def page(self, after: str = "", limit: int = 100) -> list[StudyRow]:
        """Return at most `limit` studies by id, of all whose id is greater than `after`."""
        return [StudyRow(*row) for row in await self._database.fetch(_PAGE, after=after, limit=limit)]

    @transaction
    def save_document(self, study: StudyRow, keep: int) -> Transaction[None]:
        """Save name, time of change and document at a version, unless a later one is saved.

        The last `keep` edits up to this version stay, older ones are deleted.
        """
        saved = {f"new_{name}": getattr(study, name) for name in _SAVED}
        yield _SAVE_DOCUMENT, {**saved, "study": study.id, "since": study.version}
        yield _DELETE_EDITS, {"study": study.id, "before": study.version - keep + 1}

    async def set_keys(self, study: str, read_key: str | None, write_key: str | None) -> None:
        """Set the secrets of the links."""
        await self._database.change(_SET_KEYS, {"study": study, "reads": read_key, "writes": write_key})

    @transaction
    def delete_study(self, study: str) -> Transaction[None]:
        """Delete a study and its edits."""
        yield _DELETE, {"study": study}
        yield _DELETE_EDITS, {"study": study, "before": NO_VERSION}
