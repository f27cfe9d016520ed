"""A connection that breaks comes back by itself, and nothing is lost or done twice."""

from pathlib import Path

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.match_page import ME, act, await_turn, new_match, new_match_of_two, open_match

NETWORK = ("WebSocket connection to", "Failed to load resource: net::")
"""What Chromium itself writes to the console while a server is away."""


def test_a_cut_connection_is_shown_and_comes_back_with_what_was_missed(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    match = new_match_of_two(hine, tama, "mu-torere")
    sockets: list[WebSocketRoute] = []
    broken = False

    def connect(socket: WebSocketRoute) -> None:
        if broken:
            socket.close(code=1012)
            return
        sockets.append(socket)
        socket.connect_to_server()

    tama.route_web_socket("**/socket*", connect)
    open_match(hine, match)
    open_match(tama, match)
    assert await_turn(hine)
    broken = True
    sockets[-1].close(code=1012)
    expect(tama.locator(".lost")).to_be_visible()
    act(hine, "1-0")
    broken = False
    expect(tama.locator(".lost")).to_have_count(0)
    expect(tama.locator(".log li")).to_have_count(1)
    assert await_turn(tama)
    act(tama, "8-1")
    expect(hine.locator(".log li")).to_have_count(2)


def test_a_server_that_restarts_finds_everybody_where_they_were(browser: Browser, tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.start()
    people = Visitors(browser, site.url)
    page = people.visitor()
    open_match(page, new_match(page, "mu-torere", ME, ME))
    assert await_turn(page)
    act(page, "1-0")
    site.stop()
    expect(page.locator(".lost")).to_be_visible()
    site.start()
    expect(page.locator(".lost")).to_have_count(0)
    assert await_turn(page)
    act(page, "8-1")
    expect(page.locator(".log li")).to_have_count(2)
    people.close()
    site.stop()
    assert [text for text in people.errors if not text.startswith(NETWORK)] == []


def test_an_unknown_match_is_named_as_such(browser: Browser, site: Site) -> None:
    with visiting(browser, site.url) as people:
        page = people.visitor("/match/nobodyknowsthis1")
        expect(page.get_by_role("heading", name="This match does not exist.")).to_be_visible()
