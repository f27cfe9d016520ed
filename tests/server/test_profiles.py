"""Pages of players: what is on them, and what they tell to whom."""

from typing import Any
from urllib.parse import quote

from tests.server.live_server import Client, LiveServer
from tests.server.test_fair_play import account


def play(winner: Client, loser: Client, **fields: object) -> str:
    """A match of two that the second one resigns."""
    match = str(winner.new_match("me", "open", **fields)["id"])
    loser.post(f"/api/matches/{match}/join", {}, 200)
    socket = loser.open(match)
    socket.until(type="full")
    act(winner, match)
    socket.until(type="event")
    socket.act(socket.latest["actions"][0], socket.latest["version"])
    socket.do(do="resign")
    return match


def act(client: Client, match: str) -> None:
    """Take the first action that is legal."""
    socket = client.open(match)
    full = socket.until(type="full")
    socket.act(full["actions"][0], full["version"])
    socket.close()


def profile(client: Client, name: str, status: int = 200) -> Any:
    return client.get(f"/api/profile?name={quote(name)}", status)


def settle(server: LiveServer) -> None:
    """Count the matches that have ended."""
    server.run(server.parts.finished.run_once())


def test_a_rated_match_shows_on_the_pages_of_both(server: LiveServer) -> None:
    hine, tama = account(server, "Hine with a page"), account(server, "Tama with a page")
    match = play(hine, tama, rated=True, public=True)
    settle(server)
    mine, his = profile(hine, "hine WITH a page"), profile(hine, "Tama with a page")
    assert (mine["mine"], his["mine"], his["hidden"]) == (True, False, False)
    assert mine["since"] > 1_600_000_000_000
    (gained,), (dropped,) = mine["ratings"], his["ratings"]
    assert gained["rating"] > 1500 > dropped["rating"]
    assert gained["provisional"]
    assert [day["rating"] for day in mine["statistics"]["days"]] == [gained["rating"]]
    assert his["met"] == [{"game": "mu-torere", "against": his["id"], "won": 1, "drawn": 0, "lost": 0}]
    assert mine["met"] == []
    people = {"game": "mu-torere", "against": "people", "won": 1, "drawn": 0, "lost": 0}
    assert mine["statistics"]["results"] == [people]
    (recent,) = hine.get(f"/api/players/{mine['id']}/matches")["matches"]
    assert recent["match"]["id"] == match
    assert recent["change"] == gained["rating"] - 1500
    assert [each["rating"] for each in hine.get(f"/api/standings?players={mine['id']}%20nobody%20bot:1")[0]["ratings"]]


def test_hidden_statistics_are_for_their_owner_alone(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who hides"), account(server, "Tama who looks")
    play(hine, tama, public=True)
    settle(server)
    hine.ask("PUT", "/api/me/choices", {"hidden": True, "quiet": False}, 200)
    name, player = "Hine who hides", hine.get("/api/me")["id"]
    assert profile(hine, name)["statistics"]["results"]
    assert hine.get(f"/api/players/{player}/matches")["matches"]
    seen = profile(tama, name)
    assert (seen["statistics"], seen["hidden"]) == (None, True)
    assert [each["lost"] for each in seen["met"]] == [1]  # these are his own
    assert tama.get(f"/api/players/{player}/matches", 403)["code"] == "private"
    assert server.guest().get(f"/api/players/{player}/matches", 403)["code"] == "private"
    assert profile(server.guest(), name)["met"] == []


def test_matches_behind_a_link_are_listed_for_those_who_sat_there(server: LiveServer) -> None:
    hine, tama, ana = (account(server, f"{name} by a link") for name in ("Hine", "Tama", "Ana"))
    hidden, shown = play(hine, tama), play(hine, tama, public=True)
    path = f"/api/players/{hine.get('/api/me')['id']}/matches"
    ids = {who: [each["match"]["id"] for each in who.get(path)["matches"]] for who in (hine, tama, ana)}
    assert ids == {hine: [shown, hidden], tama: [shown, hidden], ana: [shown]}
    first = hine.get(f"{path}?limit=1")
    assert [each["match"]["id"] for each in first["matches"]] == [shown]
    second = hine.get(f"{path}?limit=1&before={first['before']}")
    assert [each["match"]["id"] for each in second["matches"]] == [hidden]
    assert hine.get(f"{path}?game=mauw") == {"matches": [], "before": None}


def test_only_accounts_are_found_and_choices_are_their_owners(server: LiveServer) -> None:
    hine, guest = account(server, "Searched Hine"), server.guest("Searched guest")
    assert [each["name"] for each in guest.get("/api/players?name=searched")] == ["Searched Hine"]
    assert guest.get("/api/players?name=%20") == []
    assert profile(guest, "Searched guest", 404)["code"] == "unknown-player"
    assert hine.get("/api/me/choices") == {"hidden": False, "quiet": False}
    token = hine.post("/api/tokens", {"label": "reads", "scope": "read"}, 201)["token"]
    program = server.client({"authorization": f"Bearer {token}"})
    assert profile(program, "Searched Hine")["mine"]
    assert program.get("/api/me/choices", 403)["code"] == "token-scope"


def test_bots_are_listed_apart_with_fixed_ratings(server: LiveServer) -> None:
    bots = server.guest().get("/api/ratings/mu-torere/bots")
    ratings = [each["ratings"][0]["rating"] for each in bots if each["name"].isdigit()]
    assert all(each["bot"] for each in bots)
    assert ratings == sorted(ratings)
