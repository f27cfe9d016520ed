"""What must hold on every page: what axe-core finds, what is big enough to touch, what fits; and the texts it has."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]

COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that other colours of the same page can break."""
TOUCHED = "button, .button, select, input, nav a, [role=gridcell]"
TOO_SMALL = f"""(() => {{
  const shown = [...document.querySelectorAll('{TOUCHED}')].filter(
    (e) => !e.closest('[inert], label') && !e.matches('.visually-hidden, .visually-hidden *'));
  const boxes = shown.map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()]);
  return boxes.filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5)).map(([html]) => html);
}})()"""
"""What is smaller than a fingertip; boxes and dots inside a label are touched with it."""
VIOLATIONS = """
(rules) => axe.run(
  {exclude: ['[inert]']}, {resultTypes: ['violations'], runOnly: rules.length ? rules : undefined},
).then(({violations}) => violations)
"""
"""What axe-core finds, without the thousands of nodes that passed, which take as long to send as to check."""


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Page, *rules: str) -> list[str]:
    """What axe-core finds by all its rules, or by these, each with the places."""
    page.evaluate(_axe())
    found = page.evaluate(VIOLATIONS, list(rules))
    return [f"{fault['id']}: {[node['target'] for node in fault['nodes']][:4]}" for fault in found]


def show_page(page: Page, path: str) -> None:
    """Open a page and wait until it is complete."""
    page.goto(path)
    expect(page.locator("main[data-ready] h1").first).to_be_attached()
    expect(page.locator(".loading, .picture:not(:has(svg, pre))")).to_have_count(0)


def too_small(page: Page) -> list[str]:
    """What is smaller than a fingertip."""
    found: list[str] = page.evaluate(TOO_SMALL)
    return found


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def drag(page: Page, start: str, end: str, button: Literal["left", "right"] = "left") -> None:
    """Drag from one place of a board to another."""
    page.locator(f'[data-cell="{start}"]').hover()
    page.mouse.down(button=button)
    page.locator(f'[data-cell="{end}"]').hover()
    page.mouse.up(button=button)


def touch_along(page: Page, start: str, end: str) -> None:
    """Move a finger from one place of a board to another."""
    boxes = [page.locator(f'[data-cell="{cell}"]').bounding_box() for cell in (start, end)]
    points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in boxes if box]
    session = page.context.new_cdp_session(page)
    for kind, touched in (("touchStart", points[:1]), ("touchMove", points[1:]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def press(page: Page, selector: str) -> None:
    """Focus something as the keyboard does, and press Enter."""
    target = page.locator(selector).first
    target.wait_for()
    target.focus()
    expect(target).to_be_focused()
    page.keyboard.press("Enter")


MOST_KEYS = 120
BETWEEN = """
(target) => {
  const [at, to] = [document.activeElement, target].map((e) => e.getBoundingClientRect());
  const [x, y] = [to.x + to.width / 2 - at.x - at.width / 2, to.y + to.height / 2 - at.y - at.height / 2];
  return document.activeElement === target ? null : [x, y];
}
"""
"""How far a place is from the one that has the focus, None if it is the same."""


def reach(page: Page, selector: str) -> None:
    """Go with Tab, and on a board with the arrow keys, until something has the focus, and press Enter."""
    target = page.locator(selector).first
    target.wait_for()
    on_board = target.get_attribute("role") == "gridcell"
    for _ in range(MOST_KEYS):
        between = target.evaluate(BETWEEN)
        if between is None:
            page.keyboard.press("Enter")
            return
        key = "Tab"
        if on_board and page.locator("[role=gridcell]:focus").count():
            x, y = between
            key = ("ArrowDown" if y > 0 else "ArrowUp") if abs(y) > 3 else ("ArrowRight" if x > 0 else "ArrowLeft")
        page.keyboard.press(key)
    raise AssertionError(f"{selector} cannot be reached with the keyboard")


@cache
def _catalogue(language: str, game: str) -> dict[str, Any]:
    folder = ROOT / "web" / "src" / (f"boards/{game}/language" if game else "language")
    catalogue: dict[str, Any] = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return catalogue


def words(language: str, key: str, game: str = "", form: str = "other") -> str:
    """The beginning of a text of a game, or of the client, up to its first value; `form` is the plural form."""
    text = _catalogue(language, game)[key]
    return str(text if isinstance(text, str) else text[form]).split("{")[0].strip()
