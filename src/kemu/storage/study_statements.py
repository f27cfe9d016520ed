"""The SQL statements of studies and of the explorer; see statements.py for how they are written."""

from functools import cached_property
from typing import Any

from sqlalchemy import BigInteger, Integer, Text, bindparam, delete, select, update

from kemu.storage.schema import entries, explored, explorer, matches, studies
from kemu.storage.statements import Statement, Statements


class StudyStatements(Statements):
    """The statements for one database that concern studies."""

    @cached_property
    def insert_studies(self) -> Statement:
        """Insert studies."""
        text, whole, time = Text(), Integer(), BigInteger()
        given = self._list(
            id=text,
            owner=text,
            name=text,
            created=time,
            changed=time,
            version=whole,
            read_key=text,
            write_key=text,
            document=text,
        )
        return self._compile(self._insert_list(studies, given), given)

    @cached_property
    def studies_by_id(self) -> Statement:
        """Lookup by id: number and all columns."""
        return self._lookup(studies, "id")

    @cached_property
    def studies_of(self) -> Statement:
        """All columns of the studies of an owner but the document, the last changed first."""
        columns = [column for column in studies.c if column.name != "document"]
        chosen = select(*columns).where(studies.c.owner == bindparam("owner"))
        return self._compile(chosen.order_by(studies.c.changed.desc(), studies.c.id))

    @cached_property
    def page(self) -> Statement:
        """All columns of the studies after an id, up to a limit."""
        chosen = select(studies).where(studies.c.id > bindparam("after"))
        return self._compile(chosen.order_by(studies.c.id).limit(bindparam("limit")))

    @cached_property
    def save_document(self) -> Statement:
        """Replace the document of a study by one of a later version."""
        names = ("name", "changed", "version", "document")
        changed: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
        newer = (studies.c.id == bindparam("study")) & (studies.c.version < bindparam("since"))
        return self._compile(update(studies).values(changed).where(newer))

    @cached_property
    def delete_edits(self) -> Statement:
        """Delete the edits of a study before a version."""
        old = (entries.c.match == bindparam("study")) & (entries.c.version < bindparam("before"))
        return self._compile(delete(entries).where(old))

    @cached_property
    def set_keys(self) -> Statement:
        """Set the secrets of the links of a study."""
        changed: dict[str, Any] = {"read_key": bindparam("reads"), "write_key": bindparam("writes")}
        return self._compile(update(studies).values(changed).where(studies.c.id == bindparam("study")))

    @cached_property
    def delete_study(self) -> Statement:
        """Delete a study without its edits."""
        return self._compile(delete(studies).where(studies.c.id == bindparam("study")))

    @cached_property
    def unexplored(self) -> Statement:
        """The ids of some finished matches that the explorer does not have."""
        finished = select(matches.c.id).where(matches.c.status == "finished")
        missing = finished.where(matches.c.id.not_in(select(explored.c.match)))
        return self._compile(missing.order_by(matches.c.id).limit(bindparam("limit")))

    @cached_property
    def mark_explored(self) -> Statement:
        """Mark a match as explored. Gives its id unless it was marked before."""
        statement = self._insert(explored).values(match=bindparam("match")).on_conflict_do_nothing()
        return self._compile(statement.returning(explored.c.match))

    @cached_property
    def add_tallies(self) -> Statement:
        """Add to the tallies of actions."""
        text, whole = Text(), Integer()
        given = self._list(scope=text, position=text, action=text, won=whole, drawn=whole, lost=whole)
        statement = self._insert_list(explorer, given)
        more = {name: explorer.c[name] + statement.excluded[name] for name in ("won", "drawn", "lost")}
        keys = [key.name for key in explorer.primary_key]
        return self._compile(statement.on_conflict_do_update(index_elements=keys, set_=more), given)

    @cached_property
    def tallies(self) -> Statement:
        """Lookup by position and scope: number, action, won, drawn, lost."""
        given = self._list(position=Text(), scope=Text())
        wanted = (explorer.c.position == given.c.position) & (explorer.c.scope == given.c.scope)
        columns = (explorer.c.action, explorer.c.won, explorer.c.drawn, explorer.c.lost)
        chosen = select(given.c.number, *columns).join_from(given, explorer, wanted)
        return self._compile(chosen.order_by(given.c.number, explorer.c.action), given)
