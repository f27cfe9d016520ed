"""A game of an arena as a leaf: the same game as in this process."""

import json
from dataclasses import asdict

from kemu.bots.arena import Setting, jobs, play
from kemu.cluster.arena import play_leaf


def test_a_leaf_is_the_game_of_its_job() -> None:
    setting = Setting("mu-torere", {}, ("random", "1"), 1)
    for job in jobs(setting):
        found = json.loads(play_leaf(json.dumps([asdict(setting), asdict(job)])))
        assert found == json.loads(json.dumps(asdict(play(setting, job))))
