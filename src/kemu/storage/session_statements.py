"""The SQL statements of sessions, passwords and recovery codes; see statements.py for how they are written."""

from functools import cached_property

from sqlalchemy import BigInteger, Boolean, Text, bindparam, delete, func, select, update

from kemu.storage.schema import old_cookies, players, recovery_codes, secrets, sessions, tokens
from kemu.storage.statements import Statement, Statements


class SessionStatements(Statements):
    """The statements for one database that concern who somebody is."""

    @cached_property
    def secret(self) -> Statement:
        """The value of a secret."""
        return self._compile(select(secrets.c.value).where(secrets.c.name == bindparam("name")))

    @cached_property
    def insert_sessions(self) -> Statement:
        """Insert sessions."""
        text, time = Text(), BigInteger()
        given = self._list(id=text, player=text, digest=text, device=text, created=time, used=time, exchanged=Boolean())
        return self._compile(self._insert_list(sessions, given), given)

    @cached_property
    def sessions_by_id(self) -> Statement:
        """Lookup by id: number and all columns."""
        return self._lookup(sessions, "id")

    @cached_property
    def sessions_by_player(self) -> Statement:
        """Lookup by player: number and all columns; by id."""
        return self._lookup(sessions, "player")

    @cached_property
    def touch_session(self) -> Statement:
        """Set when a session was used."""
        this = sessions.c.id == bindparam("session")
        return self._compile(update(sessions).values(used=bindparam("at")).where(this))

    @cached_property
    def rotate_session(self) -> Statement:
        """Set the digest of a session. Gives its id."""
        this = sessions.c.id == bindparam("session")
        changed = update(sessions).values(digest=bindparam("secret")).where(this)
        return self._compile(changed.returning(sessions.c.id))

    @cached_property
    def delete_session(self) -> Statement:
        """Delete a session of a player. Gives its id."""
        this = (sessions.c.id == bindparam("session")) & (sessions.c.player == bindparam("player"))
        return self._compile(delete(sessions).where(this).returning(sessions.c.id))

    @cached_property
    def delete_sessions(self) -> Statement:
        """Delete the sessions of a player but one. Gives their ids."""
        others = (sessions.c.player == bindparam("player")) & (sessions.c.id != bindparam("but"))
        return self._compile(delete(sessions).where(others).returning(sessions.c.id))

    @cached_property
    def prune_sessions(self) -> Statement:
        """Delete sessions that were last used before a time, or of players who are not stored before another time."""
        unused = (sessions.c.used < bindparam("unused")) & (sessions.c.created < bindparam("unused"))
        idle = (sessions.c.used < bindparam("unknown")) & (sessions.c.created < bindparam("unknown"))
        unknown = idle & sessions.c.player.not_in(select(players.c.id))
        return self._compile(delete(sessions).where(unused | unknown))

    @cached_property
    def set_password(self) -> Statement:
        """Set the password of a player."""
        this = players.c.id == bindparam("player")
        return self._compile(update(players).values(password=bindparam("secret")).where(this))

    @cached_property
    def delete_tokens(self) -> Statement:
        """Delete the tokens of a player. Gives their ids."""
        return self._compile(delete(tokens).where(tokens.c.player == bindparam("player")).returning(tokens.c.id))

    @cached_property
    def insert_codes(self) -> Statement:
        """Insert recovery codes."""
        given = self._list(player=Text(), digest=Text())
        return self._compile(self._insert_list(recovery_codes, given), given)

    @cached_property
    def code(self) -> Statement:
        """The digest of a recovery code, if the player has it."""
        codes = recovery_codes.c
        this = (codes.player == bindparam("player")) & (codes.digest == bindparam("code"))
        return self._compile(select(codes.digest).where(this))

    @cached_property
    def count_codes(self) -> Statement:
        """The number of recovery codes of a player."""
        codes = select(func.count()).select_from(recovery_codes)
        return self._compile(codes.where(recovery_codes.c.player == bindparam("player")))

    @cached_property
    def delete_code(self) -> Statement:
        """Delete a recovery code of a player. Gives its digest."""
        codes = recovery_codes.c
        this = (codes.player == bindparam("player")) & (codes.digest == bindparam("code"))
        return self._compile(delete(recovery_codes).where(this).returning(codes.digest))

    @cached_property
    def delete_codes(self) -> Statement:
        """Delete the recovery codes of a player."""
        return self._compile(delete(recovery_codes).where(recovery_codes.c.player == bindparam("player")))

    @cached_property
    def old_cookie_retired(self) -> Statement:
        """When the old cookie of a player was retired."""
        return self._compile(select(old_cookies.c.retired).where(old_cookies.c.player == bindparam("player")))

    @cached_property
    def retire_old_cookie(self) -> Statement:
        """Retire the old cookie of a player; of two times the earlier one counts."""
        statement = self._insert(old_cookies).values(player=bindparam("player"), retired=bindparam("at"))
        earlier = statement.excluded.retired < old_cookies.c.retired
        changed = {"retired": statement.excluded.retired}
        return self._compile(statement.on_conflict_do_update(index_elements=["player"], set_=changed, where=earlier))
