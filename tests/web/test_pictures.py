"""The pictures of the rules pages and the lessons of the courses show positions that the rules accept."""

import json
import runpy
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kemu
from kemu.core.game import AnyGame
from kemu.games.mauw.state import deck, write_counts

WEB = Path(__file__).parents[2] / "web"


@cache
def shown() -> dict[str, Any]:
    """By game, the sections, the picture and the lessons of the client."""
    node = runpy.run_path(str(WEB / "scripts" / "client.py"))["node"]()
    command = [node, "scripts/positions.mjs"]
    found: dict[str, Any] = json.loads(subprocess.run(command, cwd=WEB, capture_output=True, check=True).stdout)
    return found


def pictures(key: str) -> list[dict[str, Any]]:
    """The pictures of a game: those of its rules page, and the one that stands for it."""
    game = shown()[key]
    found = [section for section in game["sections"] if section.get("view")]
    return [*found, *([game["picture"]] if "picture" in game else [])]


def accepted(game: AnyGame, picture: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Decode the position of a picture, check its outcome, and return the view of it."""
    state = game.decode(document)
    outcome, drawn = game.outcome(state), picture.get("outcome")
    if drawn:
        assert outcome is not None, picture["key"]
        assert [list(outcome.winners), outcome.reason] == [drawn["winners"], drawn["reason"]]
        assert set(outcome.at) == set(drawn["at"])
    view: Any = game.view(state, 0)
    return dict(view)


def test_every_game_with_a_board_has_pictures_and_lessons() -> None:
    assert {key for key in shown() if pictures(key)} == set(kemu.game_keys())
    assert all(shown()[key]["lessons"] for key in kemu.game_keys())


def test_the_pictures_of_moeraki_kemu_are_views_of_their_positions() -> None:
    for picture in pictures("moeraki-kemu"):
        view, options = picture["view"], {"variant": "basic", **picture.get("options", {})}
        found = accepted(kemu.game("moeraki-kemu", **options), picture, view["position"])
        for each in (view, found):
            each["tiles"] = sorted(each["tiles"], key=lambda tile: str(tile["at"]))
        fields = ("barred", "sees", "tiles", *(["scores"] if view["scores"] else []))
        assert {field: view[field] for field in fields} == {field: found[field] for field in fields}


def test_the_pictures_of_mu_torere_are_positions_and_suggest_legal_moves() -> None:
    for picture in pictures("mu-torere"):
        document = picture["view"]["position"]
        game = kemu.game("mu-torere", repetition=False, arms=len(document["points"]) - 1)
        accepted(game, picture, document)
        if suggested := picture.get("suggested"):
            assert suggested in [game.format(action) for action in game.actions(game.decode(document))]


def filled(view: dict[str, Any], players: int) -> dict[str, Any]:
    """A whole position of MAUW with the zones of a picture, which may show only some cards of one hand."""
    left = Counter(write_counts(deck(players)))
    tops = [column["top"] for zone in view["zones"] for column in zone if column["top"]]
    left.subtract(["m" if top.startswith("m=") else top for top in tops])
    step = view["step"]
    left.subtract([step["play"][0]] if step else [])
    hands = [list(view["hand"] or []), *([] for _ in range(players - 1))]
    left.subtract(hands[0])
    mauw = sum(column["mauw"] for zone in view["zones"] for column in zone)
    rest = list(left.elements())
    assert min(left.values()) >= 0
    for hand in hands:
        while len(hand) < 4:
            hand.append(rest.pop())
    pile = dict(Counter(rest[mauw:]))
    document = {"hands": hands, "zones": view["zones"], "pile": pile, "discards": {}, "turn": view["turn"]}
    return {**document, "turns": view["turns"], **({"step": step} if step else {})}


def test_the_pictures_of_mauw_are_zones_and_hands_that_there_can_be() -> None:
    for picture in pictures("mauw"):
        view, players = picture["view"], len(picture["view"]["zones"])
        found = accepted(kemu.game("mauw", players=players), picture, filled(view, players))
        assert [view["worths"], view["scores"], view["end"]] == [found["worths"], found["scores"], found["end"]]


@pytest.mark.parametrize("key", kemu.game_keys())
def test_every_lesson_begins_with_a_position_that_the_rules_accept(key: str) -> None:
    for lesson in shown()[key]["lessons"]:
        game = kemu.game(key, **lesson.get("options", {}))
        position = lesson.get("position")
        assert position is None or game.decode(position) is not None, lesson["key"]
