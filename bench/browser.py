"""The browser client in a real Chromium against a real server on this machine: size, loading, acting, frames."""

import gzip
import json
import os
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, CDPSession, Page, sync_playwright

from bench.server_wire import server_on
from web.scripts.chromium import ARGUMENTS, KNOWN, find

ROOT = Path(__file__).parents[1]

LOADS, ACTIONS, FRAMES = 15, 60, 600
FIRST_FRAMES = 30
LANGUAGES = ("en", "de", "fr")
SCRIPT = """
performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js'))
  .reduce((sum, e) => sum + e.encodedBodySize, 0)
"""
"""The script a page has loaded, as it travelled."""
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
  let moving = 0;
  const frame = (now) => {
    times.push(now);
    moving += document.getAnimations().length > 0;
    times.length > number ? resolve([times, moving]) : requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})
"""


def size() -> None:
    """The script there is, as it travels: in all, and what one visitor can load of it, who reads one language."""
    assets = ROOT / "src" / "kemu" / "web" / "assets"
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in assets.glob("*.js")}
    by_language = [sum(size for name, size in sizes.items() if name.startswith(f"{tag}-")) for tag in LANGUAGES]
    one = sum(sizes.values()) - sum(by_language) + max(by_language)
    everything = f"{sum(sizes.values()) / 1000:.1f} kB in {len(sizes)} files"
    print(f"script compressed, every page and game in all languages: {everything}")
    print(f"script compressed, every page and game in one language: {one / 1000:.1f} kB")


def first_load(browser: Browser, url: str) -> None:
    """The script that the first page loads."""
    page = browser.new_page(base_url=url)
    page.goto("/")
    page.locator("main[data-ready] article .primary:not(:disabled)").last.wait_for()
    print(f"first load of Home: {page.evaluate(SCRIPT) / 1000:.1f} kB of script")
    page.close()


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
            scripts = page.evaluate(SCRIPT)
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
    """How even the frames are while six play MAUW at a fast pace, and how much of a frame is work."""
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script("localStorage.setItem('kemu', JSON.stringify({pace: 'fast'}))")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    times: list[float] = []
    later: list[float] = []  # without the first frames of each match, in which its page is drawn for the first time
    work, moving = 0.0, 0
    while len(times) < FRAMES:
        open_match(page, new_match(page.request, "mauw", *[BOT] * 6, options={"players": 6}))
        page.locator(".zone").first.wait_for()
        before = _task_ms(session)
        moments, moved = page.evaluate(WATCH, 150)
        times += _gaps(moments)
        later += _gaps(moments)[FIRST_FRAMES:]
        moving += moved
        work += _task_ms(session) - before
    rate = 1000 / (sum(times) / len(times))
    print(f"MAUW with six players: {rate:.1f} frames a second, p95 {p95(times):.1f} ms, {_late(times)}")
    print(f"MAUW with six players, without the first {FIRST_FRAMES} frames of each match: {_late(later)}")
    print(f"MAUW with six players: something moves in {moving / len(times):.0%} of the frames")
    print(f"MAUW with six players: {work / len(times):.1f} ms of the main thread's processor time for each frame")
    print(f"load of the machine in the last minute: {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")


def _late(times: list[float]) -> str:
    return f"{sum(time > 25 for time in times) / len(times):.1%} later than 25 ms"


def _task_ms(session: CDPSession) -> float:
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"]) * 1000


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
        first_load(browser, url)
        loading(browser, url)
        page = browser.new_page(base_url=url)
        page.add_init_script(KNOWN)
        page.goto("/")
        acting(page)
        frames(page)
        browser.close()


if __name__ == "__main__":
    main()
