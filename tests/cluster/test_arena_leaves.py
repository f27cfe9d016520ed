"""Games of an arena as a leaf: the same as in this process."""

import json
from dataclasses import asdict

from kemu.bots.arena import Setting, jobs, play
from kemu.cluster.arena import play_leaf


def test_a_leaf_is_the_games_of_its_jobs() -> None:
    setting = Setting("mu-torere", {}, ("random", "1"), 1)
    games = list(jobs(setting))
    found = json.loads(play_leaf(json.dumps([asdict(setting), [asdict(job) for job in games]])))
    assert found == json.loads(json.dumps([asdict(play(setting, job)) for job in games]))
