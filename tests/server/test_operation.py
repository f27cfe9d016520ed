"""What those who run a server rely on: settings, logs, health, metrics, headers, the client's files, a clean end."""

import json
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from websockets.exceptions import ConnectionClosed

from kemu.core.errors import OptionError
from kemu.server.http.static import client_routers, docs_router
from kemu.server.run import JsonFormatter
from kemu.server.settings import Settings, environment, read_settings
from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import LiveServer, run_server


def test_settings_come_from_defaults_a_file_and_the_environment_in_this_order(tmp_path: Path) -> None:
    file = tmp_path / "kemu.toml"
    file.write_text('database = "memory"\nspectators = 7\nbot_seconds = 3\n', encoding="utf-8")
    settings = read_settings(None, {"KEMU_CONFIG": str(file), "KEMU_SPECTATORS": "9", "KEMU_SECURE_COOKIES": "true"})
    assert settings == Settings(database="memory", spectators=9, bot_seconds=3, secure_cookies=True)
    assert read_settings(None, environment(settings)) == settings


def test_settings_are_read_by_their_former_names_too(tmp_path: Path) -> None:
    file = tmp_path / "kemu.toml"
    file.write_text("study_workers = 2\nstudy_streams_per_address = 5\n", encoding="utf-8")
    settings = read_settings(file, {"KEMU_STUDY_STREAMS_PER_PLAYER": "1", "KEMU_STUDY_WORKERS": "3"})
    assert settings == Settings(analysis_workers=3, analyses_per_player=1, analyses_per_address=5)
    assert read_settings(file, {"KEMU_STUDY_WORKERS": "3", "KEMU_ANALYSIS_WORKERS": "4"}).analysis_workers == 4


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        (b"spectator = 1", {}),
        (b'spectators = "many"', {}),
        (b"spectators = true", {}),
        (b"spectators = ", {}),
        (b"\xff", {}),
        (b"", {"KEMU_SPECTATORS": "many"}),
        (b"", {"KEMU_SECURE_COOKIES": "perhaps"}),
        (b"", {"KEMU_CONFIG": "nowhere.toml"}),
    ],
)
def test_wrong_settings_are_refused_in_one_sentence(tmp_path: Path, text: bytes, variables: dict[str, str]) -> None:
    file = None if "KEMU_CONFIG" in variables else tmp_path / "kemu.toml"
    if file is not None:
        file.write_bytes(text)
    with pytest.raises(OptionError):
        read_settings(file, variables)


def test_the_default_database_lies_in_the_users_data_folder() -> None:
    assert Settings().database_url.startswith("sqlite:///")
    assert "kemu" in Settings().database_url


def test_a_log_line_is_json_and_tells_of_a_fault_its_kind_and_place_but_not_its_text() -> None:
    try:
        int("a secret")
    except ValueError as error:
        record = logging.LogRecord(
            "kemu", logging.ERROR, "x.py", 1, "failed", None, (ValueError, error, error.__traceback__)
        )
    record.route = "/api/matches/{match}"
    text = JsonFormatter().format(record)
    line = json.loads(text)
    assert (line["level"], line["message"], line["error"], line["route"]) == (
        "error",
        "failed",
        "ValueError",
        "/api/matches/{match}",
    )
    assert line["at"][0].startswith("test_operation.py:")
    assert "secret" not in text


