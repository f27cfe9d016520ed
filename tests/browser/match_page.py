"""What tests read off the page of a match, and how they act on its board."""

import re
from typing import Any

from playwright.sync_api import Page, expect

BUTTONS = {"-": "Keep the tiles?$|Give in", "x": "Discard your hand", "swap": "Take it over"}


ME = {"kind": "me"}


def new_match(page: Page, game: str, *seats: dict[str, Any], **fields: Any) -> str:
    """Make a match as this visitor and give its id."""
    answer = page.request.post("/api/matches", data={"game": game, "seats": list(seats), **fields})
    assert answer.ok, answer.text()
    return str(answer.json()["id"])


def new_match_of_two(host: Page, guest: Page, game: str, **fields: Any) -> str:
    """Make a match of these two visitors and give its id."""
    match = new_match(host, game, ME, {"kind": "open"}, **fields)
    assert guest.request.post(f"/api/matches/{match}/join", data={}).ok
    return match


def open_match_of_two(host: Page, guest: Page, game: str, **fields: Any) -> str:
    """Make a match of these two visitors, who both look at its board, and give its id."""
    match = new_match_of_two(host, guest, game, **fields)
    for page in (host, guest):
        open_match(page, match)
    return match


def open_match(page: Page, match: str) -> None:
    """Open a match and wait for its board."""
    page.goto(f"/match/{match}")
    expect(page.locator(".match[data-link=open]")).to_be_visible()


def open_menu(page: Page) -> None:
    """Open what is set in a match: help, speed and moves to type."""
    page.get_by_role("button", name="Match options").click()
    expect(page.get_by_role("group", name="Match options")).to_be_visible()


def version(page: Page) -> int:
    """The version this page shows."""
    return int(page.locator(".match").get_attribute("data-version") or 0)


def invitation(page: Page) -> str:
    """The link of a match that waits for players, once the page knows it."""
    link = page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile("/match/"))
    return link.input_value()


def await_turn(page: Page) -> bool:
    """Wait until this page may act, or the match is over."""
    page.locator(".status.mine, [data-result]").first.wait_for()
    return page.locator("[data-result]").count() == 0


def legal(page: Page) -> list[str]:
    """The actions the page offers."""
    offered: list[str] = page.locator("datalist option").evaluate_all("(all) => all.map(({value}) => value)")
    return offered


def act(page: Page, action: str) -> None:
    """Do an action on the board with the pointer and wait until the server has confirmed it."""
    before = version(page)
    if action in BUTTONS:
        page.get_by_role("button", name=re.compile(BUTTONS[action])).click()
    elif found := re.fullmatch(r"(m)?=?([1-8s])?>(\d)([A-D])", action):
        _play_card(page, *found.groups())
    elif action.startswith("+"):
        page.locator(f'.own [data-cell$="{action[1:]}"]').click()
    elif action.startswith("!"):
        page.locator(f'.hand [data-card="{action[1:]}"]').first.click()
    elif action.startswith("T"):
        page.locator(f'[data-cell="{action[1:-2]}"]').click()
        page.locator(f'[data-cell="{action}"]').click()
    else:
        page.locator(f'[data-cell="{action.removeprefix("@").split("-")[0]}"]').click()
    expect(page.locator(f".match[data-version='{before}']")).to_have_count(0)


def _play_card(page: Page, joker: str | None, value: str, player: str, column: str) -> None:
    card = "m" if joker else value
    page.locator(f'.hand [data-card="{card}"]').first.click()
    page.locator(f'[data-cell="{int(player) - 1}{column}"]').click()
    values = page.locator(".values")
    if joker and values.count():
        name = "spirit" if value == "s" else f"as {value}"
        values.get_by_role("button", name=re.compile(name)).click()


def result(page: Page) -> str:
    """Why the match ended, once it has."""
    shown = page.locator("[data-result]")
    shown.wait_for()
    return str(shown.get_attribute("data-result"))
