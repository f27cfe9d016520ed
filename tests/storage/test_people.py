"""Relations between players in every store."""

import pytest

from kemu.people.relations import Blocked, WithYourself
from kemu.storage.people import Related, RelationRow
from kemu.storage.players import PlayerRow
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, run


def test_a_player_follows_or_blocks_and_is_kept_apart_by_blocks_of_both_sides(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        people = store.people
        for name in ("h", "t", "m", "r"):
            await store.players.save_player(PlayerRow(name, name.upper()))
        for row in (
            RelationRow("h", "t", "follow", 1),
            RelationRow("h", "m", "follow", 2),
            RelationRow("t", "h", "follow", 3),
            RelationRow("r", "h", "block", 4),
        ):
            await people.relate(row)
        assert await people.related("h", "follow") == [Related("m", "M", 2), Related("t", "T", 1)]
        assert await people.related("h", "follow", before=2) == [Related("t", "T", 1)]
        assert await people.related("h", "follow", limit=1) == [Related("m", "M", 2)]
        assert await people.related("r", "block") == [Related("h", "H", 4)]
        assert await people.blocks_between("h", ["t", "m", "r", "h"]) == {"r"}
        assert await people.blocks_between("r", ["h"]) == {"h"}
        assert await people.blocks_between("h", []) == set()
        assert await people.relation("h", "r") is None, "nobody is told of a block"

        await people.relate(RelationRow("h", "t", "block", 5))
        assert await people.relation("h", "t") == "block", "one relation takes the place of the other"
        assert await people.relation("t", "h") is None, "a block ends what the other one follows"
        assert await people.blocks_between("t", ["h", "m"]) == {"h"}
        with pytest.raises(Blocked):
            await people.relate(RelationRow("t", "h", "follow", 6))
        with pytest.raises(WithYourself):
            await people.relate(RelationRow("t", "t", "block", 6))
        assert await people.unrelate("h", "t")
        assert not await people.unrelate("h", "t")
        assert await people.blocks_between("t", ["h"]) == set()
        assert await people.related("\0", "follow") == []

    run(make, work)
