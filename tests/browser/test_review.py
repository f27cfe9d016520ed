"""The review page: graph, grades, better lines and retries, in three languages, on phone and desktop, by keyboard."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, Visitors
from tests.browser.match_page import ME, act, await_turn, new_match, open_match
from tests.browser.pages import faults, too_small

ACTIONS = ["4-0", "5-4", "0-5", "4-0", "3-4", "0-3", "1-0", "8-1", "0-8", "1-0", "8-1", "7-8"]
"""White throws a draw with the fourth action, Black gives a win away with the seventh and loses with the eleventh.

Only the last of these is plain to see; the others have no grade.
"""

RECORD = {"kemu": 1, "game": "mu-torere", "options": {}, "actions": ACTIONS}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "record.json"
    path.write_text(json.dumps(RECORD))
    return path


def reviewed(page: Page) -> None:
    """Wait for the whole review."""
    expect(page.locator("[data-complete]")).to_be_visible()


def at(page: Page, number: int) -> None:
    """The page shows the position after so many actions."""
    expect(page.locator(".review")).to_have_attribute("data-at", str(number))


@pytest.mark.parametrize(
    ("locale", "width", "scheme", "gave"),
    [
        ("en-GB", 1280, "light", "Black had a proven win in 2 and gave it away."),
        ("de-DE", 360, "dark", "Schwarz hatte einen bewiesenen Gewinn in 2 und hat ihn verschenkt."),
        ("fr-FR", 360, "light", "Noir avait un gain prouvé en 2 et l’a laissé échapper."),
    ],
)
def test_a_record_is_walked_through_by_keyboard(
    people: Visitors, file: Path, locale: str, width: int, scheme: str, gave: str
) -> None:
    page = people.visitor("/review", width, 740, scheme, locale)
    page.set_input_files("#record", file)
    reviewed(page)
    at(page, 12)
    graph = page.get_by_role("slider")
    graph.focus()
    page.keyboard.press("Home")
    at(page, 0)
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    at(page, 7)
    expect(page.locator("[data-proof=gave-win]")).to_have_text(gave)
    expect(graph).to_have_attribute("aria-valuetext", re.compile("50"))
    expect(page.locator("[data-live]")).to_contain_text(gave)
    expect(page.locator(".grade.blunder")).to_have_count(1)
    expect(page.locator(".grade.hard")).to_have_count(2)
    assert faults(page) == []
    assert too_small(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    reviewed(page)
    at(page, 7)


def test_a_place_in_the_graph_is_clicked_and_the_better_line_stepped_through(people: Visitors, file: Path) -> None:
    page = people.visitor("/review")
    page.set_input_files("#record", file)
    reviewed(page)
    box = page.locator("[data-graph]").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 7 / 12, box["y"] + 20)
    at(page, 7)
    page.get_by_role("button", name="Show the best move").click()
    expect(page.locator("[data-line]")).to_contain_text("0 /")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-line]")).to_contain_text("1 /")
    page.get_by_role("button", name="Back to the game").click()
    at(page, 7)
    expect(page.locator("[data-mode=game]")).to_be_visible()


def test_a_mistake_is_tried_again_and_the_board_shows_no_answer_before(people: Visitors, file: Path) -> None:
    page = people.visitor("/review")
    page.set_input_files("#record", file)
    reviewed(page)
    page.get_by_role("button", name="Learn from 3 mistakes").click()
    expect(page.locator("[data-mode=trial]")).to_be_visible()
    at(page, 3)
    expect(page.locator(".review .suggested")).to_have_count(0)
    page.locator('.review [data-cell="4"]').click()
    expect(page.locator("[data-passed=false]")).to_contain_text("costs 50 points")
    page.locator('.review [data-cell="8"]').click()
    expect(page.locator("[data-passed=true]")).to_be_visible()
    page.get_by_role("button", name="Next mistake").click()
    at(page, 6)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator("[data-mode=line]")).to_be_visible()


def test_a_finished_match_is_reviewed_and_the_review_outlasts_the_server(people: Visitors, site: Site) -> None:
    page = people.visitor()
    match = new_match(page, "mu-torere", ME, ME)
    open_match(page, match)
    for action in ACTIONS:
        assert await_turn(page)
        act(page, action)
    page.get_by_role("link", name="Review the game").click()
    reviewed(page)
    expect(page.locator("[data-accuracy]")).to_have_count(2)
    site.stop()
    site.start()
    page.goto("/matches")
    page.locator(f'a.review[href="/review?match={match}"]').click()
    reviewed(page)
    page.go_back()
    expect(page).to_have_url(re.compile("/matches"))
    people.errors.clear()  # of the sockets that were cut


def test_what_is_no_record_is_told(people: Visitors, tmp_path: Path) -> None:
    page = people.visitor("/review")
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    page.set_input_files("#record", wrong)
    expect(page.get_by_role("alert")).to_have_text("This is not a Kemu game file.")
