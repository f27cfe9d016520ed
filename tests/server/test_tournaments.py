"""Tournaments over the wire: made, entered, played and followed; who may do what; results and notices."""

import csv
import io
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.server.live_server import Client, LiveServer, generous, run_server
from tests.server.test_fair_play import account
from tests.server.tournament_play import REAL_TIME, Follower, asked, entered, new_tournament, resign


def names(state: Any) -> dict[str, str]:
    return {entrant["id"]: entrant["name"] for entrant in state["entrants"]}


def play(follower: Follower, clients: dict[str, Client]) -> None:
    """Play to the end: of each game, whoever comes later in the alphabet resigns."""
    while follower.state["stage"] not in ("finished", "cancelled"):
        for game in follower.games("made"):
            known = names(follower.state)
            loser = max((player for player in game["seats"] if player in clients), key=lambda player: known[player])
            resign(clients[loser], game["match"])
            while not follower.scored(game["match"]):
                follower.next()
        if follower.state["stage"] in ("open", "running") and not follower.games("made"):
            follower.next()


def test_a_round_robin_is_played_to_its_results(server: LiveServer) -> None:
    host, ana, hine = (account(server, f"{name} robin") for name in ("Aroha", "Bea", "Cat"))
    tournament = new_tournament(host, system="round-robin", name="Three friends")
    for client in (host, ana, hine):
        entered(client, tournament)
    clients = {client.get("/api/me")["id"]: client for client in (host, ana, hine)}
    follower = Follower(server, tournament)
    begun = asked(host, tournament, "start")
    assert begun["stage"] == "running"
    play(follower, clients)
    standings = follower.state["standings"]
    assert [names(follower.state)[row["entrant"]] for row in standings] == ["Aroha robin", "Bea robin", "Cat robin"]
    assert [row["points"] for row in standings] == [480, 240, 0]
    found = host.get(f"/api/tournaments/{tournament}/results")
    assert len(found["games"]) == 6
    assert found["standings"] == standings
    table = host.request("GET", f"/api/tournaments/{tournament}/results?form=csv")
    assert table.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [(row["name"], row["points"]) for row in rows] == [
        ("Aroha robin", "4"),
        ("Bea robin", "2"),
        ("Cat robin", "0"),
    ]
    pages = ana.open_path("/api/notices/socket?notices=1")
    told: list[Any] = []
    while not any(notice["step"] == "over" for notice in told):  # the notice is saved after the entry
        told = [notice for notice in pages.until(type="notices")["latest"] if notice["about"] == tournament]
    assert [(notice["kind"], notice["names"]) for notice in told] == [("tournament", ["Three friends"])]
    assert tournament in [each["id"] for each in ana.get("/api/tournaments?show=mine")]
    assert tournament in [each["id"] for each in ana.get("/api/tournaments?show=finished&game=mu-torere")]


def test_matches_of_a_tournament_cannot_be_called_off_or_repeated(server: LiveServer) -> None:
    host, other = account(server, "Aroha stays"), account(server, "Bea stays")
    tournament = new_tournament(host, system="round-robin")
    for client in (host, other):
        entered(client, tournament)
    follower = Follower(server, tournament)
    asked(host, tournament, "start")
    while not follower.games("made"):
        follower.next()
    match = follower.games("made")[0]["match"]
    assert host.get(f"/api/matches/{match}")["tournament"] == tournament
    socket = host.open(match)
    full = socket.until(type="full")
    assert full["clock"]["running"] == 0, "the time runs from the start"
    assert socket.do(do="abort")["code"] == "already-started"
    assert socket.do(do="offer", what="cancel")["code"] == "no-offer"
    socket.do(do="resign")
    assert socket.do(do="offer", what="rematch")["code"] == "no-offer"
    socket.close()


def test_who_leaves_resigns_and_nobody_waits(server: LiveServer) -> None:
    clients = [account(server, f"{name} leaves") for name in ("Aroha", "Bea", "Cat", "Dan")]
    host = clients[0]
    tournament = new_tournament(host, system="swiss", rounds=2)
    for client in clients:
        entered(client, tournament)
    follower = Follower(server, tournament)
    asked(host, tournament, "start")
    while len(follower.games("made")) < 2:
        follower.next()
    leaver = clients[3].get("/api/me")["id"]
    [match] = [game["match"] for game in follower.games("made") if leaver in game["seats"]]
    left = asked(clients[3], tournament, "withdraw")
    assert [entrant["away"] for entrant in left["entrants"] if entrant["id"] == leaver] == [True]
    socket = host.open(match)
    while not socket.receive().get("outcome"):
        pass
    socket.close()
    while follower.state["version"] < left["version"]:
        follower.next()
    playing = {client.get("/api/me")["id"]: client for client in clients[:3]}
    play(follower, playing)
    assert follower.state["stage"] == "finished"
    assert len(follower.state["rounds"][1]["byes"]) == 1


def test_a_computer_fills_the_odd_place_and_a_series_goes_on_by_itself(server: LiveServer) -> None:
    host = account(server, "Aroha alone")
    computer = {"bot": "1", "rated": False}
    tournament = new_tournament(host, system="round-robin", computer=computer, wins=2, rated=True)
    entered(host, tournament)
    follower = Follower(server, tournament)
    asked(host, tournament, "start")
    play(follower, {host.get("/api/me")["id"]: host})
    assert [row["points"] for row in follower.state["standings"]] == [120, 0]
    [pairing] = follower.state["rounds"][0]["pairings"]
    first, second = (host.get(f"/api/matches/{game['match']}") for game in pairing["games"])
    assert (first["rated"], first["series"]["to"]) == (False, 2)
    assert (second["previous"], second["series"]["game"]) == (first["id"], 2)


