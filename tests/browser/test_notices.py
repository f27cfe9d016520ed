"""What waits for a player is told on every page, live, and leads to the next match."""

import json
import re
from collections.abc import Callable
from time import monotonic

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, new_match, new_match_of_two, open_match
from tests.browser.pages import faults, fits, show_page, too_small
from tests.patience import PATIENCE_SECONDS
from tests.server.push_service import run_push_service

SUBSCRIPTION = """
  (subscription) => {
    const made = { ...subscription, options: {}, toJSON: () => subscription, unsubscribe: async () => true };
    let there = null;
    PushManager.prototype.subscribe = async () => (there = made);
    PushManager.prototype.getSubscription = async () => there;
  }
"""
"""Stands for the push service of the browser's maker, which cannot be reached in a test; ours gets the messages."""

SHOWN = (
    "navigator.serviceWorker.ready.then((worker) => worker.getNotifications())"
    ".then((all) => all.map(({ body }) => body))"
)
"""The notifications that the service worker shows."""


def test_a_turn_is_told_on_every_page_and_next_game_leads_through_all(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor("/about", width=390, height=844)
    assert hine.request.patch("/api/me", data={"name": "Hine"}).ok
    expect(tama).not_to_have_title(re.compile(r"^\("))
    clock = {"kind": "days", "days": 3}
    first, second = (new_match_of_two(hine, tama, "mu-torere", clock=clock) for _ in range(2))
    open_match(hine, first)
    assert await_turn(hine)
    act(hine, "1-0")
    banner = tama.get_by_role("complementary", name="Your turn")
    expect(banner).to_contain_text("against Hine in Mū tōrere")
    expect(banner).to_contain_text("2 days left")
    expect(tama).to_have_title(re.compile(r"^\(1\) "))
    expect(tama.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    expect(tama.locator("[data-live]")).to_contain_text("Your turn against Hine")
    hine.get_by_role("link", name="Next game").click()
    expect(hine.locator(".match[data-seat='0'][data-link=open] h1")).to_be_attached()
    hine.wait_for_url(f"**/match/{second}")
    assert await_turn(hine)
    act(hine, "1-0")
    expect(banner).to_contain_text("in 2 matches")
    expect(tama).to_have_title(re.compile(r"^\(2\) "))

    bell = tama.get_by_role("button", name="Notifications, 2 new")
    bell.click()
    told = tama.get_by_role("region", name="Notifications")
    expect(told.get_by_role("listitem")).to_have_count(2)
    assert (faults(tama), too_small(tama), fits(tama)) == ([], [], True)
    expect(tama.get_by_role("button", name="Notifications", exact=True)).to_be_visible()  # seen
    tama.keyboard.press("Escape")
    expect(told.get_by_role("listitem")).to_have_count(0)

    tama.goto("/matches")
    mine = tama.get_by_role("region", name="Your turn")
    expect(mine.get_by_role("listitem")).to_have_count(2)
    mine.get_by_role("link", name="Next game").click()
    tama.wait_for_url(f"**/match/{first}")
    assert await_turn(tama)
    expect(tama).to_have_title(re.compile(r"^\(1\) "))  # the other match
    act(tama, "8-1")
    tama.get_by_role("link", name="Next game").click()
    tama.wait_for_url(f"**/match/{second}")
    assert await_turn(tama)
    act(tama, "8-1")
    expect(tama).not_to_have_title(re.compile(r"^\("))
    expect(tama.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds that the page does not show."""
    end = monotonic() + PATIENCE_SECONDS
    while not holds():
        assert monotonic() < end
        page.wait_for_timeout(20)


def deliver(page: Page, message: str) -> None:
    """Hand a message to the service worker as the browser does."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"] if not each["isDeleted"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(page, lambda: bool(found))
    origin = page.evaluate("location.origin")
    session.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found[0], "data": message})


def test_a_push_message_comes_to_who_is_away_and_leads_to_the_next_game(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor(width=390, height=844, worker=True)
    assert hine.request.patch("/api/me", data={"name": "Hine"}).ok
    tama.evaluate("navigator.serviceWorker.ready.then(() => true)")
    with run_push_service() as service:
        device = service.browser()
        tama.context.add_init_script(f"({SUBSCRIPTION})({json.dumps(device.subscription)})")
        clock = {"kind": "days", "days": 3}
        first = new_match_of_two(tama, hine, "mu-torere", clock=clock)
        open_match(tama, first)
        assert await_turn(tama)
        act(tama, "1-0")
        offer = tama.get_by_role("region", name="Know when it’s your turn")
        expect(offer).to_be_visible()
        assert (faults(tama), too_small(tama), fits(tama)) == ([], [], True)
        offer.get_by_role("button", name="Turn on").click()
        expect(offer).to_have_count(0)
        second = new_match(tama, "mu-torere", {"kind": "open"}, ME, clock=clock)
        show_page(tama, "/about")
        assert hine.request.post(f"/api/matches/{second}/join", data={}).ok
        pushed = device.next()
        assert pushed.message["page"] == f"/match/{second}"
        deliver(tama, json.dumps(pushed.message))
        wait_until(tama, lambda: bool(tama.evaluate(SHOWN)))
        assert tama.evaluate(SHOWN) == ["Hine accepted: your match of Mū tōrere has begun."]
        expect(tama.get_by_role("button", name="Notifications, 1 new")).to_be_visible()
        for match, action in ((second, "1-0"), (first, "8-1")):
            open_match(hine, match)
            assert await_turn(hine)
            act(hine, action)
        banner = tama.get_by_role("complementary", name="Your turn")
        expect(banner).to_contain_text("in 2 matches")
        banner.get_by_role("link", name="Next game").click()
        tama.wait_for_url(f"**/match/{second}")
        assert await_turn(tama)
        act(tama, "8-1")
        tama.get_by_role("link", name="Next game").click()
        tama.wait_for_url(f"**/match/{first}")
        assert await_turn(tama)
        assert device.pushed.empty() or device.next().message["page"] == f"/match/{first}"
