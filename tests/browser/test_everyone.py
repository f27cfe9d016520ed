"""Pages for everyone: keyboard, phone, languages, light and dark."""

import json
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.hands import await_turn, new_match, result, sit

ROOT = Path(__file__).parents[2]
ME = {"kind": "me"}
GAMES = ["moeraki-kemu", "mu-torere", "mauw"]
PAGES = [
    "/",
    *(f"/play/{game}" for game in GAMES),
    *(f"/learn/{game}" for game in GAMES),
    *(f"/rules/{game}" for game in GAMES),
    *("/learn", "/lobby", "/matches", "/watch", "/glossary", "/study", "/about", "/settings", "/nowhere"),
]
LANGUAGES = {"en": "en-GB", "fr": "fr-FR", "de": "de-DE"}


TOUCHED = "button, .button, select, input, nav a, [role=gridcell]"
TOO_SMALL = f"""
  const shown = [...document.querySelectorAll('{TOUCHED}')].filter(
    (e) => !e.closest('[inert], label') && !e.matches('.visually-hidden, .visually-hidden *'));
  const boxes = shown.map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()]);
  return boxes.filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5)).map(([html]) => html);
"""
"""What is smaller than a fingertip; boxes and dots inside a label are touched with it."""


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def _faults(page: Page) -> list[str]:
    """What axe-core finds, each with the places."""
    page.evaluate(_axe())
    found = page.evaluate("axe.run({exclude: ['[inert]']}, {resultTypes: ['violations']})")
    return [f"{fault['id']}: {[node['target'] for node in fault['nodes']][:4]}" for fault in found["violations"]]


def _show(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("main[data-ready] h1").first).to_be_attached()
    expect(page.locator(".loading, .picture:not(:has(svg))")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(people: Visitors, scheme: str) -> None:
    page = people.visitor(scheme=scheme)
    found = {}
    for path in PAGES:
        _show(page, path)
        found[path] = _faults(page)
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_on_a_match(people: Visitors, game: str, scheme: str) -> None:
    page = people.visitor(scheme=scheme)
    sit(page, new_match(page, game, ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    assert _faults(page) == []
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give up").click()
    assert result(page) == "resignation"
    assert _faults(page) == []


def test_nothing_is_wider_than_a_phone(people: Visitors) -> None:
    page = people.visitor(width=360, height=740)
    for path in PAGES:
        _show(page, path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_what_one_touches_is_big_enough_on_a_phone(people: Visitors) -> None:
    page = people.visitor(width=360, height=740)
    small = f"(() => {{ {TOO_SMALL} }})()"
    for path in ("/", "/play/moeraki-kemu", "/settings", "/learn/mu-torere"):
        _show(page, path)
        assert page.evaluate(small) == []
    for game in GAMES:
        options = {"players": 6} if game == "mauw" else {}
        others = [{"kind": "bot", "bot": "random"}] * (5 if game == "mauw" else 1)
        sit(page, new_match(page, game, ME, *others, options=options))
        assert await_turn(page)
        assert page.evaluate(small) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_six_players_fit_on_a_phone(people: Visitors) -> None:
    page = people.visitor(width=360, height=740)
    sit(page, new_match(page, "mauw", ME, *[{"kind": "bot", "bot": "random"}] * 5, options={"players": 6}))
    assert await_turn(page)
    expect(page.locator(".zone")).to_have_count(6)
    for part in (".status", ".zones", ".hand"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_page_speaks_the_language(people: Visitors, tag: str) -> None:
    page = people.visitor(locale=LANGUAGES[tag])
    keys = set(json.loads((ROOT / "web" / "src" / "language" / f"{tag}.json").read_text(encoding="utf-8")))
    for path in PAGES:
        _show(page, path)
        expect(page.locator("html")).to_have_attribute("lang", tag)
        assert keys.isdisjoint(page.locator("body").inner_text().split()), path
        assert "{" not in page.locator("body").inner_text(), path


def test_the_language_changes_at_once_and_is_remembered(people: Visitors) -> None:
    page = people.visitor("/about")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Deine Daten")).to_be_visible()
    page.get_by_label("Sprache").select_option("fr")
    expect(page.get_by_role("heading", name="Vos données")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Vos données")).to_be_visible()


def test_colours_can_be_chosen(people: Visitors) -> None:
    page = people.visitor("/settings")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_label("Dark").check()
    assert page.evaluate(paper) != light


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


def test_what_happens_is_said_in_the_live_region(people: Visitors) -> None:
    page = people.visitor()
    sit(page, new_match(page, "moeraki-kemu", ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    cell = page.locator('[data-cell="f6"]')
    expect(cell).to_have_attribute("aria-label", "f6: empty hollow")
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-live]")).to_contain_text("Random lays a stone on")
    expect(page.locator("[data-live]")).to_contain_text("Your turn")
    expect(cell).to_have_attribute("aria-label", "f6: the Moeraki ball")


def test_an_action_can_be_typed(people: Visitors) -> None:
    page = people.visitor()
    sit(page, new_match(page, "moeraki-kemu", ME, ME))
    page.get_by_label("Type an action").fill("k9")
    page.get_by_role("button", name="Do it").click()
    expect(page.get_by_role("alert")).to_have_text("“k9” is not possible now.")
    page.get_by_label("Type an action").fill("@F6")
    page.keyboard.press("Enter")
    expect(page.locator(".log li")).to_have_count(1)


def test_an_account_is_made_left_and_entered_again(people: Visitors) -> None:
    page = people.visitor("/settings")
    name = "Hine Nui"
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[role=status]", has_text="Saved").first).to_be_attached()
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_text(f"You are signed in as {name}.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(f"You are signed in as {name}.")).to_be_visible()


def test_the_app_can_be_installed(people: Visitors) -> None:
    page = people.visitor()
    manifest = page.request.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).ok
