"""A real server in a thread of the test process, and clients that talk to it over real sockets."""

import asyncio
import json
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any, TypeVar

import httpx
import uvicorn
from msgspec.structs import replace
from websockets.sync.client import ClientConnection, connect

from kemu.server.app import Application, create_app
from kemu.server.run import configure
from kemu.server.settings import Settings
from tests.patience import PATIENCE_SECONDS

T = TypeVar("T")

_NUMBERS = count(1)
"""For ids of commands: a player's sockets must not use the same twice."""


def generous(database: str) -> Settings:
    """Settings without limits that tests, which all come from one address, would run into."""
    return Settings(
        database,
        requests_per_second=100_000,
        messages_per_second=10_000,
        address_messages_per_second=100_000,
        matches_per_guest=1000,
        visitors_per_minute=100_000,
        matches_per_minute=100_000,
        studies_per_minute=100_000,
        edits_per_second=100_000,
        sign_ins_per_minute=100_000,
        sockets_per_address=10_000,
        connections_per_address=10_000,
        metrics=True,
    )


class LiveServer:
    """A running server; what clients open is closed with it at the latest."""

    def __init__(self, url: str, app: Application, loop: AbstractEventLoop, stop: Callable[[], None]) -> None:
        self.url = url
        self.app = app
        self.parts = app.server
        self.stop = stop
        self.loop = loop
        self.stack = ExitStack()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the loop of the server; gives its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_SECONDS)

    def run_upkeep(self) -> None:
        """Do the periodic work of the server now, and wait until it is done."""
        self.run(self.parts.upkeep.run_once())

    def call(self, function: Callable[[], object]) -> None:
        """Call a function in the event loop of the server, and wait until it returns."""
        done = threading.Event()

        def call() -> None:
            function()
            done.set()

        self.loop.call_soon_threadsafe(call)
        assert done.wait(PATIENCE_SECONDS)

    def unload(self, match: str) -> None:
        """Drop a match that nobody uses from memory."""
        self.call(lambda: self.parts.registry.unload(match))

    def client(self, headers: dict[str, str] | None = None) -> "Client":
        """A client without a cookie."""
        return Client(self, headers)

    def guest(self, name: str | None = None) -> "Client":
        """A new client with a cookie of its own."""
        client = self.client()
        client.me = client.get("/api/me") if name is None else client.ask("PATCH", "/api/me", {"name": name})
        return client

    def socket(self, path: str, headers: dict[str, str] | None = None) -> "Socket":
        """A socket at any address."""
        url = self.url.replace("http", "ws", 1) + path
        opened = connect(
            url,
            additional_headers=headers,
            open_timeout=PATIENCE_SECONDS,
            ping_interval=None,
            max_queue=None,
            proxy=None,
        )
        return Socket(self.stack.enter_context(opened))


