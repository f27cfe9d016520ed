"""A game of another package in the browser: it has no board there, and no line of Kemu names it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.match_page import await_turn, legal, new_match, open_match, result
from tests.browser.pages import faults, show_page, too_small
from tests.outside_package import OutsideGame

ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "random"}


@pytest.fixture
def outside_site(outside_game: OutsideGame, tmp_path: Path) -> Iterator[Site]:
    """A server on which the other package is installed."""
    site = Site(tmp_path, outside_game.environment)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visitors(browser: Browser, outside_site: Site) -> Iterator[Visitors]:
    """Visitors of that server."""
    with visiting(browser, outside_site.url) as people:
        yield people


def _act(page: Page, action: str) -> None:
    lines = page.locator(".log li").count()
    page.locator(f'[data-action="{action}"]').click()
    expect(page.locator(".log li")).not_to_have_count(lines)


def test_it_is_played_from_home_against_a_bot(visitors: Visitors) -> None:
    page = visitors.visitor()
    card = page.get_by_role("article", name="Nim")
    expect(card.locator("pre")).to_have_text("|" * 12)
    expect(card).to_contain_text("take the last stick")
    card.get_by_label("Computer level").select_option("random")
    card.get_by_role("button", name="Play").click()
    assert await_turn(page)
    expect(page.locator("pre")).to_have_text("|" * 12)
    expect(page.get_by_role("button", name="2 leaves 10")).to_be_visible()
    while await_turn(page):
        _act(page, legal(page)[0])
    assert result(page) == "last-stick"
    expect(page.locator("pre")).to_have_text("")


def test_two_people_play_it_with_the_keyboard_at_one_screen(visitors: Visitors) -> None:
    page = visitors.visitor("/play/nim?with=screen")
    page.get_by_role("button", name="Start").click()
    for number, action in enumerate(["3", "2", "3", "1", "3"]):
        assert await_turn(page)
        page.locator("[data-action][tabindex='0']").focus()
        page.keyboard.press("Home")
        for _ in range(int(action) - 1):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".log li")).to_have_count(number + 1)
    assert result(page) == "last-stick"
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator("pre")).to_have_text("|||")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    page.goto(link)
    expect(page.locator("pre")).to_have_text("|||")
    page.get_by_role("link", name="Analysis board").click()
    page.get_by_role("button", name="1 leaves 2").click()
    expect(page.locator("pre")).to_have_text("||")


def test_its_pages_have_its_rules_and_say_that_there_is_no_course(visitors: Visitors) -> None:
    page = visitors.visitor("/rules/nim")
    expect(page.locator("main")).to_contain_text("The player who takes the last stick wins.")
    page.get_by_role("link", name="Learn").last.click()
    expect(page.locator("main")).to_contain_text("There is no course for this game yet.")
    page.goto("/analysis")
    page.get_by_role("button", name="Nim").click()
    page.get_by_role("button", name="2 leaves 10").click()
    expect(page.locator("pre")).to_have_text("|" * 10)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")])
def test_it_is_for_everyone(visitors: Visitors, width: int, scheme: str) -> None:
    page = visitors.visitor(width=width, scheme=scheme)
    for path in ("/", "/learn", "/play/nim", "/learn/nim", "/rules/nim"):
        show_page(page, path)
        assert faults(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    open_match(page, new_match(page, "nim", ME, BOT, options={"sticks": 100}))
    assert await_turn(page)
    assert faults(page) == []
    assert too_small(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
