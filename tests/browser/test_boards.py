"""The boards on the match page: strips of the players, questions, marks, and that nothing moves under the pointer."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, legal, new_match, open_match, open_match_of_two
from tests.browser.pages import faults, too_small

CLOCK = {"kind": "game", "seconds": 300, "increment": 5}
TO_THE_TANE = ["@f6", "a3", "h8", "b2", "g7", "k3", "i7", "h6"]
"""Black is asked for the Tane, on h7 only."""
SIZES = [(1280, 800), (820, 1180), (360, 640), (320, 640)]


def _play(page: Page, game: str, actions: list[str], **fields: Any) -> str:
    """A match of one visitor against itself, after some actions."""
    match = new_match(page, game, ME, ME, **fields)
    open_match(page, match)
    for action in actions:
        assert await_turn(page)
        act(page, action)
    return match


def _box(found: Locator) -> dict[str, float]:
    box = found.bounding_box()
    assert box is not None
    x, y, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": x, "y": y, "height": height, "right": x + width, "bottom": y + height}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_strip_above_and_one_below_the_board_hold_all_that_a_player_has(
    people: Visitors, width: int, height: int
) -> None:
    hine, tama = people.visitor(width=width, height=height), people.visitor()
    open_match_of_two(hine, tama, "moeraki-kemu", options={"variant": "master"}, clock=CLOCK)
    own, other = hine.locator("[data-strip='0']"), hine.locator("[data-strip='1']")
    board = _box(hine.locator("svg.board"))
    assert _box(other)["bottom"] <= board["y"] < board["bottom"] <= _box(own)["y"]
    for strip in (own, other):
        expect(strip.get_by_role("timer")).to_have_text("5:00")
        for text in ("28 stones left", "0 full tiles, 0 half tiles", "Tane in his cave"):
            expect(strip.get_by_text(text)).to_be_attached()
        assert strip.evaluate("(element) => element.scrollWidth <= element.clientWidth")
    expect(own).to_have_attribute("aria-current", "true")
    assert _box(tama.locator("[data-strip='0']"))["y"] < _box(tama.locator("[data-strip='1']"))["y"]
    assert hine.evaluate("document.documentElement.scrollWidth") <= width


def test_a_piece_stands_for_each_player_and_only_an_absence_is_written(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    open_match_of_two(hine, tama, "mu-torere")
    other = hine.locator("[data-strip='1']")
    expect(other.locator(".piece svg")).to_be_visible()
    expect(other.locator(".presence")).to_have_count(0)
    tama.goto("/about")
    expect(other.locator(".presence")).to_have_text("Away")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_question_of_the_tane_covers_no_board_and_says_what_he_takes(
    people: Visitors, width: int, height: int
) -> None:
    page = people.visitor(width=width, height=height)
    _play(page, "moeraki-kemu", TO_THE_TANE)
    question, board = page.get_by_role("group", name="Your decision"), _box(page.locator("svg.board"))
    expect(question).to_contain_text("every tile in his line of sight")
    expect(question.locator("[data-look]")).to_have_count(4)
    shown = _box(question)
    assert shown["x"] >= board["right"] or shown["y"] >= board["bottom"]
    look = question.locator("[data-look=Th7sw]")
    look.hover()
    expect(page.locator("[data-placed=h7sw] .sight").first).to_be_visible()
    expect(look).to_contain_text("takes nothing")
    page.locator('[data-cell="h7"]').click()
    expect(page.locator("[data-status]")).to_contain_text("Which way should the Tane on h7 look?")
    expect(question).to_be_in_viewport(ratio=1)
    assert too_small(page) == []
    assert faults(page) == []
    look.click()
    expect(question).to_have_count(0)


def test_the_question_of_the_tane_in_a_course_covers_no_board(people: Visitors) -> None:
    page = people.visitor("/learn/moeraki-kemu/tane", width=360, height=740)
    bar, table = page.locator(".answer"), page.locator(".table")
    keep = "Keep the tile"
    expect(bar.get_by_role("button", name=keep)).to_be_in_viewport(ratio=1)
    expect(table.get_by_role("button", name=keep)).to_have_count(0)
    expect(bar.locator("[data-look=Tf5ne]")).to_have_text("−3 Manaia, −1 Matau")
    page.locator('[data-cell="f5"]').click()
    expect(bar).to_contain_text("Which way should the Tane on f5 look?")
    assert too_small(page) == []
    assert faults(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(bar.get_by_role("button", name=keep)).to_be_in_viewport(ratio=1)
    expect(table.get_by_role("button", name=keep)).to_have_count(0)
    page.locator('[data-cell="Tf5ne"]').click()
    page.locator("[data-mark=right]").wait_for()
    expect(page.get_by_role("button", name=keep)).to_have_count(0)


def test_places_for_a_stone_are_marked_only_under_the_pointer_or_the_focus(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "moeraki-kemu", ME, ME))
    opacity = "(element) => Number(getComputedStyle(element).opacity)"
    expect(page.locator(".legal")).to_have_count(9)
    assert page.locator(".legal").first.evaluate(opacity) == 1, "the nine hollows of the ball"
    act(page, "@f6")
    assert await_turn(page)
    page.mouse.move(0, 0)
    cell, dot = page.locator('[data-cell="d4"]'), page.locator(".legal").first
    expect(page.locator(".legal")).to_have_count(56)
    assert dot.evaluate(opacity) == 0
    assert cell.locator(".hover").evaluate(opacity) == 0
    cell.hover()
    expect(cell.locator(".hover")).to_have_css("opacity", "1")
    assert dot.evaluate(opacity) == 0
    page.mouse.move(0, 0)
    page.locator(".steps button").first.focus()
    for _ in range(80):
        page.keyboard.press("Shift+Tab")
        if page.locator("[data-cell]:focus").count():
            break
    assert dot.evaluate(opacity) > 0
    assert page.locator("[data-cell]:focus .ring").evaluate("(element) => getComputedStyle(element).stroke") != "none"


LUMINANCE = """(colour) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255).map(
    (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_frame_of_the_board_stands_out_from_the_page(people: Visitors, scheme: str) -> None:
    page = people.visitor(scheme=scheme)
    open_match(page, new_match(page, "moeraki-kemu", ME, ME))
    paper = page.evaluate(LUMINANCE, page.evaluate("getComputedStyle(document.body).backgroundColor"))
    for stop in page.locator("linearGradient[id$=wood] stop").all():
        wood = page.evaluate(LUMINANCE, stop.get_attribute("stop-color"))
        assert (max(paper, wood) + 0.05) / (min(paper, wood) + 0.05) >= 2.5


def _steps(page: Page) -> tuple[float, float]:
    box = _box(page.get_by_role("button", name="Previous move"))
    return box["x"], box["y"]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
@pytest.mark.parametrize("game", ["moeraki-kemu", "mu-torere"])
def test_the_step_buttons_stay_where_they_are(people: Visitors, game: str, width: int, height: int) -> None:
    hine, tama = people.visitor(width=width, height=height), people.visitor()
    open_match_of_two(hine, tama, game)
    assert await_turn(hine)
    hine.evaluate("scrollTo(0, 0)")
    act(hine, "@f6" if game == "moeraki-kemu" else "1-0")
    expect(hine.locator(".match[data-turn='1']")).to_have_count(1)
    waiting = _steps(hine)
    act(tama, "d4" if game == "moeraki-kemu" else "8-1")
    assert await_turn(hine)
    assert _steps(hine) == waiting
    hine.get_by_role("button", name="Previous move").click()
    expect(hine.locator(".count")).to_have_text("1 / 2")
    hine.evaluate("scrollTo(0, 0)")
    assert _steps(hine) == waiting


def test_the_arrow_keys_step_through_the_match(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "mu-torere", ME, ME))
    count = page.locator(".count")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("0 / 0")
    act(page, "1-0")  # the board is not frozen
    assert await_turn(page)
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("0 / 1")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("1 / 1")
    page.keyboard.press("/")
    typed = page.get_by_label("Type a move")
    typed.fill("8-1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(count).to_have_text("2 / 2")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    held = page.evaluate(
        "() => window.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', altKey: true, cancelable: true}))"
    )
    assert held, "Alt and the arrow belong to the browser"
    expect(count).to_have_text("2 / 2")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_the_current_line_of_the_log_is_whole(people: Visitors, width: int, height: int) -> None:
    page = people.visitor(width=width, height=height)
    open_match(page, new_match(page, "mu-torere", ME, ME, options={"repetition": False}))
    for number in range(1, 10):
        assert await_turn(page)
        act(page, legal(page)[0])
        expect(page.locator(".log li")).to_have_count(number)
        _expect_whole(page)
    page.get_by_role("button", name="Previous move").click(click_count=5)
    _expect_whole(page)


def _expect_whole(page: Page) -> None:
    # The list is scrolled in a frame after its height has changed.
    page.wait_for_function("""() => {
      const line = document.querySelector(".log .current").getBoundingClientRect();
      const list = document.querySelector(".log ol").getBoundingClientRect();
      return list.top - 1 <= line.top && line.bottom <= list.bottom + 1;
    }""")


@pytest.mark.parametrize("game", ["moeraki-kemu", "mu-torere", "mauw"])
def test_an_offer_of_a_draw_is_in_sight(people: Visitors, game: str) -> None:
    hine, tama = people.visitor(width=360, height=640), people.visitor()
    open_match_of_two(hine, tama, game)
    tama.get_by_role("button", name="Offer draw").click()
    offer = hine.get_by_role("group", name="Offer")
    expect(offer).to_contain_text("offers a draw.")
    for width, height in ((1280, 800), (360, 640)):
        hine.set_viewport_size({"width": width, "height": height})
        for name in ("Accept", "Decline"):
            expect(offer.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    assert too_small(hine) == []
    if game != "mauw":
        assert _box(offer)["y"] >= _box(hine.locator("svg.board"))["bottom"], "it hides nothing of the board"
    assert faults(hine) == []


def test_nothing_moves_when_a_link_is_copied(people: Visitors) -> None:
    page = people.visitor("/play/mu-torere?with=friend")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("This link only works on this computer")).to_be_visible()  # which comes a moment later
    button = page.get_by_role("button", name="Copy")
    before = [_box(button), _box(page.get_by_label("Link", exact=True)), _box(page.locator(".waiting"))]
    button.click()
    copied = page.get_by_role("button", name="Copied")
    expect(copied).to_be_visible()
    assert [_box(copied), _box(page.get_by_label("Link", exact=True)), _box(page.locator(".waiting"))] == before


@pytest.mark.parametrize("game", ["moeraki-kemu", "mu-torere"])
def test_boards_stay_usable_with_large_text_on_a_narrow_screen_and_in_forced_colours(
    people: Visitors, game: str
) -> None:
    page = people.visitor(width=320, height=640)
    page.emulate_media(forced_colors="active")
    page.add_init_script("addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '32px')")
    open_match(page, new_match(page, game, ME, ME, clock=CLOCK))
    assert await_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert too_small(page) == []
    turn, rest = page.locator(".strip.turn"), page.locator(".strip:not(.turn)")
    width = "(element) => getComputedStyle(element).borderInlineStartWidth"
    assert turn.evaluate(width) != rest.evaluate(width), "whose turn it is does not hang on a colour"
    act(page, "@f6" if game == "moeraki-kemu" else "1-0")
    assert await_turn(page)
    assert faults(page) == []
