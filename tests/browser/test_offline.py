"""The app without a connection, from the first visit on."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.pages import show_page


@pytest.mark.slow
def test_after_the_first_visit_courses_rules_and_puzzles_need_no_connection(people: Visitors) -> None:
    page = people.visitor(worker=True)
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.context.set_offline(True)
    show_page(page, "/")
    expect(page.get_by_role("status").filter(has_text="You are offline")).to_be_visible()
    expect(page.get_by_role("heading", name="Mū tōrere")).to_be_visible()
    show_page(page, "/rules/moeraki-kemu")
    page.goto("/learn/mu-torere/")
    page.get_by_role("navigation", name="Lessons").get_by_role("link").first.click()
    expect(page.locator("[data-mark=open]")).to_be_attached()
    page.get_by_role("button", name="Show me").click()
    answer = page.locator("[data-hint]").get_attribute("data-hint") or ""
    page.locator(f'[data-cell="{answer.split("-")[0]}"]').click()
    expect(page.locator("[data-mark=right]")).to_be_attached()
    page.goto("/puzzles/mu-torere")
    expect(page.locator("[data-puzzle]")).to_be_attached()
    expect(page.locator("[data-offline]").first).to_be_attached()
    page.context.set_offline(False)
    people.errors.clear()  # the browser complains of every request without a connection
