"""The runner: one command at a time, saved before it counts, and nothing changed by what was refused or failed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from kemu.core.game import CHANCE, AnyGame
from kemu.games import game
from kemu.games.mu_torere.rules import MuTorere
from kemu.play.commands import (
    Accept,
    Act,
    Decline,
    Entry,
    Flagged,
    Join,
    Offer,
    Resign,
    SeatCommand,
    decode_entry,
    encode_entry,
)
from kemu.play.dealer import Dealer
from kemu.play.decide import TableRules, TableRunner, decide
from kemu.play.errors import AlreadyDone, MatchOver, StaleVersion
from kemu.play.runner import Answer, Decision, NoJournal, Runner
from kemu.play.table import Table, evolve, new_table
from kemu.play.terms import GameClock, NoClock, Player, Terms

HINE, TAMA = Player("h", "Hine"), Player("t", "Tama")


class SlowJournal:
    """A journal of a store that others write to as well; it answers when the test says so."""

    def __init__(self, stored: Sequence[Entry] = ()) -> None:
        self.stored = list(stored)
        self.waiting: list[tuple[int, Entry, Answer]] = []
        self.reading: list[Callable[[], None]] = []

    def append(self, before: Table, entry: Entry, after: Table, saved: Answer) -> None:
        self.waiting.append((after.version, entry, saved))

    def newer(self, table: Table, found: Callable[[Sequence[Entry]], None]) -> None:
        self.reading.append(lambda: found(self.stored[table.version :]))

    def commit(self, error: Exception | None = None, keep: bool = True) -> None:
        """Answer the append that waits: refuse it if its version is taken, else keep it."""
        version, entry, saved = self.waiting.pop()
        if version != len(self.stored) + 1:
            saved(StaleVersion("taken"))
            return
        if keep:
            self.stored.append(decode_entry(encode_entry(entry)))
        saved(error)

    def read(self) -> None:
        """Answer the read that waits."""
        self.reading.pop()()


def table_of(rules: AnyGame, clock: GameClock | None = None) -> tuple[Table, Entry]:
    """A match that has just started, and its first entry."""
    terms = Terms("m", rules.key, {}, "h", 0, clock or NoClock())
    empty = new_table(terms, rules)
    entry, table = decide(empty, Join(((0, HINE), (1, TAMA))), 0, Dealer(1))
    return table, entry


class Rig:
    """A runner with a slow journal, what it answered, and what its listener was given."""

    def __init__(self, clock: GameClock | None = None) -> None:
        table, first = table_of(game("mu-torere"), clock)
        self.time = 0
        self.journal = SlowJournal([first])
        self.answers: list[object] = []
        self.seen: list[tuple[int, int]] = []
        self.runner = TableRunner(table, TableRules(Dealer(1)), self.journal, lambda: self.time, self._listen)

    def _listen(self, before: Table, entry: Entry, after: Table) -> None:
        assert self.runner.document is after
        self.seen.append((before.version, after.version))

    def act(self, seat: int, action: str, name: str) -> None:
        """A seat's action, looking at the newest version."""
        player = (HINE, TAMA)[seat].id
        command = SeatCommand(seat, player, Act(name, self.runner.document.version, action))
        self.runner.submit(command, self.answers.append)


def test_the_table_changes_only_after_the_entry_is_saved_and_others_wait() -> None:
    rig = Rig()
    before = rig.runner.document
    rig.act(0, "1-0", "a")
    rig.act(1, "8-1", "b")
    assert rig.runner.document is before
    assert not rig.runner.idle
    assert len(rig.journal.waiting) == 1
    rig.journal.commit()
    assert rig.runner.document.version == 2
    done, late = rig.answers
    assert done is None
    assert isinstance(late, StaleVersion)  # it looked at the version before
    assert rig.runner.idle


def test_a_failed_append_keeps_the_very_same_table() -> None:
    rig = Rig()
    before = rig.runner.document
    rig.act(0, "1-0", "a")
    rig.journal.commit(OSError("no disk"), keep=False)
    assert rig.runner.document is before
    assert isinstance(rig.answers[0], OSError)
    rig.journal.read()
    assert rig.runner.document is before
    rig.act(0, "4-0", "b")
    rig.journal.commit()
    assert rig.answers[1:] == [None]


def test_an_append_that_was_kept_although_it_failed_is_found_and_not_done_twice() -> None:
    rig = Rig()
    rig.act(0, "1-0", "a")
    rig.journal.commit(OSError("connection lost"))
    rig.act(0, "1-0", "a")
    rig.journal.read()
    assert rig.runner.document.version == 2
    assert isinstance(rig.answers[1], AlreadyDone)
    assert rig.answers[1].version == 2


def test_when_another_process_was_first_its_entry_is_read_and_the_command_decided_again() -> None:
    rig = Rig()
    resign = SeatCommand(1, "t", Resign("r"))
    rig.journal.stored.append(decide(rig.runner.document, resign, 0, Dealer()).entry)
    rig.act(0, "1-0", "a")
    rig.journal.commit()
    assert rig.answers == []
    rig.journal.read()
    assert rig.runner.document.status == "finished"
    assert isinstance(rig.answers[0], MatchOver)
    assert rig.seen == [(1, 2)]


def test_what_others_appended_is_read_at_once_or_before_the_next_command() -> None:
    rig = Rig()
    offer = SeatCommand(1, "t", Offer("o", "draw"))
    rig.journal.stored.append(decide(rig.runner.document, offer, 0, Dealer()).entry)
    rig.runner.outdated()
    assert not rig.journal.reading
    rig.act(0, "1-0", "a")
    rig.journal.read()
    assert "draw" in rig.runner.document.offers
    rig.journal.commit()
    rig.runner.catch_up()
    rig.journal.read()
    assert rig.runner.document.version == 3


