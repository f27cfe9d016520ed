"""The account in the browser: devices, tokens, a new password, recovery codes, and what an ended session shows."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import new_match
from tests.browser.pages import faults, too_small

PASSWORD, ANOTHER = "correct horse", "battery staple"
ME, FREE = {"kind": "me"}, {"kind": "open"}


def register(page: Page, name: str) -> list[str]:
    """Make an account from the header and go to the settings; gives its recovery codes."""
    page.get_by_role("banner").get_by_role("link", name="Log in").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()
    fill(page, name, PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name=f"Welcome, {name}!")).to_be_visible()
    expect(page.locator("ol code")).to_have_count(10)
    codes = page.locator("ol code").all_text_contents()
    page.get_by_role("button", name="I’ve saved them").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_role("main").get_by_text(f"You are logged in as {name}.")).to_be_visible()
    return codes


def fill(page: Page, name: str, password: str) -> None:
    """Fill in a page with a name and a password."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Log in on the page for it, which leads back."""
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    fill(page, name, password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("banner").get_by_role("link", name=name)).to_be_visible()


def test_an_account_made_on_one_device_is_entered_on_another(people: Visitors) -> None:
    home = people.visitor("/learn")
    home.get_by_role("banner").get_by_role("link", name="Log in").click()
    expect(home.get_by_role("heading", name="Log in")).to_be_visible()
    home.get_by_role("main").get_by_role("link", name="Sign up").click()
    expect(home.get_by_role("heading", name="Sign up")).to_be_visible()
    assert home.get_by_label("Name", exact=True).get_attribute("autocomplete") == "username"
    assert home.get_by_label("Password", exact=True).get_attribute("autocomplete") == "new-password"
    fill(home, "Hine Nui", PASSWORD)
    home.get_by_role("button", name="Sign up").click()
    expect(home.get_by_role("heading", name="Welcome, Hine Nui!")).to_be_visible()
    expect(home.locator("ol code")).to_have_count(10)
    codes = home.locator("ol code").all_text_contents()
    home.get_by_role("button", name="Copy").click()
    expect(home.get_by_role("button", name="Copied")).to_be_visible()
    assert home.evaluate("navigator.clipboard.readText()") == "\n".join(codes)
    home.get_by_role("button", name="I’ve saved them").click()
    expect(home.get_by_role("heading", name="Learn", exact=True)).to_be_visible()
    phone = people.visitor("/log-in", width=360, height=640, locale="de-DE")
    expect(phone.get_by_role("heading", name="Anmelden")).to_be_visible()
    phone.get_by_label("Name", exact=True).fill("hine nui")
    password = phone.get_by_label("Passwort", exact=True)
    assert password.get_attribute("autocomplete") == "current-password"
    password.fill("not my password")
    with phone.expect_console_message():  # the browser reports the refusal
        password.press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("Name oder Passwort stimmt nicht.")
    people.errors.clear()
    password.fill(PASSWORD)
    password.press("Enter")
    expect(phone.get_by_role("banner").get_by_role("link", name="Hine Nui")).to_be_visible()


def test_logging_in_leads_to_pages_of_this_site_only(people: Visitors) -> None:
    page = people.visitor("/settings")
    register(page, "Hine of the links")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("main").get_by_role("link", name="Sign up")).to_be_visible()
    page.goto("/log-in?next=//kemu.example/play")
    log_in(page, "Hine of the links")
    expect(page.locator("main[data-page='']")).to_be_visible()


