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


def test_a_challenge_by_name_leads_to_a_correspondence_match_with_plans_and_a_vacation(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor(width=390, height=844)
    for page, name in ((hine, "Hine who challenges"), (tama, "Tama who is challenged")):
        assert page.request.post("/api/account", data={"name": name, "password": "correct horse"}).ok
    hine.goto("/challenges?name=Tama who is challenged&game=mu-torere")
    expect(hine.get_by_role("heading", name="New challenge")).to_be_visible()
    hine.get_by_label("240 h + 36 h per move").check()
    hine.get_by_label("3 days per move").uncheck()
    hine.get_by_role("group", name="Your side").get_by_text("Black").click()
    hine.get_by_role("button", name="Send challenge").click()
    expect(hine.get_by_role("status").filter(has_text="Your challenge is open")).to_be_visible()
    browser = hine.context
    hine.close()

    tama.goto("/challenges")
    for_him = tama.get_by_role("region", name="For you")
    expect(for_him.get_by_role("listitem").first).to_contain_text("Hine who challenges")
    assert (faults(tama), too_small(tama), fits(tama)) == ([], [], True)
    for_him.get_by_role("button", name="Accept").click()
    tama.wait_for_url("**/match/*")
    plans = tama.get_by_role("region", name="Correspondence")
    plans.get_by_role("button", name="Plan an answer").click()
    expect(plans.get_by_text("Play on the board")).to_be_visible()
    for cell in ("1", "8"):
        tama.locator(f'[data-cell="{cell}"]').click()
        expect(plans.get_by_role("list").get_by_role("listitem")).to_have_count(1 if cell == "1" else 2)
    assert (faults(tama), too_small(tama), fits(tama)) == ([], [], True)
    plans.get_by_role("button", name="Keep this line").click()
    expect(plans.get_by_role("button", name="1-0 · 8-1", exact=True)).to_be_visible()
    plans.get_by_role("button", name="Start vacation").click()
    expect(plans.get_by_text("You are on vacation")).to_be_visible()

    hine = browser.new_page()
    people.record_errors(hine)
    hine.goto("/")
    hine.get_by_role("complementary", name="Your turn").get_by_role("link", name="Make your move").click()
    hine.wait_for_url(tama.url)
    assert await_turn(hine)
    expect(hine.get_by_role("group", name="Tama who is challenged", exact=True)).to_contain_text("on vacation")
    assert "8-1" not in hine.locator("main").inner_text(), "nobody is told of a plan"
    act(hine, "1-0")
    assert await_turn(hine), "the planned answer was played at once"
    plans.get_by_role("button", name="End vacation").click()
    expect(plans.get_by_role("button", name="Start vacation")).to_be_visible()
    hine.get_by_role("button", name="Resign").click()
    hine.get_by_role("button", name="Yes").click()
    for page in (hine, tama):
        expect(page.locator("[data-result]").first).to_be_visible()
