"""Hints, threats, the rescue of a lost match, and the replay of a running match."""

from typing import Any

import pytest

from kemu.bots import solution
from kemu.bots.engines import threats
from kemu.core.record import replay
from kemu.games import game
from kemu.server.http.routes.analysis import reason
from kemu.server.http.routes.games import ReplayView, replay_steps
from kemu.work.tasks import Threats
from tests.outside_package import OutsideGame
from tests.server.live_server import Client, LiveServer, Socket

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
    assert reason(Threats(["a"], ["b"], ()), action, choices) == why


def test_the_study_of_a_running_match_shows_no_choices_of_others() -> None:
    mauw = game("mauw", players=2)
    state, actions = mauw.initial(), []
    while mauw.turn(state) == -1:
        action = mauw.actions(state)[0]
        actions.append(mauw.format(action))
        state = mauw.apply(state, action)
    steps: list[Any] = list(replay_steps(mauw, None, actions, ReplayView(1, running=True)).steps)
    assert [step.actions for step in steps] == [[]] * len(steps)
    assert replay_steps(mauw, None, actions, ReplayView(0, running=True)).steps[-1].actions
    assert steps[-1].view["hand"] == sorted(actions[index][1:] for index in range(1, 8, 2))


def test_hints_and_threats_of_a_match_against_a_bot(server: LiveServer) -> None:
    hine = server.guest("Hine")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "8"}]
    match = hine.post("/api/matches", {"game": "mu-torere", "seats": seats})
    path = f"/api/matches/{match['id']}"
    assert hine.post(f"{path}/hint")["action"] in ("1-0", "4-0")
    assert hine.get(f"{path}/threats") == {"wins": [], "stops": [], "threats": []}
    assert server.guest("Tama").get(f"{path}/threats", status=409)["code"] == "no-hints"


def test_a_running_match_is_studied_through_own_eyes_only(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.post("/api/matches", {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]})
    path = f"/api/matches/{match['id']}"
    tama.post(f"{path}/join", {})
    assert len(hine.get(f"{path}/replay?seat=0")["steps"]) == 1
    assert len(hine.get(f"{path}/replay")["steps"]) == 1
    assert hine.get(f"{path}/replay?seat=1", status=403)["code"] == "not-yours"


STOPPED_BY_J10 = ["@f6", "e9", "d8", "g7", "h6", "j2", "b2", "i11", "a3", "c1", "e7", "k9"]
"""A position of the master's game, Matau to move, in which everything but j10 loses."""

AWA = {"action": "j10", "cells": ["k9", "j10", "i11"], "missing": ["j10"], "reason": "awa"}


@pytest.fixture(scope="module")
def compiled() -> None:
    """The engine compiled on the disk: a worker that begins with an empty cache takes longer than it may."""
    master = game("moeraki-kemu", variant="master")
    state = replay_to(master, STOPPED_BY_J10)
    assert threats(master, master.view(state, 0)).stops


def replay_to(rules: Any, actions: list[str]) -> Any:
    """The state after some actions."""
    return list(replay(rules, actions))[-1]


@pytest.mark.usefixtures("compiled")
def test_the_only_defence_of_a_known_position_and_what_it_stops(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match, _ = played(hine, "moeraki-kemu", STOPPED_BY_J10, variant="master")
    assert hine.get(f"/api/matches/{match}/threats") == {"wins": [], "stops": ["j10"], "threats": [AWA]}


@pytest.mark.usefixtures("compiled")
def test_a_lost_match_tells_the_last_moment_at_which_it_could_be_saved(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match, socket = played(hine, "moeraki-kemu", [*STOPPED_BY_J10, "g5", "-"], variant="master")
    path = f"/api/matches/{match}/rescue"
    assert hine.get(f"{path}?seat=0", status=409)["code"] == "match-running"
    act_all(socket, ["j10"])
    rescue = hine.get(f"{path}?seat=0")["rescue"]
    view = rescue.pop("view")
    assert rescue == {"ply": 12, "saves": ["j10"], "taken": "g5", "threats": [AWA]}
    assert view["position"]["stones"][1] == ["c1", "j2", "g7", "e9", "k9", "i11"]
    assert hine.get(f"{path}?seat=1") == {"rescue": None}, "who has won was not to be saved"
    assert server.guest("Tama").get(f"{path}?seat=0", status=403)["code"] == "not-yours"


def test_mu_torere_is_saved_by_its_solution(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match, _ = played(hine, "mu-torere", ["1-0", "8-1", "0-8", "1-0", "8-1", "7-8"])
    rescue = hine.get(f"/api/matches/{match}/rescue?seat=0")["rescue"]
    assert (rescue["ply"], rescue["taken"], rescue["saves"]) == (4, "8-1", ["2-1"])
    assert {"action": "7-8", "cells": ["7", "8"], "missing": ["8"], "reason": "blocked"} in rescue["threats"]


def test_nobody_is_told_how_to_save_a_match_that_was_given_up(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match, socket = played(hine, "mu-torere", ["1-0"])
    socket.do(do="resign")
    assert hine.get(f"/api/matches/{match}/rescue?seat=1") == {"rescue": None}


@pytest.mark.usefixtures("compiled")
def test_a_lost_match_with_secrets_is_told_by_what_its_loser_knew(server: LiveServer) -> None:
    """What could have been is judged by the own cards and the own log, and told to the loser alone."""
    hine = server.guest("Hine")
    match = hine.new_match("me", "me", game="mauw", options={"players": 2})["id"]
    socket = hine.open(match)
    socket.until(type="full")
    while "outcome" not in socket.latest:
        if "actions" not in socket.latest:
            socket.do(do="look", seat=socket.latest["turn"])
        socket.act(socket.latest["actions"][0], socket.latest["version"])
    winners = socket.latest["outcome"]["winners"]
    for seat in (0, 1):
        rescue = hine.get(f"/api/matches/{match}/rescue?seat={seat}")["rescue"]
        assert rescue is None or seat not in winners
        if rescue is not None:
            assert rescue["chance"] >= 0.25
            assert rescue["view"]["seat"] == seat


def played(client: Client, key: str, actions: list[str], **options: Any) -> tuple[str, Socket]:
    """A match of a client with themselves after some actions, and a socket of it."""
    match = client.new_match("me", "me", game=key, options=options)["id"]
    socket = client.open(match)
    socket.until(type="full")
    act_all(socket, actions)
    return match, socket


def act_all(socket: Socket, actions: list[str]) -> None:
    """Take some actions, each for the seat on turn."""
    for action in actions:
        if "actions" not in socket.latest:
            socket.do(do="look", seat=socket.latest["turn"])
        socket.act(action, socket.latest["version"])
