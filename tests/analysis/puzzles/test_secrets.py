"""A puzzle of MAUW is what one seat knows: in a twin, a game with other hidden cards, it is the same puzzle."""

import random

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from kemu.bots.arena import Job, Setting, play
from kemu.core.record import replay
from kemu.engines.mauw import puzzles as mauw_puzzles
from kemu.games.mauw.rules import Mauw
from tests.games.mauw.twins import twin

VIEW = {"drawer", *Mauw().view(Mauw().initial(), 0)}


def test_shipped_puzzles_hold_views_and_lines_that_hide_the_cards_of_others() -> None:
    for puzzle in shipped_puzzles("mauw").values():
        view = puzzle.found.position
        assert view.keys() <= VIEW
        assert view["seat"] == view["to_act"]
        assert all(isinstance(number, int) for number in view["hands"])
        assert isinstance(view["pile"], int)
        # Draws of other seats are in no line.
        assert "~?" in puzzle.found.log


def test_a_twin_gives_the_same_puzzle() -> None:
    rules = Mauw()
    played = play(Setting("mauw", {}, ("5", "5"), 1, 0, 3), Job(0, 0, ("5", "5"), ("5", "5"), {}))
    states = list(replay(rules, played.actions))
    shuffle = random.Random(4).shuffle
    compared = 0
    for number, state in enumerate(states[:40]):
        seat = rules.turn(state)
        choices = rules.actions(state)
        if seat is None or seat < 0 or len(choices) < mauw_puzzles.LEAST_CHOICE:
            continue
        log = [
            rules.seen(before, rules.parse(text), seat)
            for before, text in zip(states, played.actions[:number], strict=False)
        ]
        other = twin(state, seat, shuffle)
        one, two = (
            mauw_puzzles._puzzle(rules, rules.view(each, seat), log, rules.actions(each)) for each in (state, other)
        )
        assert one == two
        compared += 1
    assert compared > 5
