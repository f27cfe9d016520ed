"""Names that deceive, hosts and origins that are not ours, and bodies that cannot be read."""

import socket as tcp
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from kemu.server.settings import Settings
from tests.server.live_server import LiveServer, generous, run_server

PASSWORD = "a long password"

DECEIVING = [
    "\u202egnp.exe",
    "a\u202eb",
    "a\u2066b",
    "a\u200fb",
    "a\u200bb",
    "a\u00adb",
    "a\ufeffb",
    "a\nb",
    "a\r\nb",
    "a\tb",
    "a\u2028b",
    "a\u0000b",
    "a\u0085b",
    "a\ue000b",
    "\u3164",
    "\u0301",
    "\U000e0041b",
    "ﷺ",
    "ﷺ" * 30,
    "½ a cup",
    "ﬁne",
    "ΐ" * 30,
    "\u0958" * 30,
]


@pytest.fixture(params=["sqlite", "postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveServer]:
    """A server on either database."""
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/kemu.sqlite" if sqlite else request.getfixturevalue("postgres")
    with run_server(generous(url)) as server:
        yield server


def test_names_that_deceive_are_refused_wherever_a_name_is_given(both: LiveServer) -> None:
    hine = both.guest("Hine")
    account = both.guest()
    account.post("/api/account", {"name": "Ana", "password": PASSWORD}, 201)
    for name in DECEIVING:
        seats = [{"kind": "me", "name": name}, {"kind": "open"}]
        for client, method, path, body in (
            (hine, "PATCH", "/api/me", {"name": name}),
            (hine, "POST", "/api/account", {"name": name, "password": PASSWORD}),
            (hine, "POST", "/api/matches", {"game": "mu-torere", "seats": seats}),
            (account, "POST", "/api/tokens", {"label": name}),
        ):
            assert client.ask(method, path, body, 400)["code"] == "parse-error", (name, path)
        body = {"name": name, "password": PASSWORD}
        assert both.guest().request("POST", "/api/session", body).status_code == 401, name
    assert hine.get("/api/me")["name"] == "Hine"


@pytest.mark.parametrize(
    "name", ["Hine", "Māui", "हिन्दी", "क़लम", "李小龍", "O'Neill", "José", "Ｈｉｎｅ", "a  b", "😀 Ana", "Straße"]
)
def test_names_of_all_languages_are_accepted(server: LiveServer, name: str) -> None:
    shown = server.guest().ask("PATCH", "/api/me", {"name": name})["name"]
    assert len(shown) <= 30


@pytest.mark.parametrize("name", ["Hine the known", "HINE the KNOWN", "Hine  the known", "Ｈine the known"])
def test_guests_may_not_take_the_name_of_an_account(server: LiveServer, name: str) -> None:
    if server.client().request("POST", "/api/session", {"name": "Hine the known", "password": PASSWORD}).is_error:
        server.guest().post("/api/account", {"name": "Hine the known", "password": PASSWORD}, 201)
    guest = server.guest("Other")
    assert guest.ask("PATCH", "/api/me", {"name": name}, 409)["code"] == "name-taken"
    seats = [{"kind": "me", "name": name}, {"kind": "open"}]
    assert guest.post("/api/matches", {"game": "mu-torere", "seats": seats}, 409)["code"] == "name-taken"
    assert guest.post("/api/account", {"name": name, "password": PASSWORD}, 409)["code"] == "name-taken"


@pytest.mark.parametrize("name", ["Ηine of Capitals", "Hine 0f CapitaIs", "Hіne of Саріtals", "hine of capitals"])
def test_a_name_that_looks_like_that_of_an_account_is_taken(server: LiveServer, name: str) -> None:
    known = {"name": "Hine of Capitals", "password": PASSWORD}
    if server.client().request("POST", "/api/session", known).is_error:
        server.guest().post("/api/account", known, 201)
    guest, account = server.guest(), server.guest()
    account.post("/api/account", {"name": f"Tama {name.encode().hex()[:20]}", "password": PASSWORD}, 201)
    assert guest.post("/api/account", {"name": name, "password": PASSWORD}, 409)["code"] == "name-taken"
    assert guest.ask("PATCH", "/api/me", {"name": name}, 409)["code"] == "name-taken"
    assert account.ask("PATCH", "/api/me", {"name": name}, 409)["code"] == "name-taken"


def test_a_guest_whose_name_became_an_account_sits_down_as_a_guest(server: LiveServer) -> None:
    guest, owner = server.guest("Hine the later"), server.guest()
    owner.post("/api/account", {"name": "Hine the later", "password": PASSWORD}, 201)
    made = guest.new_match("me", "open")
    assert made["seats"][0]["name"].startswith("Guest ")
    joined = owner.post(f"/api/matches/{made['id']}/join", {})
    assert joined["seats"][1]["name"] == "Hine the later"


# Hosts and origins.


def answer_to(server: LiveServer, head: str) -> str:
    """The first line that the server answers to a request written by hand."""
    host, port = server.url.removeprefix("http://").split(":")
    with tcp.create_connection((host, int(port)), 10) as raw:
        raw.sendall(head.encode("latin-1"))
        return raw.makefile(encoding="latin-1").readline().strip()


FOREIGN = [
    "evil.example",
    "evil.example:8000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "[",
    "",
    "x@localhost",
]


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_points_at_this_server_is_not_this_server(server: LiveServer, host: str) -> None:
    match = server.guest().new_match("me", "open")["id"]
    same = f"Host: {host}\r\nOrigin: http://{host}\r\n"
    assert " 403 " in answer_to(server, f"GET /api/me HTTP/1.1\r\n{same}\r\n")
    assert " 403 " in answer_to(server, f"GET / HTTP/1.1\r\n{same}\r\n")
    upgrade = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert " 403 " in answer_to(server, f"GET /api/matches/{match}/socket HTTP/1.1\r\n{same}{upgrade}")


def test_names_and_addresses_of_this_computer_are_accepted(server: LiveServer) -> None:
    for host in ("localhost:8000", "LOCALHOST", "127.0.0.1", "[::1]:8000", "192.168.1.20:8000", tcp.gethostname()):
        assert server.client().http.get("/api/games", headers={"host": host}).is_success, host


def test_names_are_added_by_settings() -> None:
    settings = Settings("memory", hosts="play.example.org  club.example", origins="https://third.example")
    with run_server(settings) as server:
        for host in ("play.example.org", "Club.Example:8000", "third.example"):
            assert server.client().http.get("/api/games", headers={"host": host}).is_success
        assert server.client().http.get("/api/games", headers={"host": "other.example"}).status_code == 403


MALFORMED_ORIGINS = [
    "http://[",
    "http://]",
    "http://[::1",
    "http://a:b",
    "//",
    "é",
    "http://127.0.0.1@evil.example",
]


@pytest.mark.parametrize("origin", MALFORMED_ORIGINS)
def test_a_malformed_origin_is_refused_like_any_other(server: LiveServer, origin: str) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", "open")["id"]
    response = hine.http.post("/api/matches", json={}, headers=[(b"origin", origin.encode("latin-1"))])
    assert (response.status_code, response.json()["code"]) == (403, "bad-origin")
    with pytest.raises(InvalidStatus) as refused:
        hine.open(match, headers={"origin": origin} if origin.isprintable() and origin.isascii() else {"origin": "x"})
    assert refused.value.response.status_code == 403


def test_an_origin_has_the_scheme_of_this_server(server: LiveServer) -> None:
    hine = server.guest("Hine")
    foreign = {"origin": server.url.replace("http", "https")}
    assert hine.http.patch("/api/me", json={"name": "H"}, headers=foreign).status_code == 403
    secure = Settings("memory", secure_cookies=True, hosts="play.example")
    with run_server(secure) as behind:
        for origin, status in (("https://play.example", 200), ("http://play.example", 403)):
            sent = {"origin": origin, "host": "play.example"}
            assert behind.client().http.patch("/api/me", json={"name": "H"}, headers=sent).status_code == status


def test_a_trusted_proxy_says_which_scheme_the_browser_uses() -> None:
    for proxies, status in (("127.0.0.1", 200), ("10.0.0.0/8", 403), ("", 403)):
        with run_server(Settings("memory", hosts="play.example", trusted_proxies=proxies)) as server:
            sent = {"origin": "https://play.example", "host": "play.example", "x-forwarded-proto": "https"}
            assert server.client().http.patch("/api/me", json={"name": "H"}, headers=sent).status_code == status


def test_behind_tls_browsers_are_told_to_stay_there() -> None:
    for secure in (True, False):
        with run_server(Settings("memory", secure_cookies=secure)) as server:
            for path in ("/", "/api/games", "/api/nothing"):
                assert ("strict-transport-security" in httpx.get(server.url + path).headers) == secure


# Bodies.

DEEP = b"[" * 200_000
UNREADABLE = [
    DEEP,
    b'{"name":' + DEEP,
    b'{"name": "\xff\xfe"}',
    b"\xff",
    b'{"name": "\\ud800"}',
    b'{"options":' + b'{"a":' * 100_000,
]


@pytest.mark.parametrize("body", UNREADABLE, ids=range(len(UNREADABLE)))
@pytest.mark.parametrize("path", ["/api/account", "/api/session", "/api/matches", "/api/study"])
def test_a_body_that_cannot_be_read_is_refused(server: LiveServer, path: str, body: bytes) -> None:
    response = server.guest().http.post(path, content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["code"]) == (400, "parse-error")


@pytest.mark.parametrize(
    "path", ["/api/games/mu-torere?arms=" + "[" * 20_000, "/api/games/mu-torere?arms=%ff", "/api/games/%ff"]
)
def test_an_address_that_cannot_be_read_is_refused(server: LiveServer, path: str) -> None:
    assert 400 <= server.guest().http.get(path).status_code < 500


@pytest.mark.parametrize("name", ["%00", "a%00.js", "a" * 300, "a/" * 3000 + "a.js", "ā" * 200])
@pytest.mark.parametrize(("folder", "status"), [("/", {200, 404}), ("/assets/", {404}), ("/docs/", {404})])
def test_an_address_that_no_file_can_have_is_no_fault(
    server: LiveServer, folder: str, status: set[int], name: str
) -> None:
    assert server.guest().http.get(folder + name).status_code in status


def test_a_message_that_is_nested_too_deeply_is_refused(server: LiveServer) -> None:
    hine = server.guest("Hine")
    socket = hine.open(hine.new_match("me", "open")["id"])
    socket.until(type="full")
    for text in ("[" * 16_000, '{"do":' + "[" * 16_000, '{"do":"act","id":' + "[" * 16_000):
        socket.raw.send(text)
        assert socket.until(type="refused")["code"] == "parse-error"
    assert socket.do(do="ping")["type"] == "pong"
