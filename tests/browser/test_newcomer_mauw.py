"""A newcomer to MAUW: the goal, the current step, why something is not possible, and the end, in words and pictures."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, await_turn, new_match, open_match
from tests.browser.pages import faults, too_small

ROOT = Path(__file__).parents[2]
BOT = {"kind": "bot", "bot": "random"}
PHONE, DESKTOP = (360, 740), (1280, 800)
WALKS = {"en-GB": PHONE, "de-DE": DESKTOP, "fr-FR": PHONE}


def words(locale: str, key: str) -> str:
    """The beginning of a text of the game, up to its first value."""
    file = ROOT / "web" / "src" / "boards" / "mauw" / "language" / f"{locale[:2]}.json"
    return str(json.loads(file.read_text(encoding="utf-8"))[key]).split("{")[0].strip()


def press(page: Page, selector: str) -> None:
    """Focus something as the keyboard does, and press Enter."""
    target = page.locator(selector).first
    target.focus()
    expect(target).to_be_focused()
    page.keyboard.press("Enter")


@pytest.mark.parametrize("locale", WALKS)
def test_goal_and_step_are_told_in_the_match_with_the_keyboard_alone(people: Visitors, locale: str) -> None:
    width, height = WALKS[locale]
    page = people.visitor(width=width, height=height, locale=locale, newcomer=True)
    open_match(page, new_match(page, "mauw", ME, BOT, BOT, options={"players": 3}))
    goals = page.locator("dialog[open] [data-goals]")
    expect(goals).to_contain_text(words(locale, "goal.mauw"))
    for way in ("association", "double", "block", "attack", "end"):
        expect(goals).to_contain_text(words(locale, f"mauw.goal.{way}.text"))
    expect(goals.locator("li:has(svg)")).to_have_count(5)
    assert faults(page) == []
    page.keyboard.press("Escape")
    assert await_turn(page)
    question = page.locator(".question")
    expect(question).to_contain_text(words(locale, "mauw.choose"))
    press(page, '[data-cell="0A"]')
    expect(question).to_contain_text(words(locale, "mauw.chooseCard"))
    press(page, ".hand [aria-disabled=false]")
    expect(page.locator(".cell.lit").first).to_be_visible()
    press(page, ".cell[aria-disabled=true]")
    expect(question.locator(".refusal")).to_be_visible()
    assert faults(page) == []
    if (width, height) == PHONE:
        assert too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("locale", WALKS)
def test_the_end_is_told_in_words_and_shown_on_the_table(people: Visitors, locale: str) -> None:
    width, height = WALKS[locale]
    page = people.visitor("/learn/mauw/end", width=width, height=height, locale=locale)
    page.locator("[data-mark=open]").wait_for()
    press(page, '.hand [data-card="3"]')
    press(page, '[data-cell="0D"]')
    expect(page.locator(".question")).to_contain_text(words(locale, "mauw.putPair"))
    expect(page.locator("[data-spot=gain] svg")).to_be_visible()
    press(page, '[data-cell="0C"]')
    page.locator("[data-mark=right]").wait_for()
    expect(page.locator(".question")).to_contain_text(words(locale, "reason.mauw.three-columns"))
    expect(page.locator(".own .cell.lit")).to_have_count(3)
    assert faults(page) == []


def test_an_attack_is_a_question_with_an_arrow(people: Visitors) -> None:
    page = people.visitor("/learn/mauw/defend")
    page.locator("[data-mark=open]").wait_for()
    question = page.locator(".question")
    expect(question).to_contain_text("Your warrior is attacked with 4 blue. Defend or give in?")
    expect(page.locator(".arrow .tip")).to_have_count(1)
    expect(question.get_by_role("button")).to_have_text(["Defend 4", "Give in"])
    assert faults(page) == []
    press(page, ".answers button")
    page.locator("[data-mark=right]").wait_for()


def test_the_pace_of_bots_is_chosen_in_the_match_and_kept(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mauw", ME, *[BOT] * 3, options={"players": 4}))
    page.get_by_label("Pace of the others").select_option("fast")
    page.reload()
    expect(page.get_by_label("Pace of the others")).to_have_value("fast")


def test_without_bots_there_is_no_pace_to_choose(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mu-torere", ME, ME))
    assert await_turn(page)
    expect(page.get_by_label("Pace of the others")).to_have_count(0)
