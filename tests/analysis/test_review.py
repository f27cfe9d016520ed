"""Reviews of records: what is proved, what is lost, and what a seat could know."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

import kemu
from kemu.analysis.grades import Grade, ProofGrade, Review
from kemu.analysis.review import retry, review, review_steps
from kemu.bots.arena import Setting, jobs, play
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.game import Outcome, options
from kemu.core.manifest import Manifest
from kemu.core.record import Record, replay
from kemu.engines.analysis import Budget, Verdict
from kemu.games import register, unregister
from tests.outside_package import OutsideGame

MU_TORERE = Record("mu-torere", {}, ("1-0", "8-1", "0-8", "7-0"))
FEW = Budget(nodes=2_000)


def bot_game(key: str, level: str, number: int = 0, **chosen: object) -> Record:
    """A game of a level against itself and the random bot in turns, always the same."""
    setting = Setting(key, options(kemu.game(key, **chosen)), (level, "random"), number + 1, seed=5)
    job = list(jobs(setting))[-1]
    return Record(key, job.options, play(setting, job).actions)


def check_proofs(found: Review) -> None:
    """What is proved to lose is never praised where another action is not, and what was lost anyway never blamed."""
    for action in found.actions:
        if action.proof in (ProofGrade.GAVE_WIN, ProofGrade.THREW_DRAW, ProofGrade.ALLOWED_LOSS):
            assert action.hard or action.grade in (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)
        if action.proof == ProofGrade.LOST_ANYWAY:
            assert action.grade is None
            assert action.loss == 0


@pytest.fixture(scope="module")
def perfect() -> Review:
    return review(bot_game("mu-torere", "8"))


def test_a_solved_game_is_graded_by_its_solution(perfect: Review) -> None:
    check_proofs(perfect)
    proofs = [action.proof for action in perfect.actions]
    assert ProofGrade.THREW_DRAW in proofs
    thrown = perfect.actions[proofs.index(ProofGrade.THREW_DRAW)]
    assert (thrown.before, thrown.after, thrown.loss) == (0.5, 0.0, 50.0)
    assert (thrown.proved_before, thrown.proved_after and thrown.proved_after.result) == (Verdict("draw"), "loss")
    assert thrown.line[0] != thrown.action
    assert thrown.hard == (thrown.grade is None)
    assert perfect.turning_points[-1] >= thrown.ply
    assert perfect.actions[-1].proof == ProofGrade.KEPT_WIN
    assert perfect.expected[-1] in ((1.0, 0.0), (0.0, 1.0))


def test_a_mistake_is_punished_if_the_other_keeps_what_it_gave(perfect: Review) -> None:
    blunders = [action for action in perfect.actions if action.grade == Grade.BLUNDER]
    assert not blunders or blunders[-1].punished
    assert all(action.punished is None for action in perfect.actions if action.grade == Grade.BEST)


def test_a_review_repeats_and_survives_json(perfect: Review) -> None:
    assert review(bot_game("mu-torere", "8")) == perfect
    assert Review.decode(json.loads(json.dumps(perfect.encode()))) == perfect
    with pytest.raises(ParseError):
        Review.decode({**perfect.encode(), "actions": 7})
    with pytest.raises(ParseError):
        Review.decode({**perfect.encode(), "version": 99})


def test_the_first_graph_comes_after_a_quick_pass_and_the_whole_review_last() -> None:
    steps = list(review_steps(MU_TORERE))
    first = next(step for step in steps if step.review)
    assert (first.phase, first.done) == ("first", first.total)
    assert first.review is not None
    assert len(first.review.expected) == len(MU_TORERE.actions) + 1
    assert not first.review.complete
    assert steps[-1].review is not None
    assert steps[-1].review.complete
    assert {step.phase for step in steps} == {"first", "second", "checks"}


def test_unfinished_and_given_up_games_are_graded_to_their_last_action() -> None:
    assert review(Record("mu-torere", {})).actions == ()
    running = review(MU_TORERE)
    assert len(running.actions) == len(MU_TORERE.actions)
    assert running.result is None
    given_up = review(replace(MU_TORERE, result=Outcome((1,), "resignation")))
    assert given_up.result is not None
    assert (given_up.result.winners, given_up.result.reason) == ((1,), "resignation")
    assert given_up.actions == running.actions
    assert given_up.expected == running.expected


def test_a_record_that_is_none_is_refused() -> None:
    with pytest.raises(KemuError, match="Action 1"):
        review(Record("mu-torere", {}, ("3-0",)))
    with pytest.raises(OptionError, match="at most 2000 actions"):
        review(Record("mu-torere", {}, ("1-0",) * 2001))


def test_levels_of_moeraki_kemu_are_never_called_good_for_a_proved_blunder() -> None:
    for number in range(2):
        found = review(bot_game("moeraki-kemu", "3", number, variant="basic"), Budget(nodes=20_000))
        check_proofs(found)
        assert found.actions[-1].proof == ProofGrade.KEPT_WIN


def test_a_game_without_an_engine_is_searched_by_its_rules(outside_game: OutsideGame) -> None:
    found = review(bot_game(outside_game.key, "4"), Budget(nodes=60))
    assert found.complete
    assert all(action.grade or action.hard or action.loss == 0 for action in found.actions)
    assert found.actions[-1].proof == ProofGrade.KEPT_WIN


@pytest.fixture
def toss() -> Iterator[None]:
    register(Manifest("toss", "Toss", "a test", "", rules="tests.toss:Toss", text="tests.toss", hidden=True))
    yield
    unregister("toss")


@pytest.mark.usefixtures("toss")
def test_a_game_that_nothing_can_search_is_refused_in_a_sentence() -> None:
    with pytest.raises(OptionError, match="toss has no engine"):
        review(Record("toss", {}, ("h", "done")))


def twins_of(record: Record, actions: int) -> Iterator[Record]:
    """The first actions of a record with other cards drawn by seat 1, which the log of seat 0 cannot tell apart."""
    game = kemu.game(record.game, **record.options)

    def log(texts: tuple[str, ...]) -> list[str]:
        states = list(replay(game, texts))
        return [game.seen(state, game.parse(text), 0) for state, text in zip(states, texts, strict=False)]

    texts = record.actions[:actions]
    for at, text in enumerate(texts):
        if text.startswith("~") and log(texts)[at] == "~?":
            for card in "12345678sm":
                other = (*texts[:at], f"~{card}", *texts[at + 1 :])
                try:
                    if other != texts and log(other) == log(texts):
                        yield replace(record, actions=other)
                except KemuError:
                    continue


def test_cards_that_a_seat_cannot_see_do_not_change_its_grades() -> None:
    record = bot_game("mauw", "5", players=2)
    game = kemu.game("mauw", **record.options)
    plies = [ply for ply, state in enumerate(replay(game, record.actions)) if game.turn(state) == 0][:4]
    texts = plies[-1] + 1
    twins = list(twins_of(record, texts))
    assert len(twins) > 5
    reviews = [
        review(each, Budget(nodes=60)) for each in (replace(record, actions=record.actions[:texts]), *twins[::3])
    ]
    grades = [[action for action in found.actions if action.seat == 0] for found in reviews]
    assert len(grades[0]) == len(plies)
    assert all(other == grades[0] for other in grades)
    assert all(
        [scores[0] for scores in found.expected] == [scores[0] for scores in reviews[0].expected] for found in reviews
    )
    assert any(found.actions != reviews[0].actions for found in reviews), "the other seat knows its cards"


def test_an_answer_that_costs_little_passes_a_retry(perfect: Review) -> None:
    record = bot_game("mu-torere", "8")
    blunder = next(action for action in perfect.actions if action.proof == ProofGrade.THREW_DRAW)
    assert retry(record, blunder.ply, blunder.line[0]).passed
    again = retry(record, blunder.ply, blunder.action)
    assert (again.passed, again.loss) == (False, 50.0)
    with pytest.raises(KemuError):
        retry(record, blunder.ply, "1-1")
    with pytest.raises(OptionError):
        retry(record, 10_000, "1-0")


def test_a_retry_in_a_game_with_secrets_compares_actions_by_what_the_seat_knew() -> None:
    record = bot_game("mauw", "1", players=2)
    found = review(replace(record, actions=record.actions[:40]), FEW)
    action = next(each for each in found.actions if each.grade == Grade.BLUNDER)
    assert retry(record, action.ply, action.line[0], FEW).passed
    assert retry(record, action.ply, action.action, FEW).loss == action.loss


def test_equal_columns_are_graded_as_the_one_that_a_search_tells() -> None:
    record = bot_game("mauw", "5", players=2)
    found = review(replace(record, actions=record.actions[:60]), FEW)
    assert [action.loss for action in found.actions if action.loss is None] == []
