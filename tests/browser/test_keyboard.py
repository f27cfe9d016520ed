"""Without a mouse: the keyboard, what is said aloud, and actions that are typed."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, await_turn, legal, new_match, open_match, result


def _focus(page: Page, selector: str, key: str = "Tab", most: int = 80) -> None:
    """Walk with the keyboard until something has the focus."""
    for _ in range(most):
        if page.locator(f"{selector}:focus").count():
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} cannot be reached with {key}")


def test_a_whole_game_without_a_mouse(people: Visitors) -> None:
    page = people.visitor("/play/mu-torere?with=screen")
    _focus(page, ".start")
    page.keyboard.press("Enter")
    for action in ["1-0", "8-1", "0-8", "1-0", "8-1", "7-8"]:
        assert await_turn(page)
        start = action.split("-")[0]
        before = page.locator(".log li").count()
        _focus(page, "[data-cell]")
        _walk(page, start)
        page.keyboard.press("Enter")
        expect(page.locator(".log li")).to_have_count(before + 1)
    assert result(page) == "blocked"


ROWS = [["1"], ["8", "2"], ["7", "0", "3"], ["6", "4"], ["5"]]


def _walk(page: Page, to: str) -> None:
    """Over the star with the arrow keys: first to the row, then along it."""
    wanted = next(number for number, row in enumerate(ROWS) if to in row)
    for _ in range(len(ROWS)):
        at = str(page.locator("[data-cell]:focus").get_attribute("data-cell"))
        row = next(number for number, names in enumerate(ROWS) if at in names)
        if row == wanted:
            break
        page.keyboard.press("ArrowDown" if row < wanted else "ArrowUp")
    page.keyboard.press("Home")
    for _ in range(ROWS[wanted].index(to)):
        page.keyboard.press("ArrowRight")
    expect(page.locator(f'[data-cell="{to}"]')).to_be_focused()


def test_a_lesson_of_mauw_without_a_mouse(people: Visitors) -> None:
    page = people.visitor("/learn/mauw/lay")
    page.locator("[data-mark=open]").wait_for()
    _focus(page, '.hand [data-card="5"]')
    page.keyboard.press("Enter")
    _focus(page, "[data-cell]", "Shift+Tab")
    expect(page.locator('[data-cell="0A"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator("[data-mark=right]").wait_for()
    expect(page.locator('[data-cell="0B"]')).to_have_attribute("aria-label", "You, column B: blue 5. Worth 5")
    _focus(page, "[data-mark=right] button")
    page.keyboard.press("Enter")
    expect(page.locator("[data-lesson=nine]")).to_be_visible()


def test_the_tane_without_a_mouse(people: Visitors) -> None:
    page = people.visitor("/learn/moeraki-kemu/tane")
    page.locator("[data-mark=open]").wait_for()
    _focus(page, '[data-cell="f5"]')
    page.keyboard.press("Enter")
    expect(page.locator('[data-cell="Tf5ne"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("[data-mark=right]").wait_for()


def test_what_happens_is_said_in_the_live_region(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "moeraki-kemu", ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    cell = page.locator('[data-cell="f6"]')
    expect(cell).to_have_attribute("aria-label", "f6: empty hollow")
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-live]")).to_contain_text("Random lays a stone on")
    expect(page.locator("[data-live]")).to_contain_text("Lay a stone in an empty hollow.")
    expect(cell).to_have_attribute("aria-label", "f6: the Moeraki ball")


def test_an_action_can_be_typed(people: Visitors) -> None:
    page = people.visitor()
    open_match(page, new_match(page, "moeraki-kemu", ME, ME))
    assert await_turn(page)
    typed = page.get_by_label("Type a move")
    expect(typed).to_be_hidden()
    page.keyboard.press("/")
    expect(typed).to_be_focused()
    expect(typed).to_have_attribute("placeholder", legal(page)[0])
    typed.fill("k9")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("You can’t play “k9” now.")
    typed.fill("@F6")
    page.keyboard.press("Enter")
    expect(page.locator(".log li")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(typed).to_be_hidden()
    expect(page.get_by_role("button", name="Match options")).to_be_focused()
