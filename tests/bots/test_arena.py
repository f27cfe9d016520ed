"""The arena: who plays whom, that it repeats, and that it goes on where it was stopped."""

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import kemu
from kemu.bots.arena import Setting, jobs, play, results
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import options
from kemu.core.record import replay
from kemu.work.parallel import chosen_workers, results_alone


def setting(
    key: str = "mu-torere", entrants: tuple[str, ...] = ("random", "perfect"), openings: int = 3, opening: int = 0
) -> Setting:
    return Setting(key, options(kemu.game(key)), entrants, openings, opening)


def test_every_pair_sits_in_every_seat_with_every_starter_from_each_opening() -> None:
    all_jobs = list(jobs(setting("moeraki-kemu", ("1", "2", "random"), openings=2)))
    assert [job.number for job in all_jobs] == list(range(len(all_jobs)))
    sat = Counter((job.pair, job.seats, job.options["starter"]) for job in all_jobs)
    assert set(sat.values()) == {2}
    assert len(sat) == 3 * 2 * 2
    assert Counter(job.group for job in all_jobs) == Counter(dict.fromkeys(range(6), 4))


def test_neighbours_meet_only_each_other() -> None:
    chain = replace(setting(entrants=("1", "2", "3", "4")), neighbours=True)
    assert {job.pair for job in jobs(chain)} == {("1", "2"), ("2", "3"), ("3", "4")}


def test_at_a_table_of_four_one_meets_three_of_the_other_and_the_other_way_round() -> None:
    table = Setting("mauw", options(kemu.game("mauw", players=4)), ("greedy", "random"), 1)
    seatings = [job.seats for job in jobs(table)]
    assert Counter(seats.count("greedy") for seats in seatings) == {1: 4, 3: 4}
    assert len(set(seatings)) == 8


@pytest.mark.parametrize(
    ("entrants", "says"),
    [
        (("random",), "An arena needs at least two entrants."),
        (("3", "3"), "'3' is named twice; an entrant of a level can have another budget, such as 8@nodes=500."),
        (("3", "genius"), "mu-torere has no bot 'genius'"),
    ],
)
def test_entrants_that_cannot_play_are_refused_before_the_first_game(entrants: tuple[str, ...], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        next(jobs(setting(entrants=entrants)))


def test_the_games_of_a_group_begin_alike_and_repeat() -> None:
    chosen = setting("moeraki-kemu", ("1", "2"), openings=1, opening=5)
    first = [play(chosen, job) for job in jobs(chosen)]
    assert len({game.actions[:5] for game in first}) == 1
    assert [play(chosen, job) for job in jobs(chosen)] == first
    assert play(replace(chosen, seed=1), next(jobs(chosen))).actions[:5] != first[0].actions[:5]


def test_what_was_played_is_a_record_and_its_shares_are_its_outcome() -> None:
    chosen = setting(openings=6)
    for job, played in zip(jobs(chosen), results(chosen, None), strict=True):
        game = kemu.game("mu-torere", **job.options)
        *_, last = replay(game, played.actions)
        outcome = game.outcome(last)
        assert outcome
        assert outcome.reason == played.reason
        expected = {(): (0.5, 0.5), (0,): (1.0, 0.0), (1,): (0.0, 1.0)}[outcome.winners]
        assert played.shares == expected


def test_a_stopped_arena_goes_on_where_it_was(tmp_path: Path) -> None:
    chosen, file = setting(), tmp_path / "games.jsonl"
    whole = list(results(chosen, None))
    running = results(chosen, file)
    for _ in range(3):
        next(running)
    running.close()
    kept = file.read_text(encoding="utf-8")
    assert kept.count("\n") == 4
    file.write_text(kept[:-10], encoding="utf-8")  # a crash in the middle of a line
    assert sorted(results(chosen, file), key=lambda game: game.number) == whole
    # Now nothing is left to play.
    assert len(list(results(chosen, file))) == len(whole)
    with pytest.raises(ParseError, match="holds results of another setting"):
        list(results(replace(chosen, seed=5), file))
    file.write_text(kept.split("\n")[0] + "\n5\n\n", encoding="utf-8")
    with pytest.raises(ParseError, match="is not a file of results"):
        list(results(chosen, file))


def test_several_processes_play_the_same_games() -> None:
    chosen = setting(openings=2)
    together = sorted(results(chosen, None, partial(results_alone, chosen_workers(2))), key=lambda game: game.number)
    assert together == list(results(chosen, None))
