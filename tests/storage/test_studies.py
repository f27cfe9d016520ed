"""Studies and the index of the explorer in every store."""

import pytest
from msgspec.structs import replace

from kemu.play.commands import Resign
from kemu.play.errors import StaleVersion
from kemu.storage.explorer import TallyRow
from kemu.storage.journal import Append
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow
from tests.storage.stores import MakeStore, a_table, run, save_command, save_running

STUDY = StudyRow("s1", "h", "Openings", 1, 2, 0, None, "secret", '{"name":"Openings"}')


def test_a_study_is_kept_listed_and_deleted(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        studies = store.studies
        for study in (STUDY, replace(STUDY, id="s2", changed=3), replace(STUDY, id="s3", owner="t")):
            await studies.add_study(study)
        assert await studies.study("s1") == STUDY
        assert await studies.study("\0") is None
        assert await studies.studies("h") == [
            replace(STUDY, id="s2", changed=3, document=""),
            replace(STUDY, document=""),
        ]
        await studies.set_keys("s1", "other", None)
        assert await studies.study("s1") == replace(STUDY, read_key="other", write_key=None)
        await studies.delete_study("s1")
        assert await studies.study("s1") is None
        assert [study.id for study in await studies.studies("h")] == ["s2"]

    run(make, work)


def test_edits_are_entries_with_versions_and_outlive_a_saved_document(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.studies.add_study(STUDY)
        for version in range(1, 6):
            await store.journal.write([Append("s1", version, b'{"op":"%d"}' % version)])
        with pytest.raises(StaleVersion):
            await store.journal.write([Append("s1", 5, b"{}")])
        later = replace(STUDY, name="Renamed", changed=9, version=4, document="{}")
        await store.studies.save_document(later, 2)
        assert await store.studies.study("s1") == later
        await store.studies.save_document(replace(later, version=3, name="Old"), 2)  # another process was slower
        assert await store.studies.study("s1") == later
        assert await store.journal.entries("s1", 4) == [b'{"op":"5"}']
        await store.journal.write([Append("s1", 6, b"{}")])
        await store.studies.delete_study("s1")
        assert await store.journal.entries("s1", 0) == []

    run(make, work)


def test_a_finished_match_is_added_to_the_explorer_once(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        explorer = store.explorer
        running = await save_running(store, a_table("over"))
        assert await store.matches.pending("explore", 5) == []
        await save_command(store, running, Resign("r"))
        assert await store.matches.pending("explore", 5) == ["over"]
        first = [TallyRow("public", "p", "1-0", 0, 0, 1), TallyRow("h", "p", "1-0", 0, 0, 1)]
        assert await explorer.add_explored("over", first)
        assert not await explorer.add_explored("over", first)
        assert await store.matches.pending("explore", 5) == []
        for match in ("another", "empty"):
            await save_command(store, await save_running(store, a_table(match)), Resign("r"))
        second = [TallyRow("public", "p", "1-0", 2, 1, 0), TallyRow("public", "p", "4-0", 1, 0, 0)]
        assert await explorer.add_explored("another", second)
        assert await explorer.add_explored("empty", [])
        assert await explorer.tallies("p", "public") == [
            TallyRow("public", "p", "1-0", 2, 1, 1),
            TallyRow("public", "p", "4-0", 1, 0, 0),
        ]
        assert await explorer.tallies("p", "h") == [TallyRow("h", "p", "1-0", 0, 0, 1)]
        assert await explorer.tallies("q", "public") == []

    run(make, work)
