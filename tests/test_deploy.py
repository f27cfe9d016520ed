"""The files of deploy/ and of the hosting: what they name exists, and they call make targets only."""

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

from kemu import __version__

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_the_workflow_only_calls_make() -> None:
    (job,) = read(".github/workflows/check.yaml")["jobs"].values()
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["make ${{ matrix.target }}"]
    assert set(job["strategy"]["matrix"]["target"]) <= TARGETS


def test_pre_commit_only_calls_make() -> None:
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    for hook in repository["hooks"]:
        program, target = hook["entry"].split()
        assert program == "make"
        assert target in TARGETS


def test_the_container_starts_commands_that_exist() -> None:
    services = read("deploy/compose.yaml")["services"]
    assert set(services) == {"server", "database", "proxy"}
    assert services["server"]["command"][0] == "serve"
    assert (DEPLOY / services["server"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["server"]["build"]["dockerfile"]).is_file()
    assert (DEPLOY / services["proxy"]["volumes"][0].split(":")[0]).is_file()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "kemu.service").read_text(encoding="utf-8")
    program = shutil.which("true")
    assert program is not None
    unit = tmp_path / "kemu.service"
    unit.write_text(re.sub(r"(?<=ExecStart=)/opt/kemu/bin/kemu", program, text), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """A wheel of these sources. `make dist` installs one; here it is only opened."""
    folder = tmp_path_factory.mktemp("dist")
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as wheel:
        yield wheel


def test_the_wheel_plays_without_sources_and_without_any_other_program(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """What `pipx run --spec WHEEL kemu …` does once it has installed the wheel; Node is not to be found."""
    wheel.extractall(tmp_path)
    environment = {"PATH": "", "PYTHONPATH": str(tmp_path), "PYTHONUTF8": "1", "KEMU_HOME": str(tmp_path / "home")}
    words = ["play", "mu-torere", "--seat", "random", "--seat", "random", "--seed", "1", "--plain"]
    start = "import kemu, sys; from kemu.cli import main; sys.stderr.write(kemu.__file__); main()"
    command = [sys.executable, "-c", start, *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert Path(done.stderr) == tmp_path / "kemu" / "__init__.py"
    assert " wins: blocked." in done.stdout


def test_the_wheel_holds_client_documentation_and_command(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    entry = wheel.read(f"kemu-{__version__}.dist-info/entry_points.txt").decode()
    assert {
        "kemu/web/index.html",
        "kemu/docs/index.html",
        "kemu/docs/search/search_index.json",
        "kemu/py.typed",
    } <= names
    assert "kemu = kemu.cli:main" in entry
    assert not [name for name in names if name.startswith(("tests", "web", "docs"))]
