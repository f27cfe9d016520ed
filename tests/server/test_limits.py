"""Limits that hold for whoever comes without a cookie, and that lock out nobody else."""

import re
import socket as tcp
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.server.auth import accounts
from kemu.server.auth.origin import networks, source
from kemu.server.http.routes import games
from kemu.server.http.routes.games import ReplayAnswer, ReplayView, replay_steps
from kemu.server.run import serve
from kemu.server.runtime import Allowance, Rates
from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import Client, LiveServer, generous, run_server
from tests.server.raw_socket import raw_socket

PASSWORD = "a long password"
ELSEWHERE = {"x-forwarded-for": "203.0.113.9"}
"""Headers of a client behind another address, where this computer is a trusted proxy."""


@pytest.fixture
def proxied() -> Iterator[LiveServer]:
    """A server with the usual limits, behind a proxy on this computer."""
    with run_server(Settings("memory", trusted_proxies="127.0.0.1", requests_per_second=1000)) as server:
        yield server


def guess(client: Client, name: str, password: str = "guess guess") -> str:
    """The code of the answer to a sign-in, empty if it is accepted."""
    response = client.request("POST", "/api/session", {"name": name, "password": password})
    return "" if response.is_success else response.json()["code"]


def register(server: LiveServer, name: str) -> Client:
    """A client of a new account."""
    client = server.client(ELSEWHERE)
    client.me = client.post("/api/account", {"name": name, "password": PASSWORD}, 201)
    return client


def test_new_guests_of_one_address_are_limited() -> None:
    with run_server(replace(generous("memory"), visitors_per_minute=3, trusted_proxies="127.0.0.1")) as server:
        codes = [server.client().request("GET", "/api/me").status_code for _ in range(8)]
        assert codes[:3] == [200] * 3
        assert 429 in codes
        assert server.client(ELSEWHERE).request("GET", "/api/me").status_code == 200


def test_matches_of_one_address_are_limited_however_many_guests_make_them() -> None:
    settings = replace(generous("memory"), matches_per_minute=3, trusted_proxies="127.0.0.1")
    with run_server(settings) as server:
        body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]}
        codes = [server.client().request("POST", "/api/matches", body).status_code for _ in range(8)]
        assert codes[:3] == [201] * 3
        assert 429 in codes
        assert server.client(ELSEWHERE).request("POST", "/api/matches", body).status_code == 201


def test_sockets_of_one_address_are_limited_however_many_guests_open_them() -> None:
    with run_server(replace(generous("memory"), sockets_per_address=5, trusted_proxies="127.0.0.1")) as server:
        match = server.guest().new_match("me", "open")["id"]
        sockets = [server.client().open(match) for _ in range(5)]
        for socket in sockets:
            socket.until(type="full")
        assert server.client().open(match).receive()["code"] == "too-many"
        far = server.client().open(match, headers=ELSEWHERE)
        far.until(type="presence", watching=6)
        sockets[0].close()
        far.until(type="presence", watching=5)
        server.client().open(match).until(type="full")


def test_wrong_passwords_are_limited_by_address_and_name_and_lock_nobody_out(proxied: LiveServer) -> None:
    hine = register(proxied, "Hine")
    thief = proxied.client()
    with ThreadPoolExecutor(10) as guesses:
        codes = list(guesses.map(lambda _: guess(thief, "Hine"), range(10)))
    assert set(codes) == {"not-signed-in", "too-many"}
    assert guess(thief, "HINE", PASSWORD) == "too-many"  # even were it right
    owner = proxied.client(ELSEWHERE)
    assert guess(owner, "Hine", PASSWORD) == ""
    assert hine.get("/api/me")["id"] == hine.me["id"]


def test_wrong_passwords_for_one_name_are_counted_together_however_it_is_written(proxied: LiveServer) -> None:
    register(proxied, "Hine")
    thief = proxied.client()
    names = [
        "Hine",
        " Hine",
        "Hine ",
        "HINE",
        "Ｈine",
        "hＩne",
        "hinＥ",
        "  hine",
        " hine ",
        "ｈｉｎｅ",
        "Hine  ",
        "hinE",
    ]
    assert "too-many" in [guess(thief, name) for name in names]


@pytest.mark.parametrize(
    ("path", "body", "allowed"),
    [
        ("/api/matches", {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]}, 3),
        ("/api/matches", {"game": "moeraki-kemu", "seats": [{"kind": "bot", "bot": "8"}] * 2}, 2),
        ("/api/tokens", {"label": "bot"}, 20),
    ],
    ids=["matches", "matches of bots only", "tokens"],
)
def test_requests_at_once_do_not_outrun_a_limit(tmp_path: Path, path: str, body: object, allowed: int) -> None:
    settings = replace(generous(f"sqlite:///{tmp_path}/kemu.sqlite"), matches_per_guest=3, compile_engines=False)
    with run_server(settings) as server, ThreadPoolExecutor(24) as at_once:
        hine = register(server, "Hine")
        codes = list(at_once.map(lambda _: hine.request("POST", path, body).status_code, range(24)))
    assert (codes.count(201), codes.count(429)) == (allowed, 24 - allowed)


