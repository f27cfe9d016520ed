"""Screenshots of every page, phone and desktop, light and dark: python -m web.scripts.pictures."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from kemu.games import game as make
from tests.browser.conftest import PACE, Site
from tests.browser.match_page import act, await_turn, legal, new_match, open_match
from web.scripts.chromium import ARGUMENTS, KNOWN, find

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "docs" / "pictures"
ALL: Final = FOLDER / "all"  # not committed
MOST_BYTES: Final = 60_000
TIMEOUT_MS: Final = 180_000
"""An engine that plays for the first time is compiled first."""
SIZES: Final = {"phone": (360, 740, 1.0), "desktop": (1280, 800, 0.75)}
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "random"}
HINE, TAMA = {"kind": "me", "name": "Hine"}, {"kind": "me", "name": "Tama"}
PAGES: Final = {
    "home": "/",
    "setup": "/play/moeraki-kemu",
    "learn": "/learn",
    "course-moeraki-kemu": "/learn/moeraki-kemu/tane",
    "course-mu-torere": "/learn/mu-torere/trap",
    "course-mauw": "/learn/mauw/attack",
    "defend": "/learn/mauw/defend",
    "rules-moeraki-kemu": "/rules/moeraki-kemu",
    "rules-mu-torere": "/rules/mu-torere",
    "rules-mauw": "/rules/mauw",
    "glossary": "/glossary",
    "matches": "/matches",
    "lobby": "/lobby",
    "challenges": "/challenges",
    "watch": "/watch",
    "study": "/study",
    "about": "/about",
    "settings": "/settings",
    "players": "/players",
    "groups": "/groups",
    "sign-up": "/sign-up",
    "tournaments": "/tournaments",
    "log-in": "/log-in",
    "recover": "/recover",
    "missing": "/nowhere",
}
CHOSEN: Final = (
    *("home-desktop-light", "moeraki-kemu-desktop-dark", "moeraki-kemu-phone-light", "mu-torere-desktop-light"),
    *("mauw-desktop-light", "mauw-phone-dark", "course-moeraki-kemu-desktop-light", "won-desktop-light"),
)


def moeraki(page: Page) -> None:
    """The middle of a master's game, both Tane on the board."""
    game, random = make("moeraki-kemu", variant="master"), Random(2)
    state, actions = game.initial(), list[str]()
    while len(actions) < 44:
        choices = game.actions(state)
        warriors = [action for action in choices if game.format(action).startswith("T")]
        action = random.choice(warriors) if warriors and random.random() < 0.25 else random.choice(choices)
        actions.append(game.format(action))
        state = game.apply(state, action)
    _type(page, new_match(page, "moeraki-kemu", HINE, TAMA, series=5), actions)


def won(page: Page) -> None:
    """A river to the ball."""
    actions = ["@f6", "d4", "g7", "e5", "h8", "h4", "i9", "c7", "j10"]
    _type(page, new_match(page, "moeraki-kemu", HINE, TAMA), actions)


def mu_torere(page: Page) -> None:
    """A few moves on the star."""
    _type(page, new_match(page, "mu-torere", ME, BOT), [])
    for _ in range(3):
        if await_turn(page):
            act(page, legal(page)[0])
    await_turn(page)


def mauw(page: Page) -> None:
    """Six players."""
    open_match(page, new_match(page, "mauw", ME, *[BOT] * 5, options={"players": 6}))
    random = Random(4)
    for _ in range(12):
        if await_turn(page):
            act(page, random.choice(legal(page)))
    await_turn(page)


def waiting(page: Page) -> None:
    """A friend is awaited."""
    page.goto(f"/match/{new_match(page, 'moeraki-kemu', ME, {'kind': 'open'})}")
    page.get_by_label("Link", exact=True).wait_for()


def invited(page: Page) -> None:
    """Somebody else waits for this visitor, who has the link."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(base_url=page.url) as host:
        assert host.request.patch("/api/me", data={"name": "Ana"}).ok
        clock = {"kind": "game", "seconds": 300, "increment": 5}
        seats = [{"kind": "me"}, {"kind": "open"}]
        new = {"game": "moeraki-kemu", "seats": seats, "public": True, "clock": clock, "series": 5}
        match = host.request.post("/api/matches", data=new).json()["id"]
    page.goto(f"/match/{match}")
    page.get_by_role("button", name="Sit here").wait_for()


def handover(page: Page) -> None:
    """The screen is handed to the next player."""
    page.goto(f"/match/{new_match(page, 'mauw', HINE, TAMA)}")
    page.get_by_role("button", name="show my cards").wait_for()


SCENES: Final[dict[str, Callable[[Page], None]]] = {
    "moeraki-kemu": moeraki,
    "won": won,
    "mu-torere": mu_torere,
    "mauw": mauw,
    "waiting": waiting,
    "invited": invited,
    "handover": handover,
}


def _type(page: Page, match: str, actions: list[str]) -> None:
    open_match(page, match)
    for action in actions:
        await_turn(page)
        lines = page.locator(".log li").count()
        page.keyboard.press("/")
        page.get_by_label("Type a move").fill(action)
        page.keyboard.press("Enter")
        expect(page.locator(".log li")).to_have_count(lines + 1)


def _take(page: Page, name: str) -> None:
    """Take a screenshot, of the best quality that fits."""
    path = ALL / f"{name}.jpg"
    page.evaluate("scrollTo(0, 0)")
    for quality in (82, 70, 58, 46, 34):
        page.screenshot(path=path, type="jpeg", quality=quality)
        if path.stat().st_size <= MOST_BYTES:
            return


def _tour(browser: Browser, url: str, size: str, scheme: str) -> None:
    width, height, scale = SIZES[size]
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        locale="en-GB",
    )
    context.add_init_script(KNOWN + PACE)
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.request.patch("/api/me", data={"name": "Hine"})
    for name, scene in SCENES.items():
        scene(page)
        _take(page, f"{name}-{size}-{scheme}")
    for name, path in PAGES.items():
        page.goto(path)
        expect(page.locator("main[data-ready] h1").first).to_be_attached()
        expect(page.locator(".loading, .picture:not(:has(svg, pre))")).to_have_count(0)
        _take(page, f"{name}-{size}-{scheme}")
    context.close()


def main() -> None:
    """All pictures, and the chosen ones for the documents."""
    shutil.rmtree(ALL, ignore_errors=True)
    ALL.mkdir(parents=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.start()
        browser = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        for size in SIZES:
            for scheme in ("light", "dark"):
                _tour(browser, site.url, size, scheme)
        browser.close()
        site.stop()
    for name in CHOSEN:
        shutil.copy(ALL / f"{name}.jpg", FOLDER / f"{name}.jpg")


if __name__ == "__main__":
    main()
