"""Challenges in the browser: by name, answered while their challenger is away, and the search for an opponent."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import act, await_turn
from tests.browser.pages import faults, fits, too_small


def look(page: Page) -> None:
    """Look for an opponent on the first page."""
    page.get_by_role("article", name="Mū tōrere").get_by_role("button", name="Find an opponent").click()


def test_who_looks_for_an_opponent_plays_the_computer_until_somebody_is_found(people: Visitors) -> None:
    hine, tama = people.visitor(width=390, height=844), people.visitor()
    look(hine)
    search = hine.get_by_role("complementary", name="Looking for an opponent")
    expect(search).to_contain_text("Looking for an opponent in Mū tōrere")
    assert (faults(hine), too_small(hine), fits(hine)) == ([], [], True)
    search.get_by_role("link", name="Play the computer").click()
    hine.get_by_role("button", name="Start").click()
    assert await_turn(hine)
    act(hine, "1-0")
    tama.goto("/lobby")
    open_ones = tama.get_by_role("region", name="Challenges")
    expect(open_ones.get_by_role("listitem").first).to_contain_text("Mū tōrere")
    tama.goto("/")
    look(tama)
    tama.wait_for_url("**/match/*")
    expect(search).to_contain_text("We found an opponent")
    search.get_by_role("button", name="Go to the match").click()
    hine.wait_for_url(tama.url)
    expect(hine.locator(".match[data-link=open]")).to_be_visible()
    expect(search).to_have_count(0)
