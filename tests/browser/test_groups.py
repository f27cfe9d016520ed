"""A class in the browser: made, with slips for its pupils, homework and its results."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.pages import faults, too_small


def heading(page: Page, name: str) -> None:
    """Wait for a page by its heading."""
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def test_a_teacher_makes_a_class_and_sees_what_a_pupil_has_done(people: Visitors) -> None:
    teacher = people.visitor()
    credentials = {"name": "Teacher of a page", "password": "a long password"}
    assert teacher.request.post("/api/account", data=credentials).ok
    teacher.goto("/groups")
    heading(teacher, "Classes and clubs")
    teacher.get_by_label("Name", exact=True).fill("Year 5")
    teacher.get_by_role("button", name="Create").click()
    heading(teacher, "Year 5")
    teacher.get_by_label("New pupils").fill("2")
    teacher.get_by_role("button", name="Make accounts").click()
    slips = teacher.get_by_role("region", name="Login slips").get_by_role("listitem")
    expect(slips).to_have_count(2)
    name, password = (slips.first.locator("strong").nth(number).inner_text() for number in (0, 1))
    teacher.get_by_label("Title").fill("For Friday")
    teacher.get_by_text("The course", exact=True).click()
    teacher.get_by_role("combobox", name="Game", exact=True).select_option("mu-torere")
    teacher.get_by_role("button", name="Set homework").click()
    work = teacher.get_by_role("article", name="For Friday")
    expect(work).to_be_visible()
    assert faults(teacher) == []

    pupil = people.visitor("/log-in?next=/groups", width=390, height=844, scheme="dark")
    heading(pupil, "Log in")
    pupil.get_by_label("Name").fill(name)
    pupil.get_by_label("Password", exact=True).fill(password)
    pupil.get_by_role("main").get_by_role("button", name="Log in").click()
    heading(pupil, "Classes and clubs")
    pupil.get_by_role("link", name="Year 5").click()
    heading(pupil, "Year 5")
    given = pupil.get_by_role("article", name="For Friday")
    lesson = given.get_by_role("link").first
    expect(lesson).to_be_visible()
    assert faults(pupil) == []
    assert too_small(pupil) == []
    expect(pupil.get_by_role("button", name="Make accounts")).to_have_count(0)
    done = lesson.get_attribute("href")
    assert done is not None
    assert pupil.request.put(f"/api/lessons/mu-torere/{done.rpartition('/')[2]}").ok
    pupil.reload()
    expect(given).to_contain_text("1 of ")

    work.get_by_role("button", name="Show results").click()
    expect(work.get_by_role("row", name=name)).to_contain_text("1 / ")
