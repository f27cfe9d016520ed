"""Challenges over HTTP and sockets: who sees, accepts and is told what, and that nobody else is."""

import threading
from typing import Any

from kemu.server.runtime import now_ms
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, run_server
from tests.server.test_fair_play import account

CLOCK = {"kind": "game", "seconds": 300, "increment": 5}
BANK = {"kind": "bank", "hours": 240, "increment": 36}


def challenge(client: Client, status: int = 201, **fields: Any) -> Any:
    """A challenge; those to anyone have numbers of arms of their own in each test, so that no others fit them."""
    usual = {"game": "mu-torere", "clocks": [CLOCK]}
    return client.post("/api/challenges", usual | fields, status)


def open_of(client: Client, **fields: Any) -> str:
    """The id of a new open challenge."""
    return str(challenge(client, **fields)["challenge"]["id"])


def listed(client: Client, show: str = "anyone") -> list[str]:
    return [each["id"] for each in client.get(f"/api/challenges?show={show}&limit=100")]


def accept(client: Client, name: str, status: int = 200, **fields: Any) -> Any:
    return client.post(f"/api/challenges/{name}/accept", fields, status)


def newest(client: Client) -> Any:
    """The newest notice of a player, as soon as there is one that is not seen."""
    return client.open_path("/api/notices/socket?notices=1").until(type="notices", unseen=1)["latest"][0]


def clear(client: Client) -> None:
    """Withdraw what a test leaves, which would fit later challenges to anyone."""
    for name in listed(client, "mine"):
        client.ask("DELETE", f"/api/challenges/{name}", status=204)


def test_a_challenge_by_name_is_accepted_while_its_challenger_is_away(server: LiveServer) -> None:
    hine, tama, kiri = (account(server, f"{name} by name") for name in ("Hine", "Tama", "Kiri"))
    sent = challenge(hine, audience="player", name="tama BY name", clocks=[BANK, CLOCK], stake="either", seat=1)
    found = sent["challenge"]
    assert sent["match"] is None
    assert found["target"] == {"id": tama.me["id"], "name": "Tama by name", "account": True}
    assert (found["free"], found["barred"], found["standing"]) == (1, None, 0)
    name = found["id"]
    assert listed(tama, "me") == listed(hine, "mine") == [name]
    assert name not in listed(tama) + listed(kiri) + listed(kiri, "me")
    for method, path in (("POST", f"{name}/accept"), ("POST", f"{name}/decline"), ("DELETE", name)):
        body: Any = {} if path.endswith("accept") else None
        assert kiri.ask(method, f"/api/challenges/{path}", body, 404)["code"] == "unknown-challenge"
    told = newest(tama)
    assert (told["kind"], told["about"], told["names"]) == ("challenge", name, ["Hine by name"])

    match = accept(tama, name, clock=0, rated=False)
    assert match["status"] == "running"
    assert [seat["name"] for seat in match["seats"]] == ["Tama by name", "Hine by name"]
    assert (match["clock"], match["rated"], match["public"]) == (BANK, False, False)
    told = newest(hine)
    assert (told["kind"], told["about"], told["names"]) == ("accepted", match["id"], ["Tama by name"])
    assert [waiting["match"] for waiting in tama.get("/api/turns")] == [match["id"]]
    assert listed(tama, "me") == listed(hine, "mine") == []
    assert accept(tama, name, 404)["code"] == "unknown-challenge"


def test_a_declined_challenge_is_gone_and_its_challenger_told(server: LiveServer) -> None:
    hine, tama = account(server, "Hine declined"), account(server, "Tama declines")
    name = open_of(hine, audience="player", player=tama.me["id"])
    again = challenge(hine, 409, audience="player", player=tama.me["id"])
    assert again["code"] == "challenge-limit"
    tama.post(f"/api/challenges/{name}/decline", status=204)
    told = newest(hine)
    assert (told["kind"], told["about"], told["names"]) == ("declined", name, ["Tama declines"])
    assert listed(hine, "mine") == []


def test_followed_players_are_challenged_together(server: LiveServer) -> None:
    hine, tama, kiri, ana = (account(server, f"{name} in a ring") for name in ("Hine", "Tama", "Kiri", "Ana"))
    for other in (tama, kiri):
        hine.ask("PUT", f"/api/relations/{other.me['id']}", {"kind": "follow"}, 200)
    name = open_of(hine, audience="followed")
    assert name in listed(tama, "me")
    assert name in listed(kiri, "me")
    assert name not in listed(ana) + listed(ana, "me")
    kiri.post(f"/api/challenges/{name}/decline", status=204)
    assert listed(kiri, "me") == []
    assert accept(kiri, name, 404)["code"] == "unknown-challenge"
    assert accept(tama, name)["status"] == "running"


