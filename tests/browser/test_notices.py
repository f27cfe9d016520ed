"""What waits for a player is told on every page, live, and leads to the next match."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import act, await_turn, new_match_of_two, open_match
from tests.browser.pages import faults, fits, too_small


def test_a_turn_is_told_on_every_page_and_next_game_leads_through_all(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor("/about", width=390, height=844)
    assert hine.request.patch("/api/me", data={"name": "Hine"}).ok
    expect(tama).not_to_have_title(re.compile(r"^\("))
    clock = {"kind": "days", "days": 3}
    first, second = (new_match_of_two(hine, tama, "mu-torere", clock=clock) for _ in range(2))
    open_match(hine, first)
    assert await_turn(hine)
    act(hine, "1-0")
    banner = tama.get_by_role("complementary", name="Your turn")
    expect(banner).to_contain_text("against Hine in Mū tōrere")
    expect(banner).to_contain_text("2 days left")
    expect(tama).to_have_title(re.compile(r"^\(1\) "))
    expect(tama.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    expect(tama.locator("[data-live]")).to_contain_text("Your turn against Hine")
    hine.get_by_role("link", name="Next game").click()
    expect(hine.locator(".match[data-seat='0'][data-link=open] h1")).to_be_attached()
    hine.wait_for_url(f"**/match/{second}")
    assert await_turn(hine)
    act(hine, "1-0")
    expect(banner).to_contain_text("in 2 matches")
    expect(tama).to_have_title(re.compile(r"^\(2\) "))

    bell = tama.get_by_role("button", name="Notifications, 2 new")
    bell.click()
    told = tama.get_by_role("region", name="Notifications")
    expect(told.get_by_role("listitem")).to_have_count(2)
    assert (faults(tama), too_small(tama), fits(tama)) == ([], [], True)
    expect(tama.get_by_role("button", name="Notifications", exact=True)).to_be_visible()  # seen
    tama.keyboard.press("Escape")
    expect(told.get_by_role("listitem")).to_have_count(0)

    tama.goto("/matches")
    mine = tama.get_by_role("region", name="Your turn")
    expect(mine.get_by_role("listitem")).to_have_count(2)
    mine.get_by_role("link", name="Next game").click()
    tama.wait_for_url(f"**/match/{first}")
    assert await_turn(tama)
    expect(tama).to_have_title(re.compile(r"^\(1\) "))  # the other match
    act(tama, "8-1")
    tama.get_by_role("link", name="Next game").click()
    tama.wait_for_url(f"**/match/{second}")
    assert await_turn(tama)
    act(tama, "8-1")
    expect(tama).not_to_have_title(re.compile(r"^\("))
    expect(tama.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
