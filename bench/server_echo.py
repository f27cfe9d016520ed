"""The frames of sockets alone: an echo over the transport class, for the Autobahn suite and for comparing libraries.

python bench/server_echo.py serve                              # prints its port and echoes until it is stopped
python bench/server_echo.py compare --against OLD/websocket.py # CPU seconds of each, runs alternating
python bench/server_echo.py autobahn --python python2.7 --suite DIR   # DIR: where autobahntestsuite is installed
"""

import argparse
import asyncio
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import uvloop
from websockets.frames import Opcode

from kemu.server.realtime.transport import websocket as transport
from kemu.server.realtime.transport.messages import Message

MESSAGE = b'{"do":"act","id":"7","version":17,"action":"1-0"}'
CASES = ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "10.*"]
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
    b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Echo:
    """Accepts every socket and sends back what it receives."""

    def __init__(self, websocket: Any = None) -> None:
        self._websocket = websocket

    def accepts(self, path: str, headers: Any, peer: str) -> bool:
        return True

    def hand_over(self, path: str, connection: int, request: bytes) -> bool:
        return False

    def slow_reader_dropped(self) -> None: ...

    def connected(self, websocket: Any, path: str, headers: Any) -> None:
        websocket.start(Echo(websocket))

    def message_received(self, message: bytes) -> None:
        self._websocket.send(message)

    def disconnected(self) -> None: ...


class SuiteSocket(transport.WebSocket):
    """The suite expects a binary message back as a binary one; Kemu itself sends none."""

    def _deliver(self, message: Message) -> None:
        if message.kind is Opcode.BINARY:
            self._protocol.send_binary(message.data)
            self._flush()
        else:
            super()._deliver(message)


class RequestFirst(asyncio.Protocol):
    """What uvicorn does: reads the request, then passes the connection and the whole request on."""

    def __init__(self, kind: Any, most_bytes: int) -> None:
        self._websocket = kind(
            transport.SocketLimits(most_bytes), transport.ReceivedSockets(set()), {transport.HANDLER: Echo()}
        )
        self._request = b""
        self._transport: Any = None

    def connection_made(self, made: Any) -> None:
        self._transport = made

    def data_received(self, data: bytes) -> None:
        self._request += data
        if b"\r\n\r\n" in self._request:
            self._websocket.connection_made(self._transport)
            self._websocket.data_received(self._request)
            self._transport.set_protocol(self._websocket)


async def serve(kind: str, port: int = 0) -> None:
    """Echo at a port, which is printed."""
    if kind == "picows":
        server = await _picows_server(port)
    else:
        loop = asyncio.get_running_loop()
        sockets = SuiteSocket if kind == "suite" else _transport_class(kind)
        server = await loop.create_server(lambda: RequestFirst(sockets, 70 * 1024), "127.0.0.1", port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def _transport_class(kind: str) -> Any:
    if kind == "kemu":
        return transport.WebSocket
    spec = importlib.util.spec_from_file_location("other_websocket", kind)
    assert spec is not None, "the path of a module"
    assert spec.loader is not None, "the path of a module"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.__dict__["HANDLER"] = transport.HANDLER
    return module.WebSocket


async def _picows_server(port: int) -> Any:
    import picows  # type: ignore[import-not-found] # installed for the comparison only

    class Listener(picows.WSListener):  # type: ignore[misc]
        def on_ws_frame(self, given: Any, frame: Any) -> None:
            if frame.msg_type == picows.WSMsgType.CLOSE:
                given.disconnect()
            else:
                given.send(picows.WSMsgType.TEXT, frame.get_payload_as_bytes())

    return await picows.ws_create_server(lambda request: Listener(), "127.0.0.1", port)


class Player(asyncio.Protocol):
    """Sends the next message when the last one came back."""

    def __init__(self, done: "asyncio.Future[None]", count: int) -> None:
        self._done = done
        self._left = count
        self._frame = bytes([0x81, 0x80 | len(MESSAGE), 0, 0, 0, 0]) + MESSAGE
        self._received = 0
        self._open = False

    def connection_made(self, made: Any) -> None:
        self._transport = made
        made.write(HANDSHAKE)

    def data_received(self, data: bytes) -> None:
        if not self._open:
            self._open = True
            self._transport.write(self._frame)
            return
        self._received += len(data)
        if self._received >= len(MESSAGE) + 2:
            self._received = 0
            self._left -= 1
            if self._left:
                self._transport.write(self._frame)
            elif not self._done.done():
                self._done.set_result(None)


async def play(port: int, sockets: int, count: int) -> None:
    """Echo `count` messages over each of so many sockets at once."""
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(sockets)]
    made = [await loop.create_connection(lambda end=end: Player(end, count), "127.0.0.1", port) for end in ends]  # type: ignore[misc]
    await asyncio.gather(*ends)
    for connection, _ in made:
        connection.close()


