"""Studies in the browser: made, played in, commented, shared, edited by two, kept through reload and restart."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, Visitors, visiting
from tests.browser.pages import drag, faults, too_small

TEXT = """[Study "The star"]

[Chapter "First steps"]
[Game "mu-torere"]

{Who begins?} 1. 1-0 {A first step.} (1. 4-0) 2. 8-1
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of our own, which is started again in between."""
    running = Site(tmp_path_factory.mktemp("studies"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def readers(browser: Browser, own: Site) -> Iterator[Visitors]:
    """Visitors of that server."""
    with visiting(browser, own.url) as visitors:
        yield visitors


def imported(page: Page) -> str:
    """A study of the visitor's; gives its address."""
    answer: Any = page.request.post("/api/studies", data=json.dumps({"text": TEXT}), headers=JSON).json()
    return f"/studies/{answer['id']}"


JSON = {"content-type": "application/json"}


def saved(page: Page) -> None:
    expect(page.locator("[data-connection=open][data-saved=true]")).to_be_visible()


def node(page: Page, path: str) -> Any:
    return page.locator(f"[data-path='{path}']")


WORDS = {
    "en-GB": ("Add chapter", "Comment", "Draw", "Saved"),
    "de-DE": ("Kapitel hinzufügen", "Kommentar", "Zeichnen", "Gespeichert"),
    "fr-FR": ("Ajouter un chapitre", "Commentaire", "Dessiner", "Enregistré"),
}


@pytest.mark.parametrize(
    ("locale", "width", "scheme"),
    [("en-GB", 1280, "light"), ("de-DE", 360, "light"), ("fr-FR", 1280, "dark")],
)
def test_a_study_is_made_played_in_and_kept(readers: Visitors, locale: str, width: int, scheme: str) -> None:
    add, comment, mark, kept = WORDS[locale]
    page = readers.visitor("/studies", width=width, height=740, scheme=scheme, locale=locale)
    assert (faults(page), too_small(page)) == ([], [])
    page.locator("#name").fill("Mū tōrere")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Mū tōrere")
    page.get_by_role("combobox").last.select_option("mu-torere")
    page.get_by_role("button", name=add).click()
    expect(page.locator("h1")).to_contain_text("Mū tōrere: ")
    page.locator(".typed input, form input[autocomplete=off]").last.fill("1-0")
    page.keyboard.press("Enter")
    expect(node(page, "1-0")).to_have_attribute("aria-current", "step")
    page.get_by_label(comment, exact=True).fill("Why not?")
    page.get_by_role("button", name=mark, exact=True).click()
    drag(page, "0", "0")
    drag(page, "1", "0")
    expect(page.locator("[data-marks]")).to_have_text("0, 1 → 0")
    saved(page)
    expect(page.locator("[data-saved]")).to_contain_text(kept)
    assert (faults(page), too_small(page)) == ([], [])
    page.locator("h1").click()  # in a field the keys move within its text
    page.keyboard.press("Home")
    page.locator(".typed input, form input[autocomplete=off]").last.fill("4-0")
    page.keyboard.press("Enter")
    expect(node(page, "4-0")).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-same] code")).to_have_text("1. 1-0")
    saved(page)
    page.reload()
    expect(node(page, "4-0")).to_have_attribute("aria-current", "step")  # where it was left
    node(page, "1-0").click()
    expect(page.get_by_label(comment, exact=True)).to_have_value("Why not?")
    expect(page.locator('[data-drawn="1-0"]')).to_have_count(1)
    page.go_back()
    page.go_back()
    expect(page.locator(".card strong")).to_have_text("Mū tōrere")


def test_two_people_see_what_the_other_writes_also_after_a_restart(readers: Visitors, own: Site) -> None:
    hine = readers.visitor("/studies")
    address = imported(hine)
    hine.goto(address)
    hine.get_by_label("Link to edit").check()
    link = hine.locator("section input[readonly]").input_value()
    tama = readers.visitor(re.sub("^https?://[^/]*", "", link), width=360, height=740)
    expect(hine.locator("[data-saved]")).to_contain_text("2 people here")
    node(hine, "1-0").click()
    node(tama, "1-0").click()
    tama.get_by_label("Comment", exact=True).fill("Tama was here.")
    expect(hine.get_by_label("Comment", exact=True)).to_have_value("Tama was here.")
    saved(tama)
    own.stop()
    expect(tama.locator("[data-connection=lost]")).to_be_visible()
    tama.get_by_label("Comment", exact=True).fill("Written without a server.")
    expect(tama.locator("[data-saved=false]")).to_be_visible()
    own.start()
    expect(hine.get_by_label("Comment", exact=True)).to_have_value("Written without a server.")
    saved(tama)
    node(hine, "4-0").click()
    hine.get_by_role("button", name="Delete from here").click()
    expect(node(tama, "4-0")).to_have_count(0)
    hine.get_by_label("Link to edit").uncheck()
    expect(tama.locator("[data-connection=closed]")).to_be_visible()
    readers.errors.clear()  # the browser reports that the server was away


def test_a_file_is_opened_and_a_reader_changes_nothing(readers: Visitors, tmp_path: Path) -> None:
    page = readers.visitor("/studies")
    (tmp_path / "study.txt").write_text(TEXT, encoding="utf-8")
    page.locator("#file").set_input_files(tmp_path / "study.txt")
    expect(page.locator("h1")).to_have_text("The star: First steps")
    with page.expect_download() as download:
        page.get_by_role("link", name="Text").click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == TEXT
    page.get_by_label("Link to view").check()
    link = page.locator("section input[readonly]").input_value()
    reader = readers.visitor(re.sub("^https?://[^/]*", "", link))
    expect(reader.locator("[data-saved]")).to_contain_text("View only")
    node(reader, "1-0").click()
    expect(reader.locator("[data-comment]")).to_have_text("A first step.")
    expect(reader.get_by_label("Comment", exact=True)).to_have_count(0)
    expect(reader.get_by_role("button", name="Draw", exact=True)).to_have_count(0)
    drag(reader, "3", "4", "right")
    expect(reader.locator("[data-drawn]")).to_have_count(0)


EXPLORED = """
() => fetch("/api/explorer", {
  method: "POST",
  headers: {"content-type": "application/json"},
  body: JSON.stringify({game: "mu-torere", scope: "bots"}),
}).then((answer) => answer.json()).then(({played}) => played.length > 0)
"""
"""Whether a match that has ended is in the explorer, which a job fills a moment later."""


def test_the_explorer_shows_what_was_played_on_the_analysis_board(readers: Visitors) -> None:
    page = readers.visitor("/")
    seats = {"game": "mu-torere", "seats": [{"kind": "bot", "bot": "random"}] * 2, "public": True}
    match = page.request.post("/api/matches", data=json.dumps(seats), headers=JSON).json()["id"]
    page.goto(f"/match/{match}")
    expect(page.locator("[data-result], .result").first).to_be_visible()
    page.wait_for_function(EXPLORED, polling=200)
    page.goto("/analysis#" + json.dumps({"game": "mu-torere", "options": {}, "actions": []}))
    explorer = page.get_by_role("region", name="Explorer")
    explorer.get_by_label("Games from").select_option("bots")
    row = explorer.locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator(".proof")).to_have_text("draw")
    row.get_by_role("button").click()
    expect(node(page, "1-0")).to_have_attribute("aria-current", "step")
