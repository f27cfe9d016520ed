"""A server on the database of an earlier version: everybody is still who they were, with all that is theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.live_server import LiveServer, generous, run_server
from tests.storage.earlier import GUEST_COOKIE, PASSWORD, TOKEN, unpack


@pytest.fixture(params=["0001", "0006"])
def upgraded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveServer]:
    """A server on a database of the first version, or of the one before 0.2."""
    unpack(request.param, tmp_path / "kemu.sqlite")
    with run_server(generous(f"sqlite:///{tmp_path}/kemu.sqlite")) as server:
        yield server


def test_an_account_signs_in_and_goes_on_where_it_was(upgraded: LiveServer) -> None:
    hine = upgraded.client()
    me = hine.post("/api/session", {"name": "Hine", "password": PASSWORD})
    [match] = hine.get("/api/matches?show=mine")
    assert match["outcome"]["reason"] == "resignation"
    assert [rating["matches"] for rating in hine.get(f"/api/players/{me['id']}")["ratings"]] == [1]
    tama = upgraded.client()
    tama.post("/api/session", {"name": "Tama", "password": PASSWORD})
    running = next(match for match in tama.get("/api/matches?show=mine") if match["status"] == "running")
    assert tama.open(running["id"]).until(type="full")["seat"] == 1


@pytest.mark.parametrize("upgraded", ["0006"], indirect=True)
def test_a_session_a_token_and_all_that_is_studied_are_kept(upgraded: LiveServer) -> None:
    guest = upgraded.client()
    guest.http.cookies.set("kemu", GUEST_COOKIE)
    assert guest.get("/api/me")["name"] == "Kea"
    assert len(guest.get("/api/matches?show=mine")) == 3
    assert guest.get("/api/puzzles/mu-torere/progress")["solved"] == 1
    program = upgraded.client({"authorization": f"Bearer {TOKEN}"})
    assert program.get("/api/me")["name"] == "Hine"
    [study] = program.get("/api/studies")
    assert study["name"] == "Endings"
    record = {"kemu": 1, "game": "mu-torere", "options": {}, "actions": ["1-0", "8-1"]}
    # The review that was kept is one of an older version, so that it is made anew, once.
    made, kept = (program.request("POST", "/api/reviews", {"record": record}).text for _ in range(2))
    assert '"phase":"first"' in made
    assert '"phase":"kept"' in kept
