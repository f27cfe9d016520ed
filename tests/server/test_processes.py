"""Several processes on one PostgreSQL: no sticky sessions, notifications of each other, and dead ones replaced."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.core.errors import OptionError
from kemu.server.run import serve
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, run_server


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two servers on one database; what differs from two processes is only that they share one interpreter."""
    settings = Settings(
        postgres, requests_per_second=10_000, messages_per_second=10_000, address_messages_per_second=100_000
    )
    with ExitStack() as stack:
        yield stack.enter_context(run_server(settings)), stack.enter_context(run_server(settings))


def elsewhere(client: Client, server: LiveServer) -> Client:
    """The same person at another process."""
    other = server.client()
    other.http.cookies = client.http.cookies
    return other


def test_players_at_different_processes_play_one_match(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    match = hine.new_match("me", "open")["id"]
    tama.post(f"/api/matches/{match}/join", {})
    first, second = hine.open(match), tama.open(match)
    for socket in (first, second):
        socket.until_version(2)  # the notification of the joining may still be under way
    version = 2
    for seat, action in ((0, "1-0"), (1, "8-1"), (0, "0-8"), (1, "1-0"), (0, "2-1"), (1, "0-2")):
        mover, other = (first, second) if seat == 0 else (second, first)
        answer = mover.act(action, version)
        assert (answer["type"], answer["version"]) == ("event", version + 1), answer
        version += 1
        event = other.until(type="event", version=version)
        assert event["events"] == answer["events"] == [{"event": "acted", "seat": seat, "line": action}]
        assert event["view"] == answer["view"]


def test_presence_crosses_processes(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    match = hine.new_match("me", "open")["id"]
    tama.post(f"/api/matches/{match}/join", {})
    first = hine.open(match)
    second = tama.open(match)
    first.until(type="presence", seats=[{"here": True}, {"here": True}])
    second.close()
    while first.until(type="presence")["seats"][1]["here"]:
        pass


def test_a_name_changed_at_one_process_is_soon_known_at_the_other(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    other = elsewhere(hine, there)
    assert other.get("/api/me")["name"] == "Hine"
    match = hine.new_match("me", "open")["id"]
    watching = tama.open(match)
    watching.until(type="presence")
    hine.ask("PATCH", "/api/me", {"name": "Hinemoa"})
    hine.open(match).until(type="full")
    while not watching.until(type="presence")["seats"][0]["here"]:
        pass  # notifications come in order: this one was sent after the change of the name
    assert other.get("/api/me")["name"] == "Hinemoa"


def test_a_command_done_at_one_process_is_known_at_the_other(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine = here.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    done = hine.open(match).do(do="act", id="once", version=1, action="1-0")
    again = elsewhere(hine, there).open(match)
    again.until(type="full")
    assert again.do(do="act", id="once", version=1, action="1-0") == {
        "type": "done",
        "re": "once",
        "version": done["version"],
    }


def test_a_bot_answers_at_the_process_that_owns_the_match_wherever_the_person_is(
    servers: tuple[LiveServer, LiveServer],
) -> None:
    here, there = servers
    hine = here.guest("Hine")
    match = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
    socket = elsewhere(hine, there).open(match)
    version = socket.until(type="full")["version"]
    socket.act("1-0", version)
    assert socket.until(type="event")["events"] == [{"event": "acted", "seat": 1, "line": "8-1"}]


def test_bots_and_clocks_of_a_process_that_ended_are_taken_over(postgres: str) -> None:
    settings = Settings(postgres)
    with run_server(settings) as first:
        hine = first.guest("Hine")
        match = hine.new_match("me", {"kind": "bot", "bot": "random"}, clock={"kind": "game", "seconds": 2})["id"]
        cookies = hine.http.cookies
    with run_server(settings) as second:
        again = second.client()
        again.http.cookies = cookies
        socket = again.open(match)
        socket.act("1-0", socket.until(type="full")["version"])
        assert socket.until(type="event")["events"][0]["seat"] == 1
        assert socket.until(type="event")["events"] == [{"event": "flagged", "seat": 0}]


def test_a_bot_without_a_clock_goes_on_when_somebody_opens_the_match(tmp_path: Path) -> None:
    settings = Settings(f"sqlite:///{tmp_path}/kemu.sqlite")
    bot = {"kind": "bot", "bot": "random"}
    with run_server(settings) as first:
        hine = first.guest("Hine")
        untimed = hine.new_match("me", bot)["id"]
        timed = hine.new_match("me", bot, clock={"kind": "days", "days": 1})["id"]
        cookies = hine.http.cookies
    with run_server(settings) as second:
        store = second.parts.runtime.store
        assert second.run(store.matches.claim([timed])) == []  # it is owned since the start
        assert second.parts.registry.loaded(untimed) is None
        again = second.client()
        again.http.cookies = cookies
        socket = again.open(untimed)
        socket.act("1-0", socket.until(type="full")["version"])
        assert socket.until(type="event")["events"][0]["seat"] == 1
        assert second.run(store.matches.claim([untimed])) == []


def test_a_match_in_memory_is_taken_over_from_a_process_that_ends(postgres: str) -> None:
    settings = Settings(postgres)
    with run_server(settings) as second:
        with run_server(settings) as first:
            hine = first.guest("Hine")
            match = hine.new_match("me", {"kind": "bot", "bot": "random"})["id"]
            socket = elsewhere(hine, second).open(match)
            version = socket.until(type="full")["version"]
        second.run_upkeep()
        socket.act("1-0", version)
        assert socket.until(type="event")["events"][0]["seat"] == 1


def test_both_acting_at_once_leaves_one_winner_and_no_gap(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine = here.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    first, second = hine.open(match), elsewhere(hine, there).open(match)
    for socket in (first, second):
        socket.until(type="full")
    names = [
        first.send(do="act", id="x", version=1, action="1-0"),
        second.send(do="act", id="y", version=1, action="4-0"),
    ]
    answers = [socket.until(re=name) for socket, name in zip((first, second), names, strict=True)]
    assert sorted(answer["type"] for answer in answers) == ["event", "refused"]
    refused = next(answer for answer in answers if answer["type"] == "refused")
    assert refused["code"] in ("stale-version", "wrong-seat")
    assert {answer.get("version", 2) for answer in answers} == {2}


def test_a_match_played_elsewhere_is_up_to_date_wherever_it_is_asked_for(
    servers: tuple[LiveServer, LiveServer],
) -> None:
    here, there = servers
    hine = here.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    socket = elsewhere(hine, there).open(match)
    socket.act("1-0", socket.until(type="full")["version"])
    offered = socket.do(do="offer", what="draw")
    late = hine.open(match)
    late.until(type="full")
    late.until_version(offered["version"])  # the notification of the last entry may still be under way
    assert late.latest["view"] == offered["view"]
    assert hine.get(f"/api/matches/{match}")["outcome"]["reason"] == "agreement"


def test_joining_at_two_processes_is_joining_once(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    match = hine.new_match("me", "open")["id"]
    tama.post(f"/api/matches/{match}/join", {})
    hine.open(match).until(turn=0)  # the notification has come
    assert elsewhere(tama, here).post(f"/api/matches/{match}/join", {})["mine"] == [1]


def test_the_matches_of_a_player_are_counted_wherever_they_were_made(postgres: str) -> None:
    settings = Settings(postgres, matches_per_guest=2)
    with run_server(settings) as here, run_server(settings) as there:
        hine = here.guest("Hine")
        matches = [client.new_match("me", "open")["id"] for client in (hine, elsewhere(hine, there))]
        for client in (hine, elsewhere(hine, there)):
            assert client.post("/api/matches", {"game": "mu-torere", "seats": [{"kind": "me"}] * 2}, 429)
        hine.post(f"/api/matches/{matches[1]}/leave")
        elsewhere(hine, there).new_match("me", "open")


@pytest.fixture
def workers(postgres: str) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two servers that hand sockets to each other."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())  # short, as the address of a socket must be
        Path(folder, "dead").touch()  # what a worker that was killed leaves behind
        settings = Settings(postgres, requests_per_second=10_000, matches_per_guest=100, handover=folder)
        yield stack.enter_context(run_server(settings)), stack.enter_context(run_server(settings))


def test_workers_of_one_host_bring_the_sockets_of_a_match_together(workers: tuple[LiveServer, LiveServer]) -> None:
    here, there = workers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    for _ in range(8):
        match = hine.new_match("me", "open")["id"]
        tama.post(f"/api/matches/{match}/join", {})
        first, second = hine.open(match), tama.open(match)
        for socket in (first, second):
            socket.until_version(2)  # the notification of the joining may still be under way
        first.act("1-0", 2)
        assert second.until(type="event")["events"] == [{"event": "acted", "seat": 0, "line": "1-0"}]
        actors = [server.parts.registry.loaded(match) for server in workers]
        assert sorted(actor is not None and not actor.idle for actor in actors) == [False, True]
    assert here.parts.runtime.counters.taken + there.parts.runtime.counters.taken > 0


def test_a_socket_that_was_taken_over_is_told_to_come_back_and_does(workers: tuple[LiveServer, LiveServer]) -> None:
    here, there = workers
    hine = here.guest("Hine")
    taken = here.parts.runtime.counters.taken + there.parts.runtime.counters.taken
    while here.parts.runtime.counters.taken == taken:  # until one match is at home where the socket did not come
        match = hine.new_match("me", "open")["id"]
        socket = elsewhere(hine, there).open(match)
        socket.until(type="full")
    here.stop()
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert elsewhere(hine, there).open(match).until(type="full")["version"] == 1


def test_several_workers_need_postgresql() -> None:
    with pytest.raises(OptionError, match="PostgreSQL"):
        serve(workers=2, settings=Settings("sqlite:///x.sqlite"))


def test_a_port_that_is_taken_is_refused_in_one_sentence() -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OptionError, match=f"^Kemu cannot listen at 127.0.0.1, port {port}: "):
            serve(port=port, settings=Settings("memory"))
