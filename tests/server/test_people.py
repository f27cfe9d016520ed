"""Players who follow and block each other, and what a block keeps them from."""

from tests.server.live_server import Client, LiveServer
from tests.server.test_fair_play import account


def block(one: Client, other: Client) -> None:
    one.ask("PUT", f"/api/relations/{other.me['id']}", {"kind": "block"}, 200)


def test_a_block_of_either_side_keeps_both_from_joining_each_other(server: LiveServer) -> None:
    hine, tama, guest = account(server, "Hine blocks"), account(server, "Tama blocked"), server.guest("A blocked guest")
    block(hine, tama)
    block(hine, guest)
    for host, other in ((hine, tama), (tama, hine), (hine, guest)):
        match = host.new_match("me", "open")["id"]
        assert other.post(f"/api/matches/{match}/join", {}, 403)["code"] == "blocked"
        assert host.get(f"/api/matches/{match}")["status"] == "open"
    hine.ask("DELETE", f"/api/relations/{tama.me['id']}", status=204)
    match = hine.new_match("me", "open")["id"]
    assert tama.post(f"/api/matches/{match}/join", {}, 200)["status"] == "running"


def test_at_a_table_of_three_a_block_of_one_is_enough(server: LiveServer) -> None:
    hine, tama, rangi = (account(server, f"{name} of three") for name in ("Hine", "Tama", "Rangi"))
    block(tama, rangi)
    match = hine.new_match("me", "open", "open", game="mauw", options={"players": 3})["id"]
    tama.post(f"/api/matches/{match}/join", {}, 200)
    assert rangi.post(f"/api/matches/{match}/join", {}, 403)["code"] == "blocked"


def test_a_block_after_a_match_keeps_from_the_rematch(server: LiveServer) -> None:
    hine, tama = account(server, "Hine again"), account(server, "Tama again")
    match = hine.new_match("me", "open")["id"]
    tama.post(f"/api/matches/{match}/join", {}, 200)
    hers, his = hine.open(match), tama.open(match)
    hers.do(do="resign")
    assert his.do(do="offer", what="rematch")["type"] == "event"
    block(hine, tama)
    for socket, does in ((hers, "accept"), (his, "offer")):
        assert socket.do(do=does, what="rematch")["code"] == "blocked"
    assert hine.get(f"/api/matches/{match}")["next"] is None


def test_lists_of_relations_are_for_their_owner_in_the_browser_alone(server: LiveServer) -> None:
    hine, tama = account(server, "Hine follows"), account(server, "Tama followed")
    path = f"/api/relations/{tama.me['id']}"
    assert hine.ask("PUT", path, {"kind": "follow"}, 200) == {"kind": "follow"}
    assert [each["name"] for each in hine.get("/api/relations?kind=follow")] == ["Tama followed"]
    assert tama.get("/api/relations?kind=follow") == []
    assert tama.get(f"/api/relations/{hine.me['id']}") == {"kind": None}
    token = hine.post("/api/tokens", {"label": "plays", "scope": "play"}, 201)["token"]
    program = server.client({"authorization": f"Bearer {token}"})
    for method, where in (("GET", "/api/relations?kind=follow"), ("GET", path), ("DELETE", path)):
        assert program.ask(method, where, status=403)["code"] == "token-scope"
    assert server.guest().ask("PUT", path, {"kind": "follow"}, 401)["code"] == "not-signed-in"
    assert hine.ask("PUT", "/api/relations/nobody", {"kind": "block"}, 404)["code"] == "unknown-player"
    guest = server.guest("A guest to follow")
    assert hine.ask("PUT", f"/api/relations/{guest.me['id']}", {"kind": "follow"}, 404)["code"] == "unknown-player"
    assert hine.ask("PUT", f"/api/relations/{hine.me['id']}", {"kind": "block"}, 409)["code"] == "yourself"
    assert hine.ask("PUT", path, {"kind": "marry"}, 400)["code"] == "parse-error"
