"""What every store does, on SQLite and on PostgreSQL."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from kemu.core.errors import OptionError
from kemu.play.commands import Join, Leave, Resign
from kemu.play.errors import StaleVersion
from kemu.storage.errors import NameTaken, PasswordChanged, UnknownMatch
from kemu.storage.journal import Append
from kemu.storage.matches import Query, Show, row
from kemu.storage.players import PlayerRow, TokenRow
from kemu.storage.puzzles import PuzzleAnswerRow, PuzzleRatingRow, PuzzleRows, PuzzleStandingRow
from kemu.storage.sessions import SessionRow
from kemu.storage.store import Store
from tests.loops import on_a_loop
from tests.storage.stores import (
    EMPTY,
    HINE,
    TAMA,
    MakeStore,
    a_table,
    opened,
    rated,
    run,
    save,
    save_command,
    save_open,
    save_running,
)


def test_what_was_written_is_read_again(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_open(store, a_table())
        await store.journal.write([Append("m1", 2, EMPTY)])
        found, entries = await store.matches.load("m1")
        assert found.terms.id == "m1"
        assert found.players == [HINE, None]
        assert entries[1] == EMPTY
        assert await store.journal.entries("m1", 1) == entries[1:]
        assert await store.journal.entries("m1", 2) == []
        assert await store.journal.entries("m2", 0) == []
        with pytest.raises(UnknownMatch):
            await store.matches.load("m2")

    run(make, work)


def test_a_row_keeps_whether_the_match_is_scheduled(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_running(store, a_table("timed", clock=True))
        await save_running(store, a_table("untimed"))
        assert (await store.matches.load("timed"))[0].scheduled is True
        assert (await store.matches.load("untimed"))[0].scheduled is False
        assert [found.scheduled for found in await store.matches.page()] == [True, False]

    run(make, work)


def test_a_version_is_taken_once_and_a_stale_append_leaves_nothing(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_open(store, a_table())
        stale = [Append("m1", 1, b"{}"), Append("m2", 1, b"{}", row(a_table("m2"), scheduled=False))]
        with pytest.raises(StaleVersion):
            await store.journal.write(stale)
        with pytest.raises(UnknownMatch):
            await store.matches.load("m2")
        assert len(await store.journal.entries("m1", 0)) == 1

    run(make, work)


@pytest.mark.parametrize(
    "appends",
    [
        [("m1", 3)],
        [("m1", 0)],
        [("new", 2)],
        [("new", 0)],
        [("m1", 2), ("m1", 4)],
        [("m1", 2), ("m1", 2)],
        [("m1", 3), ("m1", 2)],
        [("other", 1), ("m1", 3)],
        [("m1", 2), ("new", 5)],
    ],
)
def test_a_gap_in_versions_is_refused_and_leaves_nothing(make: MakeStore, appends: Sequence[tuple[str, int]]) -> None:
    async def work(store: Store) -> None:
        await save_open(store, a_table())
        with pytest.raises(StaleVersion):
            await store.journal.write([Append(match, version, EMPTY) for match, version in appends])
        assert [len(await store.journal.entries(match, 0)) for match in ("m1", "new", "other")] == [1, 0, 0]
        await store.journal.write([Append("m1", 2, EMPTY)])

    run(make, work)


def test_several_versions_of_several_matches_are_one_write(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        appends = [Append(match, version, EMPTY) for version in (1, 2, 3) for match in ("b", "a")]
        await store.journal.write(appends)
        assert [len(await store.journal.entries(match, 0)) for match in ("a", "b")] == [3, 3]

    run(make, work)


def test_of_many_writes_at_once_only_the_stale_fail(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_open(store, a_table())
        writes = [store.journal.write([Append("m1", 2, EMPTY)]) for _ in range(3)]
        writes += [store.journal.write([Append(f"x{number}", 1, b"{}")]) for number in range(20)]
        writes += [store.journal.write([Append(f"y{number}", 1 + number % 2, b"{}")]) for number in range(20)]
        done = await asyncio.gather(*writes, return_exceptions=True)
        assert sum(isinstance(one, StaleVersion) for one in done) == 2 + 10
        assert sum(one is None for one in done) == 1 + 20 + 10
        assert len(await store.journal.entries("m1", 0)) == 2

    run(make, work)


def test_writes_of_one_match_that_do_not_wait_for_each_other_keep_their_order(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        versions = (1, 2, 4, 3, 3, 4)
        writes = [store.journal.write([Append("m1", version, str(version).encode())]) for version in versions]
        done = await asyncio.gather(*writes, return_exceptions=True)
        assert [one is None for one in done] == [True, True, False, True, False, True]
        assert await store.journal.entries("m1", 0) == [b"1", b"2", b"3", b"4"]

    run(make, work)


def test_a_write_that_nobody_waits_for_any_more_is_saved(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        store.journal.write([Append("m1", 1, EMPTY)]).cancel()
        await store.journal.write([Append("m1", 2, EMPTY)])
        assert len(await store.journal.entries("m1", 0)) == 2

    run(make, work)


def test_lists_show_their_matches_newest_first(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_open(store, a_table("open", created=1))
        await save_open(store, a_table("private", created=2, public=False))
        await save_running(store, a_table("running", created=3))
        await save_command(store, await save_running(store, a_table("over", created=4)), Resign("r"))

        async def names(show: Show, player: str = "", game: str | None = None, before: int | None = None) -> list[str]:
            return [found.terms.id for found in await store.matches.rows(Query(show, player, game, before))]

        assert await names("lobby") == ["open"]
        assert await names("live") == ["running"]
        assert await names("live", game="mauw") == []
        assert await names("finished") == ["over"]
        assert await names("mine", "h") == ["over", "running", "private", "open"]
        assert await names("mine", "t") == ["over", "running"]
        assert await names("mine", "h", before=3) == ["private", "open"]
        assert await names("mine", "h", game="mauw") == []
        assert await names("mine", "h", game="mu-torere", before=2) == ["open"]
        limited = await store.matches.rows(Query("mine", "h", limit=1))
        assert [found.terms.id for found in limited] == ["over"]
        assert [found.terms.id for found in await store.matches.page("over", 1)] == ["private"]
        finished = (await store.matches.rows(Query("finished")))[0]
        assert finished.outcome is not None
        assert finished.outcome.reason == "resignation"
        assert msgspec.json.decode(finished.view or b"")["position"]["points"] == "BBBBWWWW."
        assert not (await store.matches.rows(Query("live")))[0].view

    run(make, work)


def test_open_and_running_matches_are_counted_by_who_made_them(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for match in ("a", "b"):
            await save_open(store, a_table(match))
        running = await save_running(store, a_table("c"))
        assert [await store.matches.count_hosted(player) for player in ("h", "t")] == [3, 0]
        await save_command(store, running, Resign("1"))
        assert await store.matches.count_hosted("h") == 2

    run(make, work)


def test_who_plays_a_rated_match_of_a_game_is_known(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_running(store, a_table("casual"))
        assert not await store.matches.plays_rated("h", "mu-torere")
        running = await save_running(store, a_table("rated", rated=True))
        assert [await store.matches.plays_rated(player, "mu-torere") for player in ("h", "t", "x")] == [
            True,
            True,
            False,
        ]
        assert not await store.matches.plays_rated("h", "mauw")
        assert not await store.matches.plays_rated("h", "\0")
        await save_command(store, running, Resign("1"))
        assert not await store.matches.plays_rated("h", "mu-torere")

    run(make, work)


def test_a_match_is_not_listed_for_who_left_it(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save(store, await save_open(store, a_table()), Leave("h"))
        assert await store.matches.rows(Query("mine", "h")) == []

    run(make, work)


def test_a_match_is_listed_for_who_joined_it_later(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save(store, await save_open(store, a_table()), Join(((1, TAMA),)))
        for player in ("h", "t"):
            assert [found.terms.id for found in await store.matches.rows(Query("mine", player))] == ["m1"]

    run(make, work)


def test_players_and_accounts(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        players = store.players
        assert await players.player("h") is None
        await players.save_player(PlayerRow("h", "Hine"))
        await players.save_player(PlayerRow("h", "HINE", True, "secret"))
        assert await players.player("h") == PlayerRow("h", "HINE", True, "secret")
        assert await players.account("hine") == PlayerRow("h", "HINE", True, "secret")
        assert await players.account("tama") is None
        with pytest.raises(NameTaken):
            await players.save_player(PlayerRow("t", "Hine", True, "other"))
        await players.save_player(PlayerRow("t", "Hine"))  # a guest may have the name of an account
        assert await players.player("t") == PlayerRow("t", "Hine")

    run(make, work)


def test_tokens(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        players = store.players
        await players.save_player(PlayerRow("h", "Hine"))
        second, first = (TokenRow(token, "h", "bot", "0" * 64, "read") for token in ("l", "k"))
        for token in (second, first):
            await players.add_token(token)
        assert await players.token("k") == first
        assert await players.token("x") is None
        assert await players.tokens("h") == [first, second]
        assert await players.tokens("t") == []
        assert not await players.delete_token("t", "k")
        assert await players.delete_token("h", "k")
        assert not await players.delete_token("h", "k")

    run(make, work)


def a_session(session: str, player: str = "h", *, created: int = 1, used: int = 0) -> SessionRow:
    """A session on some device."""
    return SessionRow(session, player, session * 8, "Firefox, Linux", created, used)


def test_sessions_are_kept_rotated_and_ended(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        sessions = store.sessions
        for session in (a_session("b"), a_session("a"), a_session("c"), a_session("t", "t")):
            await sessions.add_session(session)
        assert await sessions.session("x") is None
        assert await sessions.sessions("h") == [a_session("a"), a_session("b"), a_session("c")]
        await sessions.touch_session("a", 2**40)
        assert await sessions.session("a") == a_session("a", used=2**40)
        assert await sessions.rotate_session("b", "other")
        assert not await sessions.rotate_session("x", "other")
        found = await sessions.session("b")
        assert found is not None
        assert found.digest == "other"
        assert not await sessions.delete_session("t", "a")
        assert await sessions.delete_session("h", "a")
        assert await sessions.delete_sessions("h", "c") == ["b"]
        assert [session.id for session in await sessions.sessions("h")] == ["c"]
        assert await sessions.session("t") == a_session("t", "t")

    run(make, work)


def test_sessions_that_nobody_uses_are_dropped_sooner_for_players_who_are_not_stored(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.players.save_player(PlayerRow("h", "Hine"))
        for session in (a_session("a", used=5), a_session("b", used=15), a_session("c", "t", used=15)):
            await store.sessions.add_session(session)
        await store.sessions.add_session(a_session("d", "t", created=25))
        await store.sessions.prune_sessions(10, 20)
        assert [session.id for session in await store.sessions.sessions("h")] == ["b"]
        assert [session.id for session in await store.sessions.sessions("t")] == ["d"]

    run(make, work)


def test_a_new_password_ends_sessions_and_a_recovery_code_ends_all_and_tokens(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        sessions, hine = store.sessions, PlayerRow("h", "Hine", True, "first")
        await store.players.save_player(hine)
        await store.players.add_token(TokenRow("k", "h", "bot", "0" * 64))
        for session in ("a", "b"):
            await sessions.add_session(a_session(session))
        assert await sessions.change_password(hine, "second", "a") == ["b"]
        second = PlayerRow("h", "Hine", True, "second")
        assert await store.players.player("h") == PlayerRow("h", "Hine", True, "second")
        await sessions.set_codes(second, ["old"])
        await sessions.set_codes(second, ["one", "two"])
        assert await sessions.count_codes("h") == 2
        for outdated in (
            store.players.save_player(hine),
            store.players.save_player(PlayerRow("h", "Hine")),
            store.players.add_token(TokenRow("l", "h", "bot", "0" * 64), "first"),
            sessions.add_session(a_session("c"), "first"),
            sessions.change_password(hine, "other"),
            sessions.set_codes(hine, ["three"]),
        ):
            with pytest.raises(PasswordChanged):
                await outdated
        assert await store.players.player("h") == second
        assert [session.id for session in await sessions.sessions("h")] == ["a"]
        assert await sessions.has_code("h", "one")
        assert not await sessions.has_code("h", "old")
        third = PlayerRow("h", "Hine", True, "third")
        assert await sessions.recover(third, "old") is None
        assert await store.players.player("h") == PlayerRow("h", "Hine", True, "second")
        assert await sessions.recover(third, "one") == ["a", "k"]
        assert await store.players.player("h") == third
        assert await store.players.token("k") is None
        assert await sessions.recover(third, "one") is None
        assert await sessions.count_codes("h") == 1

    run(make, work)


def test_finished_rated_matches_are_pending_until_they_are_rated(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        running = await save_running(store, a_table("over", rated=True))
        assert await store.matches.pending("rate", 9) == []
        over = await save_command(store, running, Resign("r"))
        assert await store.matches.pending("rate", 9) == ["over"]
        assert await store.ratings.rate("over", rated("over"))
        assert await store.matches.pending("rate", 9) == []
        following = Append("over", over.version + 1, EMPTY, row(over))
        await store.journal.write([following])  # its row changes again, such as by a rematch
        assert await store.matches.pending("rate", 9) == []

    run(make, work)


def test_an_open_store_passes_its_check(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.check()

    run(make, work)


def test_everything_is_there_after_closing_and_opening(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await save_open(store, a_table())
            await store.sessions.add_session(SessionRow("s", "h", "0" * 64, "Firefox", 1))
        async with opened(make()) as store:
            assert len((await store.matches.load("m1"))[1]) == 1
            assert await store.sessions.session("s") == SessionRow("s", "h", "0" * 64, "Firefox", 1)

    on_a_loop(main())


@pytest.mark.parametrize("url", ["mysql://localhost/kemu", "sqlite://", "no url"])
def test_other_databases_are_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(OptionError, match="sqlite:///path or postgresql://"):
        Store(url)


def test_a_review_is_kept_once_until_it_is_old(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        assert await store.reviews.review("a") is None
        await store.reviews.save_review("a", '{"text": "pūtahi"}', 5)
        await store.reviews.save_review("a", "another", 6)
        await store.reviews.save_review("b", "second", 9)
        assert await store.reviews.review("a") == '{"text": "pūtahi"}'
        await store.reviews.prune_reviews(9)
        assert (await store.reviews.review("a"), await store.reviews.review("b")) == (None, "second")

    run(make, work)


def test_the_first_answer_to_a_puzzle_changes_the_ratings_and_later_ones_do_not(make: MakeStore) -> None:
    def rate(before: PuzzleRows) -> tuple[PuzzleStandingRow, PuzzleRatingRow]:
        answered = 1 + (before[0].answered if before[0] else 0)
        answers = 1 + (before[1].answers if before[1] else 0)
        standing = PuzzleStandingRow("h", "g", 1300.5, 90.0, answered, answered, answered, answered, 2**40)
        return standing, PuzzleRatingRow("p", 1450.25, 80.0, answers)

    def rate_other(before: PuzzleRows) -> tuple[PuzzleStandingRow, PuzzleRatingRow]:
        standing, rating = rate(before)
        return replace(standing, player="t"), rating

    async def work(store: Store) -> None:
        puzzles, first = store.puzzles, PuzzleAnswerRow("h", "g", "p", False, 2**40, 2**41, "card")
        assert await puzzles.puzzle_standing("h", "g") is None
        assert await puzzles.puzzle_rating("p") is None
        assert await puzzles.answer_puzzle(first, rate)
        again = PuzzleAnswerRow("h", "g", "p", True, 2**41, 2**42, "other card")
        assert not await puzzles.answer_puzzle(again, rate)
        assert await puzzles.puzzle_answers("h", "g") == [
            PuzzleAnswerRow("h", "g", "p", False, 2**40, 2**42, "other card")
        ]
        assert await puzzles.puzzle_answers("h", "other") == await puzzles.puzzle_answers("t", "g") == []
        assert await puzzles.puzzle_standing("h", "g") == rate((None, None))[0]
        assert await puzzles.answer_puzzle(replace(first, player="t"), rate_other)
        assert await puzzles.puzzle_rating("p") == PuzzleRatingRow("p", 1450.25, 80.0, 2)
        assert await puzzles.puzzle_standing("h", "g") == rate((None, None))[0]
        assert await puzzles.puzzle_standing("t", "g") == rate_other((None, None))[0]

    run(make, work)
