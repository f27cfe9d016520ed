"""The browser client in a real Chromium against a real server on this machine: size, loading, acting, frames."""

import gzip
import json
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright
from server_wire import server_on

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from web.scripts.chromium import ARGUMENTS, KNOWN, find  # noqa: E402

LOADS, ACTIONS, FRAMES = 15, 60, 600
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "random"}

USABLE = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('.cell.can')) return;
  observer.disconnect();
  requestAnimationFrame(() => { window.usable = performance.now(); });
}).observe(document, {childList: true, subtree: true, attributes: true});
"""

ACT = """
(name) => new Promise((resolve) => {
  const match = document.querySelector('.match');
  const before = match.dataset.version;
  const start = performance.now();
  let drawn = 0;
  const observer = new MutationObserver(() => {
    if (match.dataset.version === before) return;
    observer.disconnect();
    resolve([drawn || performance.now() - start, performance.now() - start]);
  });
  observer.observe(match, {attributes: true});
  document.querySelector(`[data-cell="${name}"]`).dispatchEvent(new MouseEvent('click', {bubbles: true}));
  const look = () => {
    const after = `.match[data-pending], .match[data-version]:not([data-version="${before}"])`;
    if (document.querySelector(after)) drawn ||= performance.now() - start;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""

WATCH = """
(number) => new Promise((resolve) => {
  const times = [];
  const frame = (now) => { times.push(now); times.length > number ? resolve(times) : requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
})
"""


def size() -> None:
    """All script there is, as it travels."""
    scripts = sorted((ROOT / "src" / "kemu" / "web" / "assets").glob("*.js"))
    sizes = {path.name.split("-")[0]: len(gzip.compress(path.read_bytes(), 9)) for path in scripts}
    print(f"script, all languages and games, compressed: {sum(sizes.values()) / 1000:.1f} kB in {len(scripts)} files")


def loading(browser: Browser, url: str) -> None:
    """From an empty cache to a board one can act on."""
    for game in ("mu-torere", "moeraki-kemu"):
        times, scripts = [], 0
        for _ in range(LOADS):
            context = browser.new_context(base_url=url)
            match = new_match(context.request, game, ME, BOT)
            page = context.new_page()
            page.add_init_script(KNOWN + USABLE)
            page.goto(f"/match/{match}")
            page.locator(".cell.can").first.wait_for()
            times.append(float(page.evaluate("window.usable")))
            loaded = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('.js'))"
            scripts = page.evaluate(f"{loaded}.reduce((sum, e) => sum + e.encodedBodySize, 0)")
            context.close()
        cold = f"median {median(times):.0f} ms, slowest {max(times):.0f} ms"
        print(f"first board of {game}, cold: {cold}, {scripts / 1000:.1f} kB of script")


def new_match(request: APIRequestContext, game: str, *seats: dict[str, str], **fields: Any) -> str:
    """Make a match and give its id."""
    answer = request.post("/api/matches", data={"game": game, "seats": list(seats), **fields})
    return str(answer.json()["id"])


def open_match(page: Page, match: str) -> None:
    """Open a match and wait until its socket is open."""
    page.goto(f"/match/{match}")
    page.locator(".match[data-link=open]").wait_for()


def await_turn(page: Page) -> bool:
    """Wait until this page may act, or the match is over; whether it may act."""
    page.locator(".status.mine, [data-result]").first.wait_for()
    return page.locator("[data-result]").count() == 0


def acting(page: Page) -> None:
    """From a click to what is drawn, and to the server's word."""
    drawn: list[float] = []
    confirmed: list[float] = []
    while len(confirmed) < ACTIONS:
        open_match(page, new_match(page.request, "mu-torere", ME, BOT, options={"arms": 16}))
        while len(confirmed) < ACTIONS and await_turn(page):
            action = page.locator("datalist option").first.get_attribute("value") or ""
            shown, known = page.evaluate(ACT, action.split("-")[0])
            drawn.append(shown)
            confirmed.append(known)
    print(f"own action drawn: median {median(drawn):.1f} ms, p95 {p95(drawn):.1f} ms")
    waited = f"median {median(confirmed):.1f} ms, p95 {p95(confirmed):.1f} ms"
    print(f"own action confirmed: {waited} ({len(confirmed)} actions)")


def frames(page: Page) -> None:
    """How even the frames are while six play MAUW, cards flying all the time."""
    page.emulate_media(reduced_motion="no-preference")
    times: list[float] = []
    while len(times) < FRAMES:
        open_match(page, new_match(page.request, "mauw", *[BOT] * 6, options={"players": 6}))
        page.locator(".zone").first.wait_for()
        times += _gaps(page.evaluate(WATCH, 150))
    rate = 1000 / (sum(times) / len(times))
    late = sum(time > 25 for time in times) / len(times)
    print(f"MAUW with six players: {rate:.1f} frames a second, p95 {p95(times):.1f} ms, {late:.1%} later than 25 ms")


def _gaps(moments: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(moments)]


def p95(times: list[float]) -> float:
    """The time that 95 of 100 do not exceed."""
    return sorted(times)[int(len(times) * 0.95)]


def main() -> None:
    """All figures."""
    size()
    with (
        TemporaryDirectory() as folder,
        server_on(f"sqlite:///{folder}/kemu.sqlite") as server,
        sync_playwright() as playwright,
    ):
        url = f"http://127.0.0.1:{server.port}"
        browser = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        print(json.dumps({"chromium": browser.version}))
        loading(browser, url)
        page = browser.new_page(base_url=url)
        page.add_init_script(KNOWN)
        page.goto("/")
        acting(page)
        frames(page)
        browser.close()


if __name__ == "__main__":
    main()
