"""The explorer over HTTP: finished matches only, one's own, public ones and those of bots, added once."""

import threading
from typing import Any

import pytest

from kemu.analysis.explorer import Canonical, canonical
from kemu.core.game import AnyGame
from kemu.server.http.routes import analysis
from tests.server.live_server import Client, LiveServer


def explored(client: Client, scope: str, *actions: str, **fields: object) -> Any:
    return client.post("/api/explorer", {"game": "mu-torere", "scope": scope, "actions": actions, **fields}, 200)


def finish(server: LiveServer, *, public: bool, options: dict[str, Any] | None = None) -> Client:
    """A match in which one action is taken and the other side resigns, in the index; gives its host."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", public=public, options=options or {})["id"]
    tama.post(f"/api/matches/{match}/join", {})
    socket = hine.open(match)
    socket.until_version(2)
    socket.act("1-0", 2)
    assert explored(hine, "mine", options=options or {})["played"] == []  # it is still running
    other = tama.open(match)
    other.until(type="full")
    other.do(do="resign")
    server.run(server.parts.finished.run_once())
    return hine


def test_own_games_are_there_for_their_players_only(server: LiveServer) -> None:
    options = {"arms": 12}
    hine = finish(server, public=False, options=options)
    answer = explored(hine, "mine", options=options)
    assert answer == {"turn": 0, "played": [{"actions": ["1-0", "6-0"], "won": 1, "drawn": 0, "lost": 0}]}
    assert explored(server.guest(), "mine", options=options)["played"] == []
    for scope in ("public", "bots"):
        assert explored(hine, scope, options=options)["played"] == []


def test_public_games_are_there_for_everybody_and_are_added_once(server: LiveServer) -> None:
    options = {"arms": 10}
    finish(server, public=True, options=options)
    server.run(server.parts.finished.run_once())
    found = explored(server.client(), "public", options=options)["played"]
    assert found == [{"actions": ["1-0", "5-0"], "won": 1, "drawn": 0, "lost": 0}]
    # The image of the position has what was played in it.
    after = explored(server.client(), "public", "5-0", options=options)
    assert after == {"turn": 1, "played": []}


def test_a_game_with_hidden_cards_has_no_explorer(server: LiveServer) -> None:
    refused = server.client().post("/api/explorer", {"game": "mauw"}, 400)
    assert (refused["code"], refused["message"][:21]) == ("bad-option", "MAUW has no explorer:")


def test_an_illegal_action_is_refused(server: LiveServer) -> None:
    assert server.client().post("/api/explorer", {"game": "mu-torere", "actions": ["2-0"]}, 409)


def test_what_is_proved_stands_beside_it(server: LiveServer) -> None:
    """The one action of a position whose answer is forced: the solution of the game says how it ends."""
    body = {"game": "mu-torere", "position": {"points": "BBBBWWWW.", "turn": 0}, "actions": []}
    answer = server.client().post("/api/explorer/proved", body, 200)["proved"]
    assert answer == {"1-0": "draw", "4-0": "draw"}


def test_a_long_line_is_played_beside_the_event_loop(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand actions take long enough to hold up everybody's live play."""
    threads: list[int] = []

    def recorded(rules: AnyGame, state: object) -> Canonical:
        threads.append(threading.get_ident())
        return canonical(rules, state)

    async def loop_thread() -> int:
        return threading.get_ident()

    monkeypatch.setattr(analysis, "canonical", recorded)
    server.guest().post("/api/explorer", {"game": "mu-torere", "actions": ["1-0"]})
    assert len(threads) == 1
    assert threads != [server.run(loop_thread())]
