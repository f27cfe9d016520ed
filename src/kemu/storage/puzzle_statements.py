"""The SQL statements of puzzles; see statements.py for how they are written."""

from functools import cached_property

from sqlalchemy import BigInteger, Boolean, Float, Integer, Text, bindparam, select, update

from kemu.storage.schema import puzzle_answers, puzzle_ratings, puzzle_standings
from kemu.storage.statements import Statement, Statements


class PuzzleStatements(Statements):
    """The statements for one database that concern puzzles."""

    @cached_property
    def answers(self) -> Statement:
        """The answers of a player to the puzzles of a game, by the time when they are due."""
        table = puzzle_answers.c
        this = (table.player == bindparam("player")) & (table.game == bindparam("game"))
        return self._compile(select(puzzle_answers).where(this).order_by(table.due, table.puzzle))

    @cached_property
    def insert_answers(self) -> Statement:
        """Insert answers that are not there. Gives the puzzles of those inserted."""
        text, time = Text(), BigInteger()
        given = self._list(player=text, game=text, puzzle=text, solved=Boolean(), at=time, due=time, card=text)
        inserted = self._insert_list(puzzle_answers, given).on_conflict_do_nothing()
        return self._compile(inserted.returning(puzzle_answers.c.puzzle), given)

    @cached_property
    def schedule(self) -> Statement:
        """Set when an answered puzzle is due again."""
        table = puzzle_answers.c
        this = (
            (table.player == bindparam("who")) & (table.game == bindparam("key")) & (table.puzzle == bindparam("which"))
        )
        return self._compile(update(puzzle_answers).values(due=bindparam("due"), card=bindparam("card")).where(this))

    @cached_property
    def standing(self) -> Statement:
        """How a player does with the puzzles of a game."""
        table = puzzle_standings.c
        this = (table.player == bindparam("player")) & (table.game == bindparam("game"))
        return self._compile(select(puzzle_standings).where(this))

    @cached_property
    def upsert_standings(self) -> Statement:
        """Insert or update standings."""
        number, real = Integer(), Float()
        counts = {"answered": number, "solved": number, "streak": number, "best": number, "at": BigInteger()}
        return self._upsert(puzzle_standings, player=Text(), game=Text(), mean=real, deviation=real, **counts)

    @cached_property
    def rating(self) -> Statement:
        """The rating of a puzzle."""
        return self._compile(select(puzzle_ratings).where(puzzle_ratings.c.puzzle == bindparam("puzzle")))

    @cached_property
    def upsert_ratings(self) -> Statement:
        """Insert or update ratings of puzzles."""
        return self._upsert(puzzle_ratings, puzzle=Text(), mean=Float(), deviation=Float(), answers=Integer())
