"""PostgreSQL goes away and comes back: every request is answered, and everybody recovers without being asked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.postgres import Cluster
from tests.server.live_server import Client, LiveServer, Socket, run_server

RECOVERY_SECONDS = 20.0
"""Five are promised, which bench/server_soak.py measures; here other tests have the processors, too."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Iterator[Cluster]:
    """A PostgreSQL that a test may stop."""
    with Cluster(f"{testrun_uid}-outage-{tmp_path_factory.getbasetemp().name}") as cluster:
        yield cluster


@pytest.fixture
def live(cluster: Cluster) -> Iterator[LiveServer]:
    """A server on a database of its own in the cluster that can be stopped."""
    cluster.start()
    with run_server(Settings(cluster.new_database(), requests_per_second=100_000)) as server:
        yield server
        cluster.start()


def requests(match: str) -> list[tuple[str, str, object]]:
    """A request of each kind that needs the database."""
    me_and_open = [{"kind": "me"}, {"kind": "open"}]
    return [
        ("GET", "/api/matches?show=lobby", None),
        ("GET", "/api/matches?show=mine", None),
        ("GET", "/api/matches?show=finished&game=mauw", None),
        ("GET", "/api/matches/nowhere", None),
        ("GET", f"/api/matches/{match}", None),
        ("GET", f"/api/matches/{match}/record", None),
        ("GET", f"/api/matches/{match}/replay", None),
        ("GET", "/api/players/nobody", None),
        ("GET", "/api/ratings/mauw", None),
        ("GET", "/ready", None),
        ("POST", "/api/matches", {"game": "mu-torere", "seats": me_and_open}),
        ("POST", f"/api/matches/{match}/join", {}),
        ("POST", "/api/session", {"name": "Hine", "password": "correct horse"}),
    ]


def worker_pids(server: int) -> list[int]:
    """The processes that serve for one with several workers."""
    children = [
        int(pid) for task in Path(f"/proc/{server}/task").glob("*/children") for pid in task.read_text().split()
    ]
    return [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def closed_code(socket: Socket) -> int | None:
    """The code with which a server ends a socket."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    return closed.value.rcvd.code if closed.value.rcvd is not None else None


def answered(client: Client, requested: tuple[str, str, object]) -> httpx.Response:
    """The response to a request."""
    method, path, body = requested
    return client.request(method, path, body)


def test_every_request_in_an_outage_is_told_to_come_back_and_all_recover(live: LiveServer, cluster: Cluster) -> None:
    hine, tama = live.guest("Hine"), live.guest("Tama")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    asked, unloaded = hine.open(match), str(tama.new_match("me", "open")["id"])
    asked.until(type="full")
    live.unload(unloaded)
    cluster.stop()
    for requested in requests(unloaded):
        response = answered(tama, requested)
        assert (response.status_code, "retry-after" in response.headers) == (503, True), (requested, response.text)
        assert response.json()["code"] == "unavailable"
    assert tama.get("/health") == {"status": "ok"}
    for name in (unloaded, "nowhere"):
        refused = tama.open(name)
        assert refused.receive()["code"] == "unavailable"
        assert closed_code(refused) == 1013
    assert asked.act("1-0", 1)["code"] == "unavailable"
    assert closed_code(asked) == 1013  # its match cannot be read any more, so it is asked to come back
    cluster.start()
    began = time.monotonic()
    recovered = hine.open(match)
    assert recovered.until(type="full")["version"] == 1
    assert recovered.act("1-0", 1)["type"] == "event"
    for requested in requests(unloaded)[:9]:
        assert answered(tama, requested).status_code in (200, 404, 409), requested
    assert tama.get("/ready") == {"status": "ready"}
    assert tama.open(unloaded).until(type="full")["version"] == 1
    assert time.monotonic() - began < RECOVERY_SECONDS


def test_a_socket_opened_in_an_outage_is_served_as_soon_as_it_ends(live: LiveServer, cluster: Cluster) -> None:
    """A client that comes back again and again, as ours does, plays on within the time that is promised."""
    hine = live.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
    live.unload(match)
    cluster.stop()
    with ThreadPoolExecutor(1) as pool:
        started = pool.submit(cluster.start)
        while True:
            message = hine.open(match).receive()
            if message["type"] == "full":
                break
            assert message["code"] == "unavailable"
        began = time.monotonic()
        started.result()
    assert time.monotonic() - began < RECOVERY_SECONDS


def test_workers_that_start_in_an_outage_wait_for_its_end(cluster: Cluster) -> None:
    cluster.start()
    words = [sys.executable, "-m", "kemu", "serve", "--port", "0", "--workers", "2"]
    words += ["--database", cluster.new_database()]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().removeprefix("Kemu is at ").strip()
        assert httpx.get(f"{address}ready", timeout=PATIENCE_SECONDS).status_code == 200
        workers = worker_pids(process.pid)
        assert len(workers) == 2
        cluster.stop()
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        assert any("waiting for the database" in line for line in process.stderr)
        cluster.start()
        assert httpx.get(f"{address}ready", timeout=PATIENCE_SECONDS).status_code == 200
        process.terminate()
        process.stderr.read()


@pytest.mark.parametrize(
    "path",
    [
        "/api/matches/%00",
        "/api/matches/%00/record",
        "/api/matches/a%00b/replay",
        "/api/matches/%ED%A0%80",
        "/api/matches/" + "x" * 500,
        "/api/players/%00",
        "/api/ratings/%00",
        "/api/puzzles/%00/progress",
        "/api/puzzles/mu-torere/%00",
        "/api/studies/%00?key=%00",
    ],
)
def test_an_id_that_no_database_can_hold_is_unknown(live: LiveServer, path: str) -> None:
    assert live.guest().http.get(path).status_code in (200, 404)


def test_lists_of_a_game_that_no_database_can_hold_are_empty(live: LiveServer) -> None:
    assert live.guest().get("/api/matches?game=%00") == []


def test_sockets_and_tokens_with_ids_that_no_database_can_hold_are_refused(live: LiveServer) -> None:
    for name in ("%00", "a%00", "x" * 100):
        socket = live.guest().open(name)
        assert socket.receive()["code"] == "unknown-match"
        assert closed_code(socket) == 4404
    follower = live.guest()
    socket = follower.open(follower.new_match("me", "open")["id"])
    socket.until(type="full")
    assert socket.do(do="follow", match="\0")["code"] == "unknown-match"
    assert live.client().http.get("/api/me", headers={b"authorization": b"Bearer kemu_\xff_x"}).status_code == 401


def test_a_request_that_the_database_refuses_fails_alone(live: LiveServer) -> None:
    """Twenty innocent reads beside hostile ones, all at once, so that they share queries."""
    hine = live.guest("Hine")
    matches = [hine.new_match("me", "open")["id"] for _ in range(15)]
    for match in matches:
        live.unload(match)
    paths = [path for match in matches for path in (f"/api/matches/{match}", "/api/matches/%00")]
    with ThreadPoolExecutor(30) as pool:
        clients = [live.client() for _ in paths]
        codes = list(pool.map(lambda pair: pair[0].http.get(pair[1]).status_code, zip(clients, paths, strict=True)))
    assert codes == [200, 404] * len(matches)