def test_time_that_was_up_before_a_command_ends_the_match_first() -> None:
    rig = Rig(GameClock(60))
    rig.act(0, "1-0", "a")
    rig.journal.commit()
    rig.time = 60_000
    rig.act(1, "8-1", "b")
    assert rig.journal.waiting[0][1].events == [Flagged(1)]
    rig.journal.commit()
    assert isinstance(rig.answers[1], MatchOver)


def test_a_fault_in_the_rules_is_answered_and_changes_nothing() -> None:
    @dataclass(frozen=True)
    class Broken(MuTorere):
        def apply(self, state: Any, action: Any) -> Any:
            raise ZeroDivisionError

    table, _ = table_of(Broken())
    answers: list[object] = []
    runner = TableRunner(table, TableRules(Dealer()), NoJournal(), lambda: 0)
    runner.submit(SeatCommand(0, "h", Act("a", 1, "1-0")), answers.append)
    assert isinstance(answers[0], ZeroDivisionError)
    assert runner.document is table
    runner.catch_up()
    assert runner.idle


def test_a_function_is_called_in_its_turn() -> None:
    rig = Rig()
    rig.act(0, "1-0", "a")
    rig.runner.call(lambda: rig.answers.append(rig.runner.document.version))
    assert rig.answers == []
    rig.journal.commit()
    assert rig.answers == [None, 2]


@dataclass(frozen=True)
class Counting(MuTorere):
    """Mū tōrere that counts how often its rules are run."""

    def apply(self, state: Any, action: Any) -> Any:
        APPLIED.append(action)
        return super().apply(state, action)


APPLIED: list[Any] = []


def test_the_rules_run_once_for_each_action_however_long_the_match() -> None:
    table, _ = table_of(Counting(repetition=False))
    runner = TableRunner(table, TableRules(Dealer()), NoJournal(), lambda: 0)
    APPLIED.clear()
    for number in range(200):
        rules, seat = runner.document.game, runner.document.turn
        assert seat is not None
        action = rules.format(rules.actions(runner.document.state)[0])
        player = (HINE, TAMA)[seat].id
        runner.submit(SeatCommand(seat, player, Act(str(number), runner.document.version, action)), lambda error: None)
        assert len(APPLIED) == number + 1
    assert runner.document.plies == 200


commands = st.one_of(
    st.builds(
        lambda name, version, number: (Act(name, version, ""), number),
        *(st.text("abc", min_size=1, max_size=2), st.integers(0, 40), st.integers(0, 30)),
    ),
    st.builds(
        lambda kind, what: (kind("x", what), 0),
        st.sampled_from([Offer, Accept, Decline]),
        st.sampled_from(["draw", "takeback", "rematch"]),
    ),
    st.just((Resign("r"), 0)),
)


@given(
    st.sampled_from(["mu-torere", "mauw"]), st.lists(st.tuples(commands, st.integers(0, 1), st.booleans()), max_size=25)
)
def test_refused_and_failed_commands_leave_the_same_object_and_replay_rebuilds_an_equal_table(
    key: str, steps: list[tuple[tuple[Any, int], int, bool]]
) -> None:
    table, first = table_of(game(key))
    journal = SlowJournal([first])
    runner = TableRunner(table, TableRules(Dealer(7)), journal, lambda: 0)
    for (command, number), seat, failing in steps:
        before = runner.document
        if isinstance(command, Act):
            texts = [before.game.format(action) for action in before.game.actions(before.state)] or ["none"]
            command = Act(command.id, max(command.version, before.version - 1), texts[number % len(texts)])
        answers: list[object] = []
        runner.submit(SeatCommand(seat, (HINE, TAMA)[seat].id, command), answers.append)
        if not journal.waiting:
            assert isinstance(answers[0], ValueError)
            assert runner.document is before
            continue
        assert runner.document is before
        journal.commit(OSError() if failing else None, keep=not failing)
        if failing:
            journal.read()
            assert runner.document is before
        else:
            assert runner.document.version == before.version + 1
    again = new_table(table.terms, table.game)
    for entry in journal.stored:
        again = evolve(again, decode_entry(encode_entry(entry)))
    assert again == runner.document
    assert all(ply.actor != CHANCE for ply in again.past()) or key == "mauw"


class Added(NamedTuple):
    """An entry of a sum: a number, and the command that added it."""

    number: int
    by: str = ""
    command: str = ""


class Sum(NamedTuple):
    """A document that is no match."""

    total: int
    version: int


class SumRules:
    """Adds numbers; the command is the entry itself."""

    def decide(self, document: Sum, command: Added, now: int) -> Decision[Sum, Added]:
        return Decision(command, self.evolve(document, command))

    def evolve(self, document: Sum, entry: Added) -> Sum:
        return Sum(document.total + entry.number, document.version + 1)

    def overdue(self, document: Sum, now: int) -> Added | None:
        return None

    def sender(self, command: Added) -> tuple[str, str]:
        return command.by, command.command


def test_any_document_with_decide_and_evolve_can_be_run() -> None:
    answers: list[object] = []
    runner: Runner[Sum, Added, Added] = Runner(Sum(0, 0), SumRules(), NoJournal(), lambda: 0)
    runner.remember(Added(9, "h", "before"), -1)  # of an entry that the document contains already
    for command in (Added(3, "h", "a"), Added(3, "h", "a"), Added(3, "t", "a"), Added(9, "h", "before")):
        runner.submit(command, answers.append)
    assert runner.document == Sum(6, 2)
    assert [answer.version if isinstance(answer, AlreadyDone) else answer for answer in answers] == [None, 1, None, -1]
