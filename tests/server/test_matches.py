"""Matches over real sockets: from the lobby to the record, with people, bots and clocks."""

from pathlib import Path
from typing import Any

import pytest

from kemu.core.record import Record, replay
from kemu.games import game
from kemu.play.decide import CLAIM_GRACE_MS
from kemu.play.terms import DAY_MS
from kemu.server.runtime import now_ms
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, Socket, run_server


def two(server: LiveServer, **fields: object) -> tuple[Client, Client, str]:
    """Hine and Tama at a new match."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", **fields)["id"]
    tama.post(f"/api/matches/{match}/join", {})
    return hine, tama, match


def sockets(server: LiveServer, **fields: object) -> tuple[Socket, Socket, str]:
    """Hine's and Tama's sockets at a new match, each after its full frame."""
    hine, tama, match = two(server, **fields)
    opened = hine.open(match), tama.open(match)
    for socket in opened:
        socket.until(type="full")
    return *opened, match


def play_out(players: list[Socket], state: dict[str, Any]) -> dict[str, Any]:
    """Take the last legal action again and again until the match is over."""
    while not state.get("outcome"):
        mover = next(socket for socket in players if socket_has(socket, state["version"]))
        mover_state = mover.latest
        state = mover.act(mover_state["actions"][-1], mover_state["version"])
        for socket in players:
            if socket is not mover:
                socket.until(type="event", version=state["version"])
    return state


def socket_has(socket: Socket, version: int) -> bool:
    """Whether the newest frame of this socket is of this version and has actions."""
    return socket.latest["version"] == version and "actions" in socket.latest


@pytest.mark.parametrize("key", ["mu-torere", "moeraki-kemu", "mauw"])
def test_two_people_play_each_game_to_its_end_and_the_record_replays(server: LiveServer, key: str) -> None:
    hine, tama, match = two(server, game=key)
    players = [hine.open(match), tama.open(match)]
    states = [socket.until(type="full") for socket in players]
    over = play_out(players, states[0])
    record = Record.decode(hine.get(f"/api/matches/{match}/record"))
    *_, last = replay(game(key, **record.options), record.actions)
    outcome = game(key, **record.options).outcome(last)
    assert outcome is not None
    assert over["outcome"]["reason"] == outcome.reason
    assert tuple(over["outcome"]["winners"]) == outcome.winners
    assert record.players == ("Hine", "Tama")
    steps = tama.get(f"/api/matches/{match}/replay?seat=0")["steps"]
    assert len(steps) == len(record.actions) + 1


def test_versions_have_no_gap_for_anybody(server: LiveServer) -> None:
    first, second, match = sockets(server)
    watcher = server.guest().open(match)
    start = watcher.until(type="full")["version"]
    state = first.latest
    play_out([first, second], state)
    last = first.latest["version"]
    seen = [watcher.until(type="event")["version"] for _ in range(last - start)]
    assert seen == list(range(start + 1, last + 1))


def test_choices_are_told_only_to_the_seat_on_turn(server: LiveServer) -> None:
    first, second, match = sockets(server)
    watcher = server.guest().open(match)
    assert "actions" in first.latest
    assert "actions" not in second.latest
    assert "actions" not in watcher.until(type="full")
    first.act("1-0", first.latest["version"])
    assert "actions" in second.until(type="event")
    assert "actions" not in watcher.until(type="event")


def test_a_command_sent_twice_is_done_once_even_over_another_socket(server: LiveServer) -> None:
    hine, _, match = two(server)
    socket = hine.open(match)
    version = socket.until(type="full")["version"]
    command = {"do": "act", "id": "same", "version": version, "action": "1-0"}
    done = socket.do(**command)
    socket.close()
    again = hine.open(match, f"?after={done['version']}")
    assert again.receive()["type"] == "resumed"
    assert again.do(**command) == {"type": "done", "re": "same", "version": done["version"]}


def test_who_comes_back_with_an_old_version_is_told_everything(server: LiveServer) -> None:
    first, _, match = sockets(server)
    first.act("1-0", first.latest["version"])
    back = server.guest().open(match, "?after=1").receive()
    assert (back["type"], back["log"]) == ("full", [[0, "1-0"]])


def test_people_at_one_screen_look_through_each_seat_in_turn(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})
    assert [seat["name"] for seat in match["seats"]] == ["Hine", "Ben"]
    socket = hine.open(match["id"])
    version = socket.until(type="full")["version"]
    version = socket.act("1-0", version)["version"]
    assert socket.do(do="act", version=version, action="8-1")["code"] == "wrong-seat"
    looked = socket.do(do="look", seat=1)
    assert (looked["type"], looked["seat"], looked["actions"]) == ("full", 1, ["8-1"])
    assert socket.act("8-1", version)["version"] == version + 1


def test_a_person_plays_a_bot(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"})
    assert match["status"] == "running"
    socket = hine.open(match["id"])
    state = socket.until(type="full")
    while not state.get("outcome"):
        mine = state.get("actions")
        state = socket.act(mine[0], state["version"]) if mine else socket.until(type="event")
    assert state["outcome"]["reason"] in ("blocked", "repetition")


def test_against_a_bot_a_takeback_and_a_rematch_need_no_consent(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    socket = hine.open(match)
    socket.act("1-0", socket.until(type="full")["version"])
    socket.until(type="event", turn=0)
    undone = socket.do(do="offer", what="takeback")
    assert undone["events"][-1] == {"event": "undone", "seat": 0, "plies": 2}
    socket.do(do="resign")
    following = socket.do(do="offer", what="rematch")["events"][-1]["match"]
    followed = socket.do(do="follow", match=following)
    assert followed["seat"] == 1  # Mū tōrere: the players swap colours after every game
    assert hine.get(f"/api/matches/{match}")["next"] == following


def test_a_hint_is_given_against_bots_only(server: LiveServer) -> None:
    hine, _, match = two(server)
    assert hine.post(f"/api/matches/{match}/hint", status=409)["code"] == "no-hints"
    alone = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    assert hine.post(f"/api/matches/{alone}/hint")["action"] in ("1-0", "4-0")


@pytest.mark.parametrize("name", ["crash", "exit", "hang", "nonsense"])
def test_a_bot_that_goes_wrong_is_replaced_and_the_match_goes_on(tmp_path: Path, name: str) -> None:
    settings = Settings(f"sqlite:///{tmp_path}/kemu.sqlite", bots="tests.server.broken_bots", bot_seconds=3)
    with run_server(settings) as server:
        hine = server.guest("Hine")
        match = hine.new_match("me", {"kind": "bot", "bot": name})["id"]
        socket = hine.open(match)
        socket.act("1-0", socket.until(type="full")["version"])
        replaced = socket.until(type="event")["events"]
        assert replaced == [{"event": "replaced", "seat": 1, "name": "random", "kind": "bot"}]
        assert socket.until(type="event")["events"] == [{"event": "acted", "seat": 1, "line": "8-1"}]


def test_time_runs_out_without_anybody_asking(server: LiveServer) -> None:
    first, second, _ = sockets(server, clock={"kind": "game", "seconds": 1})
    first.act("1-0", first.latest["version"])
    second.until(type="event")
    over = second.until(type="event")
    assert over["events"] == [{"event": "flagged", "seat": 1}]
    assert over["outcome"]["reason"] == "time"
    assert over["clock"]["left"][1] == 0


def test_days_for_each_turn_run_from_the_first_action_on(server: LiveServer) -> None:
    first, second, _ = sockets(server, clock={"kind": "days", "days": 30})
    assert "running" not in first.latest["clock"]
    first.act("1-0", first.latest["version"])
    clock = second.until(type="event")["clock"]
    assert clock["running"] == 1
    assert clock["left"] == [30 * DAY_MS, 30 * DAY_MS]


def test_presence_is_told_and_an_absent_player_can_be_claimed_against(server: LiveServer) -> None:
    first, second, match = sockets(server)
    first.until(type="presence", seats=[{"here": True}, {"here": True}])
    first.act("1-0", first.latest["version"])
    second.close()
    wait_until_away(first)
    assert first.do(do="claim", what="win")["code"] == "not-away"
    be_away(server, match, 1)
    assert first.do(do="claim", what="win")["outcome"]["reason"] == "abandoned"


def test_a_bot_plays_on_for_who_left(server: LiveServer) -> None:
    first, second, match = sockets(server)
    first.act("1-0", first.latest["version"])
    second.close()
    wait_until_away(first)
    be_away(server, match, 1)
    assert first.do(do="claim", what="bot")["events"][0]["event"] == "replaced"
    assert first.until(type="event")["events"] == [{"event": "acted", "seat": 1, "line": "8-1"}]


def be_away(server: LiveServer, match: str, seat: int) -> None:
    """Let a seat have been away for the whole grace time."""
    actor = server.parts.registry.loaded(match)
    assert actor is not None
    presence = actor.presence
    presence.away = {**presence.away, seat: now_ms() - CLAIM_GRACE_MS}


def wait_until_away(socket: Socket) -> None:
    """Wait until the presence says that seat 1 is away."""
    while socket.until(type="presence")["seats"][1]["here"]:
        pass


def test_the_lobby_shows_open_public_matches_until_they_start(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    public = hine.new_match("me", "open", public=True)["id"]
    private = hine.new_match("me", "open")["id"]

    def listed(show: str) -> list[str]:
        return [match["id"] for match in tama.get(f"/api/matches?show={show}&limit=100")]

    assert public in listed("lobby")
    assert private not in listed("lobby")
    tama.post(f"/api/matches/{public}/join", {})
    assert public not in listed("lobby")
    assert public in listed("live")
    assert listed("mine") == [public]
    tama.post(f"/api/matches/{private}/join", {"seat": 1})
    assert set(listed("mine")) == {public, private}


def test_joining_twice_is_joining_once_and_a_full_match_takes_nobody(server: LiveServer) -> None:
    hine, tama, match = two(server)
    assert tama.post(f"/api/matches/{match}/join", {})["mine"] == [1]
    assert server.guest().post(f"/api/matches/{match}/join", {}, 409)["code"] == "seat-taken"
    assert hine.post(f"/api/matches/{match}/leave", {}, 409)["code"] == "already-started"


def test_the_host_can_seat_a_bot_and_nobody_else_can(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open")["id"]
    path = f"/api/matches/{match}/seats/1"
    assert tama.ask("PUT", path, {"bot": "random"}, 403)["code"] == "not-yours"
    assert hine.ask("PUT", path, {"bot": "nobody"}, 400)["code"] == "bad-option"
    assert hine.ask("PUT", path, {"bot": "random"})["status"] == "running"


def test_leaving_before_the_start_calls_an_empty_match_off(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", "open")["id"]
    assert hine.post(f"/api/matches/{match}/leave", {})["status"] == "aborted"


def test_a_toss_seats_the_players_by_lot(server: LiveServer) -> None:
    hine = server.guest("Hine")
    places = {hine.new_match("me", "open", toss=True)["mine"][0] for _ in range(40)}
    assert places == {0, 1}


def test_a_series_counts_and_swaps_until_it_is_won(server: LiveServer) -> None:
    first, second, match = sockets(server, series=2)
    assert first.do(do="resign")["match"]["series"] == {"to": 2, "game": 1, "wins": [0, 1]}, "it counts at once"
    following = second.do(do="offer", what="rematch")["events"][-1]["match"]
    followed = second.do(do="follow", match=following)
    assert followed["match"]["series"] == {"to": 2, "game": 2, "wins": [1, 0]}
    assert followed["seat"] == 0
    first.do(do="follow", match=following)
    first.do(do="resign")
    ended = second.until(type="event")
    assert ended["outcome"]["winners"] == [0]
    assert ended["match"]["series"] == {"to": 2, "game": 2, "wins": [2, 0]}
    offered = second.do(do="offer", what="rematch")
    assert offered["events"] == [{"event": "offered", "seat": 0, "what": "rematch"}]  # decided: now it needs consent
    assert match != following


def test_lists_have_positions_as_spectators_see_them(server: LiveServer) -> None:
    hine, tama, match = two(server, public=True)
    open_match = hine.new_match("me", "open")["id"]

    def listed(client: Client, show: str) -> dict[str, Any]:
        return {found["id"]: found["view"] for found in client.get(f"/api/matches?show={show}")}

    assert listed(hine, "mine")[open_match] is None, "before the start"
    assert listed(tama, "live")[match]["position"]["points"] == "BBBBWWWW."
    socket = hine.open(match)
    socket.until(type="full")
    socket.act("1-0", 2)
    assert listed(tama, "live")[match]["position"]["points"] == ".BBBWWWWB"
    socket.do(do="resign")
    final = listed(tama, "finished")[match]
    socket.close()
    server.unload(match)
    assert final["position"]["points"] == ".BBBWWWWB"
    assert listed(tama, "finished")[match] == final, "stored at the end, so that nothing is replayed"
    assert "view" not in hine.get(f"/api/matches/{match}")
