"""The page of puzzles: right and wrong answers, every reply of a solution, reload, no connection, languages, phones."""

import pytest
from playwright.sync_api import Page, expect

from kemu.analysis.puzzles.puzzle import Puzzle, shipped_puzzles
from tests.browser.conftest import Site, Visitors
from tests.browser.pages import faults, show_page, too_small

GAME = "mu-torere"
SAID = {
    "en-GB": ("to move and win", "That’s not it.", "Solved!"),
    "de-DE": ("am Zug gewinnt", "Das ist es nicht.", "Gelöst!"),
    "fr-FR": ("qui gagne", "Ce n’est pas ça.", "Résolu"),
}


def long_puzzle() -> Puzzle:
    """A puzzle of several steps that is won."""
    return next(each for each in shipped_puzzles(GAME).values() if len(each.found.steps) > 1 and each.found.tree)


def answer(page: Page, action: str) -> None:
    """Type an action and do it, by the keyboard alone."""
    field = page.locator(".side form input")
    field.fill(action)
    field.press("Enter")


def solve(page: Page, puzzle: Puzzle, begin: int = 0) -> None:
    """Answer each step from one on, and wait for the replies."""
    played = sum(1 + len(step.replies) for step in puzzle.found.steps[:begin])
    for step in puzzle.found.steps[begin:]:
        answer(page, step.action)
        played += 1 + len(step.replies)
        expect(page.locator(".log li")).to_have_count(played)
    expect_verdict(page, "solved")


def expect_verdict(page: Page, verdict: str) -> None:
    expect(page.locator("[data-puzzle]")).to_have_attribute("data-verdict", verdict)


@pytest.mark.parametrize(
    ("locale", "width", "scheme"), [("en-GB", 1280, "light"), ("de-DE", 360, "dark"), ("fr-FR", 360, "light")]
)
def test_a_puzzle_is_failed_tried_again_and_solved(people: Visitors, locale: str, width: int, scheme: str) -> None:
    puzzle = long_puzzle()
    page = people.visitor(f"/puzzles/{GAME}/{puzzle.id}", width=width, height=740, locale=locale, scheme=scheme)
    goal, wrong, solved = SAID[locale]
    expect(page.locator("[data-said]")).to_contain_text(goal)
    assert faults(page) == []
    if width < 600:
        assert too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    answer(page, next(iter(puzzle.found.steps[0].refutations)))
    expect_verdict(page, "wrong")
    expect(page.locator("[data-said]")).to_contain_text(wrong)
    page.locator(".buttons .primary").click()
    solve(page, puzzle)
    expect(page.locator("[data-said]")).to_contain_text(solved)
    expect(page.locator("[data-streak]")).to_have_text("0")  # the first answer counts
    assert faults(page) == []


def test_a_solution_answers_every_reply_and_the_next_puzzle_follows(people: Visitors) -> None:
    puzzle = long_puzzle()
    page = people.visitor(f"/puzzles/{GAME}/{puzzle.id}")
    page.get_by_role("button", name="Show the solution").click()
    expect_verdict(page, "shown")
    tree = puzzle.found.tree
    assert tree is not None
    reply = next(iter(tree["then"]))
    page.get_by_role("button", name=reply, exact=True).click()
    expect(page.locator(".log li")).to_have_count(3)
    expect(page.locator(".log")).to_contain_text(tree["then"][reply]["do"])
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(f'[data-puzzle="{puzzle.id}"]')).to_have_count(0)


def test_reload_and_back_keep_the_puzzle_and_what_was_right(people: Visitors) -> None:
    puzzle = long_puzzle()
    page = people.visitor(f"/puzzles/{GAME}/{puzzle.id}")
    answer(page, puzzle.found.steps[0].action)
    expect_verdict(page, "right")
    page.reload()
    expect_verdict(page, "right")
    show_page(page, "/about")
    page.go_back()
    expect_verdict(page, "right")
    solve(page, puzzle, begin=1)
    expect(page.locator("[data-streak]")).to_have_text("1")


def test_progress_and_the_puzzle_under_way_outlast_the_server(people: Visitors, site: Site) -> None:
    short = next(each for each in shipped_puzzles(GAME).values() if len(each.found.steps) == 1)
    puzzle = long_puzzle()
    page = people.visitor(f"/puzzles/{GAME}/{short.id}")
    solve(page, short)
    expect(page.locator("[data-streak]")).to_have_text("1")
    show_page(page, f"/puzzles/{GAME}/{puzzle.id}")
    answer(page, puzzle.found.steps[0].action)
    expect_verdict(page, "right")
    before = page.locator("dl").inner_text()
    site.stop()
    site.start()
    page.reload()
    expect_verdict(page, "right")
    expect(page.locator("dl")).to_have_text(before, use_inner_text=True)
    solve(page, puzzle, begin=1)
    expect(page.locator("[data-streak]")).to_have_text("2")


def test_without_a_connection_puzzles_go_on_and_answers_are_sent_later(people: Visitors) -> None:
    page = people.visitor(f"/puzzles/{GAME}")
    expect(page.locator("[data-puzzle][data-kept]")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name="Skip this puzzle").click()
    expect(page.locator("[data-offline]")).to_be_visible()
    puzzle = shipped_puzzles(GAME)[page.locator("[data-puzzle]").get_attribute("data-puzzle") or ""]
    solve(page, puzzle)
    page.context.set_offline(False)
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator("[data-streak]")).to_have_text("1")
    people.errors.clear()  # the browser complains of every request without a connection


def test_a_puzzle_of_each_game_is_offered(people: Visitors) -> None:
    page = people.visitor("/puzzles")
    expect(page.locator("main li a.card")).to_have_count(3)
    assert faults(page) == []
    page.goto(f"/puzzles/{GAME}/daily")
    expect(page.locator(".tags")).to_contain_text("Puzzle of the day")
    daily = page.locator("[data-puzzle]").get_attribute("data-puzzle")
    other = people.visitor(f"/puzzles/{GAME}")
    other.get_by_role("link", name="Puzzle of the day").click()
    expect(other.locator("[data-puzzle]")).to_have_attribute("data-puzzle", daily or "")
