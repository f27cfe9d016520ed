"""Migrations: each brings a database from one revision of the schema to the next; an empty one gets the schema itself.

They are SQL that SQLite and PostgreSQL both read; a database runs those that it lacks in one transaction. A migration
never changes once it is released: a new one is appended.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from sqlalchemy import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from kemu.core.errors import OptionError
from kemu.storage.schema import metadata
from kemu.storage.statements import DIALECTS, DatabaseKind

FIRST: Final = "0001"
"""The revision of the oldest databases."""

MIGRATIONS: Final[Mapping[str, str]] = {
    "0002": """
        ALTER TABLE matches ADD COLUMN host VARCHAR(40) DEFAULT '' NOT NULL;
        UPDATE matches SET host = {host};
        CREATE INDEX matches_hosted ON matches (host, status);
    """,
    "0003": """
        CREATE TABLE sessions (
            id VARCHAR(40) PRIMARY KEY NOT NULL, player VARCHAR(40) NOT NULL, digest VARCHAR(64) NOT NULL,
            device VARCHAR(80) NOT NULL, created BIGINT NOT NULL, used BIGINT NOT NULL, exchanged BOOLEAN NOT NULL);
        CREATE INDEX ix_sessions_player ON sessions (player);
        CREATE INDEX sessions_used ON sessions (used);
        CREATE TABLE recovery_codes (
            player VARCHAR(40) NOT NULL, digest VARCHAR(64) NOT NULL, PRIMARY KEY (player, digest));
        CREATE TABLE old_cookies (player VARCHAR(40) PRIMARY KEY NOT NULL, retired BIGINT NOT NULL);
        ALTER TABLE tokens ADD COLUMN scope VARCHAR(10) DEFAULT 'play' NOT NULL;
    """,
    "0004": """
        CREATE TABLE reviews (id VARCHAR(64) PRIMARY KEY NOT NULL, review TEXT NOT NULL, created BIGINT NOT NULL);
        CREATE INDEX ix_reviews_created ON reviews (created);
    """,
    "0005": """
        CREATE TABLE puzzle_answers (
            player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, puzzle VARCHAR(40) NOT NULL,
            solved BOOLEAN NOT NULL, at BIGINT NOT NULL, due BIGINT NOT NULL, card TEXT NOT NULL,
            PRIMARY KEY (player, game, puzzle));
        CREATE TABLE puzzle_standings (
            player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, mean FLOAT NOT NULL, deviation FLOAT NOT NULL,
            answered INTEGER NOT NULL, solved INTEGER NOT NULL, streak INTEGER NOT NULL, best INTEGER NOT NULL,
            at BIGINT NOT NULL, PRIMARY KEY (player, game));
        CREATE TABLE puzzle_ratings (
            puzzle VARCHAR(40) PRIMARY KEY NOT NULL, mean FLOAT NOT NULL, deviation FLOAT NOT NULL,
            answers INTEGER NOT NULL);
    """,
    "0006": """
        CREATE TABLE studies (
            id VARCHAR(40) PRIMARY KEY NOT NULL, owner VARCHAR(40) NOT NULL, name TEXT NOT NULL,
            created BIGINT NOT NULL, changed BIGINT NOT NULL, version INTEGER NOT NULL,
            read_key VARCHAR(40), write_key VARCHAR(40), document TEXT NOT NULL);
        CREATE INDEX ix_studies_owner ON studies (owner);
        CREATE TABLE explored (match VARCHAR(40) PRIMARY KEY NOT NULL);
        CREATE TABLE explorer (
            scope VARCHAR(40) NOT NULL, position VARCHAR(40) NOT NULL, action VARCHAR(100) NOT NULL,
            won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
            PRIMARY KEY (position, scope, action)) {without_rowid};
    """,
    "0007": """
        DROP INDEX matches_tended;
        ALTER TABLE matches RENAME COLUMN tended TO scheduled;
        CREATE INDEX matches_scheduled ON matches (scheduled, owner);
        ALTER TABLE sessions DROP COLUMN exchanged;
        DROP TABLE old_cookies;
        DROP TABLE secrets;
    """,
    "0008": """
        CREATE TABLE pending (
            work VARCHAR(10) NOT NULL, created BIGINT NOT NULL, match VARCHAR(40) NOT NULL,
            PRIMARY KEY (work, created, match)) {without_rowid};
        INSERT INTO pending SELECT 'explore', m.created, m.id FROM matches m
            WHERE m.status = 'finished' AND NOT EXISTS (SELECT 1 FROM explored e WHERE e.match = m.id);
        INSERT INTO pending SELECT 'rate', m.created, m.id FROM matches m
            WHERE m.status = 'finished' AND m.rated AND NOT EXISTS (SELECT 1 FROM rated r WHERE r.match = m.id);
        DROP TABLE explored;
        DROP TABLE rated;
        CREATE INDEX matches_of_game ON matches (public, status, game, created);
        UPDATE matches SET owner = '-' WHERE scheduled AND owner IS NULL;
        ALTER TABLE matches ADD COLUMN due BOOLEAN DEFAULT false NOT NULL;
        UPDATE matches SET due = true WHERE scheduled
            AND ({clock} <> 'none' OR NOT EXISTS (SELECT 1 FROM sitters s WHERE s.match = matches.id));
        DROP INDEX matches_scheduled;
        CREATE INDEX matches_due ON matches (owner) WHERE {due};
        ALTER TABLE sitters ADD COLUMN game VARCHAR(40) DEFAULT '' NOT NULL;
        ALTER TABLE sitters ADD COLUMN created BIGINT DEFAULT 0 NOT NULL;
        ALTER TABLE sitters ADD COLUMN running BOOLEAN DEFAULT false NOT NULL;
        UPDATE sitters SET game = m.game, created = m.created, running = (m.status = 'running')
            FROM matches m WHERE m.id = sitters.match;
        CREATE INDEX sitters_newest ON sitters (player, created, match);
        CREATE INDEX sitters_of_game ON sitters (player, game, created, match);
        CREATE INDEX sitters_running ON sitters (player) WHERE {running};
    """,
    "0009": """
        CREATE TABLE relations (
            player VARCHAR(40) NOT NULL, other VARCHAR(40) NOT NULL, kind VARCHAR(10) NOT NULL,
            created BIGINT NOT NULL, PRIMARY KEY (player, other)) {without_rowid};
        CREATE INDEX relations_newest ON relations (player, kind, created, other);
        CREATE INDEX relations_with ON relations (other);
    """,
    "0010": """
        CREATE TABLE notices (
            player VARCHAR(40) NOT NULL, about VARCHAR(40) NOT NULL, at BIGINT NOT NULL, seen BOOLEAN NOT NULL,
            notice TEXT NOT NULL, PRIMARY KEY (player, about)) {without_rowid};
        CREATE INDEX notices_newest ON notices (player, at);
        CREATE INDEX notices_oldest ON notices (at);
    """,
    "0011": """
        ALTER TABLE sitters ADD COLUMN turn BOOLEAN;
        ALTER TABLE sitters ADD COLUMN deadline BIGINT;
    """,
    "0012": """
        CREATE TABLE plans (
            match VARCHAR(40) NOT NULL, player VARCHAR(40) NOT NULL, forced BOOLEAN NOT NULL, note TEXT NOT NULL,
            plan TEXT, PRIMARY KEY (match, player)) {without_rowid};
        CREATE TABLE vacations (
            player VARCHAR(40) PRIMARY KEY NOT NULL, saved BIGINT NOT NULL, at BIGINT NOT NULL, since BIGINT);
        CREATE INDEX vacations_running ON vacations (since) WHERE since IS NOT NULL;
    """,
    "0013": """
        ALTER TABLE players ADD COLUMN skeleton TEXT;
        CREATE UNIQUE INDEX players_skeleton ON players (skeleton) WHERE skeleton IS NOT NULL;
        CREATE INDEX players_unnamed ON players (id) WHERE login IS NOT NULL AND skeleton IS NULL;
    """,
    "0014": """
        CREATE TABLE old_ratings AS SELECT * FROM ratings WHERE player NOT LIKE 'bot:%';
        DROP TABLE ratings;
        CREATE TABLE ratings (
            player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, pace VARCHAR(40) NOT NULL,
            rating FLOAT NOT NULL, deviation FLOAT NOT NULL, volatility FLOAT NOT NULL,
            matches INTEGER NOT NULL, at BIGINT NOT NULL, listed_until BIGINT NOT NULL,
            PRIMARY KEY (player, game, pace));
        INSERT INTO ratings
            SELECT o.player, o.game, k.pace, 1500 + 29.477 * (o.mu - 25),
                CASE WHEN o.sigma >= 25.0 / 3 THEN 500 WHEN o.sigma <= 0.75 THEN 45 ELSE 60 * o.sigma END,
                0.09, k.matches, k.at, 0
            FROM old_ratings o JOIN (
                SELECT s.player AS player, m.game AS game, {pace} AS pace, count(*) AS matches, max(m.created) AS at
                FROM sitters s JOIN matches m ON m.id = s.match
                WHERE m.rated AND m.status = 'finished'
                GROUP BY s.player, m.game, {pace}) k ON k.player = o.player AND k.game = o.game;
        INSERT INTO ratings
            SELECT o.player, o.game, 'rapid', 1500 + 29.477 * (o.mu - 25),
                CASE WHEN o.sigma >= 25.0 / 3 THEN 500 WHEN o.sigma <= 0.75 THEN 45 ELSE 60 * o.sigma END,
                0.09, o.matches, {now}, 0
            FROM old_ratings o
            WHERE NOT EXISTS (SELECT 1 FROM ratings r WHERE r.player = o.player AND r.game = o.game);
        DROP TABLE old_ratings;
        UPDATE ratings SET listed_until = at + CAST((12100 - deviation * deviation) / 52.396 * 86400000 AS BIGINT)
            WHERE matches >= 10 AND deviation < 110;
        CREATE INDEX ratings_listed ON ratings (game, pace, rating, player) WHERE listed_until > 0;
        CREATE TABLE rating_days (
            player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, pace VARCHAR(40) NOT NULL, day INTEGER NOT NULL,
            rating FLOAT NOT NULL, deviation FLOAT NOT NULL, PRIMARY KEY (player, game, pace, day)) {without_rowid};
        INSERT INTO rating_days SELECT player, game, pace, at / 86400000, rating, deviation FROM ratings;
        CREATE TABLE rating_changes (
            match VARCHAR(40) NOT NULL, player VARCHAR(40) NOT NULL, rating FLOAT NOT NULL, deviation FLOAT NOT NULL,
            change FLOAT NOT NULL, PRIMARY KEY (match, player)) {without_rowid};
    """,
    "0015": """
        {logins_by_byte}
        CREATE TABLE profiles (
            player VARCHAR(40) PRIMARY KEY NOT NULL, since BIGINT NOT NULL, hidden BOOLEAN NOT NULL,
            quiet BOOLEAN NOT NULL);
        INSERT INTO profiles SELECT p.id, coalesce((SELECT min(s.created) FROM sitters s WHERE s.player = p.id), 0),
            false, false FROM players p WHERE p.login IS NOT NULL;
        CREATE TABLE results (
            player VARCHAR(40) NOT NULL, other VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, won INTEGER NOT NULL,
            drawn INTEGER NOT NULL, lost INTEGER NOT NULL, rated INTEGER NOT NULL, together INTEGER NOT NULL,
            PRIMARY KEY (player, other, game)) {without_rowid};
        CREATE INDEX results_often ON results (rated) WHERE rated >= 20;
        INSERT INTO pending SELECT 'count', created, id FROM matches WHERE status = 'finished';
    """,
    "0016": """
        CREATE TABLE challenges (
            id VARCHAR(40) PRIMARY KEY NOT NULL, player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL,
            audience VARCHAR(10) NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, free INTEGER NOT NULL,
            standing BOOLEAN NOT NULL, leased BOOLEAN NOT NULL, row TEXT NOT NULL);
        CREATE INDEX challenges_newest ON challenges (created, id) WHERE audience = 'anyone';
        CREATE INDEX challenges_of_game ON challenges (game, created, id) WHERE audience = 'anyone';
        CREATE INDEX challenges_of_player ON challenges (player);
        CREATE INDEX challenges_expire ON challenges (expires);
        CREATE TABLE challenge_targets (
            player VARCHAR(40) NOT NULL, challenge VARCHAR(40) NOT NULL, created BIGINT NOT NULL,
            PRIMARY KEY (player, challenge)) {without_rowid};
        CREATE INDEX challenge_targets_newest ON challenge_targets (player, created, challenge);
        CREATE INDEX challenge_targets_of ON challenge_targets (challenge);
        CREATE TABLE challenge_matches (match VARCHAR(40) PRIMARY KEY NOT NULL, challenge VARCHAR(40) NOT NULL);
    """,
    "0017": """
        CREATE TABLE player_groups (
            id VARCHAR(40) PRIMARY KEY NOT NULL, name VARCHAR(40) NOT NULL, kind VARCHAR(10) NOT NULL,
            code VARCHAR(40) NOT NULL UNIQUE, created BIGINT NOT NULL, ends BIGINT);
        CREATE INDEX ix_player_groups_ends ON player_groups (ends);
        CREATE TABLE group_members (
            player VARCHAR(40) NOT NULL, group_id VARCHAR(40) NOT NULL, role VARCHAR(10) NOT NULL,
            joined BIGINT NOT NULL, PRIMARY KEY (player, group_id)) {without_rowid};
        CREATE INDEX group_members_of ON group_members (group_id);
        CREATE INDEX group_pupils ON group_members (player) WHERE role = 'pupil';
        CREATE TABLE homework (
            id VARCHAR(40) PRIMARY KEY NOT NULL, group_id VARCHAR(40) NOT NULL, title VARCHAR(80) NOT NULL,
            created BIGINT NOT NULL, due BIGINT, tasks TEXT NOT NULL);
        CREATE INDEX ix_homework_group_id ON homework (group_id);
        CREATE TABLE lessons (
            player VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL, lesson VARCHAR(64) NOT NULL, at BIGINT NOT NULL,
            PRIMARY KEY (player, game, lesson)) {without_rowid};
    """,
    "0018": """
        CREATE TABLE tournaments (
            id VARCHAR(40) PRIMARY KEY NOT NULL, host VARCHAR(40) NOT NULL, game VARCHAR(40) NOT NULL,
            stage VARCHAR(10) NOT NULL, public BOOLEAN NOT NULL, created BIGINT NOT NULL, due BIGINT,
            row TEXT NOT NULL);
        CREATE INDEX tournaments_listed ON tournaments (public, stage, created);
        CREATE INDEX tournaments_of_game ON tournaments (public, stage, game, created);
        CREATE INDEX tournaments_hosted ON tournaments (host, stage);
        CREATE INDEX tournaments_due ON tournaments (due) WHERE due IS NOT NULL;
        CREATE TABLE entrants (
            player VARCHAR(40) NOT NULL, created BIGINT NOT NULL, tournament VARCHAR(40) NOT NULL,
            PRIMARY KEY (player, created, tournament)) {without_rowid};
        CREATE INDEX entrants_tournament ON entrants (tournament);
    """,
    "0019": """
        CREATE TABLE bans (
            player VARCHAR(40) PRIMARY KEY NOT NULL, at BIGINT NOT NULL, reason VARCHAR(500) NOT NULL);
        CREATE TABLE removals (player VARCHAR(40) PRIMARY KEY NOT NULL, at BIGINT NOT NULL);
        CREATE TABLE reports (
            player VARCHAR(40) NOT NULL, reporter VARCHAR(40) NOT NULL, reason VARCHAR(20) NOT NULL,
            at BIGINT NOT NULL, match VARCHAR(40), PRIMARY KEY (player, reporter)) {without_rowid};
        CREATE INDEX reports_of ON reports (reporter);
    """,
    "0020": """
        CREATE TABLE push_subscriptions (
            id VARCHAR(40) NOT NULL, player VARCHAR(40) NOT NULL, created BIGINT NOT NULL, endpoint TEXT NOT NULL,
            p256dh VARCHAR(100) NOT NULL, auth VARCHAR(100) NOT NULL, language VARCHAR(40) NOT NULL, PRIMARY KEY (id));
        CREATE INDEX push_subscriptions_player ON push_subscriptions (player, created);
        CREATE TABLE server_keys (name VARCHAR(40) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
    """,
    "0021": """
        CREATE TABLE feeds (
            player VARCHAR(40) PRIMARY KEY NOT NULL, secret VARCHAR(40) NOT NULL, language VARCHAR(40) NOT NULL);
        CREATE INDEX sitters_deadline ON sitters (deadline) WHERE {running};
        CREATE UNIQUE INDEX feeds_secret ON feeds (secret);
    """,
}
"""By the revision to which each brings a database, in order; the table alembic_version holds that of the database."""

_DIFFERENT: Final[Mapping[DatabaseKind, Mapping[str, str]]] = {
    "sqlite": {
        "host": "json_extract(row, '$.terms.host')",
        "clock": "coalesce(json_extract(row, '$.terms.clock.kind'), 'none')",
        "pace": """CASE WHEN json_array_length(row, '$.players') > 2 THEN 'table'
            WHEN json_extract(row, '$.terms.clock.kind') IN ('days', 'bank') THEN 'correspondence'
            WHEN json_extract(row, '$.terms.clock.seconds')
                + 30 * coalesce(json_extract(row, '$.terms.clock.increment'), 0) < 600 THEN 'blitz' ELSE 'rapid' END""",
        "now": "CAST(strftime('%s', 'now') AS INTEGER) * 1000",
        "logins_by_byte": "",
        "without_rowid": "WITHOUT ROWID",
        "running": "running = 1",
        "due": "due = 1",
    },
    "postgresql": {
        "host": "row::json -> 'terms' ->> 'host'",
        "clock": "coalesce(row::json -> 'terms' -> 'clock' ->> 'kind', 'none')",
        "pace": """CASE WHEN json_array_length(row::json -> 'players') > 2 THEN 'table'
            WHEN row::json -> 'terms' -> 'clock' ->> 'kind' IN ('days', 'bank') THEN 'correspondence'
            WHEN CAST(row::json -> 'terms' -> 'clock' ->> 'seconds' AS INTEGER)
                + 30 * coalesce(CAST(row::json -> 'terms' -> 'clock' ->> 'increment' AS INTEGER), 0) < 600
                THEN 'blitz' ELSE 'rapid' END""",
        "now": "CAST(extract(epoch FROM now()) AS BIGINT) * 1000",
        "logins_by_byte": 'ALTER TABLE players ALTER COLUMN login TYPE VARCHAR(80) COLLATE "C";',
        "without_rowid": "",
        "running": "running",
        "due": "due",
    },
}
"""Differences between the dialects of SQL."""


@lru_cache(maxsize=16)
def migration_script(kind: DatabaseKind, revision: str | None) -> str:
    """Return the SQL that brings a database of a revision, None if it is empty, to the last one.

    Raises OptionError if this version does not know the revision.
    """
    revisions = [FIRST, *MIGRATIONS]
    if revision is None:
        return _new_database(DIALECTS[kind](), revisions[-1])
    if revision not in revisions:
        raise OptionError("This database was written by a newer version of Kemu; install that version.")
    later = revisions[revisions.index(revision) + 1 :]
    script = "".join(MIGRATIONS[step].format_map(_DIFFERENT[kind]) for step in later)
    return f"{script}UPDATE alembic_version SET version_num = '{later[-1]}';" if later else ""


def _new_database(dialect: Dialect, revision: str) -> str:
    """Return the SQL that makes all tables of the schema in an empty database."""
    statements: list[str] = []
    for table in metadata.sorted_tables:
        statements.append(str(CreateTable(table).compile(dialect=dialect)))
        statements.extend(str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes)
    version = "CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY NOT NULL)"
    return ";\n".join([*statements, version, f"INSERT INTO alembic_version VALUES ('{revision}');"])
