"""Reviews of records as JSON texts, by a digest of the record: statements and methods."""

from typing import Final

from sqlalchemy import bindparam, delete, select

from kemu.storage.database import Aggregate
from kemu.storage.schema import reviews
from kemu.storage.statements import insert_new, plain

PRUNED: Final = 500
"""How many reviews are deleted at once."""

_REVIEW: Final = plain(select(reviews.c.review).where(reviews.c.id == bindparam("digest")))
_SAVE_REVIEW: Final = insert_new(reviews)
_OLDEST_REVIEWS: Final = select(reviews.c.id).order_by(reviews.c.created).limit(PRUNED)
_PRUNE_REVIEWS: Final = plain(
    delete(reviews).where(reviews.c.id.in_(_OLDEST_REVIEWS.where(reviews.c.created < bindparam("before"))))
)


class Reviews(Aggregate):
    """Reviews that were made before."""

    async def review(self, digest: str) -> str | None:
        """Return a review that was saved."""
        found = await self._database.fetch(_REVIEW, digest=digest)
        return str(found[0][0]) if found else None

    async def save_review(self, digest: str, text: str, at: int) -> None:
        """Save a review that was made at this time (ms), unless there is one."""
        await self._database.change(_SAVE_REVIEW, [(digest, text, at)])

    async def prune_reviews(self, before: int) -> None:
        """Delete the oldest reviews, a limited number, that were made before a time (ms); they can be made again."""
        await self._database.change(_PRUNE_REVIEWS, {"before": before})
