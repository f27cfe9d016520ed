"""Results: each person against each opponent, people together once, and nothing said by who sits alone."""

from kemu.people.results import PEOPLE, EndedMatch, Result, results_of
from kemu.play.terms import Player

HINE, TAMA, ANA, BOT = Player("h", "Hine"), Player("t", "Tama"), Player("a", "Ana"), Player("bot:3", "3", "bot")


def test_a_win_of_one_is_a_loss_of_the_other() -> None:
    assert results_of(EndedMatch("mauw", (HINE, TAMA), (1,), rated=True, together=True)) == [
        Result("h", PEOPLE, "mauw", lost=1),
        Result("h", "t", "mauw", lost=1, rated=1, together=1),
        Result("t", "h", "mauw", won=1, rated=1, together=1),
        Result("t", PEOPLE, "mauw", won=1),
    ]


def test_a_draw_counts_for_both_and_a_bot_has_no_results_of_its_own() -> None:
    assert results_of(EndedMatch("mauw", (BOT, HINE), ())) == [Result("h", "bot:3", "mauw", drawn=1)]


def test_a_table_counts_once_against_people_and_losers_have_no_result_against_each_other() -> None:
    found = {(each.player, each.other): each for each in results_of(EndedMatch("mauw", (HINE, TAMA, ANA, BOT), (0,)))}
    assert found[("h", PEOPLE)] == Result("h", PEOPLE, "mauw", won=1)
    assert found[("t", PEOPLE)] == Result("t", PEOPLE, "mauw", lost=1)
    assert found[("h", "bot:3")].won == 1
    assert ("t", "a") not in found
    assert ("t", "bot:3") not in found
    shared = {(each.player, each.other): each for each in results_of(EndedMatch("mauw", (HINE, TAMA, ANA), (0, 1)))}
    assert shared[("h", "t")].drawn == shared[("h", PEOPLE)].drawn == shared[("h", "a")].won == 1
    assert shared[("a", PEOPLE)].lost == 1


def test_who_plays_alone_at_a_screen_has_no_results() -> None:
    assert results_of(EndedMatch("mauw", (HINE, HINE), (0,))) == []
