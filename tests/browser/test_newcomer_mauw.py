"""A newcomer to MAUW: the end of a game, an attack, and the pace of the others; the walk is in test_newcomer.py."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, legal, new_match, open_match, open_menu
from tests.browser.pages import faults, fits, press, too_small, words

BOT = {"kind": "bot", "bot": "random"}
HELD = """
  performance.now = () => 1;
  const real = window.setTimeout;
  window.setTimeout = (act, ms, ...rest) => ms > 500 ? 0 : real(act, ms, ...rest);
"""
"""A script that stops the clock of a page: what is held back for a while stays so for good."""


@pytest.mark.parametrize(("language", "width"), [("en", 360), ("de", 1280), ("fr", 360)])
def test_the_end_is_told_in_words_and_shown_on_the_table(people: Visitors, language: str, width: int) -> None:
    page = people.visitor("/learn/mauw/end", width=width, locale=language)
    page.locator("[data-mark=open]").wait_for()
    press(page, '.hand [data-card="3"]')
    press(page, '[data-cell="0D"]')
    expect(page.locator(".question")).to_contain_text(words(language, "mauw.putPair", "mauw"))
    expect(page.locator("[data-spot=gain] svg")).to_be_visible()
    press(page, '[data-cell="0C"]')
    page.locator("[data-mark=right]").wait_for()
    expect(page.locator(".question")).to_contain_text(words(language, "reason.mauw.three-columns", "mauw"))
    expect(page.locator(".own .cell.lit")).to_have_count(3)
    assert faults(page) == []


def test_an_attack_is_a_question_with_an_arrow(people: Visitors) -> None:
    page = people.visitor("/learn/mauw/defend")
    page.locator("[data-mark=open]").wait_for()
    question = page.locator(".question")
    expect(question).to_contain_text("Your warrior is attacked with the blue 4. Defend or give in?")
    expect(page.locator(".arrow .tip")).to_have_count(1)
    expect(question.get_by_role("button")).to_have_text(["Defend 4", "Give in"])
    assert faults(page) == []
    press(page, ".answers button")
    page.locator("[data-mark=right]").wait_for()


TIP = """
() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const cards = document.querySelectorAll('[data-spot="0A"] .stack > svg:not(.lit, .place)');
  const top = Math.min(...[...cards].map((card) => card.getBoundingClientRect().top));
  const [tip, column] = [box('.arrow .tip'), box('[data-cell="0A"]')];
  resolve([tip.x + tip.width / 2 - column.left, column.right - tip.x - tip.width / 2, top - tip.bottom]);
})))
"""
"""Once the page has its size: how far the tip of the arrow is from the sides of the column and above its cards."""
LAYERS = "(all) => all.map((e) => Number(getComputedStyle(e).zIndex) || 0)"


def test_the_arrow_points_at_the_column_and_covers_neither_names_nor_cards(people: Visitors) -> None:
    page = people.visitor("/learn/mauw/defend")
    expect(page.locator(".arrow .tip")).to_be_visible()
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        left, right, above = page.evaluate(TIP)
        assert min(left, right) > 0, width
        assert -3 < above < 9, width
    assert page.locator(".arrow").evaluate_all(LAYERS) == [0]
    assert min(page.locator(".who, .stack, .worth, .pot, .ask").evaluate_all(LAYERS)) >= 1


def test_the_pace_of_bots_is_chosen_in_the_match_and_kept(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mauw", ME, *[BOT] * 3, options={"players": 4}))
    open_menu(page)
    page.get_by_label("Speed").select_option("fast")
    page.reload()
    open_menu(page)
    expect(page.get_by_label("Speed")).to_have_value("fast")


def test_what_bots_do_is_held_back_until_it_is_skipped(people: Visitors) -> None:
    page = people.visitor(pace="slow")
    page.add_init_script(HELD)
    open_match(page, new_match(page, "mauw", ME, BOT, BOT, options={"players": 3}))
    assert await_turn(page)
    act(page, legal(page)[0])
    on_table = page.locator(".felt .skip")
    expect(on_table).to_be_visible()
    expect(page.get_by_role("button", name="Skip")).to_have_count(1)
    lines = page.locator(".log li").count()
    expect(page.locator("[data-status]")).to_have_text("Waiting for Kahurangi")
    press(page, ".felt .skip")
    expect(page.locator(".log li")).not_to_have_count(lines)
    while not page.locator(".status.mine").count():  # the second bot may have acted later
        page.locator(".felt .skip, .status.mine").first.wait_for()
        if on_table.count():
            on_table.click()
    assert page.locator(".log li").count() >= lines + 4, "each bot has played a card and drawn one"


LARGE = "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"


def test_six_players_stay_usable_on_small_phones_and_with_large_text(people: Visitors) -> None:
    page = people.visitor(width=320, height=640)
    match = new_match(page, "mauw", ME, *[BOT] * 5, options={"players": 6})
    for large in (False, True):
        if large:
            page.add_init_script(LARGE)
        open_match(page, match)
        names = page.locator(".ranking .name")
        expect(names).to_have_count(6)
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 640})
            assert names.evaluate_all("(all) => all.every((name) => name.scrollWidth <= name.clientWidth)")
            assert fits(page), (width, large)
            assert too_small(page) == [], (width, large)
        assert sum(name.startswith("Guest ") for name in names.all_inner_texts()) == 1
        expect(names.filter(has_text="Random")).to_have_count(5)


def test_without_bots_there_is_no_pace_to_choose(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mu-torere", ME, ME))
    assert await_turn(page)
    expect(page.get_by_label("Speed")).to_have_count(0)
