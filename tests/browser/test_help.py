"""Courses, hints, replays and records."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, new_match, open_match, open_match_of_two, open_menu, result
from tests.browser.pages import faults, too_small

LESSONS = {"mu-torere": 6, "moeraki-kemu": 23, "mauw": 11}


@pytest.mark.parametrize("game", LESSONS)
def test_a_course_is_walked_through(people: Visitors, game: str) -> None:
    page = people.visitor(f"/learn/{game}")
    expect(page.locator("h1")).to_be_visible()
    if page.locator("[data-goals]").count():
        page.get_by_role("link", name="Start the course").click()
    for number in range(1, LESSONS[game] + 1):
        expect(page.locator(".crumbs")).to_contain_text(f"Lesson {number} of {LESSONS[game]}")
        page.locator("[data-mark=open]").wait_for()
        while page.locator("[data-mark=open]").count():
            page.get_by_role("button", name="Show me").click()
            action = page.locator("[data-hint]").get_attribute("data-hint")
            assert action
            page.get_by_label("Type a move").fill(action)
            page.get_by_role("button", name="Play", exact=True).click()
            expect(page.locator("[data-hint]")).to_have_count(0)
        page.locator("[data-mark=right]").wait_for()
        last = number == LESSONS[game]
        page.get_by_role("button", name="Play your first game" if last else "Next").click()
    page.locator(".match").wait_for()
    page.goto(f"/learn/{game}")
    expect(page.get_by_role("link", name="(done)")).to_have_count(LESSONS[game])


def test_a_wrong_answer_can_be_tried_again(people: Visitors) -> None:
    page = people.visitor("/learn/moeraki-kemu/tahuna")
    page.locator('[data-cell="a3"]').click()
    expect(page.locator("[data-mark=wrong]")).to_contain_text("The hollows around f7 are e7, f8, g7 and f6.")
    page.get_by_role("button", name="Try again").click()
    page.locator('[data-cell="f6"]').click()
    page.locator("[data-mark=right]").wait_for()


def test_hints_show_threats_and_a_suggestion_with_its_reason(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mu-torere", ME, {"kind": "bot", "bot": "8"}))
    assert await_turn(page)
    expect(page.locator(".legal")).to_have_count(2)
    open_menu(page)
    page.get_by_label("Show possible moves").uncheck()
    expect(page.locator(".legal")).to_have_count(0)
    expect(page.get_by_label("Coach")).to_be_checked()
    page.get_by_role("button", name="Hint").click()
    told = r"Move your man from kewai \d to pūtahi\. The engine rates this highest\."
    expect(page.locator("[data-hint]")).to_have_text(re.compile(told))
    expect(page.locator(".suggested")).to_have_count(1)


def test_no_hints_between_people(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    open_match_of_two(hine, tama, "mu-torere")
    assert await_turn(hine)
    expect(hine.get_by_role("button", name="Hint")).to_have_count(0)


def test_one_steps_back_and_forward_in_a_running_match(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mauw", ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    lines = int(page.locator(".count").inner_text().split(" / ")[1])
    assert lines >= 8
    expect(page.locator(".log li").first).to_have_text("Everyone is dealt four cards")
    page.get_by_role("button", name="First move").click()
    expect(page.locator(".count")).to_have_text(f"0 / {lines}")
    expect(page.locator("[data-card]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count")).to_have_text(f"1 / {lines}")
    page.get_by_role("button", name="Last move").click()
    expect(page.locator("[data-card]")).to_have_count(4)


def _finish(page: Page) -> None:
    open_match(page, new_match(page, "mu-torere", ME, ME))
    for action in ["1-0", "8-1", "0-8", "1-0", "8-1", "7-8"]:
        assert await_turn(page)
        act(page, action)
    assert result(page) == "blocked"


def test_a_record_is_saved_opened_and_shared(people: Visitors, tmp_path: Path) -> None:
    page = people.visitor()
    _finish(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the game").click()
    file = tmp_path / "record.json"
    saved.value.save_as(file)
    assert json.loads(file.read_text())["actions"][0] == "1-0"
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    ana = people.visitor(link)
    expect(ana.locator(".count")).to_have_text("6 / 6")
    page.get_by_role("button", name="First move").click()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Link", exact=True)).to_have_value(f"{link}?at=1")
    ana.goto(f"{link}?at=1")
    expect(ana.locator(".count")).to_have_text("1 / 6")
    assert faults(ana) == []
    assert too_small(ana) == []
    ana.get_by_role("button", name="Play through").click()
    expect(ana.locator("[data-replay]")).to_have_attribute("data-at", "6")
    ana.goto(link.replace("/replay/", "/embed/"))
    expect(ana.locator("[data-at='6']")).to_be_visible()
    expect(ana.get_by_role("navigation")).to_have_count(0)
    ana.goto("/analysis")
    ana.set_input_files("#file", file)
    expect(ana.locator(".count")).to_have_text("6 / 6")
    ana.get_by_role("button", name="Previous move").click()
    expect(ana.locator(".count")).to_have_text("5 / 6")
    position = ana.get_by_label("Link", exact=True).input_value()
    tama = people.visitor(position)
    expect(tama.locator(".count")).to_have_text("5 / 6")
    tama.locator('[data-cell="7"]').click()
    expect(tama.locator("[data-status]")).to_contain_text("won")
