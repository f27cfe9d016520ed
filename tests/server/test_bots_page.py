"""The bot of docs/bots.md is run as it stands there."""

import re
import threading
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE_SECONDS
from tests.server.live_server import Client, LiveServer

TEXT = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def test_the_example_is_short_and_two_of_it_play_a_match_to_its_end(server: LiveServer) -> None:
    found = re.search(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert found
    assert len(found[1].splitlines()) <= 45
    names: dict[str, Any] = {"__name__": "bot"}
    exec(compile(found[1], "docs/bots.md", "exec"), names)
    outcomes: list[Any] = []
    first, second = (token(server, name) for name in ("First bot", "Second bot"))
    opponent = threading.Thread(target=lambda: outcomes.append(names["play"](server.url, first, "moeraki-kemu")))
    connect, connecting = names["connect"], threading.Event()

    def notice(*arguments: Any, **options: Any) -> Any:
        connecting.set()
        return connect(*arguments, **options)

    names["connect"] = notice
    opponent.start()
    assert connecting.wait(PATIENCE_SECONDS)  # the first bot has made its match
    outcomes.append(names["play"](server.url, second, "moeraki-kemu"))
    opponent.join()
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["reason"] in ("tahuna", "awa", "ara", "marae", "draw")


def token(server: LiveServer, name: str) -> str:
    """The token of a new account."""
    client: Client = server.guest(name)
    client.post("/api/account", {"name": name, "password": "a long password"}, 201)
    return str(client.post("/api/tokens", {"label": "bot"}, 201)["token"])
