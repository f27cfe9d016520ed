"""Hints, threats and the study of a running match."""

from typing import Any

import pytest

from kemu.games import game
from kemu.server.http.advice import reason, threats
from kemu.server.http.responses import Threats
from kemu.server.http.study import StudyView, study
from tests.server.live_server import LiveServer

MOERAKI = game("moeraki-kemu", variant="beginner")


def _view(position: dict[str, Any]) -> Any:
    return MOERAKI.view(MOERAKI.decode(position), 0)


def test_threats_name_the_stones_that_win() -> None:
    stones = [["e7", "f8", "g7"], ["b2", "c11", "j2", "j8"]]
    view = _view({"ball": "f4", "stones": stones, "tane": [None, None], "turn": 0})
    assert threats(MOERAKI, view, 0) == Threats(["f6"], [])


def test_threats_name_the_only_stone_that_stops() -> None:
    stones = [["g11", "j8"], ["d4", "d6", "e5"]]
    view = _view({"ball": "f8", "stones": stones, "tane": [None, None], "turn": 0})
    assert threats(MOERAKI, view, 0) == Threats([], ["c5"])


def test_no_threats_where_seats_have_secrets() -> None:
    mauw = game("mauw", players=2)
    assert threats(mauw, mauw.view(mauw.initial(), 0), 0) == Threats([], [])


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
