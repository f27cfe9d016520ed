"""The analysis board: variations that are never lost, the engine, proofs walked through, editors, the state graph."""

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from kemu.studies.tree import LONGEST_LINE
from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.pages import drag, faults, too_small, touch_along

WON = {"game": "mu-torere", "position": {"points": ".BBBWWWBW", "turn": 0}}
"""Black wins in three."""


def link(document: object) -> str:
    return f"/analysis#{quote(json.dumps(document))}"


def shown(page: Page) -> list[str]:
    """The path of every node in the list of variations, in their order."""
    return [str(path) for path in page.locator("[data-path]").evaluate_all("all => all.map((e) => e.dataset.path)")]


def current(page: Page, path: str) -> None:
    """The node that is shown has this path."""
    expect(page.locator("[aria-current=step]")).to_have_attribute("data-path", path)


def test_playing_otherwise_opens_a_branch_and_nothing_is_lost(people: Visitors) -> None:
    page = people.visitor("/study")
    page.get_by_role("link", name="Analysis board").click()
    page.get_by_role("button", name="Mū tōrere").click()
    page.locator('[data-cell="1"]').click()
    current(page, "1-0")
    page.locator('[data-cell="8"]').click()
    current(page, "1-0 8-1")
    page.keyboard.press("Home")
    expect(page.locator(".count")).to_have_text("0 / 2")
    page.locator('[data-cell="4"]').click()
    current(page, "4-0")
    assert shown(page) == ["1-0", "4-0", "1-0 8-1"]
    page.keyboard.press("ArrowUp")
    current(page, "1-0")
    page.keyboard.press("End")
    current(page, "1-0 8-1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    current(page, "4-0")
    page.get_by_role("button", name="Make main line").click()
    expect(page.locator("[data-path]").first).to_have_attribute("data-path", "4-0")
    assert shown(page) == ["4-0", "1-0", "1-0 8-1"]
    page.reload()
    current(page, "4-0")
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator("[data-path]")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    current(page, "4-0")
    shared = page.get_by_label("Link", exact=True).input_value()
    page.goto("/about")
    page.go_back()
    current(page, "4-0")
    tama = people.visitor(shared)
    current(tama, "4-0")
    assert shown(tama) == ["4-0", "1-0", "1-0 8-1"]
    expect(tama).to_have_url(re.compile(r"/analysis\?chapter=\w+$"))
    tama.goto("/analysis")
    tama.get_by_role("link", name=re.compile("Mū tōrere 1 move")).click()
    current(tama, "4-0")
    old = quote(json.dumps({"game": "mu-torere", "options": {}, "actions": ["4-0", "5-4"]}))
    tama.goto(f"/study#{old}")
    current(tama, "4-0 5-4")


def test_marks_are_drawn_and_comments_written_and_both_become_part_of_a_study(people: Visitors) -> None:
    page = people.visitor(link({"game": "mu-torere"}), width=360, height=740)
    drag(page, "3", "0", "right")
    expect(page.locator('[data-drawn="3-0"]')).to_have_count(1)
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator('[data-cell="1"]').click()  # does not play
    page.locator('[data-cell="2"]').focus()
    for key in ("Enter", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("[data-live]")).to_have_text("2")
    expect(page.locator("[data-marks]")).to_have_text("3 → 0, 1, 2")
    drag(page, "3", "0")
    touch_along(page, "7", "4")
    expect(page.locator("[data-marks]")).to_have_text("1, 2, 7 → 4")
    assert (shown(page), faults(page), too_small(page)) == ([], [], [])
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator('[data-cell="1"]').click()
    current(page, "1-0")
    expect(page.locator("[data-drawn]")).to_have_count(0)
    page.get_by_label("Comment").fill("Why not?")
    page.reload()
    expect(page.get_by_label("Comment")).to_have_value("Why not?")
    page.get_by_role("button", name="Save as study").click()
    expect(page).to_have_url(re.compile("/studies/"))
    expect(page.locator("[data-drawn]")).to_have_count(3)
    page.locator('[data-path="1-0"]').click()
    expect(page.get_by_label("Comment", exact=True)).to_have_value("Why not?")
    page.get_by_role("button", name="Set up position").click()
    page.get_by_label("Black", exact=True).last.check()
    page.get_by_role("button", name="Add chapter").click()
    expect(page.locator("h1")).to_contain_text("Chapter 2")
    expect(page.locator("[data-status]")).to_have_text("Black to move")


def test_a_line_ends_with_a_sentence(people: Visitors) -> None:
    line = ["1-0", "8-1", "0-8", *["1-0", "2-1", "0-2"] * 140][:LONGEST_LINE]
    page = people.visitor(link({"game": "mu-torere", "options": {"repetition": False}, "actions": line}))
    expect(page.locator(".count")).to_have_text("400 / 400")
    page.locator(".cell.can").first.click()
    expect(page.get_by_role("alert")).to_have_text("A line can have at most 400 moves.")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.fixture
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that may be stopped."""
    running = Site(tmp_path_factory.mktemp("analysis"))
    running.start()
    yield running
    running.stop()


def test_a_proof_is_walked_through_and_the_engine_comes_back_after_a_restart(browser: Browser, own_site: Site) -> None:
    with visiting(browser, own_site.url) as people:
        page = people.visitor(link(WON))
        expect(page.locator(".found").first).to_contain_text("win in 3")
        expect(page.locator("[data-ranked]").first).to_have_attribute("data-ranked", re.compile(r"\d-1"))
        expect(page.locator(".searched")).to_contain_text("done")
        page.get_by_role("button", name="Explore the proof").click()
        for _ in range(2):  # the winner has acted; every answer is refuted, and the first one is tried
            expect(page.locator("[data-proof=loser]")).to_contain_text(re.compile("is refuted|are refuted. Choose"))
            page.locator("[data-answer]").first.click()
        expect(page.locator("[data-proof=end]")).to_be_visible()
        expect(page.locator("[data-status]")).to_contain_text("Black won")
        assert faults(page) == []
        walked = shown(page)
        page.get_by_role("button", name="Back to the start").click()
        page.get_by_role("button", name="Close the proof").click()
        own_site.stop()
        own_site.start()
        page.reload()
        expect(page.locator(".found").first).to_be_visible()
        assert shown(page) == walked
        page.keyboard.press("Home")
        expect(page.locator(".found").first).to_contain_text("win in 3")
        page.get_by_text("All positions of the game").click()
        graph = page.locator(".graph")
        expect(graph.locator(".position")).to_have_count(86)
        expect(graph.locator(".here text")).to_have_text("+3")
        graph.locator('[data-cell="0"]').focus()
        page.keyboard.press("Enter")
        expect(page.locator(".found").first).to_contain_text("draw")
        assert faults(page) == []
        people.errors.clear()  # of the socket that was cut


def test_positions_are_set_up_and_the_server_says_what_is_wrong(people: Visitors) -> None:
    page = people.visitor(link({"game": "mu-torere"}))
    page.get_by_role("switch").uncheck()  # the engines of the others would be compiled first
    page.get_by_role("button", name="Set up position").click()
    page.get_by_label("White", exact=True).first.check()
    page.locator('[data-cell="1"]').click()
    expect(page.get_by_role("alert")).to_contain_text("with 4 B, 4 W")
    expect(page.get_by_role("button", name="Analyse this position")).to_be_disabled()
    assert (faults(page), too_small(page)) == ([], [])
    page.get_by_label("Remove").check()
    page.locator('[data-cell="1"]').click()
    page.get_by_label("Black", exact=True).first.check()
    page.locator('[data-cell="0"]').click()
    page.get_by_label("White", exact=True).last.check()
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("[data-status]")).to_have_text("White to move")
    page.go_back()
    expect(page.locator("[data-status]")).to_have_text("Black to move")

    page.goto(link({"game": "moeraki-kemu", "actions": ["@f6"]}))
    page.get_by_role("button", name="Set up position").click()
    page.locator('[data-cell="e5"]').click()
    page.get_by_label("Manaia", exact=True).first.check()
    page.locator('[data-cell="g5"]').click()
    assert (faults(page), too_small(page)) == ([], [])
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator('[data-cell="g5"]')).to_have_attribute("aria-label", re.compile("Manaia stone"))
    drag(page, "g5", "e7", "right")
    expect(page.locator('[data-drawn="g5-e7"]')).to_have_count(1)

    page.goto(link({"game": "mauw", "options": {"players": 2}}))
    page.get_by_role("button", name="Draw at random").click()
    expect(page.locator("[data-status]")).to_have_text(re.compile("Player . to move"))
    expect(page.locator("[data-card]")).not_to_have_count(0)
    page.get_by_role("button", name="Set up position").click()
    page.locator("[data-pile=discards] [data-counter=m]").get_by_role("button", name="more").click(click_count=1)
    expect(page.locator(".check")).not_to_contain_text("This position is legal")
    expect(page.get_by_role("alert")).to_be_visible()
    assert (faults(page), too_small(page)) == ([], [])
    page.locator("summary").click()
    page.locator("textarea").fill("{")
    expect(page.get_by_role("alert")).to_have_text("This is not valid JSON.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-card]")).not_to_have_count(0)
    drag(page, "0A", "1B", "right")
    expect(page.locator('[data-drawn="0A-1B"]')).to_have_count(1)
    assert all("400 (Bad Request)" in error for error in people.errors), "only what the server has refused"
    people.errors.clear()


@pytest.mark.parametrize(
    ("locale", "width", "scheme", "words"),
    [
        ("en-GB", 360, "dark", ("Analysis board", "Engine", "Explore the proof", "win in 3")),
        ("de-DE", 360, "light", ("Analysebrett", "Engine", "Beweis ansehen", "Gewinn in 3")),
        ("fr-FR", 1280, "dark", ("Analyse", "Moteur", "Explorer la preuve", "gain en 3")),
    ],
)
def test_it_is_for_everyone(people: Visitors, locale: str, width: int, scheme: str, words: tuple[str, ...]) -> None:
    title, engine, walk, won = words
    page = people.visitor("/study", width=width, height=740, scheme=scheme, locale=locale)
    assert faults(page) == []
    page.get_by_role("link", name=title).click()
    expect(page.locator("h1")).to_have_text(title)
    assert faults(page) == []
    page.goto(link(WON))
    expect(page.get_by_role("heading", name=engine)).to_be_visible()
    expect(page.locator(".found").first).to_contain_text(won)
    expect(page.get_by_role("button", name=walk)).to_be_visible()
    page.locator(".found").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[aria-current=step]")).to_have_count(1)
    expect(page.locator("[data-live]")).not_to_be_empty()
    assert faults(page) == []
    assert too_small(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
