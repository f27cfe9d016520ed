"""Questions to the engines in JSON: every kind of request, and bad ones that harm nobody."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import kemu
from kemu.analysis.analyse import answer, answer_text, kept_analyst
from kemu.core.document import Document
from kemu.engines.mauw.log import view_from_log
from kemu.games.mauw.rules import Mauw
from kemu.play.table import Table
from tests.bots.matches import random_game

DEAL = ["~1", "~?", "~2", "~?", "~7", "~?", "~m", "~?"]
STONES = {"id": 3, "game": "moeraki-kemu", "options": {"variant": "basic"}, "actions": ["@f6", "e5"]}


def ask(**request: Any) -> Document:
    found = json.loads(answer_text(json.dumps(request)))
    assert isinstance(found, dict)
    return found


def test_an_answer_has_exactly_the_promised_fields() -> None:
    answer = ask(**STONES, budget={"nodes": 1000}, lines=2)
    assert list(answer) == ["id", "action", "value", "lines", "nodes", "ms"]
    assert answer["id"] == 3
    assert [list(line) for line in answer["lines"]] == [["action", "value", "pv", "proven"]] * 2
    best = answer["lines"][0]
    assert (best["action"], best["value"], best["pv"][0]) == (answer["action"], answer["value"], answer["action"])
    assert answer["nodes"] <= 1100


def test_the_same_nodes_and_seed_give_the_same_answer_from_any_analyst() -> None:
    answers = [answer({**STONES, "budget": {"nodes": 700}, "seed": 4}) for _ in range(2)]
    kept_analyst.cache_clear()
    answers.append(ask(**STONES, budget={"nodes": 700}, seed=4))
    for found in answers:
        del found["ms"]
    assert answers[0] == answers[1] == answers[2]


def test_a_win_and_a_loss_are_proven() -> None:
    position = {"ball": "f6", "stones": [["c11", "b10", "k3"], ["d10", "a3", "b2"]], "tane": [None, None], "turn": 1}
    rules = {"game": "moeraki-kemu", "options": {"variant": "basic"}}
    won = ask(**rules, position=position)
    assert (won["action"], won["value"], won["lines"][0]["proven"]) == ("c1", 1.0, "win in 1")
    double = {**position, "stones": [["c11", "b10", "k9", "j10"], ["d10", "a3", "e1", "k5"]]}
    assert ask(**rules, position=double)["lines"][0]["proven"] == "loss in 1"


def test_mu_torere_is_told_from_its_solution() -> None:
    answer = ask(game="mu-torere", actions=["1-0"], lines=5)
    assert answer["lines"][0]["proven"] == "draw"
    assert answer["value"] == 0
    # Two plies before the end the table of the solver knows it all.
    game = kemu.game("mu-torere")
    lines = ask(game="mu-torere", position={"points": "BWBBWBWW.", "turn": 0}, lines=5)
    assert {line["action"] for line in lines["lines"]} == {
        game.format(action) for action in game.actions(game.decode({"points": "BWBBWBWW.", "turn": 0}))
    }


def test_a_level_answers_with_its_action_only() -> None:
    answer = ask(game="mu-torere", level=3, seed=1)
    assert answer["action"] in ("1-0", "4-0")
    assert (answer["value"], answer["lines"], answer["nodes"]) == (None, [], None)
    assert ask(game="mu-torere", level="3", seed=1)["action"] == answer["action"]


def test_mauw_is_asked_with_the_log_of_one_seat() -> None:
    answer = ask(game="mauw", seat=0, actions=DEAL, budget={"nodes": 100}, lines=3)
    assert len(answer["lines"]) == 3
    assert answer["nodes"] == 100
    assert ask(game="mauw", seat=0, actions=DEAL, level=2, seed=1)["action"]


def test_mauw_is_asked_with_a_whole_record_too() -> None:
    whole = [text.replace("?", "5") for text in DEAL]
    assert ask(game="mauw", actions=whole, budget={"nodes": 50})["action"]


def logs(players: int, seed: int) -> tuple[Table, list[str], int]:
    """A random game stopped where somebody is to act, the log of that seat, and the seat."""
    played = random_game(kemu.game("mauw", players=players), seed, random.Random(seed).randrange(10, 300))
    seat = played.turn or 0
    return played, [line for _, line in played.log(seat)], seat


@pytest.mark.parametrize("players", [2, 4])
def test_a_log_recalls_what_its_seat_sees(players: int) -> None:
    checked = 0
    for seed in range(25):
        match, log, seat = logs(players, seed)
        if match.turn is None:
            continue
        assert isinstance(match.game, Mauw)
        view: Any = match.game.view(match.state, seat)
        found: Any = view_from_log(match.game, seat, log)
        told = {field for field in view if view[field] != found[field]}
        tossed = "x" in log
        assert told <= ({"discards"} if tossed else set())
        assert sum(found["discards"].values()) == sum(view["discards"].values())
        checked += 1
        answer = ask(game="mauw", options={"players": players}, seat=seat, actions=log, budget={"nodes": 5})
        assert "error" not in answer, answer
        seen = ask(game="mauw", options={"players": players}, seat=seat, actions=log, view=view, budget={"nodes": 5})
        assert "error" not in seen, seen
    assert checked > 10


BAD: list[tuple[Document, str, str]] = [
    ({"game": "chess"}, "unknown-game", "There is no game 'chess'"),
    ({}, "parse-error", "A request needs a field 'game'."),
    ({"game": "mauw", "move": 1}, "parse-error", 'A request has no field "move"'),
    ({"game": "mu-torere", "options": {"arms": 5}}, "bad-option", "arms is an even number"),
    ({"game": "mu-torere", "options": {"key": 5}}, "bad-option", "mu-torere has no option 'key'"),
    ({"game": "mu-torere", "options": 5}, "parse-error", "'options' must be a JSON object"),
    ({"game": "mu-torere", "actions": ["2-0"]}, "illegal-action", "Action 1"),
    ({"game": "mu-torere", "actions": ["?"]}, "parse-error", "Action 1"),
    ({"game": "mu-torere", "actions": "1-0"}, "parse-error", "'actions' must be a list"),
    ({"game": "mu-torere", "actions": [], "position": {}}, "parse-error", "either 'actions' or 'position'"),
    ({"game": "mu-torere", "position": {}}, "parse-error", "A position needs a field 'points'"),
    ({"game": "mu-torere", "position": {"points": "BBWBWWWB.", "turn": 0}, "seat": 1}, "illegal-action", "Seat 0"),
    ({"game": "mu-torere", "budget": {}}, "parse-error", "'budget' must have either"),
    ({"game": "mu-torere", "budget": {"nodes": 0}}, "parse-error", "'nodes' must be a whole number"),
    ({"game": "mu-torere", "budget": {"nodes": 1, "ms": 1}}, "parse-error", "'budget' must have either"),
    ({"game": "mu-torere", "lines": 0}, "parse-error", "'lines' must be a whole number"),
    ({"game": "mu-torere", "level": 9}, "parse-error", "'level' must be a number from 1 to 8"),
    ({"game": "mu-torere", "level": True}, "parse-error", "'level' must be a number from 1 to 8"),
    ({"game": "mauw"}, "illegal-action", "The dealer is to act"),
    ({"game": "mauw", "actions": DEAL}, "parse-error", "needs a field 'seat'"),
    ({"game": "mauw", "actions": DEAL, "seat": 7}, "parse-error", "'seat' must be a whole number"),
    ({"game": "mauw", "actions": DEAL, "seat": 1}, "parse-error", "Seat 1 sees what it draws"),
    ({"game": "mauw", "actions": [*DEAL, "~?"], "seat": 0}, "illegal-action", "Action 9"),
    ({"game": "mauw", "actions": ["~?"] * 70, "seat": 0}, "illegal-action", "Action 9"),
    ({"game": "mauw", "actions": ["~z?"], "seat": 0}, "parse-error", "Action 1"),
    ({"game": "mauw", "view": {}, "seat": 0}, "parse-error", "'view' is not a view of mauw"),
    ({"game": "mauw", "view": 5, "seat": 0}, "parse-error", "'view' must be a JSON object"),
]


@pytest.mark.parametrize(("request_", "code", "says"), BAD)
def test_a_bad_request_is_answered_with_code_and_sentence(request_: Document, code: str, says: str) -> None:
    answer = ask(**{"id": "a", **request_})
    assert list(answer) == ["id", "error"]
    assert answer["id"] == "a"
    assert answer["error"]["code"] == code
    assert says in answer["error"]["message"]


def test_a_view_of_mauw_that_has_nothing_to_choose_is_refused() -> None:
    played = random_game(kemu.game("mauw"), 0, 20)
    seat = played.turn or 0
    view: Any = played.game.view(played.state, seat)
    other: Any = played.game.view(played.state, 1 - seat)
    for asked, says in (
        ({**view, "end": "limit"}, "The game is over, so that there is no action to find."),
        (other, f"Seat {1 - seat} is not to act."),
    ):
        answer = ask(game="mauw", view=asked, seat=asked["seat"])
        assert answer["error"] == {"code": "illegal-action", "message": says}


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "5", "[" * 100_000, "9" * 5000, '"\\ud800"'])
def test_what_is_no_request_is_refused_and_the_next_one_works(text: str) -> None:
    assert json.loads(answer_text(text))["error"]["code"] == "parse-error"
    assert json.loads(answer_text('{"game": "mu-torere"}'))["action"] in ("1-0", "4-0")


def test_a_game_that_is_over_has_nothing_to_find() -> None:
    game = kemu.game("mu-torere")
    over = random_game(game, 3)
    assert over.outcome
    answer = ask(game="mu-torere", actions=list(over.record().actions))
    assert answer["error"] == {
        "code": "illegal-action",
        "message": "The game is over, so there is no action to find.",
    }


def test_the_example_of_the_guide_is_what_happens() -> None:
    guide = (Path(__file__).parent.parent.parent / "docs" / "analyse.md").read_text(encoding="utf-8")
    requests, answers = (re.findall(rf"^{sign} (.*)$", guide, re.MULTILINE) for sign in "→←")
    assert len(requests) == len(answers) == 4
    for request, text in zip(requests, answers, strict=True):
        found, shown = json.loads(answer_text(request)), json.loads(text)
        for each in (found, shown):
            each.pop("ms", None)
            for line in each.get("lines", ()):
                del line["pv"][1:]
        assert found == shown
