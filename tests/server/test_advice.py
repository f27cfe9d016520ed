"""Hints, threats and the study of a running match."""

from typing import Any

import pytest

from kemu.bots import solution
from kemu.bots.threats import threats
from kemu.games import game
from kemu.server.http.advice import reason
from kemu.server.http.responses import Threats
from kemu.server.http.study import StudyView, study
from tests.outside_package import OutsideGame
from tests.server.live_server import LiveServer

MOERAKI = game("moeraki-kemu", variant="beginner")


def _view(position: dict[str, Any]) -> Any:
    return MOERAKI.view(MOERAKI.decode(position), 0)


def _found(view: Any) -> tuple[list[str], list[str]]:
    found = threats(MOERAKI, view)
    return [MOERAKI.format(each) for each in found.wins], [MOERAKI.format(each) for each in found.stops]


def test_threats_name_the_stones_that_win() -> None:
    stones = [["e7", "f8", "g7"], ["b2", "c11", "j2", "j8"]]
    assert _found(_view({"ball": "f4", "stones": stones, "tane": [None, None], "turn": 0})) == (["f6"], [])


def test_threats_name_the_only_stone_that_stops() -> None:
    stones = [["g11", "f6"], ["d4", "d6", "e5"]]
    assert _found(_view({"ball": "f8", "stones": stones, "tane": [None, None], "turn": 0})) == ([], ["c5"])


def test_a_stone_after_which_the_opponent_still_wins_is_no_defence() -> None:
    stones = [["g11", "j8"], ["d4", "d6", "e5"]]
    assert _found(_view({"ball": "f8", "stones": stones, "tane": [None, None], "turn": 0})) == ([], [])


def test_no_threats_where_seats_have_secrets() -> None:
    mauw = game("mauw", players=2)
    found = threats(mauw, mauw.view(mauw.initial(), 0))
    assert (found.wins, found.stops) == ((), ())


def test_mu_torere_is_told_by_its_solution() -> None:
    rules = game("mu-torere")
    state = rules.decode({"points": ".BWBBWWBW", "turn": 0})
    found = threats(rules, rules.view(state, 0))
    solved: Any = solution(rules)
    lost = [
        each
        for each in rules.actions(state)
        if solved.value(rules.apply(state, each)._replace(past=())).result == "win"
    ]
    assert found.stops == (tuple(each for each in rules.actions(state) if each not in lost) if lost else ())


def test_a_game_without_an_engine_is_searched_over_whole_turns(outside_game: OutsideGame) -> None:
    nim = game(outside_game.key)
    state = nim.initial()
    while nim.outcome(state) is None:
        seat = nim.turn(state)
        assert seat is not None
        found = threats(nim, nim.view(state, seat))
        after = {action: nim.apply(state, action) for action in nim.actions(state)}
        wins = tuple(each for each in after if (end := nim.outcome(after[each])) and end.winners == (seat,))
        assert found.wins == wins
        losing = [each for each in after if each not in wins and _wins_next(nim, after[each])]
        assert found.stops == (tuple(each for each in after if each not in losing) if losing else ())
        state = after[next(iter(after))]


def _wins_next(rules: Any, state: Any) -> bool:
    ends = (rules.outcome(rules.apply(state, each)) for each in rules.actions(state))
    return any(end is not None and end.winners == (rules.turn(state),) for end in ends)


@pytest.mark.parametrize(
    ("action", "choices", "why"), [("a", 1, "only"), ("a", 2, "wins"), ("b", 2, "stops"), ("c", 2, "best")]
)
def test_a_hint_says_why(action: str, choices: int, why: str) -> None:
    assert reason(Threats(["a"], ["b"]), action, choices) == why


def test_the_study_of_a_running_match_shows_no_choices_of_others() -> None:
    mauw = game("mauw", players=2)
    state, actions = mauw.initial(), []
    while mauw.turn(state) == -1:
        action = mauw.actions(state)[0]
        actions.append(mauw.format(action))
        state = mauw.apply(state, action)
    steps: list[Any] = list(study(mauw, None, actions, StudyView(1, running=True)).steps)
    assert [step.actions for step in steps] == [[]] * len(steps)
    assert study(mauw, None, actions, StudyView(0, running=True)).steps[-1].actions
    assert steps[-1].view["hand"] == sorted(actions[index][1:] for index in range(1, 8, 2))


def test_hints_and_threats_of_a_match_against_a_bot(server: LiveServer) -> None:
    hine = server.guest("Hine")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "8"}]
    match = hine.post("/api/matches", {"game": "mu-torere", "seats": seats})
    path = f"/api/matches/{match['id']}"
    assert hine.post(f"{path}/hint")["action"] in ("1-0", "4-0")
    assert hine.get(f"{path}/threats") == {"wins": [], "stops": []}
    assert server.guest("Tama").get(f"{path}/threats", status=409)["code"] == "no-hints"


def test_a_running_match_is_studied_through_own_eyes_only(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.post("/api/matches", {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]})
    path = f"/api/matches/{match['id']}"
    tama.post(f"{path}/join", {})
    assert len(hine.get(f"{path}/study?seat=0")["steps"]) == 1
    assert len(hine.get(f"{path}/study")["steps"]) == 1
    assert hine.get(f"{path}/study?seat=1", status=403)["code"] == "not-yours"
