"""Games of an arena as matches between bots, for `kemu import`: the explorer shows them as games of bots."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import msgspec

from kemu.bots.arena import Job, Played, Setting, jobs, read_results
from kemu.core.errors import ParseError
from kemu.core.record import replay
from kemu.games import game
from kemu.play.events import Acted, AnyEvent, Entry, Joined, Started
from kemu.play.local import bots_as_players
from kemu.play.table import new_table
from kemu.play.terms import Series, Terms
from kemu.storage.rows import document
from kemu.storage.transfer import ExportedMatch

PREFIX: Final = "a-"
"""Of the ids of such matches."""

ID_DIGITS: Final = 16


def is_results(path: Path) -> bool:
    """Whether a file begins like one of `kemu arena --results`."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        return "entrants" in msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False


def match_lines(path: Path) -> Iterator[bytes]:
    """The games of a file of results as lines of an export; the same game always has the same id. Raises ParseError."""
    setting, games = read_results(path)
    by_number = {job.number: job for job in jobs(setting)}
    at = round(path.stat().st_mtime * 1000)
    for played in games:
        if played.number not in by_number:
            raise ParseError(f"{path} has a game {played.number}, which is none of its setting.")
        yield _line(setting, by_number[played.number], played, at)


def _line(setting: Setting, job: Job, played: Played, at: int) -> bytes:
    """A finished match that is in no list, made at a time (ms)."""
    rules, players = game(setting.game, **job.options), bots_as_players(played.seats)
    name = hashlib.sha256(json.dumps([asdict(setting), played.number, played.actions]).encode()).hexdigest()
    terms = Terms(PREFIX + name[:ID_DIGITS], rules.key, job.options, "", at, series=Series(wins=(0,) * rules.seats))
    events: list[AnyEvent] = [Joined(seat, player) for seat, player in enumerate(players)]
    events.append(Started())
    for state, text in zip(replay(rules, played.actions), played.actions, strict=False):
        events.append(Acted(rules.turn(state) or 0, text))  # the import refuses an action after the end
    return msgspec.json.encode(ExportedMatch(document(new_table(terms, rules)), [Entry(at, events)]))
