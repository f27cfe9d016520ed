"""The client for programs: two of them meet, one plays a bot of the server, one watches."""

import threading
from pathlib import Path
from typing import Any

import pytest

from kemu.cli.app import app
from kemu.client import RefusedByServer, Server
from kemu.core.errors import OptionError
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer
from tests.server.test_bots_page import token

STRANGERS = Path(__file__).parents[1] / "strangers"
AGENT = f"{STRANGERS / 'kemu_strangers' / 'agents.py'}:Careful"


def play_into(outcomes: list[Any], server: Server, match: str) -> None:
    outcomes.append(server.play(match, AGENT, 1))


def play_both(match: str, first: Server, second: Server) -> Any:
    """The outcome of a match, as both players learn it."""
    outcomes: list[Any] = []
    opponent = threading.Thread(target=play_into, args=(outcomes, first, match))
    opponent.start()
    outcomes.append(second.play(match, AGENT, 2))
    opponent.join(PATIENCE_SECONDS)
    assert outcomes[0] == outcomes[1]
    return outcomes[0]


def test_two_agents_of_strangers_find_each_other_and_play_to_the_end(server: LiveServer) -> None:
    first, second = (Server(server.url, token(server, name)) for name in ("Agent one", "Agent two"))
    assert first.me()["name"] == "Agent one"
    rare = {"arms": 14, "flank": "opening"}  # no match of another test that is open has these options
    match = first.seek("mu-torere", rare)
    assert second.seek("mu-torere", rare) == match
    outcome = play_both(match, first, second)
    *_, last = second.stream(match, -2)
    assert last["match"]["outcome"] == outcome


def test_they_play_with_hidden_hands(server: LiveServer) -> None:
    first, second = (Server(server.url, token(server, name)) for name in ("Agent five", "Agent six"))
    match = first.new_match("mauw", [{"kind": "me"}, {"kind": "open"}])
    assert second.join(match) == match
    assert play_both(match, first, second)["scores"]


def test_an_agent_plays_a_bot_of_the_server(server: LiveServer) -> None:
    here = Server(server.url, token(server, "Agent three"))
    assert here.play(here.challenge("mu-torere", "1"), "8")["reason"]


def test_what_a_server_refuses_has_its_code(server: LiveServer) -> None:
    here = Server(server.url, token(server, "Agent four"))
    with pytest.raises(RefusedByServer) as refused:
        here.ask("GET", "/api/matches/nothing")
    assert refused.value.reason == "unknown-match"
    with pytest.raises(RefusedByServer, match="There is no server at"):
        Server("http://127.0.0.1:1", "t").me()
    with pytest.raises(OptionError, match="http://"):
        Server("localhost", "t")
    assert "connect" in app.commands