@contextlib.contextmanager
def echo_process(kind: str) -> Any:
    """An echo server in a process of its own: its port and its process."""
    words = [sys.executable, __file__, "serve", "--kind", kind]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline()), process
        process.kill()


def cpu_seconds(pid: int) -> float:
    """The processor time of a process so far (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare(kinds: list[str], rounds: int) -> None:
    """Microseconds of the server's processor time for each message, runs alternating."""
    sockets, count = 100, 1000
    figures: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind in kinds:
            with echo_process(kind) as (port, process):
                uvloop.run(play(port, sockets, 20))
                before, began = cpu_seconds(process.pid), time.perf_counter()
                uvloop.run(play(port, sockets, count))
                used, took = cpu_seconds(process.pid) - before, time.perf_counter() - began
            figures[kind].append(used / (sockets * count) * 1e6)
            print(f"{kind:40} {figures[kind][-1]:6.1f} µs CPU a message, {sockets * count / took:8.0f} / s", flush=True)
    for kind, values in figures.items():
        print(
            f"{kind:40} median {sorted(values)[len(values) // 2]:.1f} µs, all {[round(value, 1) for value in values]}"
        )


def autobahn(python: str, suite: str, cases: list[str]) -> None:
    """Run the suite against the transport class and count its verdicts; exit code 1 if a case failed."""
    with tempfile.TemporaryDirectory() as folder, echo_process("suite") as (port, _):
        spec = {
            "outdir": folder,
            "servers": [{"agent": "kemu", "url": f"ws://127.0.0.1:{port}"}],
            "cases": cases,
            "exclude-cases": [],
            "exclude-agent-cases": {},
        }
        Path(folder, "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        code = (
            f"import sys; sys.argv = ['wstest', '-m', 'fuzzingclient', '-s', {folder + '/spec.json'!r}]; "
            "from autobahntestsuite.wstest import run; run()"
        )
        subprocess.run(
            [python, "-c", code], env={**os.environ, "PYTHONPATH": suite}, check=True, stdout=subprocess.DEVNULL
        )
        results = json.loads(Path(folder, "index.json").read_text(encoding="utf-8"))["kemu"]
    print(Counter(result["behavior"] for result in results.values()))
    print("closing:", Counter(result["behaviorClose"] for result in results.values()))
    for name, result in sorted(results.items()):
        if result["behavior"] != "OK":
            print(name, result["behavior"], result["behaviorClose"], result["remoteCloseCode"])
    sys.exit(any("FAILED" in (result["behavior"], result["behaviorClose"]) for result in results.values()))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("serve")
    one.add_argument("--kind", default="kemu")
    one.add_argument("--port", type=int, default=0)
    two = commands.add_parser("compare")
    two.add_argument("--against", action="append", default=[], help="a module with another WebSocket, or picows")
    two.add_argument("--rounds", type=int, default=3)
    three = commands.add_parser("autobahn")
    three.add_argument("--python", default="python2.7")
    three.add_argument("--suite", required=True)
    three.add_argument("--cases", nargs="*", default=CASES)
    given = parser.parse_args()
    if given.command == "serve":
        uvloop.run(serve(given.kind, given.port))
    elif given.command == "compare":
        compare(["kemu", *given.against], given.rounds)
    else:
        autobahn(given.python, given.suite, given.cases)


if __name__ == "__main__":
    main()
