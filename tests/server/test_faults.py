"""Faults in the rules of one game and of the store end neither the server nor the match."""

from asyncio import Future, get_running_loop
from collections.abc import Iterator, Sequence

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.core.manifest import Manifest
from kemu.games import register, unregister
from kemu.server.settings import Settings
from kemu.storage.errors import StoreUnavailable
from kemu.storage.journal import Append
from tests.server.live_server import LiveServer, Socket, run_server


@pytest.fixture
def broken(server: LiveServer) -> Iterator[tuple[Socket, str]]:
    """A socket at a match of the broken game."""
    package = "tests.server.broken_game"
    register(
        Manifest("broken", "Broken", "goes wrong when asked to", "", rules=f"{package}.rules:Broken", text=package)
    )
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"}, game="broken")["id"]
    socket = hine.open(match)
    socket.until(type="full")
    yield socket, match
    unregister("broken")


def test_a_fault_in_an_action_is_answered_and_leaves_the_match_as_it_was(broken: tuple[Socket, str]) -> None:
    socket, _ = broken
    refused = socket.act("bad", 1)
    assert (refused["code"], refused["message"]) == ("internal", "A fault of ours; nothing was changed.")
    assert socket.act("good", 1)["view"] == ["good"]


def test_a_fault_in_a_view_closes_its_sockets_and_the_server_lives_on(
    server: LiveServer, broken: tuple[Socket, str]
) -> None:
    socket, _ = broken
    socket.send(do="act", version=1, action="blind")
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    assert server.client().get("/health") == {"status": "ok"}


@pytest.mark.parametrize("committed", [True, False])
def test_a_command_is_done_once_whether_or_not_the_append_that_failed_was_committed(
    monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    with run_server(Settings("memory")) as server:
        hine = server.guest("Hine")
        match = hine.new_match("me", {"kind": "me", "name": "Ben"})["id"]
        socket, other = hine.open(match), hine.open(match, "?seat=1")
        for each in (socket, other):
            each.until(type="full")
        journal = server.parts.runtime.store.journal
        write = journal.write

        def lose(appends: Sequence[Append]) -> "Future[None]":
            if committed:
                write(appends)
            lost: Future[None] = get_running_loop().create_future()
            lost.set_exception(StoreUnavailable("The connection broke."))
            return lost

        monkeypatch.setattr(journal, "write", lose)
        command = {"do": "act", "id": "same", "version": 1, "action": "1-0"}
        assert socket.do(**command)["code"] == "unavailable"
        monkeypatch.setattr(journal, "write", write)
        answer = socket.do(**command)
        # If the entry that was committed is read only now, it is itself the answer.
        assert answer["type"] in (("done", "event") if committed else ("event",))
        assert answer["version"] == 2
        assert other.until(type="event")["events"] == [{"event": "acted", "seat": 0, "line": "1-0"}]
        assert hine.get(f"/api/matches/{match}")["turn"] == 1
