"""The socket of an analysis board: lines step by step, one question at a time, limits, and no match behind it."""

from typing import Any

import jsonschema
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kemu.server.live import analysis
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, Socket, run_server
from tests.work.tasks import ENDLESS

PATH = "/api/analysis/socket"


def board(server: LiveServer, client: Client | None = None) -> Socket:
    """The socket of an analysis board, of a visitor without a cookie if no client is given."""
    return (client or server.client()).open_path(PATH)


def test_lines_come_with_scores_and_proofs_until_nothing_is_left(server: LiveServer) -> None:
    socket = board(server)
    name = socket.send(do="analyse", game="mu-torere", actions=["1-0", "8-1"], lines=8)
    frame = socket.until(type="analysis")
    assert frame["re"] == name
    assert frame["seat"] == 0
    assert {line["proven"] for line in frame["lines"]} <= {"draw", "win in 2", "loss in 1", "loss in 2"}
    assert all(line["pv"][0] == line["action"] and 0 <= line["score"] <= 1 for line in frame["lines"])
    assert socket.receive() == {"type": "finished", "re": name}


def test_every_message_keeps_to_the_schema(server: LiveServer) -> None:
    document = server.client().get("/api/analysis/schema")
    frames = {"$schema": document["$schema"], "$defs": document["$defs"], **document["frames"]}
    socket = board(server)
    socket.send(do="analyse", game="mu-torere")
    messages = [socket.until(type="analysis"), socket.until(type="finished")]
    socket.send(do="refute", game="mu-torere")
    messages += [socket.receive() for _ in range(3)]
    messages.append(socket.do(do="analyse", game="chess"))
    assert [message["type"] for message in messages] == [
        *("analysis", "finished", "refutation", "refutation", "finished", "refused"),
    ]
    for message in messages:
        jsonschema.validate(message, frames)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses that go on for ever; refutations are those of the engine."""
    monkeypatch.setitem(analysis._TASKS, analysis.Analyse, (ENDLESS, analysis.AnalysisFrame))


@pytest.mark.usefixtures("endless")
def test_another_question_replaces_the_one_before(server: LiveServer) -> None:
    socket = board(server)
    first = socket.send(do="analyse", game="mu-torere")
    assert socket.until(type="analysis")["re"] == first
    second = socket.send(do="refute", game="mu-torere")
    seen = [socket.receive() for _ in range(2)]
    while seen[-1]["type"] != "finished":
        seen.append(socket.receive())
    assert seen[-1]["re"] == second
    after = [message["re"] for message in seen]
    assert after == sorted(after, key=[first, second].index), "no frame of the first question after the second's"


@pytest.mark.usefixtures("endless")
def test_nothing_more_comes_after_stop(server: LiveServer) -> None:
    socket = board(server)
    first = socket.send(do="analyse", game="mu-torere")
    socket.until(type="analysis")
    socket.send(do="stop")
    refused = socket.send(do="refute", game="mu-torere", actions=["9-9"])
    messages: list[Any] = []
    while not messages or messages[-1]["re"] != refused:
        messages.append(socket.receive())
    assert messages[-1]["code"] == "parse-error"
    assert {message["re"] for message in messages[:-1]} <= {first}


def test_bad_questions_are_refused_with_code_and_sentence(server: LiveServer) -> None:
    socket = board(server)
    refused = socket.do(do="analyse", game="mauw")
    assert (refused["type"], refused["code"]) == ("refused", "illegal-action")
    assert refused["message"] == "The dealer is to act, so there is no action to find."
    assert socket.do(do="analyse", game="mu-torere", lines=33)["code"] == "parse-error"
    assert socket.do(do="analyse", game="mu-torere", match="m1")["code"] == "parse-error"
    assert socket.do(do="act", action="1-0", version=1)["code"] == "parse-error"
    with pytest.raises(InvalidStatus):
        server.socket(PATH + "/other")
    with pytest.raises(InvalidStatus):
        server.socket(PATH, {"origin": "http://elsewhere.example"})


@pytest.mark.usefixtures("endless")
def test_a_player_has_so_many_analyses_at_once_and_nobody_else_less() -> None:
    with run_server(Settings("memory", analysis_workers=1, analyses_per_player=1)) as server:
        hine = server.guest("Hine")
        one, two, other = board(server, hine), board(server, hine), board(server, server.guest("Tama"))
        one.send(do="analyse", game="mu-torere")
        one.until(type="analysis")
        assert two.do(do="analyse", game="mu-torere")["code"] == "too-many"
        assert other.do(do="analyse", game="mu-torere")["type"] == "analysis"


@pytest.mark.usefixtures("endless")
def test_the_end_of_a_session_ends_its_analysis(server: LiveServer) -> None:
    client = server.guest("Hine")
    socket = board(server, client)
    socket.send(do="analyse", game="mu-torere")
    socket.until(type="analysis")
    client.ask("DELETE", "/api/session")
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


def test_the_graph_of_a_small_solved_game_is_given_with_the_place_of_a_position(server: LiveServer) -> None:
    client = server.guest()
    answer = client.post("/api/analysis/graph", {"game": "mu-torere", "actions": ["4-0"]})
    assert len(answer["positions"]) == 86
    assert answer["positions"][0]["position"] == {"points": "BBBBWWWW.", "turn": 0}
    assert answer["at"] in answer["positions"][0]["after"], "as after 1-0, its image"
    won = [each for each in answer["positions"] if each["plies"] == 1]
    assert {each["result"] for each in won} == {"win"}
    assert all(any(answer["positions"][after]["plies"] == 0 for after in each["after"]) for each in won)
    refused = client.post("/api/analysis/graph", {"game": "mu-torere", "options": {"arms": 12}}, 400)
    assert refused["message"] == "With these options the game has more than 300 positions to draw."
    assert client.post("/api/analysis/graph", {"game": "mauw"}, 404)["code"] == "unknown-game"


def test_steps_are_shown_to_whoever_acts_with_positions_and_odds(server: LiveServer) -> None:
    body = {"game": "mauw", "options": {"players": 2}, "seat": "turn", "positions": True}
    first = server.client().post("/api/replay", body)["steps"][0]
    assert first["turn"] == -1
    assert sum(first["odds"]) == pytest.approx(1)
    assert len(first["odds"]) == len(first["actions"])
    dealt = ["~1", "~2", "~3", "~4", "~5", "~6", "~7", "~8"]
    step = server.client().post("/api/replay", {**body, "actions": dealt})["steps"][-1]
    assert step["view"]["seat"] == step["turn"] == 0
    assert step["view"]["hand"] == step["position"]["hands"][0]
    assert "odds" not in step


def test_the_dealer_goes_on_until_a_seat_is_to_act(server: LiveServer) -> None:
    body = {"game": "mauw", "options": {"players": 3}, "actions": ["~1", "~2"]}
    answer = server.client().post("/api/replay", {**body, "deal": True})
    assert answer["seats"] == 3
    assert len(answer["dealt"]) == 10
    assert [step["line"] for step in answer["steps"][3:]] == ["~?"] * 10, "a spectator sees no card"
    assert [step["turn"] for step in answer["steps"]] == [-1] * 12 + [0]
    again = server.client().post("/api/replay", {**body, "actions": ["~1", "~2", *answer["dealt"]], "deal": True})
    assert (again["steps"], again["dealt"]) == (answer["steps"], [])
    assert "dealt" not in server.client().post("/api/replay", body)


@pytest.mark.usefixtures("endless")
def test_one_address_has_so_many_analyses_at_once_however_many_guests_it_sends() -> None:
    with run_server(Settings("memory", analysis_workers=1, analyses_per_address=2)) as server:
        boards = [board(server, server.guest()) for _ in range(3)]
        for socket in boards[:2]:
            assert socket.do(do="analyse", game="mu-torere")["type"] == "analysis"
        refused = boards[2].do(do="analyse", game="mu-torere")
        assert refused["code"] == "too-many"
        assert "address" in refused["message"]
