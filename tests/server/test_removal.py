"""Accounts that are deleted, closed and reported, what is told of one's own data, and the leftovers of guests."""

import json
from typing import Any

from kemu.people.names import DELETED
from kemu.server import operator
from kemu.server.runtime import now_ms
from tests.server.live_server import LiveServer
from tests.server.test_fair_play import account
from tests.server.test_profiles import play, profile, settle

PASSWORD = {"password": "a long password"}


def everything(server: LiveServer) -> str:
    """All that the database holds of matches."""

    async def read() -> list[Any]:
        store = server.parts.runtime.store
        rows = await store.matches.page(limit=100_000)
        return [(row, await store.matches.load(row.terms.id)) for row in rows]

    return repr(server.run(read()))


def test_a_deleted_account_leaves_its_matches_without_its_name(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who stays on"), account(server, "Tama who goes away")
    over = play(hine, tama, rated=True, public=True)
    running = hine.new_match("me", "open", rated=True)["id"]
    tama.post(f"/api/matches/{running}/join", {}, 200)
    waiting = tama.new_match("me", "open", public=True)["id"]
    tama.ask("PUT", f"/api/relations/{hine.get('/api/me')['id']}", {"kind": "follow"}, 200)
    tama.post("/api/studies", {"name": "Openings of Tama"})
    token = tama.post("/api/tokens", {"label": "plays", "scope": "play"}, 201)["token"]
    old = tama.get("/api/me")["id"]
    assert tama.post("/api/account/removal", {"password": "a wrong password"}, 401)["code"] == "not-signed-in"
    tama.ask("POST", "/api/account/removal", PASSWORD, 204)
    assert not tama.get("/api/me")["account"]
    server.run(server.parts.removal.run())
    settle(server)
    server.run(server.parts.removal.run())
    assert profile(hine, "Tama who goes away", 404)["code"] == "unknown-player"
    assert hine.get(f"/api/players/{old}", 404)["code"] == "unknown-player"
    assert hine.post("/api/session", {"name": "Tama who goes away", **PASSWORD}, 401)["code"] == "not-signed-in"
    program = server.client({"authorization": f"Bearer {token}"})
    assert program.get("/api/me", 401)["code"] == "not-signed-in"
    assert hine.get(f"/api/matches/{running}")["status"] == "finished"
    assert hine.get(f"/api/matches/{waiting}")["status"] == "aborted"
    row, _ = server.run(server.parts.runtime.store.matches.load(over))
    assert [player and player.name for player in row.players] == ["Hine who stays on", DELETED]
    assert "Tama who goes away" not in everything(server)
    assert profile(hine, "Hine who stays on")["statistics"]["results"][0]["won"] >= 1
    assert hine.get(f"/api/matches/{over}/record")["actions"]
    assert account(server, "Tama who goes away").get("/api/me")["account"], "the name is free again"


def test_nobody_has_the_name_of_a_deleted_player(server: LiveServer) -> None:
    for name in (DELETED, "deIeted pIayer"):
        assert server.guest().ask("PATCH", "/api/me", {"name": name}, 400)["code"] == "parse-error"


def test_ones_own_data_is_a_file_for_the_browser_alone(server: LiveServer) -> None:
    hine, tama = account(server, "Hine with data"), account(server, "Tama without hers")
    play(hine, tama)
    data = hine.get("/api/account/data")
    assert (data["name"], len(data["matches"]), data["tokens"]) == ("Hine with data", 1, [])
    assert "view" not in data["matches"][0]
    assert "a long password" not in json.dumps(data)
    token = hine.post("/api/tokens", {"label": "plays", "scope": "play"}, 201)["token"]
    program = server.client({"authorization": f"Bearer {token}"})
    assert program.get("/api/account/data", 403)["code"] == "token-scope"
    assert "argon2" not in json.dumps(hine.get("/api/account/data"))


def test_a_closed_account_is_logged_out_and_told_why(server: LiveServer) -> None:
    tama = account(server, "Tama who is closed")
    store = server.parts.runtime.store
    server.run(operator.ban(store, "tama who is closed", "Play without a computer."))
    refused = server.guest().post("/api/session", {"name": "Tama who is closed", **PASSWORD}, 403)
    assert refused["code"] == "banned"
    assert refused["message"].endswith("Play without a computer.")
    assert server.run(operator.look(store, "Tama who is closed")).sessions == 0
    assert server.run(operator.unban(store, "Tama who is closed"))
    tama.post("/api/session", {"name": "Tama who is closed", **PASSWORD}, 200)


def test_reports_are_merged_by_whom_they_are_about(server: LiveServer) -> None:
    names = [f"{name} of reports" for name in ("Hine", "Ana", "Tama")]
    hine, ana, tama = (account(server, name) for name in names)
    about = tama.get("/api/me")["id"]
    hine.ask("POST", "/api/reports", {"player": about, "reason": "unfair", "match": "Xq7TfWc2LmPz4RbV"}, 204)
    hine.ask("POST", "/api/reports", {"player": about, "reason": "stalling"}, 204)
    ana.ask("POST", "/api/reports", {"player": about, "reason": "stalling"}, 204)
    assert tama.post("/api/reports", {"player": about, "reason": "other"}, 409)["code"] == "yourself"
    assert hine.post("/api/reports", {"player": "nobody", "reason": "other"}, 404)["code"] == "unknown-player"
    assert hine.post("/api/reports", {"player": about, "reason": "rude"}, 400)["code"] == "parse-error"
    assert server.guest().post("/api/reports", {"player": about, "reason": "other"}, 401)["code"] == "not-signed-in"
    store = server.parts.runtime.store
    (found,) = [each for each in server.run(operator.reported(store)) if each.id == about]
    assert (found.name, found.reasons) == ("Tama of reports", {"stalling": 2})
    assert server.run(operator.settle(store, "Tama of reports")) == 2
    assert server.run(operator.rename(store, "Tama of reports", "Tama renamed")) == "Tama renamed"
    password = server.run(operator.reset_password(store, "Tama renamed"))
    tama.post("/api/session", {"name": "tama renamed", "password": password}, 200)


def test_guests_who_do_not_come_back_are_removed(server: LiveServer) -> None:
    store = server.parts.runtime.store
    gone, here = server.guest("Gone guest"), server.guest("Guest who is here")
    match = play(gone, here)
    future = now_ms() + 400 * 24 * 60 * 60 * 1000
    found = server.run(store.removals.unused(future, limit=100_000)).players
    assert {gone.me["id"], here.me["id"]} <= set(found)
    kept = server.run(store.removals.unused(now_ms() - 60_000, limit=100_000)).players
    assert not {gone.me["id"], here.me["id"]} & set(kept)
    server.run(server.parts.removal.remove(gone.me["id"]))
    server.run(server.parts.removal.run())
    assert [seat["name"] for seat in here.get(f"/api/matches/{match}")["seats"]][1] == "Guest who is here"
    assert "Gone guest" not in everything(server)
    assert server.run(operator.prune(store, 3650, delete=False)) == 0


def test_pairs_are_named_by_how_often_they_played(server: LiveServer) -> None:
    hine, tama = account(server, "Hine of a pair"), account(server, "Tama of a pair")
    for _ in range(20):
        play(hine, tama, rated=True)
    settle(server)
    store = server.parts.runtime.store
    (pair,) = [each for each in server.run(operator.pairs(store)) if "Hine of a pair" in each.names]
    assert (pair.result.rated, pair.result.together) == (20, 20)
