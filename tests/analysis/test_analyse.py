"""An analysis goes on step by step, knows only what the seat to act knows, and proofs can be walked to their end."""

import random
from itertools import islice, pairwise
from typing import Any

import pytest

import kemu
from kemu.analysis.analyse import LONGEST_MS, STEP_MS, analyse, refute, situation_of
from kemu.bots.engines import solution
from kemu.core.errors import IllegalAction, KemuError, OptionError, ParseError
from kemu.core.game import CHANCE, AnyGame
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import CARD_NAMES
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.mauw.games import playing
from tests.engines.moeraki.positions import position
from tests.games.mauw.twins import twins

Question = dict[str, Any]


def proved_win(question: Question) -> str:
    """The action of the best line, which must be proved to win, and what is proved of it."""
    for document in analyse(question):
        line = document["lines"][0]
        if line["proven"]:
            break
    assert line["proven"].startswith("win in "), line
    return str(line["action"])


def walk(game: AnyGame, question: Question, state: Any, seat: int) -> int:
    """Go through a proof: the winner's action, every answer, the reply to it, down to the end; counts the ends."""
    if (outcome := game.outcome(state)) is not None:
        assert outcome.winners == (seat,)
        return 1
    if game.turn(state) == seat:
        action = proved_win({**question, "position": game.encode(state)})
        return walk(game, question, game.apply(state, game.parse(action)), seat)
    ends = 0
    refutations = list(refute({**question, "position": game.encode(state)}))
    assert [each["answer"] for each in refutations] == [game.format(action) for action in game.actions(state)]
    assert [each["left"] for each in refutations] == list(range(len(refutations)))[::-1]
    for each in refutations:
        assert each["proven"].startswith("win in ")
        after = game.apply(state, game.parse(each["answer"]))
        if each["action"] is not None:
            after = game.apply(after, game.parse(each["action"]))
        ends += walk(game, question, after, seat)
    return ends


def test_a_won_position_is_walked_through_to_every_end() -> None:
    game = kemu.game("mu-torere", arms=12)
    solved: Any = solution(game)
    longest = max(solved, key=lambda state: solved.value(state).plies or 0)
    assert solved.value(longest) == ("win", 9)
    assert walk(game, {"game": "mu-torere", "options": {"arms": 12}}, longest, longest.position.turn) == 3


def test_every_answer_to_a_win_by_threats_is_refuted() -> None:
    game = MoerakiKemu("basic")
    state = position(game, "g7", "e5 e7 d8 c9", "a3 a5 k3 k5")
    question = {"game": "moeraki-kemu", "options": {"variant": "basic"}, "position": game.encode(state)}
    action = proved_win(question)
    lost = game.apply(state, game.parse(action))
    refutations = list(refute({**question, "position": game.encode(lost)}))
    assert [each["answer"] for each in refutations] == [game.format(each) for each in game.actions(lost)]
    assert all(each["proven"].startswith("win in ") for each in refutations)


def test_an_answer_that_holds_is_not_called_refuted() -> None:
    refutations = list(refute({"game": "mu-torere"}))
    assert [(each["answer"], each["proven"]) for each in refutations] == [("1-0", None), ("4-0", None)]


def test_an_analysis_ends_when_everything_is_proved() -> None:
    [document] = analyse({"game": "mu-torere", "lines": 8})
    assert {(line["action"], line["proven"], line["score"]) for line in document["lines"]} == {
        ("1-0", "draw", 0.5),
        ("4-0", "draw", 0.5),
    }


def test_each_step_has_searched_more_than_the_one_before() -> None:
    question = {"game": "moeraki-kemu", "actions": ["@f6", "e5", "f8"], "lines": 3}
    documents = list(islice(analyse(question), 4))
    assert [len(document["lines"]) for document in documents] == [3] * 4
    for before, after in pairwise(documents):
        assert after["nodes"] > before["nodes"]
        assert (after["depth"] or 0) >= (before["depth"] or 0)
        assert after["ms"] > before["ms"]
    assert documents[0]["lines"][0]["pv"][0] == documents[0]["lines"][0]["action"]
    assert LONGEST_MS > 100 * STEP_MS


def test_ownership_is_by_area_and_comes_once() -> None:
    question = {"game": "moeraki-kemu", "options": {"variant": "basic"}, "actions": ["@f6", "e5", "f8", "e7", "g9"]}
    first, second = islice(analyse(question), 2)
    assert len(first["ownership"]) == 52
    assert first["ownership"]["e6"] == -1, "two of the three hollows beside the ball"
    assert min(first["ownership"][area] for area in ("f9", "g8")) > 0.5
    assert "ownership" not in second


def test_how_a_game_is_expected_to_end_comes_once() -> None:
    actions = ["@f6", "e5", "f8", "e7", "g9"]
    first, second = islice(analyse({"game": "moeraki-kemu", "actions": actions}), 2)
    found = first["prediction"]
    assert 0 < found["score"] < 1
    assert abs(found["lead"]) < 5
    assert sum(ending["chance"] for ending in found["endings"]) == pytest.approx(1, abs=0.01)
    assert found["endings"][0]["reason"] == "marae"
    assert "prediction" not in second
    assert "prediction" not in next(analyse({"game": "moeraki-kemu"})), "before the ball lies"
    assert "prediction" not in next(analyse({"game": "mu-torere"}))


def test_a_seat_is_analysed_by_what_it_knows() -> None:
    """Twins differ in hidden cards only: the engine is given the same view, and the odds are the same."""
    source = random.Random(14)
    compared = 0
    for played, _ in islice(playing(3, 5), 40, None):
        game, state = played.game, played.state
        turn = game.turn(state)
        if turn is None or turn == CHANCE:
            continue
        other = next(twins(game, state, turn, source), None)
        if other is None:
            continue
        questions = [_question(game, game.encode(each)) for each in (state, other)]
        assert situation_of(questions[0])[2:] == situation_of(questions[1])[2:], "seat, view and log"
        one, two = (next(analyse(question)).get("odds") for question in questions)
        assert one == two
        if one:
            assert sum(one.values()) == pytest.approx(1)
            assert set(one) == set(CARD_NAMES)
            compared += 1
        if compared == 5:
            return
    pytest.fail("no twins to compare")


def _question(game: Mauw, document: Question) -> Question:
    return {"game": "mauw", "options": {"players": game.players}, "position": document}


@pytest.mark.parametrize(
    ("question", "kind", "sentence"),
    [
        ({"game": "mauw"}, IllegalAction, "The dealer is to act"),
        ({"game": "mu-torere", "actions": ["1-5"]}, KemuError, "Action 1"),
        ({"game": "mu-torere", "options": {"colour": 1}}, OptionError, "options"),
        ({"game": "mu-torere", "position": {"points": "BBBB"}}, ParseError, "turn"),
        ({"game": "mu-torere", "lines": 0}, ParseError, "'lines'"),
        ({"game": "mu-torere", "seat": 1}, ParseError, "seat"),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_a_sentence(question: Question, kind: Any, sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        next(analyse(question))
