"""Every screen to one standard: fonts and icons, lists, setup, settings, invitations, results."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import ME, act, await_turn, new_match, new_match_of_two, open_match, open_menu, result
from tests.browser.pages import COLOURS, faults, show_page, too_small

ROOT = Path(__file__).parents[2]
OPEN, BOT = {"kind": "open"}, {"kind": "bot", "bot": "random"}
SCRIPT_BYTES, FIRST_SCRIPT_BYTES = 225_000, 100_000
GAMES = ("moeraki-kemu", "mu-torere", "mauw")
PAGES = (
    *("/", "/learn", "/glossary", "/matches", "/lobby", "/challenges", "/watch"),
    *(f"/{page}/{game}" for page in ("play", "rules", "learn") for game in GAMES),
    *("/study", "/review", "/about", "/settings", "/players", "/groups", "/nowhere"),
    *("/sign-up", "/log-in", "/recover", "/tournaments"),
)
PARTS = 3
"""How many tests the pages are dealt out to."""
AWA = ["@f6", "d4", "a9", "e3", "b10", "i5", "c11"]


def test_the_script_is_small(people: Visitors) -> None:
    scripts = list((ROOT / "src" / "kemu" / "web" / "assets").glob("*.js"))
    sizes = {script.name: len(gzip.compress(script.read_bytes(), 9)) for script in scripts}
    other_languages = sum(size for name, size in sizes.items() if name.startswith(("en-", "fr-")))
    assert sum(sizes.values()) - other_languages < SCRIPT_BYTES, "every page and game in one language, German"
    page = people.visitor()
    page.locator("article .primary:not(:disabled)").last.wait_for()
    loaded = "performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('.js'))"
    first = page.evaluate(f"{loaded}.reduce((sum, entry) => sum + entry.encodedBodySize, 0)")
    assert 0 < first < FIRST_SCRIPT_BYTES, "the first page"


# Fonts and licences.


def test_fonts_are_ours_and_have_macrons_and_every_weight(people: Visitors) -> None:
    page = people.visitor()
    loaded = (
        "document.fonts.ready.then(() => [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family))"
    )
    assert {"Figtree", "Fraunces"} <= set(page.evaluate(loaded))
    load = "(font) => document.fonts.load(font, 'Mū tōrere äöüß éèçœ').then((faces) => faces.map((f) => f.status))"
    for font in ("400 16px Figtree", "700 16px Figtree", "600 16px Fraunces"):
        assert page.evaluate(load, font) == ["loaded", "loaded"], font
    widths = "[300, 400, 500, 600, 700, 800, 900].map((weight) => { const c = document.createElement('canvas')"
    widths += ".getContext('2d'); c.font = `${weight} 100px Figtree`; return c.measureText('Moeraki').width; })"
    assert len(set(page.evaluate(widths))) == 7, "a variable font has a form of its own for each weight"


def test_nothing_jumps_when_the_fonts_arrive(people: Visitors) -> None:
    page = people.visitor("/settings")
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    cold = page.context.new_cdp_session(page)
    cold.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto("/about", wait_until="commit")  # the document has loaded only when its fonts have
    expect(page.locator("main[data-ready] h1")).to_be_visible()
    lines = "[...document.querySelectorAll('h1, h2, p, label, button')].map((e) => e.getBoundingClientRect().top)"
    before = page.evaluate(lines)
    assert held
    for route in held:
        route.continue_()
    for font in ("16px Figtree", "600 16px Fraunces"):
        assert page.evaluate("(font) => document.fonts.load(font, 'ā').then(({ length }) => length)", font) == 1
    after = page.evaluate(lines)
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 4


def test_about_names_the_typefaces_and_leads_to_the_licences(people: Visitors) -> None:
    page = people.visitor("/about")
    expect(page.locator("main")).to_contain_text("Figtree")
    expect(page.locator("main")).to_contain_text("Fraunces")
    link = page.get_by_role("link", name="Full licence texts").get_attribute("href")
    text = page.request.get(link or "").text()
    for part in ("The Figtree Project Authors", "The Fraunces Project Authors", "SIL OPEN FONT LICENSE", "lean-qr"):
        assert part in text


# Lists.


def _finish(page: Page, *seats: dict[str, str], **fields: object) -> str:
    match = new_match(page, "moeraki-kemu", *seats, **fields)
    open_match(page, match)
    for action in AWA:
        assert await_turn(page)
        act(page, action)
    assert result(page) == "awa"
    return match


def test_matches_have_a_date_a_variant_and_a_picture_and_can_be_filtered(people: Visitors) -> None:
    page = people.visitor()
    _finish(page, ME, ME)
    new_match(page, "mu-torere", ME, OPEN, clock={"kind": "days", "days": 3})
    page.goto("/matches")
    over = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=re.compile("Moeraki-Kemu")))
    waiting = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=re.compile("Mū tōrere")))
    expect(over.get_by_text("Master’s game")).to_be_visible()
    expect(over.locator(".standing")).to_contain_text("Awa: a river")
    expect(over.locator("time")).to_have_text(re.compile(r"\d\d:\d\d"))
    expect(over.locator(".match-picture .picture.square svg").first).to_be_attached()
    expect(waiting.get_by_text("3 days per move")).to_be_visible()
    assert faults(page) == []
    page.get_by_text("In progress", exact=True).click()
    expect(over).to_have_count(0)
    expect(waiting).to_have_count(1)
    page.get_by_role("radiogroup", name="Status").get_by_text("Finished", exact=True).click()
    expect(over).to_have_count(1)
    expect(waiting).to_have_count(0)
    page.get_by_role("radiogroup", name="Game").get_by_text("MAUW").click()
    expect(over).to_have_count(0)
    expect(page.get_by_text("No matches found.")).to_be_visible()


def test_the_lobby_is_in_the_menu_with_variant_and_clock(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    assert hine.request.patch("/api/me", data={"name": "Hine of the lobby"}).ok
    clock = {"kind": "game", "seconds": 300, "increment": 5}
    new_match(hine, "moeraki-kemu", ME, OPEN, public=True, options={"variant": "basic"}, clock=clock)
    tama.get_by_role("navigation", name="Main menu").get_by_role("link", name="Lobby").click()
    match = tama.get_by_role("listitem").filter(has_text="Hine of the lobby")
    expect(match).to_contain_text("Basic game")
    expect(match).to_contain_text("5 min + 5 s per move")
    match.get_by_role("button", name="Join").click()
    expect(tama.locator(".match")).to_have_attribute("data-seat", "1")


def test_finished_matches_are_in_watch_if_they_are_public(people: Visitors) -> None:
    page, other = people.visitor(), people.visitor()
    names = [{"kind": "me", "name": "Hine who ended"}, {"kind": "me", "name": "Tama who ended"}]
    _finish(page, *names)
    finished = [each.get_by_role("region", name="Finished").get_by_role("listitem") for each in (page, other)]
    mine, seen = (rows.filter(has_text="Hine who ended") for rows in finished)
    page.goto("/watch")
    show_page(other, "/watch")
    assert faults(page) == []
    expect(mine).to_have_count(0)
    expect(seen).to_have_count(0)
    _finish(page, *names, public=True)
    page.goto("/watch")
    expect(mine).to_have_count(1)
    expect(seen).to_have_count(1)


# Setup.


def test_setup_explains_variants_and_who_starts_and_has_the_eye(people: Visitors) -> None:
    page = people.visitor("/play/moeraki-kemu?with=screen")
    expect(page.get_by_label("Beginner’s game")).to_be_checked()
    expect(page.get_by_text("Stones only: win by Tahuna, Awa or Ara.")).to_be_visible()
    page.get_by_label("Master’s game").check()
    expect(page.get_by_text("One player places the ball")).to_be_visible()
    page.get_by_text("More options").click()
    expect(page.get_by_text("A fifth way to win")).to_be_visible()
    page.get_by_label("It wins").check()
    page.get_by_role("group", name="Who places the ball?").get_by_label("Manaia, white").check()
    page.get_by_label("Allow spectators").check()
    page.get_by_role("button", name="Start").click()
    assert await_turn(page)
    match = page.request.get(page.url.replace("/match/", "/api/matches/")).json()
    assert match["options"]["eye"]
    assert match["options"]["starter"] == match["turn"] == 1
    assert match["public"]


def test_the_eye_is_not_offered_in_the_beginners_game(people: Visitors) -> None:
    page = people.visitor("/play/moeraki-kemu?with=screen")
    page.get_by_label("Master’s game").check()
    page.get_by_text("More options").click()
    page.get_by_label("It wins").check()
    page.get_by_label("Basic game").check()
    expect(page.get_by_role("group", name="The eye")).to_be_visible()
    page.get_by_label("Beginner’s game").check()
    expect(page.get_by_role("group", name="The eye")).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    assert await_turn(page)
    match = page.request.get(page.url.replace("/match/", "/api/matches/")).json()
    assert match["options"]["variant"] == "beginner"
    assert not match["options"]["eye"]


def test_setup_proposes_to_a_first_visitor_what_home_does(people: Visitors) -> None:
    page = people.visitor("/play/moeraki-kemu")
    expect(page.get_by_label("Beginner’s game")).to_be_checked()
    expect(page.locator("#seat1")).to_have_value("bot:1")
    page.get_by_role("button", name="Start").click()
    page.locator(".match").wait_for()
    match = page.request.get(page.url.replace("/match/", "/api/matches/")).json()
    assert match["options"]["variant"] == "beginner"
    assert match["seats"][1]["name"] == "1"
    other = page.locator("[data-strip='1']")
    expect(other).to_contain_text("Level 1")
    expect(other).to_contain_text("first game")


def test_setup_shows_the_card_of_each_bot_that_is_chosen(people: Visitors) -> None:
    page = people.visitor("/play/moeraki-kemu")
    card = page.get_by_role("region", name="Level 1 · first game")
    expect(card).to_contain_text("Moves at a glance.")
    expect(card).to_contain_text("Often misses: ")
    expect(card).not_to_contain_text("Tane")  # which the beginner's game does not have
    page.get_by_label("Master’s game").check()
    expect(card).to_contain_text("what a Tane can do")
    page.locator("#seat1").select_option(label="Level 7 · champion")
    strong = page.get_by_role("region", name="Level 7 · champion")
    expect(strong).to_contain_text(re.compile(r"Looks at [\d,]+ positions before each move\."))
    expect(strong).to_contain_text(
        re.compile(r"\+\d+ Elo compared with level 3\. Expected score: \d\d% against level 6 and")
    )
    expect(card).to_have_count(0)
    assert faults(page) == []


def test_coach_and_pace_are_chosen_in_the_settings(people: Visitors) -> None:
    page = people.visitor("/settings")
    page.get_by_label("Coach").uncheck()
    page.get_by_role("group", name="Speed").get_by_label("Slow").check()
    open_match(page, new_match(page, "mu-torere", ME, BOT))
    open_menu(page)
    expect(page.get_by_label("Coach")).not_to_be_checked()
    expect(page.get_by_label("Speed")).to_have_value("slow")


# Invitations.


def test_a_link_says_that_only_this_computer_can_open_it(people: Visitors) -> None:
    page = people.visitor()
    page.goto(f"/match/{new_match(page, 'mu-torere', ME, OPEN)}")
    expect(page.get_by_text("This link only works on this computer")).to_be_visible()
    expect(page.get_by_text("kemu serve --host 0.0.0.0")).to_be_visible()
    expect(page.get_by_role("img", name="The link as a QR code")).to_have_count(0)
    page.get_by_role("button", name="Copy").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_a_link_has_the_address_in_the_local_network_and_a_qr_code(people: Visitors) -> None:
    page = people.visitor()
    answer = {"local_only": False, "addresses": ["http://192.168.1.20:8000"]}
    page.route("**/api/reach", lambda route: route.fulfill(json=answer))
    match = new_match(page, "mu-torere", ME, OPEN)
    page.goto(f"/match/{match}")
    expect(page.get_by_label("Link", exact=True)).to_have_value(f"http://192.168.1.20:8000/match/{match}")
    expect(page.get_by_text("Anyone on the same network")).to_be_visible()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    assert faults(page) == []


def test_an_invited_friend_sees_what_is_played_and_gives_a_name(people: Visitors) -> None:
    hine, tama = people.visitor(), people.visitor()
    assert hine.request.patch("/api/me", data={"name": "Hine who invites"}).ok
    clock = {"kind": "game", "seconds": 300, "increment": 5}
    match = new_match(hine, "moeraki-kemu", ME, OPEN, options={"variant": "basic"}, clock=clock, series=5)
    tama.goto(f"/match/{match}")
    expect(tama.get_by_role("heading", name="Hine who invites invites you to play Moeraki-Kemu")).to_be_visible()
    for words in ("Basic game", "5 min + 5 s per move", "First to 5 wins", "the tiles decide: Marae"):
        expect(tama.locator("main")).to_contain_text(words)
    assert faults(tama) == []
    tama.get_by_label("Your name").fill("Tama who comes")
    tama.get_by_role("button", name="Join").click()
    expect(tama.locator(".match")).to_have_attribute("data-seat", "1")
    seats = hine.request.get(f"/api/matches/{match}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Hine who invites", "Tama who comes"]


# Results.


def test_a_result_celebrates_a_win_and_explains_a_loss(people: Visitors) -> None:
    hine, tama = people.visitor(calm=False), people.visitor()
    match = new_match_of_two(hine, tama, "moeraki-kemu", series=3)
    for page in (hine, tama):
        open_match(page, match)
    for number, action in enumerate(AWA):
        page = (hine, tama)[number % 2]
        assert await_turn(page)
        act(page, action)
    assert result(hine) == result(tama) == "awa"
    expect(hine.locator(".result")).to_have_class(re.compile("won"))
    expect(hine.get_by_role("heading", name="You won!")).to_be_visible()
    expect(tama.locator(".result")).to_have_class(re.compile("lost"))
    expect(tama.locator(".result")).to_contain_text("first to 3")
    tama.get_by_role("link", name="Review the game").click()
    expect(tama.locator(".count")).to_have_text(f"{len(AWA)} / {len(AWA)}")
    tama.go_back()
    tama.get_by_role("link", name="How does this win work?").click()
    expect(tama.get_by_role("heading", name="Awa")).to_be_in_viewport()


def test_another_game_adds_one_entry_to_the_history(people: Visitors) -> None:
    page = people.visitor()
    _finish(page, ME, ME)
    finished, entries = page.url, page.evaluate("history.length")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("[data-result]")).to_have_count(0)
    assert await_turn(page)
    assert page.evaluate("history.length") == entries + 1
    page.go_back()
    expect(page.locator("[data-result]")).to_be_visible()
    assert page.url == finished


# Words.


@pytest.mark.parametrize("path", ["/rules/foo", "/play/foo", "/learn/foo", "/nowhere"])
def test_an_address_that_leads_nowhere_says_so(people: Visitors, path: str) -> None:
    page = people.visitor(path)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Go to the home page")).to_be_visible()


def test_french_has_its_spaces_and_its_guests(people: Visitors) -> None:
    page = people.visitor(locale="fr-FR")
    new_match(page, "mu-torere", ME, BOT)
    page.goto("/matches")
    expect(page.get_by_role("link", name=re.compile(r"Invité \d{4} – "))).to_be_visible()
    page.goto("/rules/mu-torere")
    expect(page).to_have_title("Mū tōrere\u00a0: Règles – Kemu")
    assert not re.search(" [:;!?»]", page.locator("main").inner_text())


def test_the_glossary_and_the_stones_agree_that_matau_is_black(people: Visitors) -> None:
    page = people.visitor("/glossary")
    expect(page.locator("dl div", has_text="The hook")).to_contain_text("black tribe")
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--f0')"
    page.goto("/settings")
    assert page.locator("html").get_attribute("data-stones") == "box"
    group = page.get_by_role("group", name="Stones and boards")
    expect(group.get_by_label("As in the box")).to_be_checked()
    group.get_by_label("Pounamu and bone").check()
    open_match(page, new_match(page, "moeraki-kemu", ME, ME))
    assert page.evaluate(colour) == "#14694f"
    page.reload()
    assert page.locator("html").get_attribute("data-stones") == "pounamu"


# For everyone.


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_pages_stay_usable(people: Visitors, part: int) -> None:
    page = people.visitor(width=320, height=740)
    waiting = f"/match/{new_match(page, 'moeraki-kemu', ME, OPEN)}"
    matches = [f"/match/{new_match(page, game, ME, BOT)}" for game in GAMES]
    for path in (*PAGES, waiting, *matches)[part::PARTS]:
        page.set_viewport_size({"width": 320, "height": 740})
        show_page(page, path)
        _check_usable(page, f"{path} on a width of 320 pixels")
        assert faults(page) == [], path
        page.set_viewport_size({"width": 390, "height": 740})
        page.emulate_media(forced_colors="active")
        _check_usable(page, f"{path} in forced colours")
        assert faults(page, *COLOURS) == [], path
        page.emulate_media(forced_colors="none")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        _check_usable(page, f"{path} at 200 %")


def _check_usable(page: Page, where: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
    assert too_small(page) == [], where


def test_what_is_chosen_shows_in_forced_colours(people: Visitors) -> None:
    page = people.visitor("/settings")
    page.emulate_media(forced_colors="active")
    chosen = page.get_by_label("Same as device")
    expect(chosen).to_be_checked()
    box = chosen.bounding_box()
    assert box is not None
    assert box["width"] > 10
    assert chosen.evaluate("(e) => getComputedStyle(e).opacity") == "1"


@pytest.mark.parametrize(
    ("locale", "players", "story", "silent", "rulings"),
    [
        ("en-GB", "2 players", "The story of the game", "Where the leaflet is silent", "All our rulings"),
        ("fr-FR", "2 joueurs", "L’histoire du jeu", "Ce que la règle ne dit pas", "Toutes nos interprétations"),
        ("de-DE", "2 Spieler", "Die Geschichte zum Spiel", "Was die Anleitung offen lässt", "Alle unsere Auslegungen"),
    ],
)
def test_a_game_tells_its_story_and_its_rules_lead_to_the_rulings(
    people: Visitors, locale: str, players: str, story: str, silent: str, rulings: str
) -> None:
    page = people.visitor("/", locale=locale)
    expect(page.get_by_text(players).first).to_be_visible()
    page.goto("/play/moeraki-kemu")
    expect(page.get_by_text("Āraiteuru")).to_be_hidden()
    page.get_by_text(story).click()
    expect(page.get_by_text("Āraiteuru")).to_be_visible()
    page.goto("/rules/moeraki-kemu")
    expect(page.get_by_text("Āraiteuru")).to_be_visible()
    expect(page.get_by_role("heading", name=silent)).to_be_visible()
    page.get_by_role("link", name=rulings).click()
    expect(page.get_by_role("heading", name="Moeraki-Kemu")).to_be_visible()
    expect(page).to_have_url(re.compile("/docs/games/rulings.html#moeraki-kemu$"))


def test_the_hollows_of_the_eye_are_marked_where_it_wins(people: Visitors) -> None:
    page = people.visitor("/rules/moeraki-kemu#eye")
    expect(page.locator("#eye circle.eye")).to_have_count(4)
    expect(page.locator("#ara circle.eye")).to_have_count(0)


def test_mu_torere_can_be_played_without_the_draw_by_repetition(people: Visitors) -> None:
    page = people.visitor("/play/mu-torere?with=screen")
    page.get_by_label("Play on").check()
    page.get_by_role("button", name="Start").click()
    assert await_turn(page)
    match = page.request.get(page.url.replace("/match/", "/api/matches/")).json()
    assert match["options"]["repetition"] is False
