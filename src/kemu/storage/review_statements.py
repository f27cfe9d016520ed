"""The SQL statements of reviews; see statements.py for how they are written."""

from functools import cached_property
from typing import Any

from sqlalchemy import bindparam, delete, select

from kemu.storage.schema import reviews
from kemu.storage.statements import Statement, Statements


class ReviewStatements(Statements):
    """The statements for one database that concern reviews."""

    @cached_property
    def review(self) -> Statement:
        """The text of a review."""
        return self._compile(select(reviews.c.review).where(reviews.c.id == bindparam("review")))

    @cached_property
    def save(self) -> Statement:
        """Insert a review; one that is there already stays."""
        given: dict[str, Any] = {"id": bindparam("review"), "review": bindparam("text"), "created": bindparam("at")}
        return self._compile(self._insert(reviews).values(given).on_conflict_do_nothing())

    @cached_property
    def prune(self) -> Statement:
        """Delete the reviews that were made before a time."""
        return self._compile(delete(reviews).where(reviews.c.created < bindparam("before")))
