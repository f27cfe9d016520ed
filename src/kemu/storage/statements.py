"""Every SQL statement of the store, written once with SQLAlchemy Core and compiled for SQLite and for PostgreSQL.

Many statements take a list of rows as their one argument and do for all of them what they do for one: SQLite reads the
list from a JSON text, PostgreSQL from arrays. A lookup is such a statement that reads; its first column is the number
of the row in the list, so that one query answers many.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Dialect,
    Float,
    FromClause,
    Integer,
    Select,
    Subquery,
    Table,
    Text,
    bindparam,
    case,
    column,
    delete,
    false,
    func,
    literal_column,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.sql import ClauseElement
from sqlalchemy.types import TypeEngine

from kemu.storage.schema import entries, matches, players, processes, rated, ratings, sitters, tokens

Database: TypeAlias = Literal["sqlite", "postgresql"]

Arguments: TypeAlias = Mapping[str, Any] | Sequence[tuple[Any, ...]]
"""Values by name, or, for a statement on a list, its rows; a list is never empty."""

BEST: Final = 100
"""How many ratings are read at most."""

_TEXT: Final = Text()
_INTEGER: Final = Integer()
_FLOAT: Final = Float()
_BOOLEAN: Final = Boolean()

_KINDS: Final[Mapping[Database, type[Dialect]]] = {"sqlite": sqlite.dialect, "postgresql": asyncpg.dialect}
_DIALECTS: Final = {database: kind() for database, kind in _KINDS.items()}
_ROWS: Final = "rows"


@dataclass(frozen=True, eq=False)
class Statement:
    """The text of a statement for one database, and how its arguments become positional parameters."""

    text: str
    order: tuple[str, ...]
    constants: Mapping[str, Any]
    columns: tuple[str, ...] = ()
    """Of a statement on a list: the names of the columns of its rows."""

    def parameters(self, arguments: Arguments) -> tuple[Any, ...]:
        """The parameters for the driver, in the order of their places in the text."""
        if isinstance(arguments, Mapping):
            values = {**self.constants, **arguments}
        elif _ROWS in self.order:
            values = {**self.constants, _ROWS: msgspec.json.encode(arguments).decode()}
        else:
            values = {**self.constants, **dict(zip(self.columns, zip(*arguments, strict=True), strict=True))}
        return tuple(values[name] for name in self.order)


class Statements:
    """The statements for one database, each compiled when it is first used."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._insert: Any = sqlite.insert if database == "sqlite" else postgresql.insert

    # Appends.

    @cached_property
    def insert_entries(self) -> Statement:
        """Insert entries of matches whose expected version exists. Gives match and version of those inserted.

        An entry whose version exists is not inserted, and version 1 expects 0, which no entry has.
        """
        given = self._list(match=_TEXT, expected=_INTEGER, version=_INTEGER, entry=_TEXT)
        before = entries.alias("before")
        previous = (before.c.match == given.c.match) & (before.c.version == given.c.expected)
        chosen = select(given.c.match, given.c.version, given.c.entry).join_from(given, before, previous, isouter=True)
        chosen = chosen.where((given.c.expected == 0) | before.c.version.is_not(None))
        statement = self._insert(entries).from_select(["match", "version", "entry"], chosen).on_conflict_do_nothing()
        return self._compile(statement.returning(entries.c.match, entries.c.version), given)

    @cached_property
    def upsert_matches(self) -> Statement:
        """Insert or update matches. The owner changes only if the match was not scheduled before."""
        given = self._list(
            id=_TEXT,
            game=_TEXT,
            host=_TEXT,
            status=_TEXT,
            public=_BOOLEAN,
            rated=_BOOLEAN,
            created=BigInteger(),
            tended=_BOOLEAN,
            owner=_TEXT,
            row=_TEXT,
        )
        statement = self._insert_list(matches, given)
        new = statement.excluded
        owner = case((matches.c.tended, matches.c.owner), else_=new.owner)
        changed = {"status": new.status, "tended": new.tended, "row": new.row, "owner": owner}
        return self._compile(statement.on_conflict_do_update(index_elements=["id"], set_=changed), given)

    @cached_property
    def delete_sitters(self) -> Statement:
        """Delete the players of matches."""
        given = self._list(match=_TEXT)
        return self._compile(delete(sitters).where(sitters.c.match.in_(select(given.c.match))), given)

    @cached_property
    def insert_sitters(self) -> Statement:
        """Insert players of matches."""
        given = self._list(match=_TEXT, player=_TEXT)
        return self._compile(self._insert_list(sitters, given), given)

    @cached_property
    def notify(self) -> Statement:
        """Send texts on a channel; PostgreSQL only."""
        given = self._list(channel=_TEXT, text=_TEXT)
        return self._compile(select(func.pg_notify(given.c.channel, given.c.text)), given)

    # Matches.

    @cached_property
    def match_and_entries(self) -> Statement:
        """Lookup by id: number, version, entry, tended; by version. Version 0 is the row of the match."""
        given = self._list(id=_TEXT)
        wanted = select(given).cte("wanted")
        row = select(wanted.c.number, literal_column("0").label("version"), matches.c.row, matches.c.tended)
        entry = select(wanted.c.number, entries.c.version, entries.c.entry, false())
        both = union_all(
            row.join_from(wanted, matches, matches.c.id == wanted.c.id),
            entry.join_from(wanted, entries, entries.c.match == wanted.c.id),
        )
        return self._compile(both.order_by("number", "version"), given)

    @cached_property
    def entries_after(self) -> Statement:
        """Lookup by match and version: number, entry; by version."""
        given = self._list(match=_TEXT, after=_INTEGER)
        newer = (entries.c.match == given.c.match) & (entries.c.version > given.c.after)
        chosen = select(given.c.number, entries.c.entry).join_from(given, entries, newer)
        return self._compile(chosen.order_by(given.c.number, entries.c.version), given)

    @cached_property
    def hosted(self) -> Statement:
        """Lookup by host: number, how many matches are open or running; no row if none are."""
        given = self._list(host=_TEXT)
        active = (matches.c.status == "open") | (matches.c.status == "running")
        wanted = (matches.c.host == given.c.host) & active
        chosen = select(given.c.number, func.count()).join_from(given, matches, wanted).group_by(given.c.number)
        return self._compile(chosen, given)

    @cached_property
    def listed(self) -> Mapping[tuple[bool, bool], Statement]:
        """Row and tended of the newest matches before a time, up to a limit.

        Keyed by two facts: whether they are the matches of a player, or else the public ones of a status; and whether
        of one game only.
        """
        return {
            (mine, one_game): self._compile(_listed(mine, one_game))
            for mine in (False, True)
            for one_game in (False, True)
        }

    @cached_property
    def page(self) -> Statement:
        """Row and tended of the matches after an id, up to a limit."""
        chosen = select(matches.c.row, matches.c.tended).where(matches.c.id > bindparam("after"))
        return self._compile(chosen.order_by(matches.c.id).limit(bindparam("limit")))

    @cached_property
    def unrated(self) -> Statement:
        """The ids of finished rated matches that are not marked as rated."""
        finished = select(matches.c.id).where(matches.c.rated, matches.c.status == "finished")
        return self._compile(finished.where(matches.c.id.not_in(select(rated.c.match))))

    @cached_property
    def rated_running(self) -> Statement:
        """The ids of the running rated matches of a game at which a player sits."""
        chosen = select(matches.c.id).join(sitters, sitters.c.match == matches.c.id)
        mine = (sitters.c.player == bindparam("player")) & (matches.c.game == bindparam("game"))
        return self._compile(chosen.where(mine, matches.c.rated, matches.c.status == "running"))

    # Processes.

    @cached_property
    def upsert_process(self) -> Statement:
        """Record when a process was alive."""
        statement = self._insert(processes).values(id=bindparam("id"), seen=bindparam("seen"))
        changed = {"seen": statement.excluded.seen}
        return self._compile(statement.on_conflict_do_update(index_elements=["id"], set_=changed))

    @cached_property
    def delete_process(self) -> Statement:
        """Delete one process."""
        return self._compile(delete(processes).where(processes.c.id == bindparam("id")))

    @cached_property
    def delete_processes(self) -> Statement:
        """Delete the processes that were last alive at a time or before."""
        return self._compile(delete(processes).where(processes.c.seen <= bindparam("seen")))

    @cached_property
    def claim_matches(self) -> Statement:
        """Set the owner of scheduled matches whose owner is no process. Gives their ids."""
        unowned = matches.c.owner.is_(None) | matches.c.owner.not_in(select(processes.c.id))
        claim = update(matches).values(owner=bindparam("process")).where(matches.c.tended, unowned)
        return self._compile(claim.returning(matches.c.id))

    # Players.

    @cached_property
    def players_by_id(self) -> Statement:
        """Lookup by id: number, id, name, login, password."""
        return self._lookup(players, "id")

    @cached_property
    def players_by_login(self) -> Statement:
        """Lookup by login: number, id, name, login, password."""
        return self._lookup(players, "login")

    @cached_property
    def upsert_players(self) -> Statement:
        """Insert or update players, but change no password. Gives the ids of those saved.

        A login that another player has violates a unique column.
        """
        given = self._list(id=_TEXT, name=_TEXT, login=_TEXT, password=_TEXT)
        statement = self._insert_list(players, given)
        changed = {name: statement.excluded[name] for name in ("name", "login", "password")}
        same = players.c.password.is_(None) | (players.c.password == statement.excluded.password)
        saved = statement.on_conflict_do_update(index_elements=["id"], set_=changed, where=same)
        return self._compile(saved.returning(players.c.id), given)

    @cached_property
    def hold_password(self) -> Statement:
        """Lock a player who has this password until the transaction ends. Gives the id."""
        this = (players.c.id == bindparam("player")) & (players.c.password == bindparam("known"))
        return self._compile(update(players).values(password=players.c.password).where(this).returning(players.c.id))

    @cached_property
    def insert_tokens(self) -> Statement:
        """Insert tokens."""
        given = self._list(id=_TEXT, player=_TEXT, label=_TEXT, digest=_TEXT, scope=_TEXT)
        return self._compile(self._insert_list(tokens, given), given)

    @cached_property
    def tokens_by_id(self) -> Statement:
        """Lookup by id: number, id, player, label, digest, scope."""
        return self._lookup(tokens, "id")

    @cached_property
    def tokens_by_player(self) -> Statement:
        """Lookup by player: number, id, player, label, digest, scope; by id."""
        return self._lookup(tokens, "player")

    @cached_property
    def delete_token(self) -> Statement:
        """Delete a token of a player. Gives its id."""
        this = (tokens.c.id == bindparam("id")) & (tokens.c.player == bindparam("player"))
        return self._compile(delete(tokens).where(this).returning(tokens.c.id))

    # Ratings.

    @cached_property
    def best_ratings(self) -> Mapping[tuple[bool, bool], Statement]:
        """The best ratings, keyed by two facts: whether of one player only, and whether of one game only."""
        return {
            (one_player, one_game): self._compile(_best_ratings(one_player, one_game))
            for one_player in (False, True)
            for one_game in (False, True)
        }

    @cached_property
    def mark_rated(self) -> Statement:
        """Mark a match as rated. Gives its id unless it was marked before."""
        statement = self._insert(rated).values(match=bindparam("match")).on_conflict_do_nothing()
        return self._compile(statement.returning(rated.c.match))

    @cached_property
    def lock_players(self) -> Statement:
        """Lock the rows of players until the transaction ends, always in the same order; a first rating has no row."""
        given = self._list(id=_TEXT)
        chosen = select(players.c.id).join_from(given, players, players.c.id == given.c.id).order_by(players.c.id)
        return self._compile(chosen.with_for_update(of=players), given)

    @cached_property
    def lock_ratings(self) -> Statement:
        """The ratings of players in games, locked until the transaction ends; always in the same order."""
        given = self._list(player=_TEXT, game=_TEXT)
        wanted = (ratings.c.player == given.c.player) & (ratings.c.game == given.c.game)
        chosen = select(ratings).join_from(given, ratings, wanted).order_by(ratings.c.player, ratings.c.game)
        return self._compile(chosen.with_for_update(of=ratings), given)

    @cached_property
    def upsert_ratings(self) -> Statement:
        """Insert or update ratings."""
        return self._upsert(ratings, player=_TEXT, game=_TEXT, mu=_FLOAT, sigma=_FLOAT, matches=_INTEGER)

    @cached_property
    def ping(self) -> Statement:
        """A constant, to see whether the database answers."""
        return self._compile(select(literal_column("1")))

    # Construction.

    def _list(self, **columns: TypeEngine[Any]) -> Subquery:
        """The rows of a statement's list, with these columns and `number`, which counts them from 0."""
        if self._database == "sqlite":
            each: FromClause = func.json_each(bindparam(_ROWS, type_=_TEXT)).table_valued("key", "value")
            number: ColumnElement[int] = each.c.key
            values: list[ColumnElement[Any]] = [
                func.json_extract(each.c.value, literal_column(f"'$[{place}]'"), type_=kind).label(name)
                for place, (name, kind) in enumerate(columns.items())
            ]
        else:
            arrays = [bindparam(name, type_=postgresql.ARRAY(kind)) for name, kind in columns.items()]
            named = [column(name, kind) for name, kind in columns.items()]
            each = func.unnest(*arrays).table_valued(*named, with_ordinality="place").render_derived()
            number = each.c.place - 1
            values = [each.c[name] for name in columns]
        return select(number.label("number"), *values).subquery("given")

    def _insert_list(self, table: Table, given: Subquery) -> Any:
        """Insert the rows of a list. Without a WHERE, SQLite takes the ON of ON CONFLICT for that of a join."""
        names = _names(given)
        return self._insert(table).from_select(names, select(*(given.c[name] for name in names)).where(true()))

    def _upsert(self, table: Table, **columns: TypeEngine[Any]) -> Statement:
        """Insert the rows of a list, or update all columns of those whose primary key is there."""
        given = self._list(**columns)
        statement = self._insert_list(table, given)
        keys = [key.name for key in table.primary_key]
        changed = {name: statement.excluded[name] for name in columns if name not in keys}
        return self._compile(statement.on_conflict_do_update(index_elements=keys, set_=changed), given)

    def _lookup(self, table: Table, key: str) -> Statement:
        """Look up whole rows by one column, ordered by id."""
        given = self._list(**{key: _TEXT})
        chosen = select(given.c.number, *table.c).join_from(given, table, table.c[key] == given.c[key])
        return self._compile(chosen.order_by(given.c.number, table.c.id), given)

    def _compile(self, statement: ClauseElement, given: Subquery | None = None) -> Statement:
        compiled: Any = statement.compile(dialect=_DIALECTS[self._database])
        columns = () if given is None else tuple(_names(given))
        return Statement(str(compiled), tuple(compiled.positiontup), compiled.params, columns)


def _names(given: Subquery) -> list[str]:
    """The columns of a list's rows."""
    return [column.name for column in given.c if column.name != "number"]


def _listed(mine: bool, one_game: bool) -> Select[Any]:
    chosen = select(matches.c.row, matches.c.tended).where(matches.c.created < bindparam("before"))
    if mine:
        chosen = chosen.join(sitters, sitters.c.match == matches.c.id).where(sitters.c.player == bindparam("player"))
    else:
        chosen = chosen.where(matches.c.public, matches.c.status == bindparam("status"))
    if one_game:
        chosen = chosen.where(matches.c.game == bindparam("game"))
    return chosen.order_by(matches.c.created.desc(), matches.c.id.desc()).limit(bindparam("limit"))


def _best_ratings(one_player: bool, one_game: bool) -> Select[Any]:
    chosen = select(ratings).order_by(ratings.c.mu.desc()).limit(BEST)
    if one_player:
        chosen = chosen.where(ratings.c.player == bindparam("player"))
    if one_game:
        chosen = chosen.where(ratings.c.game == bindparam("game"))
    return chosen
