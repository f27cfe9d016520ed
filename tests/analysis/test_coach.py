"""What a coach names: as deep as the opponent plays, at most three marks, and the last chance in games with secrets."""

from typing import Any

import pytest

import kemu
from kemu.analysis.coach import MOST_MARKS, coached, depth_for, last_chance
from kemu.bots.arena import Setting, dataset_jobs, play
from kemu.core.game import options
from kemu.core.record import replay
from kemu.engines.mauw.player import stakes

MOERAKI = kemu.game("moeraki-kemu", variant="beginner")


def _coached(stones: list[list[str]], depth: int | None, ball: str = "f8", turn: int = 0) -> Any:
    position = {"ball": ball, "stones": stones, "tane": [None, None], "turn": turn}
    return coached(MOERAKI, MOERAKI.view(MOERAKI.decode(position), turn), depth)


def _texts(actions: Any) -> list[str]:
    return [MOERAKI.format(each) for each in actions]


@pytest.mark.parametrize(
    ("levels", "depth"), [([], None), ([1], 1), ([2], 1), ([1, 3], 2), ([4], 2), ([2, 5], None), ([8], None)]
)
def test_a_coach_looks_as_deep_as_the_strongest_bot_plays(levels: list[int], depth: int | None) -> None:
    assert depth_for(levels) == depth


def test_the_plain_answer_to_what_completes_next_is_named_at_every_depth() -> None:
    for depth in (1, 2, None):
        found = _coached([["g11", "f6"], ["d4", "d6", "e5"]], depth)
        assert _texts(found.stops)[0] == "c5"
        assert [line.missing for line in found.lines] == [("c5",)]


def test_the_plain_answer_is_named_even_if_the_game_is_lost() -> None:
    found = _coached([["g11", "j8"], ["d4", "d6", "e5"]], 1)
    assert _texts(found.stops) == ["c5"]


def test_double_threats_and_forced_wins_are_told_against_those_who_can_play_them() -> None:
    double = [["c1", "b2", "c3", "h8", "i9", "j10"], ["d2", "a3", "b4", "j6", "a9", "i11"]]
    forced = [["c1"], ["a9"]]
    for stones, depths in ((double, (0, 2, 2)), (forced, (0, 0, 2))):
        for depth, count in zip((1, 2, None), depths, strict=True):
            found = _coached(stones, depth, "g5", 1)
            assert len(found.lines) == count
            assert len(found.stops) == (MOST_MARKS if count else 0)


def test_mu_torere_tells_what_can_be_blocked_next() -> None:
    rules = kemu.game("mu-torere")
    for text in (".BWBBWWBW", "BBBBWWWW."):
        view = rules.view(rules.decode({"points": text, "turn": 0}), 0)
        near, far = coached(rules, view, 1), coached(rules, view)
        assert len(near.stops) <= len(rules.actions(rules.decode({"points": text, "turn": 0})))
        assert set(far.stops) <= set(rules.actions(rules.decode({"points": text, "turn": 0})))


def test_the_last_chance_of_a_loser_of_mauw_is_what_it_knew_then() -> None:
    game = kemu.game("mauw", players=2)
    setting = Setting("mauw", options(game), ("1",), 1, seed=3)
    actions = play(setting, next(iter(dataset_jobs(setting)))).actions
    outcome = game.outcome(list(replay(game, actions))[-1])
    assert outcome is not None
    [winner] = outcome.winners
    assert last_chance(game, actions, options(game), winner) is None
    found = last_chance(game, actions, options(game), 1 - winner)
    if found is not None:
        assert found.chance >= 0.25
        assert found.better != actions[found.ply]


def test_the_stakes_of_an_action_of_mauw_are_told_in_points() -> None:
    game = kemu.game("mauw", players=2)
    setting = Setting("mauw", options(game), ("3",), 1, seed=5)
    actions, told = play(setting, next(iter(dataset_jobs(setting)))).actions, dict[str, int]()
    for state in list(replay(game, actions))[:-1]:
        if (seat := game.turn(state)) == -1 or seat is None:
            continue
        view = game.view(state, seat)
        for action in game.actions(state):
            found, text = stakes(game, view, action), game.format(action)
            assert all(points > 0 or name == "of" for name, points in found.items())
            assert ("joker" in found) == (text.startswith("m") or text == "!m")
            assert ("takes" in found) == ("of" in found)
            assert found.get("of") != seat
            told |= found
    assert {"gain", "takes", "of", "saves", "joker"} <= set(told)
