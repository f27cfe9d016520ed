"""Ratings in every store: with the end of a match or not at all, once, and how they went."""

import asyncio

import pytest
from msgspec.structs import replace

from kemu.people.ratings import GameRating
from kemu.play.commands import Resign, SeatCommand, encode_entry
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.errors import StaleVersion
from kemu.play.terms import DAY_MS
from kemu.storage.journal import Append
from kemu.storage.matches import row
from kemu.storage.players import PlayerRow
from kemu.storage.ratings import RatingChange, RatingDay
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, a_table, rated, run, save_command, save_running

NEWCOMER = GameRating("h", "mauw", "rapid")


def one_more(known: dict[str, GameRating], met: int = 0) -> list[GameRating]:
    """Ten points more for Hine after each match, one a day."""
    before = known.get("h", NEWCOMER)
    at = (before.matches + 1) * DAY_MS
    return [replace(before, rating=before.rating + 10, deviation=90, matches=before.matches + 1, at=at)]


def test_a_match_is_rated_once(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        ratings = store.ratings
        for match in ("m1", "m2"):
            await save_command(store, await save_running(store, a_table(match, rated=True)), Resign("r"))
        assert await ratings.rate("m1", rated("m1", "ht", one_more))
        assert not await ratings.rate("m1", rated("m1", "ht", one_more))
        assert await ratings.rate("m2", rated("m2", "h", one_more))
        after = replace(NEWCOMER, rating=1520, deviation=90, matches=2, at=2 * DAY_MS)
        assert await ratings.of_player("h") == [after]
        assert await ratings.standing("h", "mauw", "rapid") == after
        assert await ratings.standing("h", "mauw", "blitz") == replace(NEWCOMER, pace="blitz")
        assert await ratings.of_player("t") == []
        assert await ratings.days("h") == [
            RatingDay("mauw", "rapid", 1, 1510, 90),
            RatingDay("mauw", "rapid", 2, 1520, 90),
        ]
        assert [day.day for day in await ratings.days("h", since=2)] == [2]
        assert await ratings.changes("m2") == [RatingChange("m2", "h", 1520, 90, 10)]
        assert await ratings.changes("m3") == []

    run(make, work)


def test_ratings_are_saved_with_the_end_of_a_match_or_not_at_all(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        tables = [await save_running(store, a_table(name, rated=True)) for name in ("m1", "m2", "m3")]
        ends = [decide(table, SeatCommand(0, "h", Resign("r")), 5, Dealer(1)) for table in tables]
        writes = []
        for end, after in ends:
            change = rated(after.id, "ht", one_more)
            append = Append(after.id, after.version, encode_entry(end), row(after, scheduled=False), change)
            writes.append(append._replace(version=9) if after.terms.id == "m3" else append)
        done = await asyncio.gather(*(store.journal.write([one]) for one in writes), return_exceptions=True)
        assert [type(one) for one in done] == [type(None), type(None), StaleVersion]
        assert [row.rating for row in await store.ratings.of_player("h")] == [1520]
        assert await store.ratings.changes("m3") == []
        assert await store.matches.pending("rate", 9) == []

    run(make, work)


def test_an_error_of_the_rating_reaches_the_caller(make: MakeStore) -> None:
    def wrong(known: dict[str, GameRating], met: int) -> list[GameRating]:
        raise ArithmeticError

    async def work(store: Store) -> None:
        await save_command(store, await save_running(store, a_table("m1", rated=True)), Resign("r"))
        with pytest.raises(ArithmeticError):
            await store.ratings.rate("m1", rated("m1", "h", wrong))
        assert await store.ratings.of_player("h") == []
        assert await store.matches.pending("rate", 9) == ["m1"]

    run(make, work)


def test_the_best_are_listed_in_pages_as_long_as_they_are_known(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        points = {"a": 1600, "b": 1700, "c": 1700, "d": 1800, "e": 1900}
        for name in points:
            await store.players.save_player(PlayerRow(name, name.upper()))

        def update(known: dict[str, GameRating], met: int) -> list[GameRating]:
            listed = {"d": 0, "e": 50}
            return [
                GameRating(name, "mauw", "rapid", each, listed_until=listed.get(name, 200))
                for name, each in points.items()
            ]

        await save_command(store, await save_running(store, a_table("m1", rated=True)), Resign("r"))
        assert await store.ratings.rate("m1", rated("m1", "abcde", update))
        best = await store.ratings.best("mauw", "rapid", 100)
        assert [(each.name, each.standing.rating) for each in best] == [("C", 1700), ("B", 1700), ("A", 1600)]
        assert [each.name for each in await store.ratings.best("mauw", "rapid", 10, limit=2)] == ["E", "C"]
        assert [each.name for each in await store.ratings.best("mauw", "rapid", 10, (1700, "c"))] == ["B", "A"]
        assert await store.ratings.best("mauw", "blitz", 10) == await store.ratings.best("mu-torere", "rapid", 10) == []

    run(make, work)
