"""Every route of study, as a player of a running match of MAUW may ask it: with the id of the match, and with its game.

Whatever names the match is refused or shows no cards. What names none must not depend on it: the answers from before
the deal and from within the match are the same.
"""

import json
from typing import Any, Final

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from tests.server.live_server import Client

PREFIXES: Final = ("/api/stud", "/api/replay", "/api/reviews", "/api/puzzles", "/api/analysis", "/api/explorer")
"""Of the routes of study; those of a match stand in KEYED too."""

RECORD: Final = {"kemu": 1, "game": "mauw", "options": {}, "actions": ["1"]}
CHAPTER: Final = {"name": "One", "game": "mauw", "root": {"children": []}}
POSITION: Final = {"game": "mauw"}

KEYED: Final[dict[tuple[str, str], Any]] = {
    ("GET", "/api/matches/{match}/review"): None,
    ("GET", "/api/matches/{match}/threats"): None,
    ("GET", "/api/matches/{match}/rescue?seat=0"): None,
    ("GET", "/api/matches/{match}/rescue?seat=1"): None,
    ("GET", "/api/studies/{study}"): None,
    ("DELETE", "/api/studies/{study}"): None,
    ("PUT", "/api/studies/{study}/links"): {"read": True, "write": True},
    ("POST", "/api/studies/{study}/edits"): {"edit": {"op": "rename", "name": "Mine"}},
    ("POST", "/api/studies/{study}/chapters"): {"text": json.dumps(CHAPTER)},
    ("GET", "/api/studies/{study}/file"): None,
    ("GET", "/api/studies/{study}/file?form=text"): None,
    ("GET", "/api/puzzles/{game}/{puzzle}"): None,
    ("POST", "/api/puzzles/{game}/{puzzle}/answer"): {"actions": ["1"]},
    ("POST", "/api/puzzles/{game}/{puzzle}/solution"): None,
}
"""By method and path, the body of a request; the id of the match stands for that of a study or a puzzle too."""

UNKEYED: Final[dict[tuple[str, str], Any]] = {
    ("GET", "/api/studies"): None,
    ("POST", "/api/studies"): {"text": json.dumps({"kemu-study": 1, "name": "Mine", "chapters": [{}]})},
    ("POST", "/api/replay"): {**POSITION, "seat": "turn", "positions": True, "text": True},
    ("POST", "/api/study"): {**POSITION, "seat": "turn", "positions": True, "text": True},
    ("POST", "/api/study/positions"): {"chapter": CHAPTER},
    ("POST", "/api/explorer"): {**POSITION, "scope": "mine"},
    ("POST", "/api/explorer/proved"): POSITION,
    ("POST", "/api/analysis/graph"): POSITION,
    ("GET", "/api/analysis/schema"): None,
    ("POST", "/api/reviews"): {"record": RECORD},
    ("POST", "/api/reviews/retry"): {"record": RECORD, "ply": 0, "action": "1"},
    ("GET", "/api/puzzles"): None,
    ("GET", "/api/puzzles/{game}/daily"): None,
    ("GET", "/api/puzzles/{game}/progress"): None,
}

DRAWN: Final = {("GET", "/api/puzzles/{game}/next"): None, ("GET", "/api/puzzles/{game}/offline"): None}
"""Answered by puzzles drawn at random."""


def ask(client: Client, routes: dict[tuple[str, str], Any], match: str = "") -> list[str]:
    """The answers to all of these requests, each behind its path."""
    answers = []
    for (method, path), body in routes.items():
        filled = path.format(match=match, study=match, puzzle=match, game="mauw")
        answers.append(f"{path} {client.request(method, filled, body).text}")
    return answers


def drawn_puzzles(client: Client) -> list[tuple[str, Any]]:
    """The ids and views of the puzzles that a client is given."""
    one = client.get("/api/puzzles/mauw/next")
    kept = [each["question"] for each in client.get("/api/puzzles/mauw/offline")]
    return [(each["id"], each["step"]["view"]) for each in (one, *kept)]


def is_shipped(puzzle: str, view: Any) -> bool:
    """Whether a view is that of a puzzle that comes with Kemu, and so of no match."""
    return bool(view == shipped_puzzles("mauw")[puzzle].found.position)