def test_two_challenges_that_fit_become_a_match(server: LiveServer) -> None:
    hine, tama = account(server, "Hine seeks"), account(server, "Tama seeks")
    page = hine.open_path("/api/notices/socket?notices=1")
    page.until(type="challenges")
    arms = {"arms": 10}
    name = open_of(hine, variants=[{"arms": 12}, arms], clocks=[CLOCK, BANK], stake="either", seat=0)
    assert name in listed(tama)
    other = open_of(tama, variants=[arms], clocks=[BANK], seat=0)
    assert other not in listed(tama), "the own ones are in a list of their own"
    clear(tama)
    answer = challenge(tama, variants=[arms], clocks=[BANK, {"kind": "days", "days": 3}])
    assert answer["challenge"] is None
    match = answer["match"]
    assert match["options"]["arms"] == 10
    assert (match["clock"], match["rated"], match["public"]) == (BANK, False, True)
    assert [seat["name"] for seat in match["seats"]] == ["Hine seeks", "Tama seeks"]
    met = page.until(type="met")
    assert (met["challenge"], met["match"]) == (name, match["id"])
    assert listed(hine, "mine") == listed(tama, "mine") == []


def test_who_looks_for_an_opponent_takes_the_open_seat_of_a_match_that_fits(server: LiveServer) -> None:
    hine, tama, kiri = (account(server, f"{name} at the lobby") for name in ("Hine", "Tama", "Kiri"))
    options = {"arms": 16, "repetition": False}
    waiting = hine.new_match("me", "open", public=True, options=options, clock=CLOCK)["id"]
    kiri.ask("PUT", f"/api/relations/{hine.me['id']}", {"kind": "block"}, 200)
    for client, fields in ((hine, {}), (kiri, {}), (tama, {"clocks": [BANK]}), (tama, {"seat": 0})):
        assert challenge(client, variants=[options], **fields)["match"] is None
        clear(client)
    found = challenge(tama, variants=[options])["match"]
    assert (found["id"], found["status"], found["mine"]) == (waiting, "running", [1])
    assert listed(tama, "mine") == []


def test_a_range_of_ratings_holds_both_ways(server: LiveServer) -> None:
    hine, tama = account(server, "Hine of range"), account(server, "Tama of range")
    arms = [{"arms": 14}]
    name = open_of(hine, variants=arms, lowest=1600)
    (shown,) = [each for each in tama.get("/api/challenges?game=mu-torere&limit=100") if each["id"] == name]
    assert shown["barred"] == "outside-range"
    assert accept(tama, name, 409)["code"] == "outside-range"
    assert challenge(tama, variants=arms)["match"] is None
    clear(hine)
    assert challenge(hine, variants=arms, highest=1400)["match"] is None
    for client in (hine, tama):
        clear(client)