def test_health_and_metrics(server: LiveServer) -> None:
    client = server.guest()
    assert client.get("/health") == {"status": "ok"}
    client.open(client.new_match("me", "open")["id"]).until(type="full")
    text = client.http.get("/metrics").text
    assert "# TYPE kemu_entries_total counter" in text
    name = f'kemu_sockets{{process="{server.parts.runtime.store.process}"}} '
    sockets = next(line for line in text.splitlines() if line.startswith(name))
    assert float(sockets.split()[1]) >= 1


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/nothing", "/docs/nothing", "/health", "/metrics"])
def test_every_answer_has_strict_headers(server: LiveServer, path: str) -> None:
    headers = server.client().http.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_files_of_the_client_are_compressed_and_cached_for_ever_if_their_names_have_a_hash(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-1a2b.js").write_text("console.log(1)" * 100, encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (tmp_path / "manifest.webmanifest").write_text("{}", encoding="utf-8")
    with TestClient(Litestar(client_routers(tmp_path))) as client:
        script = client.get("/assets/index-1a2b.js", headers={"accept-encoding": "gzip"})
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers["content-encoding"] == "gzip"
        assert int(script.headers["content-length"]) < 100
        assert client.get("/assets/index-1a2b.js", headers={"accept-encoding": ""}).text == "console.log(1)" * 100
        assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
        for path in ("/", "/match/abc"):
            page = client.get(path)
            assert (page.status_code, page.text, page.headers["cache-control"]) == (200, "<!doctype html>", "no-cache")
            unchanged = client.get(path, headers={"if-none-match": page.headers["etag"], "accept-encoding": "gzip"})
            assert (unchanged.status_code, unchanged.content) == (304, b"")
            assert "content-length" not in unchanged.headers  # uvicorn takes a body that does not come for a fault
        assert client.head("/index.html").headers["content-length"] == "15"


def test_without_a_built_client_a_page_says_so(tmp_path: Path) -> None:
    with TestClient(Litestar(client_routers(tmp_path))) as client:
        assert "not built" in client.get("/").text


def test_the_documentation_is_served_with_its_own_page_for_unknown_addresses(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("first", encoding="utf-8")
    (tmp_path / "404.html").write_text("unknown", encoding="utf-8")
    with TestClient(Litestar([docs_router(tmp_path)])) as client:
        for path in ("/docs", "/docs/"):
            page = client.get(path)
            assert (page.url.path, page.text, page.headers["cache-control"]) == (
                "/docs/index.html",
                "first",
                "no-cache",
            )
        unchanged = client.get("/docs/index.html", headers={"if-none-match": page.headers["etag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        missing = client.get("/docs/nothing.html")
        assert (missing.status_code, missing.text) == (404, "unknown")
        assert client.get("/docs/%2e%2e/%2e%2e/pyproject.toml").status_code == 404


def test_without_built_documentation_its_address_says_so(tmp_path: Path) -> None:
    with TestClient(Litestar([docs_router(tmp_path / "nothing")])) as client:
        page = client.get("/docs")
        assert page.status_code == 404
        assert "`make docs` builds it" in page.text


def test_pages_of_the_client_all_get_its_index_and_missing_files_nothing(server: LiveServer) -> None:
    http = server.client().http
    index = http.get("/")
    assert index.headers["content-type"].startswith("text/html")
    assert http.get("/match/abc").text == index.text
    assert http.get("/assets/missing.js").status_code == 404
    assert http.get("/missing.txt").json() == {"code": "not-found", "message": "There is nothing at this address."}
    assert http.get("/api/missing").json()["code"] == "not-found"


def test_a_stopping_server_tells_its_sockets_to_come_back(tmp_path: Path) -> None:
    with run_server(Settings(f"sqlite:///{tmp_path}/kemu.sqlite")) as server:
        hine = server.guest("Hine")
        socket = hine.open(hine.new_match("me", "open")["id"])
        socket.until(type="full")
        cookies = hine.http.cookies
        server.stop()
        with pytest.raises(ConnectionClosed) as closed:
            socket.read_to_end()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    with run_server(Settings(f"sqlite:///{tmp_path}/kemu.sqlite")) as server:
        again = server.client()
        again.http.cookies = cookies
        assert len(again.get("/api/matches?show=mine")) == 1


def test_kemu_serve_runs_and_ends_when_asked(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kemu", "serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/k.sqlite"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().decode().removeprefix("Kemu is at ").strip()
        assert httpx.get(f"{address}health", timeout=PATIENCE_SECONDS).json() == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        assert process.stderr.read() == b""
    assert process.returncode in (0, -signal.SIGTERM)


def test_at_home_the_browser_is_opened_where_the_server_is(tmp_path: Path) -> None:
    code = f"from kemu.server.run import serve; serve(port=0, database='sqlite:///{tmp_path}/k', open_browser=True)"
    environment = os.environ | {"BROWSER": "echo opened %s"}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("Kemu is at ")
        assert address.startswith("http://localhost:")
        assert process.stdout.readline() == f"opened {address}"
        process.terminate()


def test_cookies_are_for_https_alone_where_that_is_set() -> None:
    for secure in (False, True):
        with run_server(Settings("memory", secure_cookies=secure)) as server:
            cookie = server.client().http.get("/api/me").headers["set-cookie"].lower()
            assert ("secure" in cookie) == secure
            assert "httponly" in cookie
            assert "samesite=lax" in cookie


def test_matches_and_studies_are_carried_from_one_database_to_another(tmp_path: Path, postgres: str) -> None:
    source = f"sqlite:///{tmp_path}/kemu.sqlite"
    with run_server(Settings(source)) as server:
        hine = server.guest("Hine")
        match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
        hine.open(match).act("1-0", 1)
        study = hine.post("/api/studies", {"name": "The star"})["id"]
        link = hine.ask("PUT", f"/api/studies/{study}/links", {"read": True, "write": False})["read"]
        hine.post(f"/api/studies/{study}/edits", {"edit": {"op": "rename", "name": "A star"}})
    kemu = [sys.executable, "-m", "kemu"]
    file = str(tmp_path / "matches.jsonl")
    subprocess.run([*kemu, "export", file, "--database", source], check=True)
    assert Path(file).stat().st_mode & 0o077 == 0, "it has hands and the secrets of links"
    for _ in range(2):  # what is there already does no harm
        subprocess.run([*kemu, "import", file, "--database", postgres], check=True)
    with run_server(Settings(postgres)) as server:
        assert server.guest().open(match).until(type="full")["log"] == [[0, "1-0"]]
        assert server.guest().get(f"/api/studies/{study}?key={link}")["name"] == "A star"


def test_a_file_that_the_browser_has_is_not_sent_again_and_the_connection_is_kept(server: LiveServer) -> None:
    http = server.client().http
    tag = http.get("/").headers["etag"]
    again = http.get("/", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert "content-length" not in again.headers
    assert http.get("/api/games").is_success
