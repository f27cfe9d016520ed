"""The client speaks the server's language."""

from web.scripts.wire import TARGET, typescript


def test_the_wire_types_of_the_client_are_what_the_server_speaks() -> None:
    """If this fails, run python web/scripts/wire.py and look at the difference."""
    assert TARGET.read_text(encoding="utf-8") == typescript()