def test_tables_are_of_three_to_six(server: LiveServer) -> None:
    clients = [account(server, f"{name} table") for name in ("Aroha", "Bea", "Cat")]
    tournament = new_tournament(clients[0], system="tables", rounds=1, game="mauw", options={"players": 2})
    for client in clients:
        entered(client, tournament)
    follower = Follower(server, tournament)
    asked(clients[0], tournament, "start")
    while not follower.games("made"):
        follower.next()
    [game] = follower.games("made")
    match = clients[0].get(f"/api/matches/{game['match']}")
    assert match["options"]["players"] == len(match["seats"]) == 3
    by_id = {client.get("/api/me")["id"]: client for client in clients}
    resign(by_id[game["seats"][0]], game["match"])
    resign(by_id[game["seats"][1]], game["match"])
    while follower.state["stage"] != "finished":
        follower.next()
    assert follower.state["standings"][0]["entrant"] == game["seats"][2]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"clock": {"kind": "none"}}, "bad-option"),
        ({"game": "chess"}, "unknown-game"),
        ({"system": "tables"}, "bad-option"),
        ({"system": "league"}, "bad-option"),
        ({"system": "league", "clock": {"kind": "days", "days": 3}, "days": 30, "wins": 3}, "bad-option"),
        ({"system": "tables", "game": "mauw", "wins": 3}, "bad-option"),
        ({"appointments": True}, "bad-option"),
        ({"starts": 1}, "bad-option"),
        ({"rated": True, "clock": {"kind": "game", "seconds": 5}}, "bad-option"),
        ({"computer": {"bot": "nobody"}}, "bad-option"),
        ({"group": "g"}, "entry-refused"),
        ({"rounds": 21}, "parse-error"),
    ],
)
def test_terms_that_do_not_go_together_are_refused(
    server: LiveServer, fields: dict[str, object], code: str, request: pytest.FixtureRequest
) -> None:
    host = account(server, f"Host {abs(hash(request.node.name)) % 10**9}")
    terms = {"name": "Evening", "game": "mu-torere", "clock": REAL_TIME, "system": "swiss", **fields}
    refused = host.request("POST", "/api/tournaments", terms)
    assert not refused.is_success
    assert refused.json()["code"] == code
    assert host.get("/api/tournaments?show=mine") == []


def test_tournaments_are_for_accounts_and_their_commands_done_once(server: LiveServer) -> None:
    host, guest = account(server, "Aroha once"), server.guest("Visitor")
    terms = {"name": "Evening", "game": "mu-torere", "clock": REAL_TIME, "system": "swiss"}
    assert guest.post("/api/tournaments", terms, 401)["code"] == "not-signed-in"
    tournament = new_tournament(host)
    address = f"/api/tournaments/{tournament}/commands"
    assert guest.post(address, {"do": "enter", "id": "1"}, 401)["code"] == "not-signed-in"
    assert guest.post(address, {"do": "start", "id": "1"}, 403)["code"] == "not-yours"
    once, twice = entered(host, tournament), entered(host, tournament)
    assert once["version"] == twice["version"] == 1
    assert host.post(address, {"do": "start", "id": "2"}, 409)["code"] == "tournament-closed"
    assert host.get("/api/tournaments/t-none", 404)["code"] == "unknown-tournament"
    socket = server.socket("/api/tournaments/t-none/socket")
    assert socket.receive()["code"] == "unknown-tournament"
    follower = Follower(server, tournament)
    assert follower.socket.do(do="ping", t=3)["t"] == 3
    follower.socket.send(do="full")
    assert follower.socket.receive()["version"] == 1


def test_an_organiser_has_so_many_tournaments(server: LiveServer) -> None:
    host = account(server, "Aroha of many")
    made = [new_tournament(host) for _ in range(10)]
    terms = {"name": "Evening", "game": "mu-torere", "clock": REAL_TIME, "system": "swiss"}
    assert host.post("/api/tournaments", terms, 429)["code"] == "too-many"
    asked(host, made[0], "end")
    listed = host.get("/api/tournaments?show=open&limit=3")
    assert len(listed) == 3
    older = host.get(f"/api/tournaments?show=open&limit=3&before={listed[-1]['created']}")
    assert not {each["id"] for each in older} & {each["id"] for each in listed}
    new_tournament(host)


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two servers on one database."""
    with ExitStack() as stack:
        settings = generous(postgres)
        yield stack.enter_context(run_server(settings)), stack.enter_context(run_server(settings))


def test_a_tournament_is_played_at_two_processes(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    host, other = account(here, "Aroha here"), account(there, "Bea there")
    tournament = new_tournament(host, system="round-robin")
    entered(host, tournament)
    entered(other, tournament)
    first, second = Follower(here, tournament), Follower(there, tournament)
    while len(first.state["entrants"]) < 2:
        first.next()
    asked(host, tournament, "start")
    by_id = {client.get("/api/me")["id"]: client for client in (host, other)}
    play(second, {other.get("/api/me")["id"]: other})
    while first.state["version"] < second.state["version"]:
        first.next()
    assert first.state["standings"] == second.state["standings"]
    assert {row["points"] for row in first.state["standings"]} == {0, 240}
    assert len(by_id) == 2
