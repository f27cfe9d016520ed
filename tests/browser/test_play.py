"""Whole matches: two people, a person and each bot, somebody who watches."""

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import (
    ME,
    act,
    await_turn,
    invitation,
    legal,
    new_match,
    open_match,
    open_match_of_two,
    result,
)

GAMES = {
    "mu-torere": (["1-0", "8-1", "0-8", "1-0", "8-1", "7-8"], "blocked"),
    "moeraki-kemu": (["@f6", "d4", "a9", "e3", "b10", "i5", "c11"], "awa"),
}


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_to_the_end_and_a_third_watches(people: Visitors, game: str) -> None:
    actions, reason = GAMES[game]
    hine = people.visitor(f"/play/{game}?with=friend")
    hine.get_by_role("button", name="Start").click()
    address = invitation(hine)
    tama = people.visitor(address)
    tama.get_by_role("button", name="Join").click()
    ana = people.visitor(address)
    expect(ana.locator(".match")).to_have_attribute("data-seat", "-2")
    for number, action in enumerate(actions):
        page = (hine, tama)[number % 2]
        assert await_turn(page)
        assert action in legal(page)
        act(page, action)
    for page in (hine, tama, ana):
        assert result(page) == reason
    expect(ana.locator(".log li")).to_have_count(len(actions))


@pytest.mark.slow
def test_two_people_play_mauw_to_the_end_and_neither_sees_the_other_s_cards(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    received: tuple[list[Any], list[Any]] = ([], [])
    for page, frames in zip((hine, tama), received, strict=True):
        page.on("websocket", _keep(frames))
    match = open_match_of_two(hine, tama, "mauw")
    random = Random(7)
    pages, page = (hine, tama), hine
    while (turn := _turn(page, pages)) is not None:
        page = pages[turn]
        act(page, random.choice(legal(page)))
    assert result(hine) == result(tama)
    assert tama.request.get(f"/api/matches/{match}/replay?seat=0").ok, "over: nothing is secret any more"
    _check_secrets(*received)


def test_the_hand_of_mauw_is_nowhere_in_the_other_s_page(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    match = open_match_of_two(hine, tama, "mauw")
    expect(hine.locator("[data-card]")).to_have_count(4)
    expect(tama.locator("[data-card]")).to_have_count(4)
    ana = people.visitor(f"/match/{match}")
    expect(ana.locator(".zone")).to_have_count(2)
    expect(ana.locator("[data-card]")).to_have_count(0)
    assert tama.request.get(f"/api/matches/{match}/replay?seat=0").status == 403


def test_the_other_may_answer_with_the_tane(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    open_match_of_two(hine, tama, "moeraki-kemu")
    for number, action in enumerate(["@f6", "a3", "h8", "b2", "g7", "k3", "i7", "h6"]):
        page = (hine, tama)[number % 2]
        assert await_turn(page)
        act(page, action)
    assert await_turn(hine), "asked in the middle of Tama's turn"
    act(hine, "Th7sw")
    for page in (hine, tama):
        expect(page.get_by_text("Tane on h7, looking south-west", exact=True)).to_be_visible()
        expect(page.locator(".barred")).to_have_count(5)
    assert await_turn(hine), "and now it is Hine's turn anyway"


def _keep(frames: list[Any]) -> Any:
    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: frames.append(json.loads(payload)))

    return opened


def _turn(newest: Page, pages: tuple[Page, ...]) -> int | None:
    """Whose turn it is on the page that acted last, once all pages show the same version; None at the end."""
    match = newest.locator(".match:not([data-turn='-1'])")  # the dealer's turns pass by themselves
    shown = match.evaluate("({dataset}) => ({...dataset})")
    for page in pages:
        expect(page.locator(".match")).to_have_attribute("data-version", shown["version"])
    return int(shown["turn"]) if "turn" in shown else None


def _check_secrets(first: list[Any], second: list[Any]) -> None:
    """Each page receives its own hand only, and at most one of them a drawn card."""
    for seat, frames in enumerate((first, second)):
        for frame in frames:
            if "view" in frame:
                assert frame["view"]["seat"] == seat
                assert set(frame["view"]) >= {"hand", "hands", "pile"}
                assert isinstance(frame["view"]["pile"], int)
    lines = [
        {frame["version"]: frame["events"] for frame in frames if frame["type"] == "event"}
        for frames in (first, second)
    ]
    drawn = 0
    for number in lines[0].keys() & lines[1].keys():
        for mine, theirs in zip(lines[0][number], lines[1][number], strict=True):
            if mine.get("line", "").startswith("~"):
                drawn += 1
                assert [mine["line"], theirs["line"]].count("~?") == 1
    assert drawn > 10


@pytest.mark.slow
@pytest.mark.parametrize("key", [*GAMES, "mauw"])
def test_a_person_plays_each_bot(people: Visitors, key: str) -> None:
    page = people.visitor()
    game = page.request.get(f"/api/games/{key}").json()
    assert len(game["bots"]) >= 8
    for bot in game["bots"]:
        others = [{"kind": "bot", "bot": bot}] * (game["seats"] - 1)
        open_match(page, new_match(page, key, ME, *others))
        random = Random(3)
        for _ in range(2):
            if await_turn(page):
                act(page, random.choice(legal(page)))
        if await_turn(page):
            page.get_by_role("button", name="Resign").click()
            page.get_by_role("button", name="Yes, resign").click()
        assert result(page)


def test_home_starts_a_game_with_one_click(people: Visitors) -> None:
    page = people.visitor()
    page.get_by_role("article", name="Mū tōrere").get_by_role("button", name="Play").click()
    assert await_turn(page)
    act(page, "1-0")
    assert await_turn(page)


def test_offers_are_made_and_answered(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    open_match_of_two(hine, tama, "mu-torere", clock={"kind": "game", "seconds": 300, "increment": 5})
    expect(hine.get_by_role("timer")).to_have_text(["5:00", "5:00"])
    act(hine, "1-0")
    hine.get_by_role("button", name="Takeback").click()
    tama.get_by_role("button", name="Accept").click()
    expect(hine.locator(".log li")).to_have_count(0)
    tama.get_by_role("button", name="Offer draw").click()
    hine.get_by_role("button", name="Decline").click()
    expect(tama.locator("[data-declined=draw]")).to_contain_text("declined the draw")
    hine.get_by_role("button", name="Offer draw").click()
    tama.get_by_role("button", name="Accept").click()
    assert result(hine) == result(tama) == "agreement"


def test_people_at_one_screen_hand_it_over_in_mauw(people: Visitors) -> None:
    page = people.visitor("/play/mauw?with=screen")
    page.get_by_role("button", name="Start").click()
    ready = page.get_by_role("button", name="I’m Player 1, show my cards")
    ready.wait_for()
    expect(page.locator("[data-card]")).to_have_count(0)
    ready.click()
    assert await_turn(page)
    action = next(action for action in legal(page) if ">1" in action or action == "x")
    act(page, action)
    while page.locator(".status.mine").count():
        act(page, legal(page)[0])
    page.get_by_role("button", name="I’m Player 2, show my cards").wait_for()
    expect(page.locator("[data-card]")).to_have_count(0)
    page.get_by_role("button", name="I’m Player 2, show my cards").click()
    expect(page.locator("[data-card]")).to_have_count(4)


def test_people_at_one_screen_take_turns_in_an_open_game(people: Visitors) -> None:
    page = people.visitor("/play/mu-torere?with=screen")
    page.get_by_role("button", name="Start").click()
    for action in GAMES["mu-torere"][0]:
        assert await_turn(page)
        act(page, action)
    assert result(page) == "blocked"
