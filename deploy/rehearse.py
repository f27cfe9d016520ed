"""Takes the steps of deploy/Dockerfile and deploy/compose.yaml without a container, in a temporary folder.

Every stage becomes a folder with an environment of its own; COPY, RUN and ENV are done as they are written. Then the
command of the compose file serves on a real PostgreSQL, and a real Caddy with our Caddyfile speaks TLS in front of it.
"""

import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.request import urlopen

import yaml

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.postgres import Cluster  # noqa: E402

DEPLOY: Final = ROOT / "deploy"
WAIT_SECONDS: Final = 60
NO_STEP: Final = {"VOLUME", "USER", "EXPOSE", "HEALTHCHECK"}
"""Instructions that only a container engine can follow."""


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions of the Dockerfile, lines that go on joined."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"))
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest


class Stage:
    """One stage of the image: a root folder, a working folder in it, and variables."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root
        subprocess.run([sys.executable, "-m", "venv", root / "venv"], check=True)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("KEMU_", "PYTHON"))},
            "PATH": os.pathsep.join((str(root / "venv" / "bin"), os.environ["PATH"])),
            "HOME": str(root),
        }

    def work_in(self, path: str) -> None:
        """WORKDIR."""
        self.folder = self.root / path.lstrip("/")
        self.folder.mkdir()

    def run(self, command: str) -> None:
        """RUN."""
        print(f"RUN {command}", flush=True)
        subprocess.run(["sh", "-ec", command], cwd=self.folder, env=self.environment, check=True)


def copy(stage: Stage, words: list[str], stages: dict[str, Stage]) -> None:
    """COPY, from the project as version control has it or from a stage."""
    if words == [".", "."]:
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            target = stage.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        return
    option, *sources, _ = words
    other = stages[option.removeprefix("--from=")]
    for source in sources:
        for path in other.root.glob(source.lstrip("/")):
            shutil.copy2(path, stage.folder)


def build(folder: Path) -> tuple[Stage, list[str]]:
    """Follow the Dockerfile; gives the last stage and the entry point."""
    stages: dict[str, Stage] = {}
    entry: list[str] = []
    for name, rest in instructions():
        words = shlex.split(rest)
        if name == "FROM":
            title = words[2] if len(words) > 1 else "last"
            stage = stages[title] = Stage(folder / title)
        elif name == "WORKDIR":
            stage.work_in(rest)
        elif name == "COPY":
            copy(stage, words, stages)
        elif name == "RUN":
            stage.run(rest)
        elif name == "ENV":
            variable, _, value = rest.partition("=")
            stage.environment[variable] = value
        elif name == "ENTRYPOINT":
            entry = json.loads(rest)
        else:
            assert name in NO_STEP | {"CMD"}, f"{name} is not rehearsed"
    return stages["last"], entry


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that is asked to stop at the end, and must do so without an error."""
    with subprocess.Popen(command, text=True, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(WAIT_SECONDS)
        assert code in (0, -signal.SIGTERM), f"{command[0]} ended with {code}"


@contextmanager
def serving(stage: Stage, entry: list[str]) -> Iterator[str]:
    """The server of the compose file; gives its host and port."""
    service = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]["server"]
    chosen = {"KEMU_HOSTS": "localhost", "KEMU_TRUSTED_PROXIES": "127.0.0.1"}
    environment = {**stage.environment, **service["environment"], **chosen}
    program = shutil.which(entry[0], path=environment["PATH"])
    assert program is not None
    command = [program, *service["command"], "--port", "0"]
    with (
        Cluster("rehearse") as cluster,
        running(
            command,
            cwd=stage.folder,
            env={**environment, "KEMU_DATABASE": cluster.new_database()},
            stdout=subprocess.PIPE,
        ) as server,
    ):
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found, "the server says where it is"
        yield f"127.0.0.1:{found[1]}"


@contextmanager
def behind_proxy(server: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Caddy with our Caddyfile in front of a server; gives its address and the certificate that signed its own."""
    caddy = str(Path(sys.executable).with_name("caddy"))
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "KEMU_HOST": f"localhost:{port}", "KEMU_SERVER": server}
    adapted = subprocess.run(
        [caddy, "adapt", "--config", DEPLOY / "Caddyfile"], env=environment, capture_output=True, check=True
    )
    config = json.loads(adapted.stdout)
    # What must not happen on this machine: another port taken, the configuration kept, the certificate installed.
    config["admin"] = {"disabled": True, "config": {"persist": False}}
    config["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    for site in config["apps"]["http"]["servers"].values():
        site["automatic_https"] = {"disable_redirects": True}
    # A connection between a certificate being obtained and its being in the cache is refused; this logger tells when.
    config["logging"] = {"logs": {"cache": {"include": ["tls.cache"], "level": "DEBUG"}}}
    (folder / "caddy.json").write_text(json.dumps(config), encoding="utf-8")
    command = [caddy, "run", "--config", str(folder / "caddy.json")]
    with running(command, env=environment, stderr=subprocess.PIPE) as proxy:
        assert proxy.stderr is not None
        awaited = {"serving initial configuration", "added certificate to cache"}
        while awaited:
            line = proxy.stderr.readline()
            assert line, "Caddy ended"
            awaited = {words for words in awaited if words not in line}
        yield f"https://localhost:{port}", folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"


def main() -> None:
    """Build, serve, and ask for a page of each kind over TLS."""
    with TemporaryDirectory(prefix="kemu-") as name:
        folder = Path(name)
        stage, entry = build(folder)
        with serving(stage, entry) as server, behind_proxy(server, folder) as (address, certificate):
            trust = ssl.create_default_context(cafile=str(certificate))
            for path, part in {
                "/health": b'"ok"',
                "/": b"/assets/",
                "/docs/index.html": b"Kemu",
                "/api/me": b"Guest",
            }.items():
                with urlopen(f"{address}{path}", timeout=WAIT_SECONDS, context=trust) as response:
                    assert part in response.read(), path
                    if path == "/api/me":
                        assert "Secure" in response.headers["set-cookie"]
    print("Built and served as in the container.")


if __name__ == "__main__":
    main()
