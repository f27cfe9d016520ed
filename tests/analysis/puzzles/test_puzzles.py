"""Puzzles: the shipped sets, their proofs, how they are made, answered and trained with."""

import json
import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from kemu.analysis.puzzles import puzzle as making
from kemu.analysis.puzzles.puzzle import (
    Collection,
    Puzzle,
    check_puzzle,
    name_puzzle,
    puzzle_finder,
    puzzle_games,
    read_puzzle,
    shipped_puzzles,
    work_on_batch,
    write_puzzle,
)
from kemu.analysis.puzzles.trainer import (
    FIRST_PUZZLES,
    GlickoRating,
    PuzzleAnswer,
    Standing,
    Training,
    daily_puzzle,
    expected,
    familiar,
    judge,
    next_puzzle,
    rate,
    review,
)
from kemu.core.errors import IllegalAction, OptionError, UnknownGame
from kemu.engines.capabilities import PuzzleStep, UnsoundPuzzle
from kemu.engines.moeraki.puzzles import finder as moeraki_puzzles
from kemu.engines.moeraki.puzzles.endings import EndingPuzzles
from kemu.games.moeraki.rules import MoerakiKemu

DAY_MS = 24 * 60 * 60 * 1000
SAMPLE = 4
OPEN_GAMES = ["moeraki-kemu", "mu-torere"]


def a_sample(key: str) -> list[Puzzle]:
    return random.Random("puzzles").sample(list(shipped_puzzles(key).values()), SAMPLE)


@pytest.mark.parametrize("key", puzzle_games())
def test_shipped_puzzles_can_be_read_and_keep_their_form(key: str) -> None:
    themes = puzzle_finder(key).THEMES
    for puzzle in shipped_puzzles(key).values():
        assert read_puzzle(key, json.loads(json.dumps(write_puzzle(puzzle)))) == puzzle
        assert puzzle.found.steps
        assert set(puzzle.found.themes) <= set(themes)


@pytest.mark.parametrize("key", OPEN_GAMES)
def test_every_theme_of_an_open_game_is_shipped(key: str) -> None:
    """Tahuna, Awa, Ara, corner, quiet stone, Tane, flank trap, attack, defence and block among them."""
    assert {theme for each in shipped_puzzles(key).values() for theme in each.found.themes} == set(
        puzzle_finder(key).THEMES
    )


def test_as_many_puzzles_are_shipped_as_are_promised() -> None:
    assert len(shipped_puzzles("moeraki-kemu")) >= 1000
    assert len(shipped_puzzles("mauw")) >= 200
    assert len(tane_puzzles("T")) + len(tane_puzzles("-")) + len(tane_puzzles("")) >= 20


def tane_puzzles(first: str) -> list[Puzzle]:
    """The puzzles about a Tane that is placed (T) or kept (-), or about a stone that wins because of one."""
    about = [each for each in shipped_puzzles("moeraki-kemu").values() if "tane" in each.found.themes]
    texts = {each.id: each.found.steps[0].action for each in about}
    return [each for each in about if (texts[each.id][0] if texts[each.id][0] in "T-" else "") == first]


@pytest.mark.parametrize("first", ["T", "-", ""])
def test_a_puzzle_about_a_tane_is_found_again_and_would_be_another_without_it(first: str) -> None:
    puzzle = tane_puzzles(first)[0]
    game = puzzle.game
    assert isinstance(game, MoerakiKemu)
    state = game.decode(puzzle.found.position)
    assert moeraki_puzzles._ending(game, state) == puzzle.found
    check_puzzle(puzzle)
    if not first:
        basic = EndingPuzzles(replace(game, variant="basic"))
        only = basic.only_win(state._replace(tane=(None, None)))
        assert only is None or game.format(only[0]) != puzzle.found.steps[0].action


@pytest.mark.parametrize("key", OPEN_GAMES)
def test_every_action_of_a_shipped_puzzle_is_right_or_refuted(key: str) -> None:
    for puzzle in a_sample(key):
        game, state = puzzle.game, puzzle.game.decode(puzzle.found.position)
        for step in puzzle.found.steps:
            choices = {game.format(action) for action in game.actions(state)}
            assert choices == {step.action, *step.refutations}
            for wrong, reply in step.refutations.items():
                after = game.apply(state, game.parse(wrong))
                assert not reply or game.parse(reply) in game.actions(after)
            for text in (step.action, *step.replies):
                state = game.apply(state, game.parse(text))


@pytest.mark.parametrize("key", OPEN_GAMES)
def test_shipped_puzzles_are_proved_again(key: str) -> None:
    for puzzle in a_sample(key):
        check_puzzle(puzzle)
        assert name_puzzle(key, puzzle.found).id == puzzle.id


@pytest.mark.parametrize("key", OPEN_GAMES)
def test_a_puzzle_with_a_wrong_solution_is_unsound(key: str) -> None:
    puzzle = next(each for each in shipped_puzzles(key).values() if each.found.goal == "win")
    first = puzzle.found.steps[0]
    wrong = next(iter(first.refutations))
    refutations = {**first.refutations, first.action: wrong}
    del refutations[wrong]
    forged = replace(puzzle.found, steps=(PuzzleStep(wrong, (), refutations),))
    with pytest.raises(UnsoundPuzzle):
        check_puzzle(replace(puzzle, found=forged))


def test_symmetric_positions_are_the_same_puzzle() -> None:
    puzzle = next(iter(shipped_puzzles("mu-torere").values()))
    points = puzzle.found.position["points"]
    turned = {**puzzle.found.position, "points": points[1:-1] + points[0] + points[-1]}
    assert name_puzzle("mu-torere", replace(puzzle.found, position=turned)).id == puzzle.id


