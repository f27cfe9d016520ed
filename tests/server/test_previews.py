"""Previews of links, and the pages that other sites may frame."""

import re

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from tests.server.live_server import Client, LiveServer


def tags(client: Client, path: str) -> dict[str, list[str]]:
    """The contents of the Open Graph tags of a page, by their names."""
    response = client.request("GET", path)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    found: dict[str, list[str]] = {}
    for name, content in re.findall(r'<meta property="og:(\w+)" content="([^"]*)" />', response.text):
        found.setdefault(name, []).append(content)
    return found


def test_a_match_has_its_players_its_result_and_its_position(server: LiveServer) -> None:
    hine = server.guest("Hine <&> Co")
    match = hine.new_match("me", "open")
    for page in ("match", "replay", "embed"):
        shown = tags(server.guest("Tama"), f"/{page}/{match['id']}")
        assert shown["title"] == ["Mū tōrere: Hine &lt;&amp;&gt; Co – an open place"]
        assert shown["description"] == ["Join this match on Kemu."]
        drawn, sign = shown["image"]
        assert sign.endswith("/icon-512.png")
    picture = hine.request("GET", drawn.removeprefix(server.url))
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")


def test_a_puzzle_has_its_task_and_a_study_its_name_for_whom_the_link_lets_in(server: LiveServer) -> None:
    hine = server.guest("Hine")
    puzzle = next(iter(shipped_puzzles("mu-torere").values()))
    shown = tags(hine, f"/puzzles/mu-torere/{puzzle.id}")
    assert shown["title"] == ["Mū tōrere: puzzle"]
    assert "to move" in shown["description"][0]
    assert hine.request("GET", shown["image"][0].removeprefix(server.url)).text.startswith("<svg")
    hidden = next(iter(shipped_puzzles("mauw").values()))
    assert len(tags(hine, f"/puzzles/mauw/{hidden.id}")["image"]) == 1
    assert hine.request("GET", f"/preview/puzzle/mauw/{hidden.id}").status_code == 404
    study = hine.post("/api/studies", {"name": "Openings"}, 201)
    path = f"/studies/{study['id']}"
    links = hine.ask("PUT", f"/api{path}/links", {"read": True, "write": False})
    assert tags(server.guest("Tama"), path) == {}
    assert tags(server.guest("Tama"), f"{path}?key={links['read']}")["title"] == ["Openings"]


def test_what_does_not_exist_has_a_page_without_a_preview(server: LiveServer) -> None:
    tama = server.guest("Tama")
    unknown = ("/match/nothing", "/puzzles/mu-torere/nothing", "/puzzles/chess/next", "/studies/nothing")
    for path in (*unknown, "/match", "/replay", "/puzzles", "/puzzles/mu-torere", "/studies", "/nowhere"):
        assert tags(tama, path) == {}
    assert tama.request("GET", "/preview/match/nothing").status_code == 404


def test_only_the_embedded_board_may_be_framed(server: LiveServer) -> None:
    tama = server.guest("Tama")
    for path, framed in (("/embed/x", True), ("/match/x", False), ("/", False), ("/api/games", False)):
        policy = tama.request("GET", path).headers["content-security-policy"]
        assert ("frame-ancestors *" in policy) is framed
        assert ("frame-ancestors 'none'" in policy) is not framed
