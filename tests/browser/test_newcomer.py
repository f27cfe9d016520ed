"""The first minutes: without leaving the match, a newcomer is told the goal, the next step and why it was lost."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.match_page import ME, act, await_turn, new_match, open_match
from tests.browser.pages import faults, too_small

ROOT = Path(__file__).parents[2]
LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
PHONE, DESKTOP = (360, 740), (1280, 800)


@pytest.fixture(scope="module")
def scripted_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose bots follow a script."""
    environment = {
        **os.environ,
        "KEMU_COMPILE_ENGINES": "false",
        "KEMU_BOTS": "tests.browser.scripted_bots",
        "PYTHONPATH": _path(),
    }
    site = Site(tmp_path_factory.mktemp("scripted"), environment)
    site.start()
    yield site
    site.stop()


def _path() -> str:
    return os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))


@pytest.fixture
def newcomers(browser: Browser, scripted_site: Site) -> Iterator[Visitors]:
    """Visitors of that server."""
    with visiting(browser, scripted_site.url) as people:
        yield people


class Walk(NamedTuple):
    """A match that is lost: what is done, what cannot be done, and the texts that tell of it, by their keys."""

    game: str
    ways: int  # pictures of the ways to win
    illegal: str  # a cell that cannot be used at first
    cells: list[str]
    prompts: list[str]  # what to do, at each turn
    why: str  # why the illegal cell cannot be used
    threat: str  # what the coach says before the last action
    rescue: str  # what would have saved the match


MOERAKI = Walk(
    game="moeraki-kemu",
    ways=4,
    illegal="c1",
    cells=["f6", "c1", "e1"],
    prompts=["moeraki.doBall", "moeraki.doStone", "moeraki.doStone"],
    why="moeraki.notBall",
    threat="moeraki.threat",
    rescue="moeraki.rescue",
)
STAR = Walk(
    game="mu-torere",
    ways=3,
    illegal="2",
    cells=["1", "0", "8"],
    prompts=["mu.do", "mu.doOnly", "mu.do"],
    why="mu.notFlanked",
    threat="mu.threat",
    rescue="mu.rescue",
)
WALKS = [
    (MOERAKI, "en", DESKTOP),
    (MOERAKI, "de", PHONE),
    (MOERAKI, "fr", PHONE),
    (STAR, "en", PHONE),
    (STAR, "de", DESKTOP),
    (STAR, "fr", DESKTOP),
]


def words(game: str, language: str, key: str, form: str = "other") -> str:
    """The beginning of a text of a game, up to its first value; `form` is the plural form."""
    file = ROOT / "web" / "src" / "boards" / game / "language" / f"{language}.json"
    text: Any = json.loads(file.read_text(encoding="utf-8"))[key]
    return str(text if isinstance(text, str) else text[form]).split("{")[0].strip()


