"""Recovery codes: shown once, each good for one new password, which ends everything else."""

from typing import Any, Literal, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.server.auth.accounts import code_digest, new_codes
from kemu.storage.players import PlayerRow
from tests.server.live_server import Client, LiveServer

PASSWORD, ANOTHER = "a long password", "another password"


def account(server: LiveServer, name: str) -> Client:
    """A client of a new account; its codes are in `me`."""
    client = server.guest()
    client.me = client.post("/api/account", {"name": name, "password": PASSWORD}, 201)
    return client


def test_a_code_sets_a_new_password_once_and_ends_all_sessions_and_tokens(server: LiveServer) -> None:
    hine = account(server, "Hine who forgets")
    codes = hine.me["recovery_codes"]
    assert len(set(codes)) == 10
    made = hine.post("/api/tokens", {"label": "bot"}, 201)
    program = server.client({"authorization": f"Bearer {made['token']}"})
    match = hine.new_match("me", "open")["id"]
    sockets = hine.open(match), program.open(match)
    for socket in sockets:
        socket.until(type="full", seat=0)
    back = server.guest()
    body = {"name": "HINE who forgets", "code": codes[3].lower().replace("-", " "), "password": ANOTHER}
    assert back.post("/api/recovery", body)["id"] == hine.me["id"]
    for socket in sockets:
        socket.until(type="refused", code="session-ended")
        with pytest.raises(ConnectionClosed):
            socket.read_to_end()
    assert back.get("/api/me")["id"] == hine.me["id"]
    assert hine.get("/api/me")["id"] != hine.me["id"]
    assert program.get("/api/me", 401)["code"] == "not-signed-in"
    assert server.client().post("/api/recovery", body, 401)["code"] == "not-signed-in"
    assert back.get("/api/recovery-codes") == {"left": 9}
    names = {"name": "Hine who forgets"}
    assert server.client().post("/api/session", {**names, "password": PASSWORD}, 401)["code"] == "not-signed-in"
    assert server.client().post("/api/session", {**names, "password": ANOTHER})["id"] == hine.me["id"]


@pytest.mark.parametrize("code", ["x", "00000-00000-00000-00000", "\x00"])
def test_a_wrong_code_changes_nothing(server: LiveServer, code: str) -> None:
    name = f"Hine {code_digest(code)[:8]} {ord(code[0])}"
    hine = account(server, name)
    body = {"name": name, "code": code, "password": ANOTHER}
    assert server.client().post("/api/recovery", body, 401)["code"] == "not-signed-in"
    other = account(server, f"Other {name}"[:30])
    body["code"] = other.me["recovery_codes"][0]  # somebody else's
    assert server.client().post("/api/recovery", body, 401)["code"] == "not-signed-in"
    assert server.client().post("/api/recovery", {**body, "name": "nobody\x00"}, 401)["code"] == "not-signed-in"
    assert hine.get("/api/me")["id"] == hine.me["id"]
    assert hine.get("/api/recovery-codes") == {"left": 10}


def test_new_codes_need_the_password_and_replace_the_old_ones(server: LiveServer) -> None:
    hine = account(server, "Hine with new codes")
    assert hine.post("/api/recovery-codes", {"password": "not the password"}, 401)["code"] == "not-signed-in"
    fresh = hine.post("/api/recovery-codes", {"password": PASSWORD}, 201)["recovery_codes"]
    assert not set(fresh) & set(hine.me["recovery_codes"])
    body = {"name": "Hine with new codes", "code": hine.me["recovery_codes"][0], "password": ANOTHER}
    assert server.client().post("/api/recovery", body, 401)["code"] == "not-signed-in"
    assert server.client().post("/api/recovery", {**body, "code": fresh[0]})["id"] == hine.me["id"]


def test_guests_have_no_codes(server: LiveServer) -> None:
    guest = server.guest()
    assert guest.get("/api/recovery-codes") == {"left": 0}
    assert guest.post("/api/recovery-codes", {"password": PASSWORD}, 401)["code"] == "not-signed-in"


def test_a_code_is_read_however_it_was_typed() -> None:
    code = new_codes()[0]
    assert len(code.replace("-", "")) == 20
    assert code_digest("01234-ABCDE") == code_digest(" oi234 abcde ") == code_digest("OL234ABCDE")


class Underway(NamedTuple):
    """A request with the old password or an old session, and the write to the store with which it ends."""

    part: Literal["players", "sessions"]
    write: str
    method: str
    path: str
    body: dict[str, str]


@pytest.mark.parametrize(
    "underway",
    [
        Underway(
            "sessions", "change_password", "PUT", "/api/account/password", {"old": PASSWORD, "password": "stolen it"}
        ),
        Underway("sessions", "set_codes", "POST", "/api/recovery-codes", {"password": PASSWORD}),
        Underway("sessions", "add_session", "POST", "/api/session", {"name": "{name}", "password": PASSWORD}),
        Underway("players", "add_token", "POST", "/api/tokens", {"label": "bot"}),
        Underway("players", "save_player", "PATCH", "/api/me", {"name": "{name}"}),
    ],
    ids=lambda underway: underway.write,
)
def test_what_is_under_way_during_a_recovery_does_not_outlast_it(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, underway: Underway
) -> None:
    name = f"Hine {underway.write}"
    hine = account(server, name)
    services = server.app.api.state.services
    part = getattr(services.runtime.store, underway.part)
    write = getattr(part, underway.write)

    async def recover_before_it(*arguments: Any) -> Any:
        monkeypatch.undo()
        await services.accounts.recover(name, hine.me["recovery_codes"][0], ANOTHER, "Firefox")
        return await write(*arguments)

    monkeypatch.setattr(part, underway.write, recover_before_it)
    body = {key: value.format(name=name) for key, value in underway.body.items()}
    assert hine.ask(underway.method, underway.path, body, 401)["code"] == "not-signed-in"
    assert hine.get("/api/me")["id"] != hine.me["id"]
    back = server.client()
    assert back.post("/api/session", {"name": name, "password": ANOTHER})["id"] == hine.me["id"]
    assert back.get("/api/tokens") == []
    assert back.get("/api/recovery-codes") == {"left": 9}
    assert len(back.get("/api/sessions")) == 2  # of the recovery, and this one


def test_a_request_of_a_guest_that_was_under_way_does_not_undo_the_account(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.guest()
    services = server.app.api.state.services
    players = services.runtime.store.players
    write = players.save_player

    async def register_before_it(player: PlayerRow) -> None:
        monkeypatch.undo()
        await services.identity.keep(PlayerRow(player.id, "Hine in a hurry", True, "a hash"))
        await write(player)

    monkeypatch.setattr(players, "save_player", register_before_it)
    guest.new_match("me", "open")
    assert guest.get("/api/me") == {"id": guest.me["id"], "name": "Hine in a hurry", "account": True}
