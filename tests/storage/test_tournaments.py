"""Tournaments in a store: their rows come with their entries, and lists are read by stage, player and time."""

import pytest
from msgspec.structs import replace

from kemu.people.tournaments.commands import UnknownTournament
from kemu.people.tournaments.values import TournamentTerms
from kemu.play.commands import Resign
from kemu.play.errors import StaleVersion
from kemu.play.terms import GameClock
from kemu.storage.journal import Append
from kemu.storage.store import Store
from kemu.storage.tournaments import TournamentQuery, TournamentRow, TournamentSave
from tests.storage.stores import EMPTY, MakeStore, a_table, run, save_command, save_running

TERMS = TournamentTerms(name="Evening", game="mu-torere", system="swiss", clock=GameClock(60))


def a_row(number: int, **changed: object) -> TournamentRow:
    return replace(TournamentRow(f"t-{number}", "host", number, TERMS), **changed)


def test_an_entry_saves_row_and_entrants_or_nothing(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.tournaments.add(a_row(1))
        assert await store.tournaments.row("t-1") == a_row(1)
        with pytest.raises(UnknownTournament):
            await store.tournaments.row("t-2")
        entered = a_row(1, players=2, due=7)
        await store.journal.write([Append("t-1", 1, EMPTY, tournament=TournamentSave(entered, ("a", "b")))])
        stale = TournamentSave(a_row(1, stage="running"), ("c",))
        with pytest.raises(StaleVersion):
            await store.journal.write([Append("t-1", 1, EMPTY, tournament=stale)])
        assert await store.tournaments.row("t-1") == entered
        assert await store.tournaments.rows(TournamentQuery("mine", "a")) == [entered]
        assert await store.tournaments.rows(TournamentQuery("mine", "c")) == []
        assert await store.tournaments.due(6, 9) == []
        assert await store.tournaments.due(7, 9) == ["t-1"]
        begun = a_row(1, stage="running")
        await store.journal.write([Append("t-1", 2, EMPTY, tournament=TournamentSave(begun, ("b",)))])
        assert await store.tournaments.rows(TournamentQuery("mine", "a")) == []
        assert await store.tournaments.due(10**12, 9) == []

    run(make, work)


def test_lists_are_of_a_stage_and_a_game_and_go_on_before_a_time(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        other = replace(TERMS, game="mauw")
        private = replace(TERMS, group="g")
        for row in (a_row(1), a_row(2), a_row(3, terms=other), a_row(4, stage="running"), a_row(5, terms=private)):
            await store.tournaments.add(row)

        async def ids(query: TournamentQuery) -> list[str]:
            return [row.id for row in await store.tournaments.rows(query)]

        assert await ids(TournamentQuery("open")) == ["t-3", "t-2", "t-1"]
        assert await ids(TournamentQuery("open", limit=1, before=3)) == ["t-2"]
        assert await ids(TournamentQuery("open", game="mauw")) == ["t-3"]
        assert await ids(TournamentQuery("running")) == ["t-4"]
        assert await store.tournaments.count_hosted("host") == 5
        assert await store.tournaments.count_hosted("nobody") == 0

    run(make, work)


def test_the_end_of_a_match_of_a_tournament_is_left_to_report_once(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        table = a_table("m1")
        table = replace(table, terms=replace(table.terms, tournament="t-1"))
        table = await save_running(store, table)
        assert await store.matches.pending("report", 9) == []
        await save_command(store, table, Resign("r"))
        assert await store.matches.pending("report", 9) == ["m1"]
        assert await store.matches.end_work("report", "m1")
        assert not await store.matches.end_work("report", "m1")
        assert await store.matches.pending("report", 9) == []

    run(make, work)
