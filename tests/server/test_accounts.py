"""What an account is protected by: names that imitate nobody, passwords that nobody tries first, cookies and tokens."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kemu.core.errors import ParseError
from kemu.people.names import clean_name
from kemu.server.settings import Settings
from tests.server.live_server import LiveServer, run_server
from tests.server.test_fair_play import account

DECEIVING = [
    *("Alice\u034f", "Alice\ufe0f", "Alice\U000e0101", "Al\u17b4ice", "Alice\u180b", "Alice\U0001d159"),
    *("Alice\U00016fe4", "Alice\ufffc", "a" + "\u0301" * 3, "Guest 7173", "GUEST7173", "guest #7", "Gu\u0435st 7173"),
]


@pytest.mark.parametrize("name", DECEIVING, ids=ascii)
def test_a_name_that_hides_heaps_or_is_a_guest_s_is_refused(name: str) -> None:
    with pytest.raises(ParseError):
        clean_name(name)


@pytest.mark.parametrize(
    "name", ["Hine", "M\u0101ui", "Vi\u1ec7t", "\u0e44\u0e17\u0e22", "Guest of honour", "\u05d3\u05d5\u05d3"], ids=ascii
)
def test_a_name_of_any_alphabet_is_accepted(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "password", ["password", "12345678", " " * 8, "Qwertzuiop", "aaaaaaaab", "Hine of words", "87654321"]
)
def test_a_password_that_others_try_first_is_refused(server: LiveServer, password: str) -> None:
    hine = server.guest()
    refused = hine.post("/api/account", {"name": "Hine of words", "password": password}, 409)
    assert refused["code"] == "weak-password"


def test_a_token_to_read_never_sees_a_key_that_writes(server: LiveServer) -> None:
    hine = account(server, "Hine of studies")
    study = hine.post("/api/studies", {"name": "Mine"}, 201)["id"]
    hine.ask("PUT", f"/api/studies/{study}/links", {"read": True, "write": True})
    token = hine.post("/api/tokens", {"label": "reads", "scope": "read"}, 201)["token"]
    reader = server.client({"authorization": f"Bearer {token}"})
    seen = reader.get(f"/api/studies/{study}")
    assert (seen["links"], seen["access"]) == (None, "read")
    assert reader.open_path(f"/api/studies/{study}/socket").until(type="opened")["access"] == "read"
    assert hine.get(f"/api/studies/{study}")["links"]["write"]


def test_answers_about_an_account_are_kept_nowhere(server: LiveServer) -> None:
    hine = account(server, "Hine of answers")
    for path in ("/api/me", "/api/sessions", "/api/tokens"):
        assert hine.request("GET", path).headers["cache-control"] == "no-store"


def test_behind_tls_the_cookie_is_of_this_host_alone_and_old_ones_are_read(tmp_path: Path) -> None:
    with run_server(Settings(f"sqlite:///{tmp_path / 'kemu.sqlite'}", secure_cookies=True)) as server:
        first = server.client().request("GET", "/api/me")
        name, _, value = first.headers["set-cookie"].partition(";")[0].partition("=")
        assert name == "__Host-kemu"
        me = first.json()["id"]
        for given in (f"__Host-kemu={value}", f"kemu={value}", f"kemu={'x' * 16}.{'y' * 43}; __Host-kemu={value}"):
            assert server.client({"cookie": given}).get("/api/me")["id"] == me, given


@pytest.mark.parametrize("harm", ["deleted", "damaged"])
def test_a_database_that_was_deleted_or_damaged_is_not_ready(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "kemu.sqlite"
    with run_server(Settings(f"sqlite:///{path}")) as server:
        client = server.client()
        assert client.get("/ready") == {"status": "ready"}
        if harm == "deleted":
            path.unlink()
        else:
            database: Any = server.parts.runtime.store.database
            database._failure(_corrupt())
        assert client.get("/ready", 503)["code"] == "unavailable"


def _corrupt() -> Exception:
    """The error of SQLite for a damaged file."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error
