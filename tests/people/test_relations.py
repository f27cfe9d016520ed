"""Whom a player may follow and block, and who is kept apart."""

import pytest

from kemu.people.relations import (
    MOST_RELATIONS,
    Blocked,
    RelationLimit,
    WithYourself,
    check_apart,
    check_relation,
)


def test_nobody_follows_or_blocks_themselves() -> None:
    for kind in ("follow", "block"):
        with pytest.raises(WithYourself):
            check_relation("h", "h", kind, 0, ())
        check_relation("h", "t", kind, 0, ())


def test_whom_a_block_keeps_apart_can_be_blocked_and_not_followed() -> None:
    check_relation("h", "t", "block", 0, {"t"})
    with pytest.raises(Blocked):
        check_relation("h", "t", "follow", 0, {"t"})


def test_a_list_has_an_end() -> None:
    check_relation("h", "t", "block", MOST_RELATIONS - 1, ())
    with pytest.raises(RelationLimit, match=r"You follow 1000 players"):
        check_relation("h", "t", "follow", MOST_RELATIONS, ())


def test_whoever_is_kept_apart_is_refused_without_saying_whose_block_it_is() -> None:
    check_apart(())
    with pytest.raises(Blocked, match=r"one of you has blocked the other"):
        check_apart({"t"})
