"""The built documentation: every link leads somewhere, and nothing is loaded from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from kemu.server.http.static import DOCS

ASSETS = {("script", "src"), ("link", "href"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("video", "src")}
CSS_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
STYLE_OR_SCRIPT = {"style", "onclick", "onload"}


class Document(HTMLParser):
    """What a page links to, loads, and can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.assets: list[str] = []
        self.anchors: set[str] = {"", "__search", "__drawer"}
        self.inline: list[str] = []
        self.text: list[str] = []
        self._code = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        self.assets += [value for name, value in values.items() if (tag, name) in ASSETS]
        self.inline += [f"{tag} {name}" for name in STYLE_OR_SCRIPT & values.keys()]
        if tag == "style" or (tag == "script" and "src" not in values and values.get("type") != "application/json"):
            self.inline.append(tag)
        self._code += tag in ("pre", "code")

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag in ("pre", "code")

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.text.append(data)


@pytest.fixture(scope="module")
def pages() -> dict[str, Document]:
    """Every page by its address."""
    assert (DOCS / "index.html").exists(), "make docs builds the site"
    return {f"/docs/{path.relative_to(DOCS).as_posix()}": Document(path) for path in sorted(DOCS.rglob("*.html"))}


def inside(address: str, link: str) -> str | None:
    """The address that a link of a page leads to, None if it leads to another site."""
    target = urljoin(f"http://site{address}", link)
    return unquote(target.removeprefix("http://site")) if target.startswith("http://site/") else None


def test_every_link_leads_to_a_page_and_an_anchor_that_exist(pages: dict[str, Document]) -> None:
    assert len(pages) > 40
    dead = []
    for address, page in pages.items():
        for link in page.links:
            target = inside(address, link)
            if target is None or target == "/docs/.":
                continue
            path, _, anchor = target.partition("#")
            path = "/docs/index.html" if path in ("/docs", "/docs/") else path
            found = pages.get(path)
            if not (DOCS.parent / path[1:]).is_file() or (found and anchor not in found.anchors):
                dead.append(f"{address} → {link}")
    assert dead == []


def test_pages_load_nothing_from_elsewhere(pages: dict[str, Document]) -> None:
    for address, page in pages.items():
        for asset in page.assets:
            target = inside(address, asset)
            assert target is not None, f"{address} loads {asset}"
            assert (DOCS.parent / urlsplit(target).path[1:]).is_file(), f"{address} loads {asset}, which is not there"
    for sheet in DOCS.rglob("*.css"):
        for found in CSS_ADDRESS.findall(sheet.read_text(encoding="utf-8")):
            assert not urlsplit("".join(found)).netloc, f"{sheet.name} loads {found}"


def test_pages_have_neither_scripts_nor_styles_inside(pages: dict[str, Document]) -> None:
    """The content security policy of the server would block them."""
    assert {address: page.inline for address, page in pages.items() if page.inline} == {}


def test_no_markup_is_left_over(pages: dict[str, Document]) -> None:
    for address, page in pages.items():
        text = "".join(page.text)
        assert not re.search(r"```|\[rules:|^:::|\{ \.\w", text, re.MULTILINE), address


NAVIGATION = {"Start", "Games", "Tutorials", "How-to", "Reference", "Operation", "Strength", "Performance", "Protocol"}


def test_the_navigation_has_every_part_of_the_site(pages: dict[str, Document]) -> None:
    assert {part.strip() for part in pages["/docs/index.html"].text} >= NAVIGATION
