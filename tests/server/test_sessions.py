"""Sessions: begun, rotated, listed and ended, with their sockets; tokens and what they may not do."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute
from websockets.exceptions import ConnectionClosed

from kemu.server.http.requests import PLAY, READ
from tests.server.live_server import Client, LiveServer, Socket, generous, run_server

PASSWORD = "a long password"
SIGNED_OUT = 4401
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def account(server: LiveServer, name: str) -> Client:
    """A client of a new account."""
    client = server.guest()
    client.me = client.post("/api/account", {"name": name, "password": PASSWORD}, 201)
    return client


def copy_of(client: Client, server: LiveServer) -> Client:
    """Somebody who has a copy of the client's cookie."""
    thief = server.client()
    thief.http.cookies.set("kemu", client.http.cookies["kemu"])
    return thief


def signed_in(server: LiveServer, name: str) -> Client:
    """Another device of an account."""
    client = server.client()
    client.post("/api/session", {"name": name, "password": PASSWORD})
    return client


def end_of(socket: Socket) -> int | None:
    """The code with which the server closes, after the sentence why."""
    socket.until(type="refused", code="session-ended")
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_a_session_is_not_taken_over_with_another_secret(server: LiveServer) -> None:
    hine = account(server, "Hine whose session is known")
    assert hine.get("/api/me")["id"] == hine.me["id"]  # the session is in the cache now
    session = hine.http.cookies["kemu"].partition(".")[0]
    thief = server.client()
    thief.http.cookies.set("kemu", f"{session}.{'0' * 43}")
    assert thief.get("/api/me")["id"] != hine.me["id"]


def test_a_cookie_is_worth_nothing_after_logout(server: LiveServer) -> None:
    hine = account(server, "Hine who leaves")
    thief = copy_of(hine, server)
    assert thief.get("/api/me")["id"] == hine.me["id"]
    socket = thief.open(hine.new_match("me", "open")["id"])
    socket.until(type="full", seat=0)
    hine.ask("DELETE", "/api/session", status=204)
    assert end_of(socket) == SIGNED_OUT
    assert thief.get("/api/me")["id"] != hine.me["id"]


def test_every_sign_in_has_a_session_of_its_own_and_ends_the_one_before(server: LiveServer) -> None:
    hine = account(server, "Hine of two devices")
    other = server.guest()
    before = copy_of(other, server)
    other.post("/api/session", {"name": "Hine of two devices", "password": PASSWORD})
    assert other.http.cookies["kemu"] != hine.http.cookies["kemu"]
    assert before.get("/api/me")["id"] not in (other.me["id"], hine.me["id"])


def test_becoming_an_account_changes_the_secret_and_keeps_the_sockets(server: LiveServer) -> None:
    hine = server.guest("Hine")
    thief = copy_of(hine, server)
    socket = hine.open(hine.new_match("me", "open")["id"])
    socket.until(type="full", seat=0)
    hine.post("/api/account", {"name": "Hine who rotates", "password": PASSWORD}, 201)
    assert thief.get("/api/me")["id"] != hine.me["id"]
    assert hine.get("/api/me")["id"] == hine.me["id"]
    assert socket.do(do="ping")["type"] == "pong"


def test_a_new_password_needs_the_old_one_and_ends_all_other_sessions(server: LiveServer) -> None:
    hine = account(server, "Hine with a new password")
    phone, thief = signed_in(server, "Hine with a new password"), copy_of(hine, server)
    match = hine.new_match("me", "open")["id"]
    mine, theirs = hine.open(match), phone.open(match)
    for socket in (mine, theirs):
        socket.until(type="full", seat=0)
    body = {"old": "not the password", "password": "another password"}
    assert hine.ask("PUT", "/api/account/password", body, 401)["code"] == "not-signed-in"
    assert phone.get("/api/me")["id"] == hine.me["id"]
    hine.ask("PUT", "/api/account/password", {**body, "old": PASSWORD}, 204)
    assert end_of(theirs) == SIGNED_OUT
    assert mine.do(do="ping")["type"] == "pong"
    for lost in (phone, thief):
        assert lost.get("/api/me")["id"] != hine.me["id"]
    assert hine.get("/api/me")["id"] == hine.me["id"]
    again = {"name": "Hine with a new password", "password": PASSWORD}
    assert server.client().post("/api/session", again, 401)["code"] == "not-signed-in"
    assert server.client().post("/api/session", {**again, "password": "another password"})["id"] == hine.me["id"]