@pytest.mark.parametrize(
    ("walk", "language", "size"), WALKS, ids=lambda value: value if isinstance(value, str) else None
)
def test_a_newcomer_is_told_goal_step_and_reason_with_the_keyboard_alone(
    newcomers: Visitors, walk: Walk, language: str, size: tuple[int, int]
) -> None:
    page = newcomers.visitor(width=size[0], height=size[1], locale=LOCALES[language], newcomer=True)
    _press(page, f'article[aria-labelledby="game-{walk.game}"] button.primary:not(:disabled)')
    _read_goals(page, walk, language)
    for number, cell in enumerate(walk.cells):
        assert await_turn(page)
        expect(page.locator("[data-status]")).to_contain_text(words(walk.game, language, walk.prompts[number]))
        if number == 0:
            _press(page, f'[data-cell="{walk.illegal}"]')
            expect(page.locator("[data-refusal]")).to_contain_text(words(walk.game, language, walk.why))
            expect(page.locator("[data-live]")).to_contain_text(words(walk.game, language, walk.why))
        if number == 2:
            expect(page.locator("[data-coach]")).to_contain_text(words(walk.game, language, walk.threat) or "1 · ")
            expect(page.locator(".table [data-threat]").first).to_be_visible()
            assert faults(page) == []
        _press(page, f'[data-cell="{cell}"]')
    expect(page.locator("[data-result]")).to_be_visible()
    saved = page.locator("[data-rescue]")
    expect(saved).to_contain_text(words(walk.game, language, walk.rescue, form="one"))
    expect(saved.locator("svg .suggested, svg line.suggested")).to_have_count(1)
    expect(page.locator("[data-stage]")).to_have_attribute("data-stage", "0")
    assert faults(page) == []
    if size == PHONE:
        assert too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def _read_goals(page: Page, walk: Walk, language: str) -> None:
    """The card of the first match: pictures of the ways to win, the rules and the words, without leaving the match."""
    card = page.locator("dialog[open]")
    expect(card.locator("[data-goals] .picture:has(svg)")).to_have_count(walk.ways)
    expect(card).to_contain_text(words(walk.game, language, f"goal.{walk.game}"))
    assert faults(page) == []
    _press(page, '[role="tab"][aria-selected="true"]')
    page.keyboard.press("ArrowRight")
    expect(card).to_contain_text(words(walk.game, language, f"rules.{walk.game}.board.title"))
    page.keyboard.press("ArrowRight")
    expect(card.locator("dt").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    _press(page, '[aria-haspopup="dialog"]')
    expect(card.locator("[data-goals]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def _press(page: Page, selector: str) -> None:
    """Focus something as the keyboard does, and press Enter."""
    target = page.locator(selector).first
    target.wait_for()
    target.focus()
    expect(target).to_be_focused()
    page.keyboard.press("Enter")


def test_the_goal_is_shown_once_and_the_coach_can_be_switched_off(newcomers: Visitors) -> None:
    page = newcomers.visitor(newcomer=True)
    bot = {"kind": "bot", "bot": "1"}
    open_match(page, new_match(page, "moeraki-kemu", ME, bot, options={"variant": "beginner"}))
    page.get_by_role("button", name="Got it").click()
    page.get_by_label("Coach").uncheck()
    open_match(page, new_match(page, "moeraki-kemu", ME, bot, options={"variant": "beginner"}))
    for action in ("@f6", "c1"):
        assert await_turn(page)
        expect(page.locator("dialog[open]")).to_have_count(0)
        act(page, action)
    assert await_turn(page)
    expect(page.get_by_label("Coach")).not_to_be_checked()
    expect(page.locator("[data-coach], [data-threat]")).to_have_count(0)
    page.get_by_label("Coach").check()
    expect(page.locator("[data-threat]")).to_have_count(1)
    act(page, "j10")
    assert await_turn(page)
    expect(page.locator("[data-threat]")).to_have_count(0)


def test_home_begins_with_the_beginners_game_and_goes_on_after_a_win(newcomers: Visitors) -> None:
    page = newcomers.visitor(newcomer=True)
    card = page.get_by_role("article", name="Moeraki-Kemu")
    expect(card.get_by_label("Which game")).to_have_value("beginner")
    expect(card.get_by_label("Strength of the bot")).to_have_value("1")
    card.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("dialog")).to_have_count(0)
    for action in ("@f6", "a9", "j10", "b10", "c11"):
        assert await_turn(page)
        act(page, action)
    expect(page.locator("[data-result]")).to_have_attribute("data-result", "awa")
    expect(page.locator("[data-stage]")).to_contain_text("Beginner's game against 2 · ")
    page.goto("/")
    expect(card.get_by_label("Strength of the bot")).to_have_value("2")


def test_ticks_of_a_course_survive_a_reload(people: Visitors) -> None:
    page = people.visitor("/learn/mu-torere", newcomer=True)
    expect(page.locator("[data-goals]")).to_contain_text("You win if")
    page.get_by_role("link", name="Begin the course").click()
    page.locator('[data-cell="4"]').click()
    page.locator("[data-mark=right]").wait_for()
    page.goto("/learn/mu-torere")
    expect(page.get_by_role("link", name="Into the middle (done)")).to_be_visible()
    page.get_by_role("link", name="Go on with step 2").click()
    expect(page.locator(".crumbs")).to_contain_text("Step 2 of 6")


def test_rules_begin_with_the_ways_to_win(people: Visitors) -> None:
    page = people.visitor("/rules/moeraki-kemu")
    first = page.locator(".rules section").first
    expect(first).to_contain_text("You win if")
    expect(first.locator(".picture:has(svg)")).to_have_count(4)
