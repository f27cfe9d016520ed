"""A series from its first game to the ceremony of its winner, in three languages."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import act, await_turn, legal, open_match_of_two, result
from tests.browser.pages import faults, fits, too_small


class Told(NamedTuple):
    """What the winner reads, by language."""

    size: tuple[int, int]
    leads: str
    over: str
    moved: str
    wins: str
    title: str
    series_over: str


LANGUAGES = {
    "en-GB": Told(
        (1280, 800),
        "You lead 1–0 · Next game",
        "Game over",
        "The ball must be moved: it lay on f6.",
        "You win the Uira 3–0!",
        "You are now Tohunga",
        "The series is over.",
    ),
    "fr-FR": Told(
        (390, 844),
        "Vous menez 1–0 · Partie suivante",
        "Partie terminée",
        "La bille Moeraki doit changer de place : elle était en f6.",
        "Vous remportez la série Uira 3–0 !",
        "Vous voici Tohunga",
        "La série est finie.",
    ),
    "de-DE": Told(
        (1280, 800),
        "Du führst 1:0 · Nächste Partie",
        "Partie beendet",
        "Die Kugel muss umziehen: Sie lag auf f6.",
        "Du gewinnst die Serie Uira 3:0!",
        "Du bist jetzt Tohunga",
        "Die Serie ist zu Ende.",
    ),
}
GAMES = [
    ["@f6", "d4", "a9", "e3", "b10", "i5", "c11"],
    ["@e5", "d4", "a9", "e3", "b10", "i5", "c11"],
    ["@f6", "d4", "k9", "e3", "j10", "i5", "i11"],
]
"""Three games that Matau, who places the ball, wins by an Awa in a corner."""


def _text(words: str) -> re.Pattern[str]:
    """The words, whatever kind of space French has before its signs."""
    return re.compile(re.escape(words).replace(r"\ ", r"\s"))


def _win(hine: Page, tama: Page, actions: list[str]) -> None:
    for number, action in enumerate(actions):
        page = (hine, tama)[number % 2]
        assert await_turn(page)
        act(page, action)
    assert result(hine) == result(tama) == "awa"


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_series_is_counted_game_by_game_and_ends_in_a_ceremony(people: Visitors, locale: str) -> None:
    told = LANGUAGES[locale]
    hine = people.visitor(locale=locale, width=told.size[0], height=told.size[1])
    tama = people.visitor()
    open_match_of_two(hine, tama, "moeraki-kemu", series=3, options={"variant": "beginner"})
    marker, card = hine.locator("[data-marker='0']"), hine.locator(".result")
    expect(marker).to_have_attribute("data-step", "0")
    for number, actions in enumerate(GAMES, 1):
        _win(hine, tama, actions)
        expect(marker).to_have_attribute("data-step", str(number))
        if number == len(GAMES):
            break
        expect(hine.locator("[data-status]")).to_have_text(told.over)
        expect(card).not_to_have_attribute("data-series", "won")
        step = hine.locator(".result .primary")
        if number == 1:
            expect(step).to_have_text(_text(told.leads))
            assert faults(hine) == []
        step.click()
        expect(card).to_have_count(0)
        assert await_turn(hine)
        assert len(legal(hine)) == 8
        expect(hine.locator(".place")).to_have_count(8)
        if number == 1:
            expect(hine.locator("[data-status]")).to_contain_text(_text(told.moved))
        tama.get_by_role("link", name=re.compile(rf"leads {number}–0 · Next game")).click()
        expect(tama.locator(".match")).to_have_attribute("data-turn", "0")
    _look_at_the_ceremony(hine, told)
    expect(tama.locator(".result.lost[data-series=won] h2")).to_have_text(re.compile("wins the Uira 3–0"))
    hine.reload()
    _look_at_the_ceremony(hine, told)
    _look_at_the_list(hine, told)


def _look_at_the_ceremony(page: Page, told: Told) -> None:
    card = page.locator(".result.won[data-series=won]")
    expect(card.locator("h2")).to_have_text(_text(told.wins))
    expect(card.locator("h2")).to_be_in_viewport(ratio=1)
    expect(card).to_contain_text(told.title)
    expect(card.locator("[data-trophy]")).to_be_visible()
    expect(page.locator("[data-hei-tiki=i11]")).to_be_visible()
    expect(page.locator("[data-status]")).to_have_text(told.series_over)
    assert faults(page) == []
    assert too_small(page) == []
    assert fits(page)


def _look_at_the_list(page: Page, told: Told) -> None:
    page.goto("/matches")
    rows = page.locator(".lists li.card")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(_text(told.wins))
    expect(rows.locator(".games a")).to_have_count(2)
    expect(page.locator("main")).not_to_contain_text("moved_from")
    assert faults(page) == []
    page.locator("input[value=lost]").check(force=True)
    expect(rows).to_have_count(0)
    page.locator("input[value=won]").check(force=True)
    expect(rows).to_have_count(1)
    rows.locator(".games a").first.click()
    expect(page.locator("[data-marker='0']")).to_have_attribute("data-step", "1")
