"""Installs the wheel of dist/ into a fresh environment of every supported Python, serves, and runs the tests on it.

The commands are those of deploy/Dockerfile and deploy/compose.yaml; no container engine takes part.

python deploy/pythons.py [3.12 …]: without arguments every version that the package names and that this machine has.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen

import yaml

ROOT: Final = Path(__file__).parents[1]
CONSTRAINTS: Final = ROOT / "constraints.txt"
AREAS: Final = ("core", "games", "laws", "perft", "golden", "play", "bots", "engines", "storage", "terminal")
"""Tests that need neither Node nor a browser."""


def main(wanted: list[str]) -> int:
    """Test the wheel on each version; the exit code is that of the first one that fails."""
    (wheel,) = (ROOT / "dist").glob("*.whl")
    for version in wanted or supported():
        python = find(version)
        if python is None:
            print(f"Python {version}: not found, not tested.", flush=True)
            continue
        print(f"Python {version}: {python}", flush=True)
        with TemporaryDirectory(prefix="kemu-") as folder:
            code = check(python, wheel, Path(folder))
        if code:
            return code
    return 0


def supported() -> list[str]:
    """The versions that the package names in its classifiers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    last = [line.rpartition(" ")[2] for line in project["classifiers"] if "Python ::" in line]
    return [version for version in last if "." in version]


def find(version: str) -> str | None:
    """An interpreter of this version that runs, from the path or from pyenv."""
    for candidate in _candidates(version):
        command = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:  # a shim of pyenv may be there without the version
            return candidate
    return None


def _candidates(version: str) -> Iterator[str]:
    if found := shutil.which(f"python{version}"):
        yield found
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from map(str, sorted(versions.glob(f"{version}.*/bin/python"), reverse=True))


def check(python: str, wheel: Path, folder: Path) -> int:
    """Take the steps of the container file with the wheel, then run the tests on it; return their exit code."""
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    inside = folder / "venv" / "bin" / "python"
    install(inside, f"{wheel}[server]")
    subprocess.run([inside, "-m", "kemu.bots.warm"], cwd=folder, check=True)
    start(inside.with_name("kemu"), folder)
    install(inside, f"{wheel}[test]")
    tests = [str(ROOT / "tests" / area) for area in AREAS]
    command = [str(inside), "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}  # not the matches of whoever runs this
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def install(python: Path, *requirements: str) -> None:
    """Install with pip; only wheels are taken, so that nothing is built."""
    options = ["--quiet", "--only-binary", ":all:", "--constraint", str(CONSTRAINTS)]
    subprocess.run([python, "-m", "pip", "install", *options, *requirements], check=True)


def start(kemu: Path, folder: Path) -> None:
    """Start the server as the compose file does: it says where it is, and has the client and the documentation."""
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    served = compose["services"]["server"]["command"]
    command = [str(kemu), *served, "--port", "0", "--database", f"sqlite:///{folder / 'kemu.sqlite'}"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            assert b'"ok"' in urlopen(f"{address}health").read()
            assert b"/assets/" in urlopen(address).read()
            assert b"Kemu" in urlopen(f"{address}docs/").read()
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
