"""A fault in the rules of one game ends neither the server nor the match, and nobody learns its text."""

from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.core.manifest import Manifest
from kemu.games import register, unregister
from tests.server.live_server import LiveServer, Socket


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