def test_a_session_is_ended_from_another_device_and_its_match_says_so(people: Visitors) -> None:
    name = "Hine of the devices"
    home, phone = people.visitor("/settings"), people.visitor("/settings")
    register(home, name)
    phone.get_by_role("main").get_by_role("link", name="Log in").click()
    log_in(phone, name)
    expect(phone.get_by_role("main").get_by_text(f"You are logged in as {name}.")).to_be_visible()
    phone.goto(f"/match/{new_match(phone, 'mu-torere', ME, FREE)}")
    expect(phone.get_by_role("heading", name="waiting for players")).to_be_visible()
    home.reload()
    devices = home.locator("li.card", has_text="last used")
    expect(devices).to_have_count(2)
    expect(devices.first).to_contain_text("This device")
    expect(devices.first).to_contain_text("Chrome")
    devices.nth(1).get_by_role("button", name="Log out").click()
    expect(devices).to_have_count(1)
    expect(phone.get_by_role("heading", name="You are no longer logged in on this device.")).to_be_visible()
    phone.get_by_role("main").get_by_role("link", name="Log in").click()
    log_in(phone, name)
    expect(phone.get_by_role("heading", name="waiting for players")).to_be_visible()


def test_a_new_password_needs_the_old_one(people: Visitors) -> None:
    page = people.visitor("/settings")
    register(page, "Hine of the password")
    page.get_by_label("Current password").fill("not my password")
    page.get_by_label("New password").fill(ANOTHER)
    with page.expect_console_message():  # the browser reports the refusal
        page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("alert")).to_have_text("The password is wrong.")
    people.errors.clear()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("all other devices have been logged out.")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("main").get_by_role("link", name="Sign up")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    log_in(page, "Hine of the password", ANOTHER)
    expect(page.get_by_role("main").get_by_text("You are logged in as Hine of the password.")).to_be_visible()


def test_who_forgot_the_password_uses_a_recovery_code(people: Visitors) -> None:
    page = people.visitor("/settings")
    code = register(page, "Hine of the codes")[4]
    expect(page.get_by_text("You have 10 codes left.")).to_be_visible()
    elsewhere = people.visitor("/log-in?next=/settings")
    elsewhere.get_by_role("link", name="Forgot your password?").click()
    expect(elsewhere.get_by_role("heading", name="Forgot your password?")).to_be_visible()
    elsewhere.get_by_label("Name", exact=True).fill("Hine of the codes")
    elsewhere.get_by_label("Recovery code").fill(code.lower())
    elsewhere.get_by_label("New password").fill(ANOTHER)
    elsewhere.get_by_role("button", name="Set new password").click()
    expect(elsewhere.get_by_role("main").get_by_text("You are logged in as Hine of the codes.")).to_be_visible()
    expect(elsewhere.get_by_text("You have 9 codes left.")).to_be_visible()
    elsewhere.get_by_label("Enter your password to create new codes").fill(ANOTHER)
    elsewhere.get_by_role("button", name="Create new codes").click()
    expect(elsewhere.locator("ol code")).to_have_count(10)
    page.reload()
    expect(page.get_by_role("main").get_by_role("link", name="Sign up")).to_be_visible()


def test_tokens_are_made_with_a_scope_shown_once_and_deleted(people: Visitors) -> None:
    page = people.visitor("/settings")
    register(page, "Hine of the tokens")
    page.get_by_label("Token name").fill("my screen")
    page.get_by_label("Permission").select_option("read")
    page.get_by_role("button", name="Create token").click()
    secret = page.locator("code", has_text="kemu_")
    expect(secret).to_be_visible()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret.text_content()
    expect(page.locator("li.card", has_text="my screen")).to_contain_text("Read only")
    page.reload()
    expect(page.locator("li.card", has_text="my screen")).to_be_visible()
    expect(page.locator("code", has_text="kemu_")).to_have_count(0)
    page.get_by_role("button", name="Delete: my screen").click()
    expect(page.locator("li.card", has_text="my screen")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_the_settings_of_an_account_are_for_everyone(people: Visitors, width: int, scheme: str) -> None:
    page = people.visitor("/settings", width=width, scheme=scheme)
    register(page, f"Hine of {width}")
    page.get_by_label("Token name").fill("x")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("code", has_text="kemu_")).to_be_visible()
    assert (faults(page), too_small(page)) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