def test_studies_of_one_address_run_one_after_another(proxied: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    going_on, first = threading.Event(), threading.Event()
    running: list[str] = []

    def held(game: AnyGame, position: Document | None, actions: list[str], shown: ReplayView) -> ReplayAnswer:
        running.append(game.key)
        first.set()
        assert going_on.wait(PATIENCE_SECONDS)
        return replay_steps(game, position, actions, shown)

    monkeypatch.setattr(games, "replay_steps", held)
    with ThreadPoolExecutor(8) as at_once:
        hostile = [at_once.submit(proxied.client().post, "/api/replay", {"game": "mu-torere"}) for _ in range(6)]
        assert first.wait(PATIENCE_SECONDS)
        other = at_once.submit(proxied.client(ELSEWHERE).post, "/api/replay", {"game": "mauw"})
        register(proxied, "Hine")  # needs a thread for the password, as the studies do
        assert running.count("mu-torere") == 1
        going_on.set()
        for answer in (*hostile, other):
            assert answer.result(PATIENCE_SECONDS)["steps"]


def test_four_wrong_passwords_lock_nobody_out_even_at_the_same_address(proxied: LiveServer) -> None:
    register(proxied, "Hine")
    client = proxied.client()
    assert [guess(client, "Hine") for _ in range(4)] == ["not-signed-in"] * 4
    assert guess(client, "Hine", PASSWORD) == ""


def test_wrong_passwords_are_limited_over_distinct_names() -> None:
    with run_server(replace(generous("memory"), sign_ins_per_minute=3)) as server:
        client = server.client()
        codes = [guess(client, f"nobody {number}") for number in range(12)]
    assert codes[:3] == ["not-signed-in"] * 3
    assert codes.count("too-many") >= 7


def test_right_passwords_are_not_counted(proxied: LiveServer) -> None:
    register(proxied, "Hine")
    assert {guess(proxied.client(), "Hine", PASSWORD) for _ in range(12)} == {""}


def test_a_recovery_code_works_for_whom_passwords_are_refused(proxied: LiveServer) -> None:
    hine = register(proxied, "Hine")
    client = proxied.client()
    while guess(client, "Hine") != "too-many":
        pass
    body = {"name": "Hine", "code": hine.me["recovery_codes"][0], "password": "another password"}
    assert client.post("/api/recovery", body)["id"] == hine.me["id"]


def test_few_passwords_are_hashed_at_once(proxied: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    real = accounts._matches

    def counted(known: str | None, password: str) -> bool:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return real(known, password)
        finally:
            running -= 1

    monkeypatch.setattr(accounts, "_matches", counted)
    with ThreadPoolExecutor(20) as guesses:
        list(guesses.map(lambda number: guess(proxied.client(), f"nobody {number}"), range(20)))
    assert 1 <= most <= accounts.HASHES_AT_ONCE


# Addresses.


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),  # no proxy of ours
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),  # the first is made up
        ("127.0.0.1", "203.0.113.9, 10.1.2.3", "203.0.113.9"),  # two proxies
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("2001:db8::1", "", "2001:db8::/64"),
        ("127.0.0.1", "2001:db8::ffff", "2001:db8::/64"),
        ("", "203.0.113.9", ""),
    ],
)
def test_forwarded_headers_are_believed_from_trusted_proxies_alone(peer: str, forwarded: str, expected: str) -> None:
    assert source(peer, {"x-forwarded-for": forwarded}, networks("127.0.0.1 10.0.0.0/8")).address == expected


def test_an_address_in_a_header_before_that_of_the_proxy_is_not_believed() -> None:
    with run_server(replace(generous("memory"), visitors_per_minute=3, trusted_proxies="127.0.0.1")) as server:
        header = "x-forwarded-for"
        made_up = [[(header, f"203.0.113.{number}"), (header, "198.51.100.1")] for number in range(8)]
        codes = [server.client().http.get("/api/me", headers=headers).status_code for headers in made_up]
    assert codes[:3] == [200] * 3
    assert 429 in codes


@pytest.mark.parametrize(
    ("forwarded", "codes"),
    [
        (("203.0.113.1", "198.51.100.1"), ["full", "refused"]),  # the proxy saw 198.51.100.1; the rest is made up
        (("203.0.113.1", "127.0.0.1"), ["full", "full"]),  # two proxies, each with a header of its own
    ],
)
def test_sockets_are_counted_by_the_headers_of_all_proxies(forwarded: tuple[str, str], codes: list[str]) -> None:
    with run_server(replace(generous("memory"), sockets_per_address=1, trusted_proxies="127.0.0.1")) as server:
        match = server.guest().new_match("me", "open")["id"]
        first, second = (f"x-forwarded-for: {address}\r\n" for address in forwarded)
        other = first.replace("113.1", "113.2")
        raws = [raw_socket(server, match, headers + second) for headers in (first, other)]
        assert [first_type(raw) for raw in raws] == codes
        for raw in raws:
            raw.close()