class Client:
    """A player with a browser or a program."""

    def __init__(self, live: LiveServer, headers: dict[str, str] | None = None) -> None:
        self.http = live.stack.enter_context(httpx.Client(base_url=live.url, headers=headers, timeout=PATIENCE_SECONDS))
        self.me: Any = None
        self._live = live

    def request(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Any request."""
        return self.http.request(method, path, json=body) if body is not None else self.http.request(method, path)

    def ask(self, method: str, path: str, body: object = None, status: int | None = None) -> Any:
        """The JSON answer to a request that must succeed, or have this status."""
        response = self.request(method, path, body)
        assert response.status_code == status if status else response.is_success, response.text
        return response.json() if response.content else None

    def get(self, path: str, status: int | None = None) -> Any:
        """The answer to a GET."""
        return self.ask("GET", path, status=status)

    def post(self, path: str, body: object = None, status: int | None = None) -> Any:
        """The answer to a POST."""
        return self.ask("POST", path, body, status)

    def new_match(self, *seats: object, **fields: object) -> Any:
        """A match of Mū tōrere unless said otherwise; a rated one has a clock."""
        if fields.get("rated"):
            fields.setdefault("clock", {"kind": "game", "seconds": 3600})
        kinds = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
        return self.post("/api/matches", {"game": "mu-torere", "seats": kinds, **fields}, 201)

    def open(self, match: str, query: str = "", headers: dict[str, str] | None = None) -> "Socket":
        """A socket of a match."""
        return self.open_path(f"/api/matches/{match}/socket{query}", headers)

    def open_path(self, path: str, headers: dict[str, str] | None = None) -> "Socket":
        """A socket at any address."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        sent = {"cookie": cookies} if cookies else {}
        if "authorization" in self.http.headers:
            sent["authorization"] = self.http.headers["authorization"]
        return self._live.socket(path, sent | (headers or {}))


class Socket:
    """One open socket."""

    def __init__(self, raw: ClientConnection) -> None:
        self.raw = raw
        self.received: list[str] = []
        self.latest: Any = None
        """The newest message with a version."""

    def send(self, **command: object) -> str:
        """Send a command with a new id."""
        name = str(command.setdefault("id", f"c{next(_NUMBERS)}"))
        self.raw.send(json.dumps(command))
        return name

    def receive(self) -> Any:
        """The next message."""
        text = self.raw.recv(timeout=PATIENCE_SECONDS)
        assert isinstance(text, str)
        self.received.append(text)
        message = json.loads(text)
        if message["type"] in ("full", "event"):
            self.latest = message
        return message

    def until(self, **fields: object) -> Any:
        """The next message with these values."""
        while True:
            message = self.receive()
            if all(message.get(name) == value for name, value in fields.items()):
                return message

    def until_version(self, version: int) -> Any:
        """The first message with a position of this version or a later one, which may have been received before."""
        while self.latest is None or self.latest["version"] < version:
            self.receive()
        return self.latest

    def read_to_end(self) -> None:
        """Read until the server closes, which raises."""
        while True:
            self.receive()

    def do(self, **command: object) -> Any:
        """Send a command and wait for its answer."""
        return self.until(re=self.send(**command))

    def act(self, action: str, version: int) -> Any:
        """Take an action and wait for the answer."""
        return self.do(do="act", action=action, version=version)

    def close(self) -> None:
        """Close the socket."""
        self.raw.close()


@contextmanager
def longest_turn_seconds(server: LiveServer) -> Iterator[Callable[[], float]]:
    """Measure the turns of a server's event loop; gives the processor time of the longest so far.

    Processor time is that of the loop's thread alone, so that other work on the machine does not count.
    """
    longest = 0.0
    running = True

    def turn(before: float) -> None:
        nonlocal longest
        now = time.thread_time()
        longest = max(longest, now - before)
        if running:
            server.loop.call_soon(turn, now)

    server.loop.call_soon_threadsafe(lambda: turn(time.thread_time()))
    yield lambda: longest
    running = False


@contextmanager
def run_server(settings: Settings) -> Iterator[LiveServer]:
    """A server with these settings on a free port; it compiles engines only as its bots need them."""
    app = create_app(replace(settings, compile_engines=False))
    loops: list[AbstractEventLoop] = []

    def load() -> Application:
        loops.append(asyncio.get_running_loop())
        return app

    config = configure(load, settings, "127.0.0.1", 0, logs=False)
    uvicorn_server = uvicorn.Server(config)
    listening = config.bind_socket()
    listening.listen()
    thread = threading.Thread(target=uvicorn_server.run, kwargs={"sockets": [listening]})
    thread.start()

    def stop() -> None:
        uvicorn_server.should_exit = True
        thread.join()

    try:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        live = LiveServer(_ready(url), app, loops[0], stop)
        with live.stack:
            yield live
    finally:
        stop()
        listening.close()


def _ready(url: str) -> str:
    """Wait until the server answers; the port is open already, so this waits in the queue of connections."""
    assert httpx.get(f"{url}/health", timeout=PATIENCE_SECONDS).status_code == 200
    return url
