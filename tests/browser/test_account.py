"""The account in the browser: devices, tokens, a new password, recovery codes, and what an ended session shows."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.match_page import new_match
from tests.browser.pages import faults, too_small

PASSWORD, ANOTHER = "correct horse", "battery staple"
ME, FREE = {"kind": "me"}, {"kind": "open"}


def register(page: Page, name: str) -> list[str]:
    """Make an account in the settings; gives its recovery codes."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password (at least 8 characters)", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text(f"You are logged in as {name}.")).to_be_visible()
    expect(page.locator("ol code")).to_have_count(10)
    return page.locator("ol code").all_text_contents()


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Sign in in the settings."""
    # The password first: its field is there when signing out is done, which also sets the name.
    page.get_by_label("Password (at least 8 characters)", exact=True).fill(password)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Log in").click()


def test_a_session_is_ended_from_another_device_and_its_match_says_so(people: Visitors) -> None:
    name = "Hine of the devices"
    home, phone = people.visitor("/settings"), people.visitor("/settings")
    register(home, name)
    sign_in(phone, name)
    expect(phone.get_by_text(f"You are logged in as {name}.")).to_be_visible()
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
    phone.get_by_role("link", name="Log in").click()
    expect(phone.get_by_role("button", name="Sign up")).to_be_visible()


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
    sign_in(page, "Hine of the password", ANOTHER)
    expect(page.get_by_text("You are logged in as Hine of the password.")).to_be_visible()


def test_who_forgot_the_password_uses_a_recovery_code(people: Visitors) -> None:
    page = people.visitor("/settings")
    code = register(page, "Hine of the codes")[4]
    page.get_by_role("button", name="I’ve saved them").click()
    expect(page.get_by_text("You have 10 codes left.")).to_be_visible()
    elsewhere = people.visitor("/settings")
    elsewhere.get_by_label("Your name").fill("Hine of the codes")
    elsewhere.get_by_role("button", name="Use a recovery code").click()
    elsewhere.get_by_label("Recovery code").fill(code.lower())
    elsewhere.get_by_label("New password").fill(ANOTHER)
    elsewhere.get_by_role("button", name="Set new password").click()
    expect(elsewhere.get_by_text("You are logged in as Hine of the codes.")).to_be_visible()
    expect(elsewhere.get_by_text("You have 9 codes left.")).to_be_visible()
    elsewhere.get_by_label("Enter your password to create new codes").fill(ANOTHER)
    elsewhere.get_by_role("button", name="Create new codes").click()
    expect(elsewhere.locator("ol code")).to_have_count(10)
    page.reload()
    expect(page.get_by_role("button", name="Sign up")).to_be_visible()


def test_tokens_are_made_with_a_scope_shown_once_and_deleted(people: Visitors) -> None:
    page = people.visitor("/settings")
    register(page, "Hine of the tokens")
    page.get_by_label("Token name").fill("my screen")
    page.get_by_label("Permission").select_option("read")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("code", has_text="kemu_")).to_be_visible()
    expect(page.locator("li.card", has_text="my screen")).to_contain_text("Read only")
    page.reload()
    expect(page.locator("li.card", has_text="my screen")).to_be_visible()
    expect(page.locator("code", has_text="kemu_")).to_have_count(0)
    page.get_by_role("button", name="Delete: my screen").click()
    expect(page.locator("li.card", has_text="my screen")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_the_settings_of_an_account_are_for_everyone(people: Visitors, width: int, scheme: str) -> None:
    page = people.visitor("/settings", width=width, scheme=scheme)
    page.get_by_role("button", name="Use a recovery code").click()
    assert (faults(page), too_small(page)) == ([], [])
    page.get_by_role("button", name="Back").click()
    register(page, f"Hine of {width}")
    page.get_by_label("Token name").fill("x")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("code", has_text="kemu_")).to_be_visible()
    assert (faults(page), too_small(page)) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
