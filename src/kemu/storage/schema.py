"""The tables of the store; `migrations.py` brings a database to this shape."""

from typing import Any, Final

import sqlalchemy as sa

metadata: Final = sa.MetaData()

ID: Final = sa.String(40)
"""The type of ids and short names."""

TIME: Final = sa.BigInteger()
"""The type of times in ms."""


def required(kind: Any, *names: str) -> list[Any]:
    """Return columns of one type that are never null."""
    return [sa.Column(name, kind, nullable=False) for name in names]


def keys(kind: Any, *names: str) -> list[Any]:
    """Return columns of one type that belong to the primary key, in their order."""
    return [sa.Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def table(name: str, *parts: Any, rowid: bool = True) -> sa.Table:
    """Return a table of the store; SQLite keeps one without a row id in the order of its primary key."""
    return sa.Table(name, metadata, *parts, sqlite_with_rowid=rowid)


matches: Final = table(
    "matches",
    *keys(ID, "id"),
    *required(ID, "game", "host"),
    *required(sa.String(10), "status"),
    *required(sa.Boolean, "public", "rated"),
    *required(TIME, "created"),
    *required(sa.Boolean, "scheduled", "due"),
    sa.Column("owner", ID),  # the process that runs its clock and its bots
    sa.Column("row", sa.Text, nullable=False),  # a MatchRow in JSON; the other columns are there to search by
    sa.Index("matches_listed", "public", "status", "created"),
    sa.Index("matches_of_game", "public", "status", "game", "created"),
    sa.Index("matches_due", "owner", sqlite_where=sa.text("due = 1"), postgresql_where=sa.text("due")),
    sa.Index("matches_hosted", "host", "status"),
)

entries: Final = table(
    "entries",
    *keys(ID, "match"),  # or the study whose edit the entry is
    *keys(sa.Integer, "version"),
    *required(sa.Text, "entry"),
    rowid=False,
)

sitters: Final = table(
    "sitters",
    *required(ID, "match", "player"),
    *required(ID, "game"),  # this and the next two are those of the match, so that lists read one index
    *required(TIME, "created"),
    *required(sa.Boolean, "running"),
    sa.Column("turn", sa.Boolean),  # whether the match waits for this player; null if that is not known yet
    sa.Column("deadline", TIME),  # of whomever the match waits for
    sa.PrimaryKeyConstraint("player", "match"),
    sa.Index("sitters_match", "match"),
    sa.Index("sitters_newest", "player", "created", "match"),
    sa.Index("sitters_of_game", "player", "game", "created", "match"),
    sa.Index("sitters_deadline", "deadline", sqlite_where=sa.text("running = 1"), postgresql_where=sa.text("running")),
    sa.Index("sitters_running", "player", sqlite_where=sa.text("running = 1"), postgresql_where=sa.text("running")),
    rowid=False,
)

NAMED: Final = sa.text("skeleton IS NOT NULL")
UNNAMED: Final = sa.text("login IS NOT NULL AND skeleton IS NULL")

players: Final = table(
    "players",
    *keys(ID, "id"),
    *required(ID, "name"),
    # The name of an account in one case, else null; in the order of its bytes, so that beginnings of names are a range.
    sa.Column("login", sa.String(80).with_variant(sa.String(80, collation="C"), "postgresql"), unique=True),
    sa.Column("password", sa.String(200)),
    sa.Column("skeleton", sa.Text),  # of the name of an account: the same for all names that look alike
    sa.Index("players_skeleton", "skeleton", unique=True, sqlite_where=NAMED, postgresql_where=NAMED),
    sa.Index("players_unnamed", "id", sqlite_where=UNNAMED, postgresql_where=UNNAMED),
)

tokens: Final = table(
    "tokens",
    *keys(ID, "id"),
    sa.Column("player", ID, sa.ForeignKey("players.id"), nullable=False, index=True),
    *required(ID, "label"),
    *required(sa.String(64), "digest"),
    *required(sa.String(10), "scope"),
)

sessions: Final = table(
    "sessions",
    *keys(ID, "id"),
    sa.Column("player", ID, nullable=False, index=True),  # perhaps a guest who is not stored
    *required(sa.String(64), "digest"),
    *required(sa.String(80), "device"),
    *required(TIME, "created", "used"),
    sa.Index("sessions_used", "used"),
)

recovery_codes: Final = table("recovery_codes", *keys(ID, "player"), *keys(sa.String(64), "digest"))

reviews: Final = table(
    "reviews",
    *keys(sa.String(64), "id"),
    *required(sa.Text, "review"),
    sa.Column("created", TIME, nullable=False, index=True),
)

ratings: Final = table(
    "ratings",
    *keys(ID, "player", "game", "pace"),
    *required(sa.Float, "rating", "deviation", "volatility"),
    *required(sa.Integer, "matches"),
    *required(TIME, "at", "listed_until"),
    sa.Index(
        *("ratings_listed", "game", "pace", "rating", "player"),
        sqlite_where=sa.text("listed_until > 0"),
        postgresql_where=sa.text("listed_until > 0"),
    ),
)

rating_days: Final = table(  # the last rating of each day on which it changed
    "rating_days",
    *keys(ID, "player", "game", "pace"),
    *keys(sa.Integer, "day"),
    *required(sa.Float, "rating", "deviation"),
    rowid=False,
)

rating_changes: Final = table(  # by the end of a match
    "rating_changes",
    *keys(ID, "match", "player"),
    *required(sa.Float, "rating", "deviation", "change"),
    rowid=False,
)

profiles: Final = table(  # of accounts, and of guests who chose something
    "profiles",
    *keys(ID, "player"),
    *required(TIME, "since"),  # when the account was made; 0 if that is not known
    *required(sa.Boolean, "hidden", "quiet"),  # statistics for the player alone; no greetings
)

bans: Final = table(  # accounts that cannot log in
    "bans", *keys(ID, "player"), *required(TIME, "at"), *required(sa.String(500), "reason")
)

removals: Final = table(  # players whose names are still in some of their matches
    "removals", *keys(ID, "player"), *required(TIME, "at")
)

reports: Final = table(  # what players told the operator about each other
    "reports",
    *keys(ID, "player", "reporter"),
    *required(sa.String(20), "reason"),
    *required(TIME, "at"),
    sa.Column("match", ID),
    sa.Index("reports_of", "reporter"),
    rowid=False,
)

results: Final = table(  # of players against others, "people" and bots
    "results",
    *keys(ID, "player", "other", "game"),
    *required(sa.Integer, "won", "drawn", "lost", "rated", "together"),
    sa.Index(
        *("results_often", "rated"),
        sqlite_where=sa.text("rated >= 20"),
        postgresql_where=sa.text("rated >= 20"),
    ),
    rowid=False,
)

relations: Final = table(  # whom a player follows or blocks
    "relations",
    *keys(ID, "player", "other"),
    *required(sa.String(10), "kind"),
    *required(TIME, "created"),
    sa.Index("relations_newest", "player", "kind", "created", "other"),
    sa.Index("relations_with", "other"),
    rowid=False,
)

player_groups: Final = table(  # classes and clubs
    "player_groups",
    *keys(ID, "id"),
    *required(ID, "name"),
    *required(sa.String(10), "kind"),
    sa.Column("code", ID, nullable=False, unique=True),  # to join it with
    *required(TIME, "created"),
    sa.Column("ends", TIME, index=True),  # when everything of it is deleted; null if nobody has said so
)

PUPIL: Final = sa.text("role = 'pupil'")

group_members: Final = table(
    "group_members",
    *keys(ID, "player", "group_id"),
    *required(sa.String(10), "role"),
    *required(TIME, "joined"),
    sa.Index("group_members_of", "group_id"),
    sa.Index("group_pupils", "player", sqlite_where=PUPIL, postgresql_where=PUPIL),
    rowid=False,
)

homework: Final = table(
    "homework",
    *keys(ID, "id"),
    sa.Column("group_id", ID, nullable=False, index=True),
    *required(sa.String(80), "title"),
    *required(TIME, "created"),
    sa.Column("due", TIME),
    *required(sa.Text, "tasks"),
)

lessons: Final = table(  # of the courses, which players have learned
    "lessons", *keys(ID, "player", "game"), *keys(sa.String(64), "lesson"), *required(TIME, "at"), rowid=False
)

TO_ANYONE: Final = sa.text("audience = 'anyone'")

challenges: Final = table(
    "challenges",
    *keys(ID, "id"),
    *required(ID, "player", "game"),
    *required(sa.String(10), "audience"),
    *required(TIME, "created", "expires"),
    sa.Column("free", sa.Integer, nullable=False),  # how many matches it can make now
    *required(sa.Boolean, "standing", "leased"),  # leased: of a guest, and open while the guest is there
    *required(sa.Text, "row"),
    sa.Index("challenges_newest", "created", "id", sqlite_where=TO_ANYONE, postgresql_where=TO_ANYONE),
    sa.Index("challenges_of_game", "game", "created", "id", sqlite_where=TO_ANYONE, postgresql_where=TO_ANYONE),
    sa.Index("challenges_of_player", "player"),
    sa.Index("challenges_expire", "expires"),
)

challenge_targets: Final = table(  # to whom a challenge is that is not to anyone
    "challenge_targets",
    *keys(ID, "player", "challenge"),
    *required(TIME, "created"),
    sa.Index("challenge_targets_newest", "player", "created", "challenge"),
    sa.Index("challenge_targets_of", "challenge"),
    rowid=False,
)

challenge_matches: Final = table(  # the running matches of standing challenges
    "challenge_matches", *keys(ID, "match"), *required(ID, "challenge")
)

plans: Final = table(  # what players keep for themselves about a match
    "plans",
    *keys(ID, "match", "player"),
    *required(sa.Boolean, "forced"),
    *required(sa.Text, "note"),
    sa.Column("plan", sa.Text),  # conditional moves in JSON
    rowid=False,
)

vacations: Final = table(
    "vacations",
    *keys(ID, "player"),
    *required(TIME, "saved", "at"),
    sa.Column("since", TIME),  # null unless the player is on vacation
    sa.Index(
        "vacations_running",
        "since",
        sqlite_where=sa.text("since IS NOT NULL"),
        postgresql_where=sa.text("since IS NOT NULL"),
    ),
)

studies: Final = table(
    "studies",
    *keys(ID, "id"),
    sa.Column("owner", ID, nullable=False, index=True),  # perhaps a guest
    *required(sa.Text, "name"),
    *required(TIME, "created", "changed"),
    sa.Column("version", sa.Integer, nullable=False),  # of the document; later edits are in `entries`
    sa.Column("read_key", ID),  # the secret of the link to read it
    sa.Column("write_key", ID),
    *required(sa.Text, "document"),
)

DUE: Final = sa.text("due IS NOT NULL")

tournaments: Final = table(
    "tournaments",
    *keys(ID, "id"),
    *required(ID, "host", "game"),
    *required(sa.String(10), "stage"),
    *required(sa.Boolean, "public"),
    *required(TIME, "created"),
    sa.Column("due", TIME),  # when something is to be done in it without a command; null if nothing is
    sa.Column("row", sa.Text, nullable=False),  # a TournamentRow in JSON; the other columns are there to search by
    sa.Index("tournaments_listed", "public", "stage", "created"),
    sa.Index("tournaments_of_game", "public", "stage", "game", "created"),
    sa.Index("tournaments_hosted", "host", "stage"),
    sa.Index("tournaments_due", "due", sqlite_where=DUE, postgresql_where=DUE),
)

entrants: Final = table(  # who takes part in tournaments
    "entrants",
    *keys(ID, "player"),
    *keys(TIME, "created"),  # that of the tournament
    *keys(ID, "tournament"),
    sa.Index("entrants_tournament", "tournament"),
    rowid=False,
)

pending: Final = table(  # finished matches that a job has still to do something with
    "pending",
    *required(sa.String(10), "work"),
    *required(TIME, "created"),
    *required(ID, "match"),
    sa.PrimaryKeyConstraint("work", "created", "match"),
    rowid=False,
)

explorer: Final = table(
    "explorer",
    *required(ID, "scope", "position"),
    *required(sa.String(100), "action"),
    *required(sa.Integer, "won", "drawn", "lost"),
    sa.PrimaryKeyConstraint("position", "scope", "action"),
    rowid=False,
)

puzzle_answers: Final = table(
    "puzzle_answers",
    *keys(ID, "player", "game", "puzzle"),
    *required(sa.Boolean, "solved"),
    *required(TIME, "at", "due"),
    *required(sa.Text, "card"),
)

puzzle_standings: Final = table(
    "puzzle_standings",
    *keys(ID, "player", "game"),
    *required(sa.Float, "mean", "deviation"),
    *required(sa.Integer, "answered", "solved", "streak", "best"),
    *required(TIME, "at"),
)

puzzle_ratings: Final = table(
    "puzzle_ratings", *keys(ID, "puzzle"), *required(sa.Float, "mean", "deviation"), *required(sa.Integer, "answers")
)

notices: Final = table(
    "notices",
    *keys(ID, "player", "about"),
    *required(TIME, "at"),
    *required(sa.Boolean, "seen"),
    *required(sa.Text, "notice"),
    sa.Index("notices_newest", "player", "at"),
    sa.Index("notices_oldest", "at"),
    rowid=False,
)

push_subscriptions: Final = table(
    "push_subscriptions",
    *keys(ID, "id"),
    *required(ID, "player"),
    *required(TIME, "created"),
    *required(sa.Text, "endpoint"),
    *required(sa.String(100), "p256dh", "auth"),
    *required(ID, "language"),
    sa.Index("push_subscriptions_player", "player", "created"),
)

feeds: Final = table(
    "feeds", *keys(ID, "player"), *required(ID, "secret", "language"), sa.Index("feeds_secret", "secret", unique=True)
)

server_keys: Final = table("server_keys", *keys(ID, "name"), *required(sa.Text, "value"))

processes: Final = table("processes", *keys(ID, "id"), *required(TIME, "seen"))
