"""A small tournament in two browsers: made with a form, entered, and played with a computer to the end."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.pages import faults, fits, too_small


def account(page: Page, name: str) -> None:
    """Give a visitor an account."""
    answer = page.request.post("/api/account", data={"name": name, "password": "a long password"})
    assert answer.ok, answer.text()


def create(page: Page) -> str:
    """Make a round robin of Mū tōrere with the form; the address of its page."""
    page.goto("/tournaments")
    expect(page.get_by_role("heading", name="Tournaments", level=1)).to_be_visible()
    page.get_by_text("New tournament", exact=True).click()
    form = page.locator("form.card")
    form.get_by_label("Name of the tournament").fill("Three at a table")
    form.get_by_label("Round robin").check()
    form.get_by_label("Game", exact=True).select_option("mu-torere")
    form.get_by_label("If the number of players is odd").select_option("1")
    assert faults(page) == []
    form.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name="Three at a table")).to_be_visible()
    return page.url


def play_all(page: Page) -> None:
    """Resign each game that is there to be played, until the tournament is over; the page follows by itself."""
    over, game = page.locator(".state", has_text="Finished"), page.get_by_role("link", name=re.compile("^Play game"))
    while True:
        over.or_(game.first).first.wait_for()
        if over.is_visible():
            return
        game.first.click()
        page.locator(".match[data-link=open]").wait_for()
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        page.get_by_role("link", name="Back to the tournament").click()
        expect(page.get_by_role("heading", name="Three at a table")).to_be_visible()
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()
        page.wait_for_function("document.querySelector('.tournament .state')?.textContent")


def test_a_round_robin_with_a_computer_is_played_to_the_end(people: Visitors) -> None:
    host, guest = people.visitor(), people.visitor(width=390, height=844)
    account(host, "Walker of tournaments")
    address = create(host)
    host.get_by_role("button", name="Join", exact=True).click()
    expect(host.get_by_role("row", name=re.compile("Walker of tournaments"))).to_be_visible()
    guest.goto(address)
    expect(guest.get_by_role("link", name="Log in to take part")).to_be_visible()
    assert faults(guest) == []
    host.get_by_role("button", name="Start tournament").click()
    expect(host.get_by_role("heading", name="Your games")).to_be_visible()
    assert faults(host) == []
    play_all(host)
    expect(guest.locator(".state", has_text="Finished")).to_be_visible()
    winner = guest.get_by_role("row").nth(1)
    expect(winner).to_contain_text("Computer, Level 1")
    assert faults(guest) == []
    assert fits(guest)
    assert too_small(guest) == []
    with guest.expect_download() as download:
        guest.get_by_role("link", name="Standings (CSV)").click()
    assert download.value.suggested_filename == "standings.csv"
