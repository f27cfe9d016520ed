"""The first minutes: without leaving the match, a newcomer is told the goal, the next step and why it was lost."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.match_page import ME, act, await_turn, new_match, open_match, open_menu
from tests.browser.pages import faults, fits, press, reach, too_small, words

ROOT = Path(__file__).parents[2]
BOT = {"kind": "bot", "bot": "1"}
LANGUAGES = ("en", "de", "fr")
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
WITH_AXE = "de"
"""What axe-core finds hangs on size and colours, so one language is enough for it: the one with the longest words."""
WITH_TAB = "fr"
"""The language in which everything is reached with Tab and arrow keys; in the others it gets the focus at once."""
SPEAK = "(language) => localStorage.setItem('kemu', JSON.stringify({language}))"
"""A script that forgets everything about the visitor but the language."""
PLAY = """
(id) => new Promise((resolve) => {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/matches/${id}/socket`);
  socket.onmessage = ({data}) => {
    const {version, actions, outcome} = JSON.parse(data);
    if (outcome) resolve(outcome.winners);
    else if (actions?.length)
      socket.send(JSON.stringify({do: "act", id: String(version), version, action: actions[0]}));
  };
})
"""
"""A script that plays a match to its end and gives the winners."""


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
    why="illegal.moeraki-kemu.not-for-the-ball",
    threat="moeraki.threat",
    rescue="moeraki.rescue",
)
STAR = Walk(
    game="mu-torere",
    ways=3,
    illegal="2",
    cells=["1", "0", "8"],
    prompts=["mu.do", "mu.doOnly", "mu.do"],
    why="illegal.mu-torere.not-flanked",
    threat="mu.threat",
    rescue="mu.rescue",
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("walk", [MOERAKI, STAR], ids=lambda walk: str(walk.game))
def test_a_newcomer_is_told_goal_step_and_reason_with_the_keyboard_alone(
    newcomers: Visitors, walk: Walk, size: str
) -> None:
    width, height = SIZES[size]
    page = newcomers.visitor(width=width, height=height, newcomer=True)
    for language in LANGUAGES:
        _begin(page, walk.game, language)
        card = _read_goals(page, walk.game, language)
        expect(card.locator("[data-goals] .picture:has(svg)")).to_have_count(walk.ways)
        _close_goals(page, walk.game, language)
        _lose(page, walk, language)
        expect(page.locator("[data-result]")).to_be_visible()
        saved = page.locator("[data-rescue]")
        expect(saved).to_contain_text(words(language, walk.rescue, walk.game, form="one"))
        expect(saved.locator("svg .suggested, svg line.suggested")).to_have_count(1)
        expect(page.locator("[data-stage]")).to_have_attribute("data-stage", "0")
        _check(page, language)


@pytest.mark.parametrize("size", SIZES)
def test_a_newcomer_to_mauw_is_told_goal_and_step_with_the_keyboard_alone(newcomers: Visitors, size: str) -> None:
    width, height = SIZES[size]
    page = newcomers.visitor(width=width, height=height, newcomer=True)
    for language in LANGUAGES:
        _begin(page, "mauw", language)
        goals = _read_goals(page, "mauw", language).locator("[data-goals]")
        for way in ("association", "double", "block", "attack", "end"):
            expect(goals).to_contain_text(words(language, f"mauw.goal.{way}.text", "mauw"))
        expect(goals.locator("li:has(svg)")).to_have_count(5)
        _close_goals(page, "mauw", language)
        assert await_turn(page)
        go, status, question = _way(language), page.locator("[data-status]"), page.locator(".question")
        expect(question).to_contain_text(words(language, "mauw.choose", "mauw"))
        expect(status).to_have_text(words(language, "match.yourTurn"))
        go(page, '[data-cell="0A"]')
        expect(question).to_contain_text(words(language, "mauw.chooseCard", "mauw"))
        go(page, ".hand [aria-disabled=false]")
        expect(question).to_contain_text(words(language, "mauw.chooseColumn", "mauw"))
        expect(page.locator(".cell.lit").first).to_be_visible()
        go(page, ".cell[aria-disabled=true]")
        expect(question.locator(".refusal")).to_be_visible()
        _check(page, language)


def test_a_lost_match_of_mauw_is_explained_in_words_and_pictures(newcomers: Visitors) -> None:
    page = newcomers.visitor("/about")
    winners, match = [0], ""
    while 0 in winners:
        match = new_match(page, "mauw", ME, *[BOT] * 5, options={"players": 6})
        winners = page.evaluate(PLAY, match)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for language in LANGUAGES:
            page.evaluate(SPEAK, language)
            page.goto(f"/match/{match}")
            result = page.locator(".result.lost")
            expect(result).to_contain_text(words(language, "bot.level"))
            reason = words(
                language, f"reason.mauw.{page.locator('[data-result]').get_attribute('data-result')}", "mauw"
            )
            expect(result).to_contain_text(reason)
            expect(page.locator(".question")).to_contain_text(reason)
            expect(result.locator(".scores .winner")).to_have_count(len(winners))
            expect(page.locator(".ranking li svg").first).to_be_visible()
            expect(page.locator(".felt .zone")).to_have_count(6)
            _check(page, language)


def _way(language: str) -> Callable[[Page, str], None]:
    """How something is reached and pressed."""
    return reach if language == WITH_TAB else press


def _begin(page: Page, game: str, language: str) -> None:
    """Somebody new to the page starts the match that Home proposes."""
    page.evaluate(SPEAK, language)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    _way(language)(page, f'article[aria-labelledby="game-{game}"] button.primary:not(:disabled)')


def _read_goals(page: Page, game: str, language: str) -> Locator:
    """The card of the first match, which says how the game is won."""
    card = page.locator("dialog[open]")
    expect(card.locator("[data-goals]")).to_contain_text(words(language, f"goal.{game}", game))
    if language == WITH_AXE:
        assert faults(page) == []
    return card


def _close_goals(page: Page, game: str, language: str) -> None:
    """Rules and words are on the card too, which is closed and opened again without leaving the match."""
    card = page.locator("dialog[open]")
    _way(language)(page, '[role="tab"][aria-selected="true"]')
    page.keyboard.press("ArrowRight")
    chapter = "cards" if game == "mauw" else "board"
    expect(card).to_contain_text(words(language, f"rules.{game}.{chapter}.title", game))
    page.keyboard.press("ArrowRight")
    expect(card.locator("dt").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    _way(language)(page, '[aria-haspopup="dialog"]')
    expect(card.locator("[data-goals]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def _lose(page: Page, walk: Walk, language: str) -> None:
    """To the end of the match: each step is told, why a click did nothing, and what threatens."""
    go = _way(language)
    for number, cell in enumerate(walk.cells):
        assert await_turn(page)
        expect(page.locator("[data-status]")).to_contain_text(words(language, walk.prompts[number], walk.game))
        if number == 0:
            go(page, f'[data-cell="{walk.illegal}"]')
            expect(page.locator("[data-refusal]")).to_contain_text(words(language, walk.why, walk.game))
            expect(page.locator("[data-live]")).to_contain_text(words(language, walk.why, walk.game))
        if number == 2:
            told = words(language, walk.threat, walk.game) or words(language, "bot.level")
            expect(page.locator("[data-coach]")).to_contain_text(told)
            expect(page.locator(".table [data-threat]").first).to_be_visible()
            if language == WITH_AXE:
                assert faults(page) == []
        go(page, f'[data-cell="{cell}"]')


def _check(page: Page, language: str) -> None:
    assert fits(page), language
    assert too_small(page) == [], language
    if language == WITH_AXE:
        assert faults(page) == []


def test_the_goal_is_shown_once_and_the_coach_can_be_switched_off(newcomers: Visitors) -> None:
    page = newcomers.visitor(newcomer=True)
    open_match(page, new_match(page, "moeraki-kemu", ME, BOT, options={"variant": "beginner"}))
    page.get_by_role("button", name="Got it").click()
    open_menu(page)
    page.get_by_label("Coach").uncheck()
    open_match(page, new_match(page, "moeraki-kemu", ME, BOT, options={"variant": "beginner"}))
    for action in ("@f6", "c1"):
        assert await_turn(page)
        expect(page.locator("dialog[open]")).to_have_count(0)
        act(page, action)
    assert await_turn(page)
    open_menu(page)
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
    expect(card.get_by_label("Variant")).to_have_value("beginner")
    expect(card.get_by_label("Computer level")).to_have_value("1")
    card.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("dialog")).to_have_count(0)
    for action in ("@f6", "a9", "j10", "b10", "c11"):
        assert await_turn(page)
        act(page, action)
    expect(page.locator("[data-result]")).to_have_attribute("data-result", "awa")
    expect(page.locator("[data-stage]")).to_contain_text("Beginner’s game against level 2")
    page.goto("/")
    expect(card.get_by_label("Computer level")).to_have_value("2")
    page.goto("/play/moeraki-kemu")
    expect(page.get_by_label("Beginner’s game")).to_be_checked()
    expect(page.locator("#seat1")).to_have_value("bot:2")


def test_ticks_of_a_course_survive_a_reload(people: Visitors) -> None:
    page = people.visitor("/learn/mu-torere", newcomer=True)
    expect(page.locator("[data-goals]")).to_contain_text("You win if")
    page.get_by_role("link", name="Start the course").click()
    expect(page.locator(".crumbs")).to_contain_text("Lesson 1 of 6")
    page.locator('[data-cell="4"]').click()
    page.locator("[data-mark=right]").wait_for()
    page.goto("/learn/mu-torere")
    expect(page.get_by_role("link", name="Into the middle (done)")).to_be_visible()
    page.get_by_role("link", name="Continue with lesson 2").click()
    expect(page.locator(".crumbs")).to_contain_text("Lesson 2 of 6")


def test_rules_begin_with_the_ways_to_win(people: Visitors) -> None:
    page = people.visitor("/rules/moeraki-kemu")
    first = page.locator(".rules section").first
    expect(first).to_contain_text("Be the first to make one of these")
    expect(first.locator(".picture:has(svg)")).to_have_count(4)
