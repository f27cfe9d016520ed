"""How people find each other: the lobby, my matches, watching, who is here."""

import json

from playwright.sync_api import WebSocket, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import act, await_turn, invitation


def test_strangers_meet_in_the_lobby_and_others_watch(people: Visitors) -> None:
    hine, tama, ana = people.visitor("/play/mu-torere?with=lobby"), people.visitor(), people.visitor()
    for page, name in ((hine, "Hine"), (tama, "Tama")):
        assert page.request.patch("/api/me", data={"name": name}).ok
    hine.get_by_role("button", name="Start").click()
    invitation(hine)
    lobby = tama.get_by_role("region", name="Open matches")
    lobby.get_by_role("listitem").filter(has_text="Hine").get_by_role("button", name="Join").click()
    assert await_turn(hine)
    ana.get_by_role("region", name="Live now").get_by_role("link", name="Hine – Tama").click()
    expect(ana.locator(".match")).to_have_attribute("data-seat", "-2")
    expect(hine.get_by_text("1 watching")).to_be_visible()
    here = hine.get_by_role("group", name="Tama", exact=True)
    expect(here).to_contain_text("Online")
    tama.goto("/")
    expect(here).to_contain_text("Away")
    mine = tama.get_by_role("region", name="My matches")
    mine.get_by_role("link", name="Hine – Tama").click()
    expect(here).to_contain_text("Online")


def test_a_seat_is_taken_and_a_match_starts_without_a_reload(people: Visitors) -> None:
    hine, tama = people.visitor("/play/mu-torere?with=friend"), people.visitor()
    hine.get_by_role("button", name="Start").click()
    address = invitation(hine)
    sockets: list[WebSocket] = []
    sent: list[str | bytes] = []

    def opened(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framesent", lambda message: sent.append(message))

    tama.on("websocket", opened)
    tama.goto(address)
    tama.evaluate("window.loaded = true")
    tama.get_by_role("button", name="Join").click()
    expect(tama.locator(".match")).to_have_attribute("data-seat", "1")
    assert await_turn(hine)
    act(hine, "1-0")
    assert await_turn(tama)
    assert tama.evaluate("window.loaded")
    assert len(sockets) == 1
    assert [json.loads(message)["do"] for message in sent] == [], "nothing had to be asked for"


def test_home_leads_to_a_match_on_this_screen(people: Visitors) -> None:
    page = people.visitor()
    page.get_by_role("article", name="Mū tōrere").get_by_role("link", name="Pass and play").click()
    page.get_by_role("button", name="Start").click()
    assert await_turn(page)
    expect(page.get_by_role("group", name="Player 2", exact=True)).to_be_visible()
