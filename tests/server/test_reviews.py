"""Reviews over HTTP: step by step, kept, cancelled, and refused while a match is running."""

import json
from typing import Any

import pytest

from kemu.analysis.grades import Review
from kemu.core.record import Record
from kemu.server.http.routes.analysis import record_digest
from kemu.server.runtime import AnalysisAsker
from kemu.work.tasks import REVIEW, ReviewQuestion
from tests.server.live_server import Client, LiveServer, generous, run_server

RECORD: dict[str, Any] = {"kemu": 1, "game": "mu-torere", "options": {}, "actions": ["1-0", "8-1", "0-8", "7-0"]}


def lines(client: Client, method: str, path: str, body: Any = None) -> list[Any]:
    """All objects of a stream."""
    response = client.request(method, path, body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("application/x-ndjson")
    assert response.headers["x-accel-buffering"] == "no"
    return [json.loads(line) for line in response.text.splitlines()]


def finished(client: Client, **fields: Any) -> str:
    """A match that was given up after a few actions."""
    match: str = client.new_match("me", "me", **fields)["id"]
    socket = client.open(match)
    socket.until(type="full")
    for _ in range(4):
        socket.act(socket.latest["actions"][0], socket.latest["version"])
        socket.do(do="look", seat=socket.latest["turn"])
    socket.do(do="resign")
    return match


def test_a_record_is_reviewed_step_by_step_and_then_kept(server: LiveServer) -> None:
    hine = server.guest("Hine")
    made = lines(hine, "POST", "/api/reviews", {"record": RECORD})
    assert made[0]["phase"] == "first"
    found = Review.decode(made[-1]["review"])
    assert found.complete
    assert [action.action for action in found.actions] == RECORD["actions"]
    named = {**RECORD, "players": ["Hine", "Tama"]}
    [kept] = lines(server.guest("Tama"), "POST", "/api/reviews", {"record": named})
    assert (kept["phase"], kept["review"]) == ("kept", made[-1]["review"])


def test_a_finished_match_has_a_review_and_a_running_one_has_none(server: LiveServer) -> None:
    hine = server.guest("Hine")
    running = hine.new_match("me", "me")["id"]
    assert hine.get(f"/api/matches/{running}/review", 409)["code"] == "match-running"
    last = lines(hine, "GET", f"/api/matches/{finished(hine)}/review")[-1]
    assert last["review"]["result"]["reason"] == "resignation"
    assert len(last["review"]["actions"]) == 4


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"kemu": 1}, "parse-error"),
        ({**RECORD, "actions": ["9-9"]}, "parse-error"),
        ({**RECORD, "actions": ["3-0"]}, "illegal-action"),
        ({**RECORD, "game": "chess"}, "unknown-game"),
    ],
)
def test_what_is_no_record_is_refused_with_a_status(server: LiveServer, record: Any, code: str) -> None:
    response = server.guest("Hine").request("POST", "/api/reviews", {"record": record})
    assert response.status_code >= 400
    assert response.json()["code"] == code


def test_an_answer_of_a_retry_is_judged(server: LiveServer) -> None:
    hine = server.guest("Hine")
    judged = hine.post("/api/reviews/retry", {"record": RECORD, "ply": 0, "action": "1-0"}, 200)
    assert judged == {"action": "1-0", "loss": 0.0, "passed": True}
    assert (
        hine.post("/api/reviews/retry", {"record": RECORD, "ply": 0, "action": "3-0"}, 409)["code"] == "illegal-action"
    )
    assert hine.post("/api/reviews/retry", {"record": RECORD, "ply": 9, "action": "1-0"}, 400)["code"] == "bad-option"


def test_the_share_of_a_player_is_limited_and_free_again_when_nobody_waits() -> None:
    with run_server(generous("memory")) as server:
        hine, tama = server.guest("Hine"), server.guest("Tama")
        open_streams = [
            server.parts.analyses.stream(REVIEW, ReviewQuestion(RECORD), AnalysisAsker(hine.me["id"], "here"))
            for _ in range(8)
        ]

        async def begin() -> int:
            """How many streams the player may have."""
            begun = 0
            for stream in open_streams:
                try:
                    await anext(stream)
                    begun += 1
                except Exception:
                    break
            return begun

        async def end() -> None:
            for stream in open_streams:
                await stream.aclose()

        assert 0 < server.run(begin()) < 8
        assert hine.post("/api/reviews", {"record": RECORD}, 429)["code"] == "too-many"
        assert lines(tama, "POST", "/api/reviews", {"record": {**RECORD, "actions": ["1-0"]}})
        server.run(end())
        assert lines(hine, "POST", "/api/reviews", {"record": RECORD})


def test_a_review_that_nobody_reads_is_ended(server: LiveServer) -> None:
    hine = server.guest("Hine")
    record = {**RECORD, "actions": ["1-0", "8-1", "0-8"]}
    with hine.http.stream("POST", "/api/reviews", json={"record": record}) as response:
        assert next(response.iter_lines())
    # Its stream is closed with the connection: the same player may begin as many as before.
    for number in range(6):
        assert lines(hine, "POST", "/api/reviews", {"record": {**RECORD, "actions": RECORD["actions"][: number % 4]}})


def test_a_digest_is_of_what_a_review_depends_on() -> None:
    record = Record("mu-torere", {}, ("1-0",))
    assert record_digest(record) == record_digest(Record("mu-torere", {}, ("1-0",), ("Hine", "Tama")))
    assert record_digest(record) != record_digest(Record("mu-torere", {}, ("4-0",)))
    assert record_digest(record) != record_digest(Record("mu-torere", {"arms": 10}, ("1-0",)))
