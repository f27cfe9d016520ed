"""Who is who: guests, accounts, tokens, and other people's things."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.live_server import LiveServer
from tests.server.raw_socket import raw_socket


def test_a_guest_is_recognised_by_a_signed_http_only_cookie(server: LiveServer) -> None:
    client = server.client()
    response = client.http.get("/api/me")
    header = response.headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=lax" in header
    assert client.http.get("/api/me").json() == response.json()
    assert "set-cookie" not in client.http.get("/api/me").headers


@pytest.mark.parametrize("change", [lambda text: text[:-1] + "0", lambda text: "x" + text, lambda text: "nonsense"])
def test_a_forged_cookie_makes_a_new_guest(server: LiveServer, change: Any) -> None:
    real = server.guest()
    forged = server.client()
    text = real.http.cookies["kemu"]
    changed = change(text) if change(text) != text else text[:-1] + "1"
    forged.http.cookies.set("kemu", changed)
    assert forged.get("/api/me")["id"] != real.me["id"]


@pytest.mark.parametrize("between", ["; ", "\r\ncookie: "], ids=["in one header", "in two"])
def test_of_two_cookies_requests_and_sockets_use_the_same(server: LiveServer, between: str) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    first, second = (f"kemu={client.http.cookies['kemu']}" for client in (hine, tama))
    match = hine.new_match("me", "open")["id"]
    headers = [("cookie", text) for text in f"{first}{between}{second}".split("\r\ncookie: ")]
    assert server.client().http.get("/api/me", headers=headers).json()["id"] == hine.me["id"]
    received = b""
    with raw_socket(server, match, f"cookie: {first}{between}{second}\r\n") as raw:
        while b'"seat":' not in received:
            received += raw.recv(65536)
    assert b'"seat":0,' in received


def test_an_account_is_found_again_from_another_device(server: LiveServer) -> None:
    hine = server.guest("Hine")
    hine.post("/api/account", {"name": "Hine of Moeraki", "password": "a long password"}, 201)
    elsewhere = server.client()
    body = {"name": "hine OF moeraki", "password": "a long password"}
    assert elsewhere.post("/api/session", body)["id"] == hine.me["id"]
    assert elsewhere.get("/api/me")["account"] is True
    other = server.guest("Other")
    taken = other.post("/api/account", {"name": "HINE of Moeraki", "password": "another password"}, 409)
    assert taken["code"] == "name-taken"


def test_guessing_passwords_is_slowed_down(server: LiveServer) -> None:
    client = server.guest()
    body = {"name": "nobody at all", "password": "guess guess guess"}
    with ThreadPoolExecutor(8) as guesses:  # at once, so that a slow machine does not count as patience
        answers = list(guesses.map(lambda _: client.request("POST", "/api/session", body), range(8)))
    assert {answer.json()["code"] for answer in answers} == {"not-signed-in", "too-many"}


@pytest.mark.parametrize("name", ["", " ", "a\u0000b", "\u202egnp", "x" * 31])
def test_names_are_visible(server: LiveServer, name: str) -> None:
    assert server.guest().ask("PATCH", "/api/me", {"name": name}, 400)["code"] == "parse-error"


def test_a_token_plays_as_its_owner_until_it_is_dropped(server: LiveServer) -> None:
    hine = server.guest("Hine")
    assert hine.post("/api/tokens", {"label": "bot"}, 401)["code"] == "not-signed-in"
    hine.post("/api/account", {"name": "Hine with a token", "password": "a long password"}, 201)
    made = hine.post("/api/tokens", {"label": "bot"}, 201)
    program = server.client({"authorization": f"Bearer {made['token']}"})
    assert program.get("/api/me")["id"] == hine.me["id"]
    match = hine.new_match("me", "open")["id"]
    assert program.open(match).until(type="full")["seat"] == 0
    hine.ask("DELETE", f"/api/tokens/{made['id']}", status=204)
    assert hine.ask("DELETE", f"/api/tokens/{made['id']}", status=404)["code"] == "unknown-token"
    assert program.get("/api/me", 401)["code"] == "not-signed-in"


@pytest.mark.parametrize("text", ["Bearer x", "Bearer kemu_a_b", "kemu_a_b", "Basic eDp5", "Bearer"])
def test_a_wrong_token_is_refused_and_is_no_guest(server: LiveServer, text: str) -> None:
    assert server.client({"authorization": text}).get("/api/me", 401)["code"] == "not-signed-in"


def test_a_seat_belongs_to_its_player(server: LiveServer) -> None:
    hine, thief = server.guest("Hine"), server.guest("Thief")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    socket = thief.open(match, "?seat=0")
    assert socket.receive()["code"] == "not-yours"
    watching = thief.open(match)
    watching.until(type="full", seat=-2)
    for command in ({"do": "act", "version": 1, "action": "1-0"}, {"do": "resign"}, {"do": "abort"}):
        assert watching.do(**command)["code"] == "wrong-seat"
    assert watching.do(do="look", seat=0)["code"] == "not-yours"


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_pages_of_other_sites_get_nothing(server: LiveServer, origin: str) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", "open")["id"]
    response = hine.http.post("/api/matches", json={}, headers={"origin": origin})
    assert (response.status_code, response.json()["code"]) == (403, "bad-origin")
    with pytest.raises(InvalidStatus) as refused:
        hine.open(match, headers={"origin": origin})
    assert refused.value.response.status_code == 403


def test_our_own_pages_may_use_everything(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", "open")["id"]
    assert hine.http.patch("/api/me", json={"name": "H"}, headers={"origin": server.url}).is_success
    hine.open(match, headers={"origin": server.url}).until(type="full")


def test_rated_matches_are_for_accounts_and_count_once_for_both(server: LiveServer) -> None:
    guest = server.guest()
    body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}], "rated": True}
    body |= {"clock": {"kind": "days", "days": 1}}
    assert guest.post("/api/matches", body, 401)["code"] == "not-signed-in"
    hine = server.guest("Hine")
    hine.post("/api/account", {"name": "Hine the rated", "password": "a long password"}, 201)
    both = body | {"seats": [{"kind": "me"}, {"kind": "me"}]}
    assert hine.post("/api/matches", both, 400)["code"] == "bad-option"
    match = hine.post("/api/matches", body, 201)["id"]
    socket = hine.open(match)
    socket.act("1-0", socket.until(type="full")["version"])
    socket.until(type="event", turn=0)
    socket.do(do="resign")
    server.run_upkeep()  # rates the match unless that was done already
    ratings = guest.get(f"/api/players/{hine.me['id']}")["ratings"]
    assert ratings[0]["matches"] == 1
    assert ratings[0]["rating"] < 1500
    (change,) = guest.get(f"/api/matches/{match}/ratings")
    assert (change["player"], change["rating"]) == (hine.me["id"], ratings[0]["rating"])
    assert change["change"] == ratings[0]["rating"] - 1500
    assert guest.get("/api/ratings/mu-torere?pace=correspondence") == [], "one match is not enough"
    assert guest.get("/api/ratings/chess", 404)["code"] == "unknown-game"
    assert guest.get("/api/players/bot:random")["ratings"][0]["rating"] == 1016  # fixed, whoever wins
    assert guest.get("/api/players/bot:nobody", 404)["code"] == "unknown-player"
    assert guest.get("/api/players/nobody", 404)["code"] == "unknown-player"
