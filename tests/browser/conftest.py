"""A real server process and a real Chromium; whatever a page writes to its console as an error fails the test."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.patience import PATIENCE_SECONDS
from tests.unmeasured import unmeasured
from web.scripts.chromium import ARGUMENTS, KNOWN, find

TIMEOUT_MS = PATIENCE_SECONDS * 1000
"""Milliseconds after which a page that has not shown something has failed."""
PACE = """
  const chosen = JSON.parse(localStorage.getItem('kemu') ?? '{}');
  chosen.pace ??= 'off';
  localStorage.setItem('kemu', JSON.stringify(chosen));
"""
"""A script for pages that show the actions of others without a pause."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests run nothing of Kemu in their own process that others do not, so they are not measured."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.no_cover)


class Site:
    """A server process; it can be stopped and started again at the same address."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = unmeasured(environment)
        self._database = f"sqlite:///{folder / 'kemu.sqlite'}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start and wait until it says that it listens."""
        command = [sys.executable, "-m", "kemu", "serve", "--port", str(self._port), "--database", self._database]
        limits = {
            f"KEMU_{name}": "10000"
            for name in (
                "REQUESTS_PER_SECOND",
                "MATCHES_PER_GUEST",
                "MATCHES_PER_MINUTE",
                "VISITORS_PER_MINUTE",
                "SIGN_INS_PER_MINUTE",
                "SOCKETS_PER_ADDRESS",
            )
        }
        limits["KEMU_PRIVATE_SERVICES"] = "true"  # the push service of a test is on this computer
        self._process = subprocess.Popen(
            command, env={**self._environment, **limits}, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("Kemu is at")

    def stop(self) -> None:
        """Stop and wait until it is gone."""
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE_SECONDS)
        self._process = None


class Visitors:
    """Browsers of different people, each with cookies of its own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []
        self.errors: list[str] = []

    def visitor(
        self,
        path: str = "/",
        width: int = 1280,
        height: int = 800,
        scheme: str = "light",
        locale: str = "en-GB",
        newcomer: bool = False,
        calm: bool = True,
        pace: str = "off",
        worker: bool = False,
    ) -> Page:
        """A new person's page; all but newcomers have been shown how the games are won.

        Only with `worker` it has a service worker, which loads the whole app once more.
        """
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=locale,
            reduced_motion="reduce" if calm else "no-preference",
            permissions=["clipboard-read", "clipboard-write", *(["notifications"] if worker else [])],
            service_workers="allow" if worker else "block",
        )
        context.add_init_script(PACE.replace("off", pace))
        if not newcomer:
            context.add_init_script(KNOWN)
        page = self.keep(context)
        page.goto(path)
        expect(page.locator("main[data-ready]")).to_be_visible()
        return page

    def keep(self, context: BrowserContext) -> Page:
        """A page of a browser that is closed with the others, and whose errors are kept."""
        context.set_default_timeout(TIMEOUT_MS)
        self._contexts.append(context)
        page = context.new_page()
        self.record_errors(page)
        return page

    def record_errors(self, page: Page) -> None:
        """Keep the errors of a page."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._read)
        page.on("request", self._check)

    def _read(self, message: ConsoleMessage) -> None:
        # Every page tries again to hear of notices while its server is away.
        away = "/api/notices/socket" in message.text and "ERR_CONNECTION_REFUSED" in message.text
        if message.type == "error" and not away:
            self.errors.append(message.text)

    def _check(self, request: Request) -> None:
        """Nothing may be asked of any other server."""
        if not request.url.startswith((self._url, "blob:", "data:")):
            self.errors.append(f"asked {request.url}")

    def close(self) -> None:
        """Close all of their browsers."""
        for context in self._contexts:
            context.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all tests of this process."""
    running = Site(tmp_path_factory.mktemp("site"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium for all tests of this process."""
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        yield opened
        opened.close()


@contextmanager
def visiting(browser: Browser, url: str) -> Iterator[Visitors]:
    """Visitors of a site; at the end no page may have had an error."""
    people = Visitors(browser, url)
    yield people
    people.close()
    assert people.errors == []


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[Visitors]:
    """Visitors of the common server."""
    with visiting(browser, site.url) as visitors:
        yield visitors
