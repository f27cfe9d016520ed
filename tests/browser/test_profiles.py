"""Players on their pages: a rated match moves what both pages show, names lead there, and statistics can be hidden."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import act, await_turn, open_match_of_two, result
from tests.browser.pages import faults, too_small


def sign_up(page: Page, name: str) -> None:
    """Make an account of this visitor."""
    answer = page.request.post("/api/account", data={"name": name, "password": "a long password"})
    assert answer.ok, answer.text()


def open_profile(page: Page, name: str) -> None:
    """Open the page of a player and wait for it."""
    page.goto(f"/players/{name}")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def test_a_rated_match_moves_the_ratings_on_both_pages(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor(width=390, height=844, scheme="dark")
    sign_up(hine, "Hine-of-a-profile")
    sign_up(tama, "Tama-of-a-profile")
    clock = {"kind": "game", "seconds": 3600}
    open_match_of_two(hine, tama, "mu-torere", rated=True, public=True, clock=clock)
    assert await_turn(hine)
    act(hine, "1-0")
    assert await_turn(tama)
    act(tama, "8-1")
    assert await_turn(hine)
    tama.get_by_role("button", name="Resign").click()
    tama.get_by_role("button", name="Yes, resign").click()
    for page in (hine, tama):
        assert result(page) == "resignation"
        expect(page.locator("[data-ratings]")).to_contain_text("(+")
    gained = hine.locator("[data-ratings] li").filter(has_text="(+").inner_text()
    rating = gained.split("Rating ")[1].split(" ")[0]
    hine.get_by_role("group", name="Tama-of-a-profile", exact=True).get_by_role("link").click()
    expect(hine.get_by_role("heading", level=1, name="Tama-of-a-profile")).to_be_visible()
    met = hine.get_by_role("region", name="You against Tama-of-a-profile")
    hine.wait_for_function(
        "async () => (await (await fetch('/api/profile?name=Tama-of-a-profile')).json()).met.length > 0"
    )
    hine.reload()
    expect(met).to_contain_text("1 won, 0 drawn, 0 lost")
    hine.get_by_role("button", name="Follow", exact=True).click()
    expect(hine.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    assert faults(hine) == []
    open_profile(tama, "Hine-of-a-profile")
    expect(tama.get_by_role("region", name="Ratings")).to_contain_text(rating)
    expect(tama.get_by_role("region", name="Recent matches").get_by_role("listitem")).to_contain_text("You lost.")
    assert faults(tama) == []
    assert too_small(tama) == []
    open_profile(hine, "Hine-of-a-profile")
    hine.get_by_label("Only I can see my statistics").check()
    hine.wait_for_function("async () => (await (await fetch('/api/me/choices')).json()).hidden")
    tama.reload()
    expect(tama.get_by_text("keeps their statistics private")).to_be_visible()
    tama.goto("/players")
    tama.get_by_label("Find a player by name").fill("hine-of-a")
    found = tama.get_by_role("link", name="Hine-of-a-profile")
    found.wait_for()
    tama.locator("ol").last.wait_for()
    assert faults(tama) == []
    assert too_small(tama) == []
    assert tama.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found.click()
    expect(tama.get_by_role("heading", level=1, name="Hine-of-a-profile")).to_be_visible()
