"""Puzzles over HTTP: the solution stays here until it is needed, and the first answer counts, once."""

import json
from typing import Any
from urllib.parse import quote

from kemu.analysis.puzzles.puzzle import Puzzle, shipped_puzzle, shipped_puzzles
from tests.server.live_server import Client, LiveServer

GAME = "mu-torere"
PATH = f"/api/puzzles/{GAME}"


def long_puzzle() -> Puzzle:
    """A puzzle of several steps."""
    return next(each for each in shipped_puzzles(GAME).values() if len(each.found.steps) > 1)


def wrong_action(puzzle: Puzzle) -> str:
    return next(iter(puzzle.found.steps[0].refutations))


def answer(client: Client, puzzle: Puzzle, *actions: str) -> Any:
    return client.post(f"/api/puzzles/{puzzle.key}/{puzzle.id}/answer", {"actions": list(actions)}, 200)


def test_a_question_shows_a_position_and_all_choices_but_no_solution(server: LiveServer) -> None:
    hine = server.guest("Hine")
    question = hine.get(f"{PATH}/next", 200)
    puzzle = shipped_puzzle(GAME, question["id"])
    assert question["step"]["view"]["position"] == puzzle.found.position
    step = puzzle.found.steps[0]
    assert sorted(question["step"]["actions"]) == sorted([step.action, *step.refutations])
    assert question.keys().isdisjoint({"steps", "line", "tree", "solution", "refutations", "depth"})
    assert question["solved"] is None


def test_each_right_action_is_replied_to_and_the_last_one_solves(server: LiveServer) -> None:
    hine, puzzle = server.guest("Hine"), long_puzzle()
    steps = puzzle.found.steps
    for number in range(1, len(steps) + 1):
        reply = answer(hine, puzzle, *(step.action for step in steps[:number]))
        assert reply["right"]
        assert reply["done"] == reply["counted"] == (number == len(steps))
        assert (reply["solution"] is not None) == reply["done"]
        assert len(reply["steps"]) == 1 + len(steps[number - 1].replies)
    assert reply["solution"]["line"] == list(puzzle.line)
    assert reply["progress"]["streak"] == reply["progress"]["solved"] == 1
    assert reply["progress"]["rating"] > 1200


def test_the_first_puzzle_is_won_with_one_move_in_a_known_variant(server: LiveServer) -> None:
    hine = server.guest("Hine")
    path = "/api/puzzles/moeraki-kemu/next?met="
    question = hine.get(path + quote('[{"variant": "beginner"}]'), 200)
    assert question["options"]["variant"] == "beginner"
    assert question["goal"] == "win"
    for met in ("beginner", '{"variant": "beginner"}', '["beginner"]'):
        assert hine.get(path + quote(met), 400)["code"] == "parse-error"


def test_a_wrong_action_is_refuted_and_counts_once(server: LiveServer) -> None:
    hine, puzzle = server.guest("Hine"), long_puzzle()
    wrong = wrong_action(puzzle)
    reply = answer(hine, puzzle, wrong)
    assert (reply["right"], reply["done"], reply["counted"], reply["solution"]) == (False, True, True, None)
    assert reply["steps"][-1]["line"] == puzzle.found.steps[0].refutations[wrong]
    before = reply["progress"]
    again = answer(hine, puzzle, *(step.action for step in puzzle.found.steps))
    assert again["right"]
    assert not again["counted"]
    assert {**again["progress"], "due": 0} == {**before, "due": 0}
    assert hine.get(f"{PATH}/{puzzle.id}", 200)["solved"] is False


def test_giving_up_shows_the_solution_and_counts_as_failed(server: LiveServer) -> None:
    hine, puzzle = server.guest("Hine"), long_puzzle()
    solution = hine.post(f"{PATH}/{puzzle.id}/solution", None, 200)
    assert solution["line"] == list(puzzle.line)
    assert len(solution["steps"]) == 1 + len(puzzle.line)
    progress = hine.get(f"{PATH}/progress", 200)
    assert (progress["answered"], progress["solved"]) == (1, 0)
    hine.post(f"{PATH}/{puzzle.id}/solution", None, 200)
    assert hine.get(f"{PATH}/progress", 200)["answered"] == 1


def test_everybody_gets_the_same_puzzle_of_the_day(server: LiveServer) -> None:
    first, second = (server.guest(name).get(f"{PATH}/daily", 200) for name in ("Hine", "Tama"))
    assert first["id"] == second["id"]
    assert first["day"]


def test_a_theme_is_kept_to_and_an_unknown_one_refused(server: LiveServer) -> None:
    hine = server.guest("Hine")
    assert "defence" in hine.get(f"{PATH}/next?theme=defence", 200)["themes"]
    assert hine.get(f"{PATH}/next?theme=weather", 400)["code"] == "bad-option"
    assert hine.get("/api/puzzles/chess/next", 404)["code"] == "unknown-game"
    assert hine.get(f"{PATH}/nothing", 404)["code"] == "unknown-puzzle"


def test_an_impossible_answer_is_refused_and_counts_nothing(server: LiveServer) -> None:
    hine, puzzle = server.guest("Hine"), long_puzzle()
    path = f"{PATH}/{puzzle.id}/answer"
    for actions in (["9-9"], [puzzle.line[0], "9-9"], [wrong_action(puzzle), puzzle.line[0]]):
        assert hine.post(path, {"actions": actions}, 409)["code"] == "illegal-action"
    assert hine.get(f"{PATH}/progress", 200)["answered"] == 0


def test_the_offline_set_has_questions_with_solutions(server: LiveServer) -> None:
    kept = server.guest("Hine").get(f"{PATH}/offline", 200)
    assert len(kept) == 20
    for each in kept:
        assert each["solution"]["line"] == list(shipped_puzzle(GAME, each["question"]["id"]).line)
        assert each["solution"]["steps"][0] == each["question"]["step"]
    assert len(json.dumps(kept)) < 500_000


def test_a_puzzle_is_rated_by_accounts_that_have_answered_some(server: LiveServer) -> None:
    """Guests, and accounts made for it, could move every puzzle as they like."""
    puzzle, *others = list(shipped_puzzles(GAME).values())[5:30]

    def rating() -> int:
        shown: int = server.client().get(f"{PATH}/{puzzle.id}")["rating"]
        return shown

    first = rating()
    for _ in range(3):
        answer(server.guest(), puzzle, wrong_action(puzzle))
    hine, tama = server.guest(), server.guest()
    for name, client in (("Hine of the puzzles", hine), ("Tama of the puzzles", tama)):
        client.post("/api/account", {"name": name, "password": "a long password"}, 201)
    answer(tama, puzzle, wrong_action(puzzle))
    assert rating() == first
    for other in others:
        answer(hine, other, wrong_action(other))
    answer(hine, puzzle, wrong_action(puzzle))
    assert rating() > first