def test_an_account_cannot_be_made_anew_to_change_its_password(server: LiveServer) -> None:
    hine = account(server, "Hine who registers twice")
    body = {"name": "Hine who registers twice", "password": "another password"}
    assert hine.post("/api/account", body, 409)["code"] == "account-exists"


def test_sessions_are_listed_by_device_and_revoked_with_their_sockets(server: LiveServer) -> None:
    hine = account(server, "Hine who revokes")
    phone = server.client({"user-agent": FIREFOX})
    phone.post("/api/session", {"name": "Hine who revokes", "password": PASSWORD})
    phone.get("/api/me")
    socket = phone.open(hine.new_match("me", "open")["id"])
    socket.until(type="full", seat=0)
    mine, other = hine.get("/api/sessions")
    assert (mine["current"], other["current"], other["device"]) == (True, False, "Firefox, Linux")
    assert set(other) == {"id", "device", "created", "used", "current"}
    assert other["used"] >= other["created"]
    stranger = server.guest()
    assert stranger.ask("DELETE", f"/api/sessions/{other['id']}", status=404)["code"] == "unknown-session"
    hine.ask("DELETE", f"/api/sessions/{other['id']}", status=204)
    assert end_of(socket) == SIGNED_OUT
    assert phone.get("/api/me")["id"] != hine.me["id"]
    assert [session["id"] for session in hine.get("/api/sessions")] == [mine["id"]]


def test_all_other_sessions_end_at_once(server: LiveServer) -> None:
    hine = account(server, "Hine who ends all")
    others = [signed_in(server, "Hine who ends all") for _ in range(3)]
    hine.ask("DELETE", "/api/sessions", status=204)
    assert all(other.get("/api/me")["id"] != hine.me["id"] for other in others)
    assert len(hine.get("/api/sessions")) == 1


def test_a_guest_has_a_session_and_can_end_it(server: LiveServer) -> None:
    guest = server.guest("Visitor")
    (session,) = guest.get("/api/sessions")
    assert session["current"]
    thief = copy_of(guest, server)
    guest.ask("DELETE", "/api/session", status=204)
    assert thief.get("/api/me")["id"] != guest.me["id"]


def test_secrets_are_not_in_the_database(tmp_path: Path) -> None:
    path = tmp_path / "kemu.sqlite"
    with run_server(generous(f"sqlite:///{path}")) as server:
        hine = account(server, "Hine")
        token = hine.post("/api/tokens", {"label": "bot"}, 201)["token"]
        secrets = [
            hine.http.cookies["kemu"].split(".")[1],
            token.split("_", 2)[2],
            *hine.me["recovery_codes"],
            PASSWORD,
        ]
    stored = "\n".join(sqlite3.connect(path).iterdump())
    assert "Hine" in stored
    assert not [secret for secret in secrets if secret in stored or secret.replace("-", "") in stored]
    assert "'cookies'" not in stored  # no key that would make cookies