def test_a_seed_gives_the_same_puzzles_in_any_order_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "GAMES_PER_BATCH", 2)
    monkeypatch.setattr(making, "BATCHES_PER_ROUND", 3)
    made = []
    for way in (1, -1):
        collection = Collection("moeraki-kemu", 3, seed=5)
        batches = collection.next_batches()
        results = {batch: work_on_batch("moeraki-kemu", 5, batch) for batch in batches[::way]}
        collection.add({batch: text for batch, text in results.items() if text})
        made.append(collection.puzzles)
    assert made[0] == made[1]


def test_a_game_without_puzzles_is_refused() -> None:
    with pytest.raises(UnknownGame):
        puzzle_finder("chess")


def test_answers_are_judged_step_by_step() -> None:
    puzzle = next(each for each in shipped_puzzles("mu-torere").values() if len(each.found.steps) > 1)
    first, second, *_ = puzzle.found.steps
    begun = judge(puzzle, [first.action])
    assert (begun.right, begun.done, begun.replies) == (True, False, first.replies)
    wrong = next(iter(second.refutations))
    failed = judge(puzzle, [first.action, wrong])
    assert (failed.right, failed.done) == (False, True)
    assert failed.actions == (first.action, *first.replies, wrong, second.refutations[wrong])
    assert judge(puzzle, [step.action for step in puzzle.found.steps]).done
    for actions in ([], ["nothing"], [wrong, first.action], [step.action for step in puzzle.found.steps] * 2):
        with pytest.raises(IllegalAction):
            judge(puzzle, actions)


def test_ratings_move_towards_what_was_shown_and_become_surer() -> None:
    player, puzzle = GlickoRating(), GlickoRating(1500, 150)
    better, harder_no_more = rate(player, puzzle, solved=True)
    assert better.mean > player.mean
    assert harder_no_more.mean < puzzle.mean
    assert better.deviation < player.deviation
    worse, _ = rate(player, puzzle, solved=False)
    assert worse.mean < player.mean
    assert better.mean - player.mean > player.mean - worse.mean, "to fail was expected"
    assert expected(GlickoRating(1500, 50), GlickoRating(1500, 50)) == pytest.approx(0.5)
    assert better.deviation < better.after_days(365).deviation <= 350


def test_the_first_game_of_glickmans_example() -> None:
    # A player of 1500 with deviation 200 beats one of 1400, 30: g = 0.9955, E = 0.639 (Glickman, The Glicko system).
    player, _ = rate(GlickoRating(1500, 200), GlickoRating(1400, 30), solved=True)
    assert player.mean == pytest.approx(1563.4, abs=0.1)
    assert player.deviation == pytest.approx(175.2, abs=0.1)


def test_the_next_puzzle_is_new_near_the_rating_and_of_the_theme() -> None:
    puzzles, dice = shipped_puzzles("mu-torere"), random.Random(1)
    easy, hard = (next_puzzle(puzzles, rating, (), None, dice).found.grade for rating in (600, 2000))
    assert easy < hard
    assert "flank" in next_puzzle(puzzles, 1200, (), "flank", dice).found.themes
    only = next(iter(puzzles))
    assert next_puzzle(puzzles, 1200, puzzles.keys() - {only}, None, dice).id == only
    with pytest.raises(OptionError):
        next_puzzle(puzzles, 1200, (), "weather", dice)


def test_a_newcomer_gets_easy_wins_of_one_move_in_the_variants_that_are_known() -> None:
    dice, met = random.Random(1), [{"variant": "beginner"}]
    answers: dict[str, PuzzleAnswer] = {}
    for _ in range(FIRST_PUZZLES):
        puzzle = Training("moeraki-kemu", answers=answers).choose(None, 0, dice, met)
        assert (puzzle.found.goal, len(puzzle.found.steps)) == ("win", 1)
        assert puzzle.found.options["variant"] == "beginner"
        assert puzzle.found.grade <= 1100
        answers[puzzle.id] = PuzzleAnswer(True, "", 0)
    later = Training("moeraki-kemu", Standing(GlickoRating(1800.0, 90.0)), answers).choose(None, 0, dice, met)
    assert later.found.grade > 1500
    assert later.found.options["variant"] == "beginner"


def test_other_variants_come_when_nothing_of_the_known_ones_is_left() -> None:
    puzzles = shipped_puzzles("mu-torere")
    known = familiar(puzzles, [{"arms": 8}], ())
    assert {puzzle.found.options["arms"] for puzzle in known.values()} == {8}
    assert familiar(puzzles, [{"arms": 8}], set(known)) == puzzles
    assert familiar(puzzles, [], ()) == puzzles


def test_each_day_has_its_puzzle_and_none_comes_again_before_all_others() -> None:
    puzzles = shipped_puzzles("mu-torere")
    days = [daily_puzzle(puzzles, date(2026, 1, 1) + timedelta(number)).id for number in range(len(puzzles))]
    assert set(days) == set(puzzles)


def test_a_mistake_comes_back_sooner_than_what_was_known() -> None:
    failed, again = review(None, False, DAY_MS)
    _, known = review(None, True, DAY_MS)
    assert DAY_MS < again < known
    _, later = review(failed, True, again)
    assert later > again


def test_a_wrong_answer_ends_the_streak_and_the_longest_one_is_kept() -> None:
    standing, puzzle = Standing(), GlickoRating()
    for solved in (True, True, False, True):
        standing, puzzle = standing.after_answer(puzzle, solved, DAY_MS)
    assert (standing.answered, standing.solved, standing.streak, standing.best) == (4, 3, 1, 2)