def first_type(raw: tcp.socket) -> str:
    """The type of the first message of a socket that was just opened."""
    received = b""
    while not (found := re.search(rb'{"type":"([a-z]+)"', received)):
        received += raw.recv(65536)
    return found[1].decode()


def test_no_proxy_is_trusted_unless_it_is_set(server: LiveServer) -> None:
    settings = Settings("memory", requests_per_second=5)
    with run_server(settings) as strict:
        made_up = [strict.client({"x-forwarded-for": f"203.0.113.{number}"}) for number in range(30)]
        assert {client.request("GET", "/api/games").status_code for client in made_up} == {200, 429}


def test_proxies_that_are_no_addresses_are_refused_in_one_sentence() -> None:
    with pytest.raises(OptionError, match="trusted_proxies"):
        serve(settings=Settings("memory", trusted_proxies="nginx"))


# Connections.


def connected(server: LiveServer) -> tcp.socket:
    """A TCP connection to a server."""
    host, port = server.url.removeprefix("http://").split(":")
    return tcp.create_connection((host, int(port)), 10)


HALVES = [
    b"",
    b"GET / HT",
    b"GET /api/me HTTP/1.1\r\nhost: localhost\r\nx: ",
    b"POST /api/replay HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{",
    b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HT",
]


@pytest.mark.parametrize("half", HALVES, ids=range(len(HALVES)))
def test_a_request_that_does_not_arrive_is_not_waited_for(half: bytes) -> None:
    with run_server(replace(generous("memory"), request_seconds=1)) as server, connected(server) as raw:
        raw.sendall(half)
        while raw.recv(65536):
            pass  # ends when the server closes; else the connection's own timeout raises


def test_bytes_that_are_no_request_do_not_keep_a_connection() -> None:
    with run_server(replace(generous("memory"), request_seconds=1)) as server, connected(server) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        received = b""
        while not received.endswith(b"}"):
            received += raw.recv(65536)
        raw.sendall(b"\r\n")
        while raw.recv(65536):
            pass


def test_connections_of_one_address_are_limited() -> None:
    with run_server(replace(generous("memory"), connections_per_address=10)) as server, ExitStack() as stack:
        half_open = [stack.enter_context(connected(server)) for _ in range(20)]
        ended = 0
        for raw in half_open[10:]:
            try:
                ended += raw.recv(1) == b""
            except ConnectionResetError:
                ended += 1
        assert ended == 10


def test_the_last_connections_are_for_players_who_have_a_seat() -> None:
    with run_server(replace(generous("memory"), connections=20)) as server:
        hine = server.guest("Hine")
        match = hine.new_match("me", "open")["id"]
        firsts = [server.client().open(match).receive() for _ in range(16)]
        watching = [first["type"] for first in firsts].index("refused")
        assert 10 <= watching < 16
        assert {first.get("code") for first in firsts[watching:]} == {"too-many"}
        assert hine.open(match).until(type="full")["seat"] == 0
        assert hine.get("/api/me")["id"] == hine.me["id"]


def test_a_spectator_whose_match_ends_takes_no_connection_of_the_reserve_to_another() -> None:
    with run_server(replace(generous("memory"), connections=20)) as server:
        hine, tama = server.guest("Hine"), server.guest("Tama")
        first, second = (hine.new_match("me", "open")["id"] for _ in range(2))
        watching = tama.open(first)
        watching.until(type="full")
        assert watching.do(do="follow", match=second)["type"] == "full"
        sockets = [hine.open(first) for _ in range(15)]
        for socket in sockets:
            socket.until(type="full")
        assert watching.do(do="follow", match=first)["code"] == "too-many"
        assert sockets[0].do(do="follow", match=second)["seat"] == 0


# The arithmetic.


def test_an_allowance_is_spent_refunded_and_saved_up_again() -> None:
    allowance = Allowance(1, 0.0, most=2)
    assert [allowance.spend(0.0) for _ in range(3)] == [True, True, False]
    assert allowance.spend(1.0)
    allowance.refund()
    assert allowance.spend(1.0)
    assert not allowance.spend(1.5)
    assert not allowance.full(1.5)
    assert allowance.full(4.0)


def test_names_that_are_made_up_do_not_fill_the_memory() -> None:
    rates = Rates(1, lambda: 0.0)
    for number in range(25_000):
        rates.spend(str(number), "Too many.")
    assert len(rates._allowances) <= 10_001
