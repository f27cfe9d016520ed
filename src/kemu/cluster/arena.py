"""The games of an arena on a Ray cluster, one call for all from one opening; budgets in nodes make them repeatable."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from kemu.bots.arena import Job, Played, Setting, play
from kemu.cluster.workers import ray_results


def cluster_games(setting: Setting, waiting: Iterator[Job], address: str) -> Iterator[Played]:
    """Every game of these jobs as it is finished, on the cluster at an address."""
    groups = groupby(waiting, lambda job: job.group)
    leaves = [json.dumps([asdict(setting), [asdict(job) for job in jobs]]) for _, jobs in groups]
    for _, result, _ in ray_results(play_leaf, leaves, address):
        assert result is not None, "every job is a game"
        yield from (Played(**_with_tuples(document)) for document in json.loads(result))


def play_leaf(leaf: str) -> str:
    """The games of a setting and some jobs, all as JSON."""
    document, jobs = json.loads(leaf)
    setting = Setting(**_with_tuples(document))
    return json.dumps([asdict(play(setting, Job(**_with_tuples(job)))) for job in jobs])


def _with_tuples(document: dict[str, Any]) -> dict[str, Any]:
    """A document of JSON with tuples in the places of lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in document.items()}
