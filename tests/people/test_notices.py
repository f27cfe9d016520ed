"""Notices: where they lead, what they hold, and which of them alert."""

from typing import get_args

import msgspec
import pytest

from kemu.people.notices import Kind, Notice, SavedNotice, alerts, page


def told(kind: Kind, *, seen: bool) -> SavedNotice:
    return SavedNotice(kind=kind, about="m1", at=5, seen=seen)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_leads_to_a_page(kind: Kind) -> None:
    assert page(Notice(kind=kind, about="x")).startswith("/")


def test_the_page_of_a_match_is_named_by_the_subject() -> None:
    assert page(Notice(kind="your-turn", about="m1")) == "/match/m1"
    assert page(Notice(kind="tournament", about="t1")) == "/tournament/t1"


def test_a_notice_holds_ids_names_and_numbers_only() -> None:
    fields = {field.name for field in msgspec.structs.fields(SavedNotice)}
    assert fields == {"kind", "about", "game", "names", "result", "rating", "change", "deadline", "at", "seen", "step"}


def test_the_first_notice_about_a_subject_alerts_and_so_does_one_after_a_seen_one() -> None:
    assert alerts(Notice(kind="your-turn", about="m1"), None)
    assert alerts(Notice(kind="your-turn", about="m1"), told("your-turn", seen=True))


def test_nothing_alerts_again_before_the_last_notice_is_seen() -> None:
    assert not alerts(Notice(kind="your-turn", about="m1"), told("your-turn", seen=False))
    assert not alerts(Notice(kind="finished", about="m1"), told("your-turn", seen=False))


def test_time_that_runs_out_alerts_once_more() -> None:
    assert alerts(Notice(kind="running-out", about="m1"), told("your-turn", seen=False))
    assert not alerts(Notice(kind="running-out", about="m1"), told("running-out", seen=False))