def test_blocked_players_neither_see_nor_meet_each_other(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who blocks"), account(server, "Tama who is blocked")
    arms = [{"arms": 16}]
    name = open_of(tama, variants=arms)
    to_her = open_of(tama, audience="player", player=hine.me["id"])
    tama.ask("PUT", f"/api/relations/{hine.me['id']}", {"kind": "block"}, 200)
    assert name not in listed(hine)
    assert listed(hine, "me") == []
    for each in (name, to_her):
        assert accept(hine, each, 403)["code"] == "blocked"
    assert challenge(hine, 403, audience="player", player=tama.me["id"])["code"] == "blocked"
    assert challenge(hine, variants=arms)["match"] is None
    for client in (hine, tama):
        clear(client)


def test_guests_make_casual_challenges_that_end_with_their_presence(server: LiveServer) -> None:
    guest, hine = server.guest("A guest who seeks"), account(server, "Hine of guests")
    arms = [{"arms": 4}]
    for fields in ({"stake": "rated"}, {"audience": "player", "name": "Hine of guests"}, {"standing": 2}):
        assert challenge(guest, 401, **fields)["code"] == "not-signed-in"
    page = guest.open_path("/api/notices/socket?notices=1")
    page.until(type="challenges")
    found = challenge(guest, variants=arms, minutes=600)["challenge"]
    assert found["expires"] - found["created"] == 60_000
    later = now_ms() + 30_000
    server.call(lambda: server.parts.challenges.keep_leases(later))
    while guest.get("/api/challenges?show=mine")[0]["expires"] != later + 60_000:
        pass
    rated = open_of(hine, variants=[{"arms": 6}], stake="rated")
    (shown,) = [each for each in guest.get("/api/challenges?limit=100") if each["id"] == rated]
    assert shown["barred"] == "not-signed-in"
    assert accept(guest, rated, 401)["code"] == "not-signed-in"
    match = accept(hine, found["id"])
    assert match["status"] == "running"
    assert page.until(type="met")["match"] == match["id"]
    clear(hine)


def test_a_standing_challenge_opens_again_when_one_of_its_matches_ends(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who stands"), account(server, "Tama who stands")
    arms = [{"arms": 4, "repetition": False}]
    name = open_of(hine, variants=arms, standing=1)
    match = accept(tama, name)["id"]
    assert accept(tama, name, 404)["code"] == "unknown-challenge"
    assert hine.get("/api/challenges?show=mine")[0]["free"] == 0
    waiting = challenge(tama, variants=arms)
    assert waiting["match"] is None
    page = tama.open_path("/api/notices/socket?notices=1")
    page.until(type="challenges")
    tama.open(match).do(do="resign")
    met = page.until(type="met")
    assert met["challenge"] == waiting["challenge"]["id"], "it is matched with what waits already"
    assert hine.get("/api/challenges?show=mine")[0]["free"] == 0
    clear(hine)


ODD: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "unknown-game"),
    ({"variants": [{"arms": 7}]}, "bad-option"),
    ({"game": "mauw", "variants": [{"players": 3}]}, "bad-option"),
    ({"clocks": []}, "parse-error"),
    ({"audience": "player"}, "bad-option"),
    ({"name": "nobody has this name"}, "bad-option"),
    ({"audience": "player", "name": "nobody has this name"}, "unknown-player"),
    ({"audience": "player", "player": "nobody"}, "unknown-player"),
    ({"seat": 2}, "parse-error"),
    ({"lowest": 1700, "highest": 1600}, "bad-option"),
    ({"stake": "rated", "clocks": [{"kind": "none"}]}, "bad-option"),
    ({"standing": 2, "clocks": [{"kind": "none"}]}, "bad-option"),
    ({"minutes": 0}, "parse-error"),
    ({"hurry": True}, "parse-error"),
]


def test_odd_challenges_are_refused_with_a_code(server: LiveServer) -> None:
    hine = account(server, "Hine the odd")
    for fields, code in ODD:
        response = hine.request("POST", "/api/challenges", {"game": "mu-torere", "clocks": [CLOCK]} | fields)
        assert (response.status_code >= 400, response.json().get("code")) == (True, code), fields
    assert challenge(hine, 409, audience="player", player=hine.me["id"])["code"] == "yourself"
    name = open_of(hine, variants=[{"arms": 6, "repetition": False}])
    assert accept(hine, name, 409)["code"] == "yourself"
    tama = account(server, "Tama the odd")
    for fields in ({"variant": 1}, {"clock": 1}, {"rated": True}):
        assert accept(tama, name, 400, **fields)["code"] == "bad-option"
    clear(hine)


def test_tokens_do_what_their_scope_allows(server: LiveServer) -> None:
    hine = account(server, "Hine with tokens")
    for scope, status in (("read", 403), ("play", 201)):
        token = hine.post("/api/tokens", {"label": scope, "scope": scope}, 201)["token"]
        program = server.client({"authorization": f"Bearer {token}"})
        challenge(program, status, variants=[{"arms": 8, "repetition": False}])
        assert len(program.get("/api/challenges?show=mine")) == (status == 201)
    clear(hine)


def test_two_servers_make_one_match_of_two_who_seek_or_accept_at_once(postgres: str) -> None:
    settings = Settings(postgres, requests_per_second=10_000, matches_per_minute=10_000)
    with run_server(settings) as here, run_server(settings) as there:
        hine, tama, kiri = here.guest("Hine"), there.guest("Tama"), here.guest("Kiri")
        at_once(lambda: challenge(hine), lambda: challenge(tama))
        assert len(hine.get("/api/turns")) == len(tama.get("/api/turns")) == 1
        assert listed(kiri) == []
        name = open_of(kiri)
        page = kiri.open_path("/api/notices/socket?notices=1")
        page.until(type="challenges")
        answers = at_once(
            *(
                lambda client=client: client.request("POST", f"/api/challenges/{name}/accept", {})
                for client in (hine, tama)
            )
        )
        assert sorted(answer.status_code for answer in answers) in ([200, 404], [200, 409])
        assert page.until(type="met")["challenge"] == name
        assert len(kiri.get("/api/turns")) == 1


def at_once(*acts: Any) -> list[Any]:
    """Do something in several threads; gives what each returns."""
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda number=number, act=act: found.__setitem__(number, act()))
        for number, act in enumerate(acts)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[number] for number in range(len(acts))]