# Across processes.


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two servers on one database."""
    with ExitStack() as stack:
        yield stack.enter_context(run_server(generous(postgres))), stack.enter_context(run_server(generous(postgres)))


def test_a_socket_at_another_process_ends_with_its_session_or_token(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine = account(here, "Hine")
    match = hine.new_match("me", "open")["id"]
    made = hine.post("/api/tokens", {"label": "bot"}, 201)
    phone, program = signed_in(there, "Hine"), there.client({"authorization": f"Bearer {made['token']}"})
    sockets = phone.open(match), program.open(match)
    for socket in sockets:
        socket.until(type="full", seat=0)
    hine.ask("DELETE", f"/api/tokens/{made['id']}", status=204)
    assert end_of(sockets[1]) == SIGNED_OUT
    hine.ask("PUT", "/api/account/password", {"old": PASSWORD, "password": "another password"}, 204)
    assert end_of(sockets[0]) == SIGNED_OUT
    assert phone.get("/api/me")["id"] != hine.me["id"]
    assert copy_of(hine, there).get("/api/me")["id"] == hine.me["id"]


def test_a_lost_notification_of_an_end_is_made_up_for(server: LiveServer) -> None:
    hine = account(server, "Hine who is not announced")
    socket = hine.open(hine.new_match("me", "open")["id"])
    socket.until(type="full", seat=0)
    sessions = server.parts.runtime.store.sessions
    server.run(sessions.delete_sessions(hine.me["id"]))  # as another process does whose notification is lost
    server.run(server.parts.connections.check_credentials())
    assert end_of(socket) == SIGNED_OUT


# Tokens.


def test_no_request_is_open_to_tokens_unless_it_says_so(server: LiveServer) -> None:
    hine = account(server, "Hine with many tokens")
    bearers = {
        scope: server.client(
            {"authorization": "Bearer " + hine.post("/api/tokens", {"label": "x", "scope": scope}, 201)["token"]}
        )
        for scope in ("play", "read")
    }
    refused: dict[str, set[str]] = {"play": set(), "read": set()}
    for route in server.app.api.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            if "caller" not in handler.parsed_fn_signature.parameters:
                continue
            method = next(iter(handler.http_methods - {"OPTIONS"}))
            for scope, client in bearers.items():
                response = client.request(method, route.path.replace("{seat:int}", "0").replace(":str}", "}"), {})
                allowed = scope in handler.opt.get("scopes", ())
                assert ("token-scope" in response.text) != allowed, f"{method} {route.path}: {response.text}"
                if not allowed:
                    refused[scope].add(f"{method} {route.path}")
    of_accounts = {
        *("me", "account", "session", "sessions", "recovery", "recovery-codes", "tokens", "relations"),
        *("groups", "lessons", "push", "feeds", "reports"),
    }
    assert {request.split("/")[2] for request in refused["play"]} == of_accounts
    assert not refused["play"] & {"GET /api/me"}
    assert refused["read"] > refused["play"]
    assert (set(PLAY["scopes"]), set(READ["scopes"])) == ({"play"}, {"play", "read"})
    assert hine.get("/api/me")["name"] == "Hine with many tokens"


def test_a_token_to_read_sees_its_owner_s_seat_and_changes_nothing(server: LiveServer) -> None:
    hine = account(server, "Hine who is read")
    token = hine.post("/api/tokens", {"label": "screen", "scope": "read"}, 201)
    assert token["scope"] == "read"
    reader = server.client({"authorization": f"Bearer {token['token']}"})
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert reader.post("/api/matches", body, 403)["code"] == "token-scope"
    socket = reader.open(match)
    socket.until(type="full", seat=0)
    assert socket.act("1-0", 1)["code"] == "token-scope"
    for what in ("resign", "abort"):
        assert socket.do(do=what)["code"] == "token-scope"
    assert socket.do(do="look", seat=1)["seat"] == 1
    assert socket.do(do="ping")["type"] == "pong"


def test_the_socket_of_a_token_ends_with_it(server: LiveServer) -> None:
    hine = account(server, "Hine who drops a token")
    made = hine.post("/api/tokens", {"label": "bot"}, 201)
    program = server.client({"authorization": f"Bearer {made['token']}"})
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    socket = program.open(match)
    socket.until(type="full", seat=0)
    hine.ask("DELETE", f"/api/tokens/{made['id']}", status=204)
    assert end_of(socket) == SIGNED_OUT
    witness = hine.open(match)
    assert witness.until(type="full")["version"] == 1


@pytest.mark.parametrize("cookie", ["guest." + "0" * 64, "guest.", "." + "0" * 43, "0" * 16 + "." + "0" * 43])
def test_a_cookie_of_no_session_makes_a_new_guest(server: LiveServer, cookie: str) -> None:
    client = server.client()
    client.http.cookies.set("kemu", cookie)
    assert client.get("/api/me")["id"] != "guest"
