"""Who may see what: sockets follow the seats of their players, and frames carry all that a client needs."""

from typing import Any

from kemu.games import game, text
from tests.server.live_server import Client, LiveServer, Socket
from tests.server.test_matches import be_away, sockets


def open_match(server: LiveServer, **fields: object) -> tuple[Client, Client, str]:
    """Hine with a match whose second seat is open, and Tama without a seat."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    return hine, tama, hine.new_match("me", "open", **fields)["id"]


def watch(client: Client, match: str, query: str = "") -> Socket:
    """A socket that has received its first full frame."""
    socket = client.open(match, query)
    socket.until(type="full")
    return socket


def test_a_watching_player_who_takes_a_seat_is_sent_a_full_frame_for_it_on_every_socket(server: LiveServer) -> None:
    hine, tama, match = open_match(server, game="mauw", options={"players": 2})
    host, stranger = watch(hine, match), watch(server.guest(), match)
    watching = [watch(tama, match), watch(tama, match)]
    joined = tama.post(f"/api/matches/{match}/join", {})
    for socket in watching:
        full = socket.until(type="full")
        assert (full["version"], full["seat"], full["match"]) == (2, 1, joined)
        assert len(full["view"]["hand"]) == 4
    for socket, mine in ((host, [0]), (stranger, [])):
        event = socket.until(type="event")
        assert event["version"] == 2
        assert [each["event"] for each in event["events"][:2]] == ["joined", "started"]
        assert event["match"] == joined | {"mine": mine}
    assert stranger.latest["view"]["hand"] is None
    host.act(host.latest["actions"][0], 2)
    assert {socket.until(type="event")["version"] for socket in (*watching, stranger)} == {3}


def test_a_player_who_leaves_goes_on_as_a_spectator(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", "open", game="mauw", options={"players": 3})["id"]
    tama.post(f"/api/matches/{match}/join", {})
    socket = watch(tama, match)
    assert socket.latest["seat"] == 1
    tama.post(f"/api/matches/{match}/leave", {})
    full = socket.until(type="full")
    assert (full["version"], full["seat"], full["match"]["mine"]) == (3, -2, [])
    assert socket.do(do="look", seat=1)["code"] == "not-yours"


def test_sockets_of_a_replaced_player_become_spectators_and_see_no_hand(server: LiveServer) -> None:
    first, second, match = sockets(server, game="mauw", options={"players": 2})
    turn = first.latest["turn"]
    claimant, replaced = (second, first) if turn == 0 else (first, second)
    assert replaced.latest["view"]["hand"]
    be_away(server, match, turn)
    answer = claimant.do(do="claim", what="bot")
    assert answer["match"]["seats"][turn] == {"kind": "bot", "name": "random", "player": "bot:random"}
    full = replaced.until(type="full")
    assert (full["version"], full["seat"], full["match"]["mine"]) == (answer["version"], -2, [])
    assert full["view"]["hand"] is None
    assert "actions" not in full
    assert replaced.do(do="resign")["code"] == "wrong-seat"
    assert replaced.do(do="full")["view"]["hand"] is None


def test_events_carry_the_match_only_when_something_in_it_changed(server: LiveServer) -> None:
    first, second, match = sockets(server)
    assert "match" not in first.act("1-0", first.latest["version"])
    assert "match" not in second.until(type="event")
    assert "match" not in second.do(do="offer", what="draw")
    ended = first.do(do="resign")
    for frame, mine in ((ended, [0]), (second.until(type="event", version=ended["version"]), [1])):
        assert (frame["match"]["status"], frame["match"]["mine"]) == ("finished", mine)
        assert frame["match"]["outcome"] == frame["outcome"]
    second.do(do="offer", what="rematch")
    following = first.do(do="accept", what="rematch")
    assert following["match"]["next"] == following["events"][-1]["match"]
    assert server.guest().get(f"/api/matches/{match}")["next"] == following["match"]["next"]


def test_text_is_sent_to_sockets_that_ask_for_it(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    plain, drawn = watch(hine, match), watch(hine, match, "?text=1")
    rules, shown = game("mu-torere"), text("mu-torere")
    assert "text" not in plain.latest
    check_text(drawn.latest, shown, rules)
    answer = drawn.act("1-0", 1)
    check_text(answer, shown, rules)
    assert "words" not in answer
    assert "text" not in plain.until(type="event")
    looked = drawn.do(do="look", seat=1)
    check_text(looked, shown, rules)
    assert len(looked["words"]) == len(looked["actions"]) == 1


def check_text(frame: Any, shown: Any, rules: Any) -> None:
    """The drawing of a frame is that of its own view, and each action has its words."""
    assert frame["text"] == shown.draw(rules, frame["view"])
    words = [shown.explain(rules, frame["view"], rules.parse(action)) for action in frame.get("actions", [])]
    assert frame.get("words", []) == words


def test_a_replay_can_be_had_in_text(server: LiveServer) -> None:
    rules, shown = game("mu-torere"), text("mu-torere")
    client = server.guest()
    body = {"game": "mu-torere", "actions": ["1-0"], "text": True}
    steps = client.post("/api/replay", body)["steps"]
    assert client.post("/api/study", body)["steps"] == steps, "the address of 0.1"
    for step in steps:
        check_text(step, shown, rules)
    match = client.new_match("me", {"kind": "me"})["id"]
    client.open(match).act("1-0", 1)
    assert [step["text"] for step in client.get(f"/api/matches/{match}/replay?text=true")["steps"]] == [
        step["text"] for step in steps
    ]


def test_a_game_says_what_a_newcomer_needs(server: LiveServer) -> None:
    answers = {answer["key"]: answer for answer in server.client().get("/api/games")}
    assert {key for key, answer in answers.items() if answer["hidden"]} == {"mauw"}
    assert {"name": "Kiwi", "wins": 5} in answers["moeraki-kemu"]["series"]
    for key, answer in answers.items():
        rules = game(key)
        assert answer["default_bot"] in answer["bots"]
        assert answer["how_to_play"]
        assert answer["text"] == text(key).draw(rules, rules.view(rules.initial(), -2))
