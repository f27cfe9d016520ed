"""The documentation in a real browser, served by Kemu with its content security policy; errors fail the test."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, Visitors, visiting

PAGES = ("index", "games/moeraki-kemu", "reference/core", "protocol", "404")


def open_page(browser: Browser, people: Visitors, url: str, width: int, dark: bool) -> Page:
    """An empty page of a reader; whatever it asks of another server is an error."""
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light"
    )
    return people.keep(context)


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True)], ids=["phone-light", "desktop-dark"])
def test_pages_fit_the_screen_in_our_colours_and_load_nothing_from_outside(
    browser: Browser, site: Site, width: int, dark: bool
) -> None:
    with visiting(browser, site.url) as people:
        page = open_page(browser, people, site.url, width, dark)
        for name in PAGES:
            page.goto(f"/docs/{name}.html")
            expect(page.locator("h1").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            paper = "rgb(14, 21, 23)" if dark else "rgb(245, 239, 227)"
            expect(page.locator("body")).to_have_css("background-color", paper)


def test_the_search_finds_words_with_macrons_without_them(browser: Browser, site: Site) -> None:
    with visiting(browser, site.url) as people:
        page = open_page(browser, people, site.url, 1280, dark=False)
        page.goto("/docs")
        page.get_by_role("textbox", name="Search").fill("torere")
        found = page.locator(".md-search-result__link").first
        expect(found).to_contain_text("Mū tōrere")
        found.click()
        expect(page).to_have_url(f"{site.url}/docs/games/mu-torere.html?h=torere")


def test_about_leads_to_the_documentation(browser: Browser, site: Site) -> None:
    with visiting(browser, site.url) as people:
        page = people.visitor("/about")
        page.get_by_role("link", name="Read the documentation").click()
        expect(page).to_have_url(f"{site.url}/docs/index.html")
        expect(page.get_by_role("textbox", name="Search")).to_be_attached()


def test_a_reader_chooses_the_colours_and_they_stay(browser: Browser, site: Site) -> None:
    with visiting(browser, site.url) as people:
        page = open_page(browser, people, site.url, 1280, dark=True)
        page.goto("/docs")
        body = page.locator("body")
        expect(body).to_have_attribute("data-md-color-scheme", "slate")
        page.get_by_title("Use light colours").click()
        expect(body).to_have_attribute("data-md-color-scheme", "default")
        page.goto("/docs/protocol.html")
        expect(body).to_have_attribute("data-md-color-scheme", "default")
