"""SQL statements, written once with SQLAlchemy Core and compiled for SQLite and for PostgreSQL.

Many statements take a list of rows as their one argument and do for all of them what they do for one: SQLite reads the
list from a JSON text, PostgreSQL from arrays. A lookup is such a statement that reads; its first column is the number
of the row in the list, so one query answers many.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.sql import ClauseElement
from sqlalchemy.types import TypeEngine

DatabaseKind: TypeAlias = Literal["sqlite", "postgresql"]

Arguments: TypeAlias = Mapping[str, Any] | Sequence[tuple[Any, ...]]
"""Values by name, or, for a statement on a list, its rows; a list is never empty."""

Columns: TypeAlias = Mapping[str, TypeEngine[Any]]
"""The columns of the rows in a list, by name."""

TEXT: Final = sa.Text()
INTEGER: Final = sa.Integer()
DIALECTS: Final[Mapping[DatabaseKind, type[sa.Dialect]]] = {"sqlite": sqlite.dialect, "postgresql": asyncpg.dialect}
_ROWS: Final = "rows"


@dataclass(frozen=True, eq=False)
class CompiledStatement:
    """The text of a statement for one database, and how its arguments become positional parameters."""

    text: str
    order: tuple[str, ...]
    constants: Mapping[str, Any]
    columns: tuple[str, ...] = ()
    """The columns of the rows in the list, if the statement takes one."""

    def parameters(self, arguments: Arguments) -> tuple[Any, ...]:
        """Return the parameters for the driver, in the order of their places in the text."""
        if isinstance(arguments, Mapping):
            values = {**self.constants, **arguments}
        elif _ROWS in self.order:
            values = {**self.constants, _ROWS: msgspec.json.encode(arguments).decode()}
        else:
            values = {**self.constants, **dict(zip(self.columns, zip(*arguments, strict=True), strict=True))}
        return tuple(values[name] for name in self.order)


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement for every database: what builds it, and the columns of its list, if it takes one."""

    build: "Build"
    columns: Columns


class Compiler:
    """Compiles statements for one kind of database, each when it is first used."""

    def __init__(self, kind: DatabaseKind) -> None:
        self._kind = kind
        self._dialect: sa.Dialect = DIALECTS[kind]()
        self._compiled: dict[Statement, CompiledStatement] = {}

    def compile(self, statement: Statement) -> CompiledStatement:
        """Return a statement as this database reads it."""
        found = self._compiled.get(statement)
        if found is None:
            given = self._given(statement.columns) if statement.columns else None
            compiled: Any = statement.build(self, given).compile(dialect=self._dialect)
            order = tuple(compiled.positiontup)
            found = CompiledStatement(str(compiled), order, compiled.params, tuple(statement.columns))
            self._compiled[statement] = found
        return found

    def insert(self, table: sa.Table, chosen: sa.Select[Any]) -> Any:
        """Insert the rows of a query, whose columns have the names of the table's."""
        insert: Any = sqlite.insert if self._kind == "sqlite" else postgresql.insert
        return insert(table).from_select(chosen.selected_columns.keys(), chosen)

    def _given(self, columns: Columns) -> sa.Subquery:
        """Return the rows of a statement's list, with these columns and `number`, which counts them from 0."""
        if self._kind == "sqlite":
            each: sa.FromClause = sa.func.json_each(sa.bindparam(_ROWS, type_=TEXT)).table_valued("key", "value")
            number: sa.ColumnElement[int] = each.c.key
            values: list[sa.ColumnElement[Any]] = [
                sa.func.json_extract(each.c.value, sa.literal_column(f"'$[{place}]'"), type_=kind).label(name)
                for place, (name, kind) in enumerate(columns.items())
            ]
        else:
            arrays = [sa.bindparam(name, type_=postgresql.ARRAY(kind)) for name, kind in columns.items()]
            named = [sa.column(name, kind) for name, kind in columns.items()]
            each = sa.func.unnest(*arrays).table_valued(*named, with_ordinality="place").render_derived()
            number = each.c.place - 1
            values = [each.c[name] for name in columns]
        return sa.select(number.label("number"), *values).subquery("given")


Build: TypeAlias = Callable[[Compiler, Any], Any]
"""Builds a statement of SQLAlchemy from what compiles it and the rows of its list."""


def plain(clause: ClauseElement) -> Statement:
    """Return a statement without a list, which all databases write alike."""
    return Statement(lambda sql, given: clause, {})


def on_rows(columns: Columns) -> Callable[[Build], Statement]:
    """Decorate the function that builds a statement on a list of rows with these columns."""
    return lambda build: Statement(build, columns)


def columns_of(table: sa.Table) -> Columns:
    """Return the columns of a table for a list of whole rows; a text of limited length is never cut to it."""
    return {found.name: TEXT if isinstance(found.type, sa.String) else found.type for found in table.c}


def whole(given: Any) -> sa.Select[Any]:
    """Return the rows of a list. Without a WHERE, SQLite takes the ON of ON CONFLICT for that of a join."""
    return sa.select(*(found for found in given.c if found.name != "number")).where(sa.true())


def lookup(table: sa.Table, *keys: str, order: str = "id") -> Statement:
    """Return the lookup of whole rows by some columns, in the order of another one."""

    def build(sql: Compiler, given: Any) -> Any:
        wanted = sa.and_(*(table.c[key] == given.c[key] for key in keys))
        chosen = sa.select(given.c.number, *table.c).join_from(given, table, wanted)
        return chosen.order_by(given.c.number, table.c[order])

    return Statement(build, dict.fromkeys(keys, TEXT))


def page(table: sa.Table, *columns: sa.ColumnElement[Any]) -> Statement:
    """Return the selection of at most `limit` rows whose id is greater than `after`, by id."""
    later = sa.select(*columns).where(table.c.id > sa.bindparam("after"))
    return plain(later.order_by(table.c.id).limit(sa.bindparam("limit")))


def insert_all(table: sa.Table) -> Statement:
    """Return the insertion of whole rows."""
    return Statement(lambda sql, given: sql.insert(table, whole(given)), columns_of(table))


def insert_new(table: sa.Table) -> Statement:
    """Return the insertion of the rows whose primary key is not there yet. Gives the primary keys of those inserted."""

    def build(sql: Compiler, given: Any) -> Any:
        return sql.insert(table, whole(given)).on_conflict_do_nothing().returning(*table.primary_key)

    return Statement(build, columns_of(table))


def upsert(table: sa.Table, changes: Callable[[Any], Mapping[str, Any]] | None = None) -> Statement:
    """Return the insertion of rows that updates those whose primary key is there.

    `changes` gives the new values of some columns from the row that is not inserted; without it all columns change.
    """
    keys = [key.name for key in table.primary_key]

    def build(sql: Compiler, given: Any) -> Any:
        inserted = sql.insert(table, whole(given))
        new = inserted.excluded
        others = {found.name: new[found.name] for found in table.c if found.name not in keys}
        return inserted.on_conflict_do_update(index_elements=keys, set_=changes(new) if changes else others)

    return Statement(build, columns_of(table))
