"""Pages for everyone: keyboard, phone, languages, light and dark."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, invitation, legal, new_match, open_match, result
from tests.browser.pages import COLOURS, faults, show_page, too_small

ROOT = Path(__file__).parents[2]
GAMES = ["moeraki-kemu", "mu-torere", "mauw"]
PAGES = [
    "/",
    *(f"/play/{game}" for game in GAMES),
    *(f"/learn/{game}" for game in GAMES),
    *(f"/rules/{game}" for game in GAMES),
    *(
        "/learn",
        "/lobby",
        "/challenges",
        "/matches",
        "/watch",
        "/glossary",
        "/study",
        "/review",
        "/about",
        "/settings",
        "/players",
        "/groups",
        "/nowhere",
    ),
    *("/sign-up", "/log-in", "/recover", "/tournaments"),
]
PARTS = 2
"""How many tests the pages are dealt out to."""
LANGUAGES = {"en": "en-GB", "fr": "fr-FR", "de": "de-DE"}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_page(people: Visitors, part: int) -> None:
    page = people.visitor()
    found = {}
    for path in PAGES[part::PARTS]:
        page.emulate_media(color_scheme="light")
        show_page(page, path)
        found[path, "light"] = faults(page)
        page.emulate_media(color_scheme="dark")
        found[path, "dark"] = faults(page, *COLOURS)
    assert {where: faults for where, faults in found.items() if faults} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_on_a_match(people: Visitors, game: str, scheme: str) -> None:
    page = people.visitor(scheme=scheme)
    open_match(page, new_match(page, game, ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    assert faults(page) == []
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    assert result(page) == "resignation"
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_what_comes_and_goes(people: Visitors, scheme: str) -> None:
    page = people.visitor("/play/moeraki-kemu?with=friend", scheme=scheme)
    page.get_by_role("button", name="Start").click()
    invitation(page)
    assert faults(page) == [], "waiting for a friend"
    page.goto("/play/mauw?with=screen")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="show my cards").wait_for()
    assert faults(page) == [], "handing the screen over"
    page.goto("/learn/moeraki-kemu/tane")
    page.get_by_role("button", name="Show me").click()
    assert faults(page) == [], "a suggested Tane"
    page.locator('[data-cell="f5"]').click()
    assert faults(page) == [], "where he looks"
    page.get_by_role("button", name="Keep the tile").click()
    page.locator("[data-mark=wrong]").wait_for()
    assert faults(page) == [], "a wrong answer"
    page.goto("/analysis")
    page.get_by_role("button", name="Mū tōrere").click()
    page.locator('[data-cell="1"]').click()
    expect(page.locator(".count")).to_have_text("1 / 1")
    assert faults(page) == [], "a study"
    open_match(page, new_match(page, "mauw", ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    page.get_by_role("button", name="First move").click()
    expect(page.locator("[data-status]")).to_contain_text("You are viewing an earlier position")
    assert faults(page) == [], "looking back"


def test_what_one_touches_is_big_enough_on_a_phone(people: Visitors) -> None:
    page = people.visitor(width=360, height=740)
    for path in ("/", "/play/moeraki-kemu", "/settings", "/sign-up", "/log-in", "/recover", "/learn/mu-torere"):
        show_page(page, path)
        assert too_small(page) == []
    for game in GAMES:
        options = {"players": 6} if game == "mauw" else {}
        others = [{"kind": "bot", "bot": "random"}] * (5 if game == "mauw" else 1)
        open_match(page, new_match(page, game, ME, *others, options=options))
        assert await_turn(page)
        assert too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_six_players_fit_on_a_phone(people: Visitors) -> None:
    page = people.visitor(width=360, height=740)
    open_match(page, new_match(page, "mauw", ME, *[{"kind": "bot", "bot": "random"}] * 5, options={"players": 6}))
    assert await_turn(page)
    expect(page.locator(".zone")).to_have_count(6)
    for part in (".status", ".zone", ".hand"):
        for each in page.locator(part).all():
            expect(each).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_page_speaks_the_language_and_fits_on_a_phone(people: Visitors, tag: str) -> None:
    page = people.visitor(width=360, height=740, locale=LANGUAGES[tag])
    catalogues = (ROOT / "web" / "src").rglob(f"language/{tag}.json")
    keys = {key for file in catalogues for key in json.loads(file.read_text(encoding="utf-8"))}
    for path in PAGES:
        show_page(page, path)
        expect(page.locator("html")).to_have_attribute("lang", tag)
        assert keys.isdisjoint(page.locator("body").inner_text().split()), path
        assert "{" not in page.locator("body").inner_text(), path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


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
    body = page.locator("body")
    light = body.evaluate("(element) => getComputedStyle(element).backgroundColor")
    page.get_by_label("Dark").check()
    expect(body).not_to_have_css("background-color", light)


def test_the_app_can_be_installed(people: Visitors) -> None:
    page = people.visitor()
    manifest = page.request.get("/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(icon["src"]).ok
    found = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    assert [error["errorId"] for error in found["installabilityErrors"]] == ["in-incognito"], "only our test window"


MOVING = "document.getAnimations().length"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_for_those_who_want_it_so(people: Visitors, game: str) -> None:
    page = people.visitor()
    open_match(page, new_match(page, game, ME, {"kind": "bot", "bot": "random"}))
    assert await_turn(page)
    act(page, legal(page)[0])
    assert page.evaluate(MOVING) == 0


def test_something_moves_for_the_others(people: Visitors) -> None:
    page = people.visitor(calm=False)
    open_match(page, new_match(page, "mu-torere", ME, ME))
    assert await_turn(page)
    assert page.evaluate(MOVING) > 0


COUNT_SOUNDS = """
  window.sounds = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
  const begin = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) { window.sounds += 1; return begin.apply(this, when); };
"""


def test_sounds_can_be_switched_off(people: Visitors) -> None:
    page = people.visitor()
    page.add_init_script(COUNT_SOUNDS)
    open_match(page, new_match(page, "moeraki-kemu", ME, ME))
    assert await_turn(page)
    act(page, "@f6")
    page.wait_for_function("sounds > 0")
    page.get_by_role("button", name="Sounds").click()
    assert await_turn(page)
    sounds = page.evaluate("sounds")
    act(page, "f8")
    assert page.evaluate("sounds") == sounds
