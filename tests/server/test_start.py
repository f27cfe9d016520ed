"""A server starts or says in one sentence why not; one bad match stops nothing; copies and exports are whole."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, run_server

KEMU = [sys.executable, "-m", "kemu"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database of a test lies."""
    return tmp_path / "kemu.sqlite"


def kemu(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    return subprocess.run([*KEMU, *words], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


@contextmanager
def serving(path: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`kemu serve` on a database, and its address."""
    words = [*KEMU, "serve", "--port", "0", "--database", f"sqlite:///{path}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("Kemu is at ").strip()
        assert httpx.get(f"{address}health", timeout=PATIENCE_SECONDS).status_code == 200
        yield address, process
        process.terminate()


def database_with_matches(path: Path) -> list[str]:
    """A database with two matches: one that is running, with a bot, and one that is over and rated."""
    with run_server(Settings(f"sqlite:///{path}")) as server:
        hine, tama = server.guest("Hine"), server.guest("Tama")
        for player, name in ((hine, "Hine"), (tama, "Tama")):
            player.post("/api/account", {"name": name, "password": "correct horse"})
        running = hine.new_match({"kind": "bot", "bot": "random"}, "me")["id"]
        hine.open(running).until_version(2)
        rated = hine.new_match("me", "open", rated=True)["id"]
        tama.post(f"/api/matches/{rated}/join", {})
        first, second = hine.open(rated), tama.open(rated)
        version = first.until(type="full")["version"]
        first.act("1-0", version)
        second.act("8-1", second.until_version(version + 1)["version"])
        first.do(do="resign")
        return [running, rated]


def spoil(path: Path, match: str, *, unrated: bool = False) -> None:
    """Make an entry of a match one that cannot be replayed."""
    with closing(sqlite3.connect(path)) as database, database:
        changed = database.execute(
            'UPDATE entries SET entry = json_set(entry, \'$.events[0]\', json(\'{"event":"acted","seat":0,'
            '"action":"9-9"}\')) WHERE match = ? AND version = 1',
            (match,),
        )
        assert changed.rowcount == 1
        if unrated:
            database.execute("INSERT OR IGNORE INTO pending SELECT 'rate', created, id FROM matches WHERE rated")


def test_one_match_that_cannot_be_read_stops_nothing(path: Path) -> None:
    running, rated = database_with_matches(path)
    for match in (running, rated):
        spoil(path, match, unrated=True)
    with serving(path) as (address, process):
        for match in (running, rated):
            answer = httpx.get(f"{address}api/matches/{match}", timeout=PATIENCE_SECONDS)
            assert (answer.status_code, answer.json()["code"]) == (503, "unreadable-match")
            assert "cannot be read" in answer.json()["message"]
        assert httpx.get(f"{address}api/matches?show=lobby").status_code == 200
        with httpx.Client(base_url=address) as client:
            body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}]}
            assert client.post("/api/matches", json=body).status_code == 201
        process.terminate()
        assert process.stderr is not None
        lines = [json.loads(line) for line in process.stderr.read().splitlines()]
    assert "match cannot be read" in {line["message"] for line in lines}
    assert running not in str(lines)  # logs hold no ids


def test_a_socket_of_a_match_that_cannot_be_read_is_told(path: Path) -> None:
    running, _ = database_with_matches(path)
    spoil(path, running)
    with run_server(Settings(f"sqlite:///{path}")) as server:
        socket = server.guest().open(running)
        assert socket.receive()["code"] == "unreadable-match"
        with pytest.raises(ConnectionClosed) as closed:
            socket.read_to_end()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1011


def one_sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """What a command that failed says last."""
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(path: Path) -> None:
    database_with_matches(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    for words in (["serve", "--port", "0"], ["export", str(path.with_name("x.jsonl"))]):
        sentence = one_sentence(kemu(*words, "--database", f"sqlite:///{path}"))
        assert sentence == "kemu: This database was written by a newer version of Kemu; install that version."


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_database_that_cannot_be_opened_ends_the_start(workers: str) -> None:
    url = "postgresql://kemu@127.0.0.1:1/kemu"
    done = kemu("serve", "--port", "0", "--database", url, "--workers", workers)
    assert one_sentence(done).startswith("kemu: The database cannot be opened: ")


def test_a_file_that_is_no_database_ends_the_start(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)
    done = kemu("serve", "--port", "0", "--database", f"sqlite:///{path}")
    assert one_sentence(done).startswith("kemu: The database cannot be opened: ")


def test_one_file_has_one_server_even_after_a_kill(path: Path) -> None:
    with serving(path) as (_, process):
        done = kemu("serve", "--port", "0", "--database", f"sqlite:///{path}")
        expected = f"kemu: Another Kemu server uses {path}; stop it, or give another --database."
        assert one_sentence(done) == expected
        assert kemu("export", str(path.with_name("x.jsonl")), "--database", f"sqlite:///{path}").returncode == 0
        process.send_signal(signal.SIGKILL)
        process.wait()
    with serving(path) as (address, _):
        assert httpx.get(f"{address}ready", timeout=PATIENCE_SECONDS).json() == {"status": "ready"}


def test_an_export_names_what_it_cannot_read_and_appears_when_it_is_whole(path: Path, tmp_path: Path) -> None:
    running, rated = database_with_matches(path)
    spoil(path, running)
    file = tmp_path / "matches.jsonl"
    file.write_text("the export of yesterday", encoding="utf-8")
    done = kemu("export", str(file), "--no-players", "--database", f"sqlite:///{path}")
    assert (done.returncode, done.stdout) == (1, "1 matches, 0 studies and 0 players written, 1 skipped.\n")
    assert done.stderr.startswith(f"kemu: match {running} cannot be read and was skipped: ")
    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["match"]["terms"]["id"] == rated
    assert os.listdir(tmp_path).count("matches.jsonl.part") == 0


def test_an_export_that_fails_leaves_the_last_one(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_text("the export of yesterday", encoding="utf-8")
    path.write_bytes(b"this is no database" * 1000)
    assert kemu("export", str(file), "--database", f"sqlite:///{path}").returncode == 2
    assert file.read_text(encoding="utf-8") == "the export of yesterday"


def test_a_running_server_is_backed_up_with_everything(path: Path, tmp_path: Path) -> None:
    running, rated = database_with_matches(path)
    copy = tmp_path / "copy.sqlite"
    with serving(path):
        done = kemu("backup", str(copy), "--database", f"sqlite:///{path}")
        assert (done.returncode, done.stdout) == (0, f"Copied to {copy}.\n")
    assert copy.stat().st_mode & 0o077 == 0
    with run_server(Settings(f"sqlite:///{copy}")) as server:
        client = server.client()
        assert client.get(f"/api/matches/{running}")["status"] == "running"
        assert client.get(f"/api/matches/{rated}")["status"] == "finished"
        client.post("/api/session", {"name": "Hine", "password": "correct horse"})
        assert client.get("/api/me")["account"]
        assert client.get(f"/api/players/{client.get('/api/me')['id']}")["ratings"]
        assert client.get(f"/api/matches/{rated}/ratings")


def test_a_backup_needs_a_database_in_a_file(tmp_path: Path) -> None:
    copy = str(tmp_path / "copy")
    assert "pg_dump" in one_sentence(kemu("backup", copy, "--database", "postgresql://x/y"))
    assert "no database" in one_sentence(kemu("backup", copy, "--database", f"sqlite:///{tmp_path}/none.sqlite"))


def test_ready_is_whether_the_database_can_be_written_to_and_health_whether_the_process_runs(path: Path) -> None:
    with run_server(Settings(f"sqlite:///{path}")) as server:
        assert server.client().get("/ready") == {"status": "ready"}
        with closing(sqlite3.connect(path)) as database:
            database.execute("DROP TABLE processes")
            database.commit()
        answer = server.client().http.get("/ready")
        assert (answer.status_code, "retry-after" in answer.headers) == (503, True)
        assert server.client().get("/health") == {"status": "ok"}


def test_metrics_are_served_only_where_that_is_set(server: LiveServer) -> None:
    assert server.client().http.get("/metrics").status_code == 200
    with run_server(Settings("memory")) as other:
        assert other.client().http.get("/metrics").status_code == 404


def test_a_rated_match_is_rated_with_its_end_even_if_the_server_dies_at_once(path: Path) -> None:
    _, rated = database_with_matches(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT match FROM pending WHERE work = 'rate'").fetchall() == []
        assert database.execute("SELECT match FROM pending").fetchall() in ([(rated,)], [])  # for the explorer
        assert [count for (count,) in database.execute("SELECT matches FROM ratings")] == [1, 1]
