"""The games of an arena on a Ray cluster, one call for each game; bots with budgets in nodes play the same anywhere."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from kemu.bots.arena import Job, Played, Setting, play
from kemu.cluster.workers import ray_results


def cluster_games(setting: Setting, waiting: Iterator[Job], address: str) -> Iterator[Played]:
    """Every game of these jobs as it is finished, on the cluster at an address."""
    leaves = [json.dumps([asdict(setting), asdict(job)]) for job in waiting]
    for _, result, _ in ray_results(play_leaf, leaves, address):
        assert result is not None, "every job is a game"
        yield Played(**_with_tuples(json.loads(result)))


def play_leaf(leaf: str) -> str:
    """The game of a setting and a job, both as JSON."""
    setting, job = (_with_tuples(document) for document in json.loads(leaf))
    return json.dumps(asdict(play(Setting(**setting), Job(**job))))


def _with_tuples(document: dict[str, Any]) -> dict[str, Any]:
    """A document of JSON with tuples in the places of lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in document.items()}
