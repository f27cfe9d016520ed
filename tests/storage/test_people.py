"""Relations between players, and names that look alike, in every store."""

import pytest
from sqlalchemy import text

from kemu.people.relations import Blocked, WithYourself
from kemu.storage.errors import NameTaken
from kemu.storage.people import Related, RelationRow
from kemu.storage.players import PlayerRow
from kemu.storage.statements import plain
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
        assert await people.kept_apart("h", ["t", "m", "r", "h"]) == {"r"}
        assert await people.kept_apart("r", ["h"]) == {"h"}
        assert await people.kept_apart("h", []) == set()
        assert await people.relation("h", "r") is None, "nobody is told of a block"

        await people.relate(RelationRow("h", "t", "block", 5))
        assert await people.relation("h", "t") == "block", "one relation takes the place of the other"
        assert await people.relation("t", "h") is None, "a block ends what the other one follows"
        assert await people.kept_apart("t", ["h", "m"]) == {"h"}
        with pytest.raises(Blocked):
            await people.relate(RelationRow("t", "h", "follow", 6))
        with pytest.raises(WithYourself):
            await people.relate(RelationRow("t", "t", "block", 6))
        assert await people.unrelate("h", "t")
        assert not await people.unrelate("h", "t")
        assert await people.kept_apart("t", ["h"]) == set()
        assert await people.related("\0", "follow") == []

    run(make, work)


def test_accounts_of_before_are_told_from_names_that_look_like_theirs(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        players = store.players
        for name in ("Hine", "Тама"):
            await players.save_player(PlayerRow(name.lower(), name, account=True))
        await store.database.change(plain(text("UPDATE players SET skeleton = NULL")), {})
        before = text("INSERT INTO players (id, name, login) VALUES ('like', 'Ηine', 'ηine')")
        await store.database.change(plain(before), {})
        assert await players.account_like("Ηine") is None
        await players.name_accounts()
        first = await players.account_like("Ηine")
        assert first is not None
        assert first.id == "hine"
        assert await players.account_like("Tama") == PlayerRow("тама", "Тама", account=True)
        assert await players.account_like("Timu") is None
        with pytest.raises(NameTaken):
            await players.save_player(PlayerRow("new", "Tama", account=True))

    run(make, work)
