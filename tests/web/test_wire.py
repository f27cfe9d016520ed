"""The types of the client are those of the server."""

from web.scripts.wire import typescript


def test_the_types_of_the_client_are_generated_from_the_server_s_messages_and_the_games_views() -> None:
    """If this fails, run python web/scripts/wire.py and look at the difference."""
    for path, text in typescript().items():
        assert path.read_text(encoding="utf-8") == text, path.name
