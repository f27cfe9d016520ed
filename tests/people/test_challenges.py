"""When two players agree: laws of matching, and what makes no sense."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kemu.core.errors import KemuError, OptionError
from kemu.people.challenges import (
    CORRESPONDENCE_MINUTES,
    LIVE_MINUTES,
    MOST_OPEN,
    MOST_OPEN_OF_GUEST,
    AccountNeeded,
    Candidate,
    Challenge,
    ChallengeLimit,
    OutsideRange,
    Proposal,
    Seeker,
    Variant,
    Wanted,
    agreement,
    barred,
    check_challenge,
    check_meeting,
    check_room,
    choose,
    first_player,
    fits_open_seat,
    lasting_minutes,
    possible,
    proposals,
    wanted,
)
from kemu.people.pace import PACES, pace_of
from kemu.people.relations import Blocked, WithYourself
from kemu.play.terms import BankClock, ClockTerms, DayClock, GameClock, NoClock, fit_for_rating

FAST, SLOW, BANK, NONE = GameClock(10), GameClock(600, 5), BankClock(240, 36), NoClock()
CLOCKS: tuple[ClockTerms, ...] = (FAST, SLOW, BANK, DayClock(3), NONE)
BASIC, MASTER, QUICK = (
    Variant({"variant": "basic"}, True),
    Variant({"variant": "master"}, True),
    Variant({"variant": "quick"}, False),
)


def challenge(**fields: Any) -> Challenge:
    """A casual challenge of Hine's to anyone."""
    usual: dict[str, Any] = {
        "id": "c1",
        "player": "h",
        "name": "Hine",
        "account": True,
        "game": "mauw",
        "variants": (BASIC,),
        "clocks": (SLOW,),
        "stake": "casual",
        "created": 1,
    }
    return Challenge(**(usual | fields))


def tama(**ratings: float) -> Candidate:
    """An account with these ratings by pace."""
    return Candidate("t", True, {pace: ratings[pace] for pace in PACES if pace in ratings})


@st.composite
def seekers(draw: st.DrawFn, player: str) -> Seeker:
    """An open challenge with its challenger."""
    account = draw(st.booleans())
    points = st.none() | st.integers(1000, 2000)
    made = challenge(
        id=draw(st.sampled_from(["a", "b"])) + player,
        player=player,
        account=account,
        game=draw(st.sampled_from(["mauw", "mauw", "mu-torere"])),
        variants=tuple(draw(st.lists(st.sampled_from([BASIC, MASTER, QUICK]), min_size=1, unique_by=id))),
        clocks=tuple(draw(st.lists(st.sampled_from(CLOCKS), min_size=1, unique=True))),
        stake=draw(st.sampled_from(["casual", "rated", "either", "either"])),
        created=draw(st.integers(1, 3)),
        audience=draw(st.sampled_from(["anyone", "anyone", "anyone", "followed"])),
        seat=draw(st.none() | st.integers(0, 1)),
        lowest=draw(points),
        highest=draw(points),
    )
    ratings = {pace: draw(st.integers(900, 2100)) for pace in PACES if draw(st.booleans())}
    return Seeker(made, Candidate(player, account, ratings))


@given(seekers("h"), seekers("t"))
def test_two_challenges_agree_the_same_in_either_order(one: Seeker, other: Seeker) -> None:
    assert agreement(one, other, ()) == agreement(other, one, ())


@given(seekers("h"), seekers("t"))
def test_nobody_is_matched_with_whom_a_block_keeps_them_apart_nor_with_themselves(one: Seeker, other: Seeker) -> None:
    assert agreement(one, other, {"t"}) is None
    mine = Seeker(replace(other.challenge, player="h"), one.candidate)
    assert agreement(one, mine, ()) is None


@given(seekers("h"), seekers("t"))
def test_what_is_agreed_is_in_both_challenges_and_within_both_ranges(one: Seeker, other: Seeker) -> None:
    found = agreement(one, other, ())
    if found is None:
        return
    for mine, theirs in ((one, other), (other, one)):
        offer = mine.challenge
        assert offer.audience == "anyone"
        assert found.proposal.options in [variant.options for variant in offer.variants]
        assert found.proposal.clock in offer.clocks
        assert offer.stake in ("either", "rated" if found.proposal.rated else "casual")
        rating = theirs.candidate.ratings.get(pace_of(found.proposal.clock, 2) or "rapid", 1500)
        assert (offer.lowest or 0) <= rating <= (offer.highest or 9999)
        if offer.seat is not None:
            assert found.first == (offer.player if offer.seat == 0 else theirs.challenge.player)
    if found.proposal.rated:
        assert one.challenge.account, "guests are not rated"
        assert other.challenge.account
        assert fit_for_rating(found.proposal.clock)
        assert found.proposal.options != QUICK.options


@given(seekers("h"), seekers("t"))
def test_an_agreement_is_found_whenever_something_fits_both(one: Seeker, other: Seeker) -> None:
    first, second = one.challenge, other.challenge
    fits = [proposal for proposal in possible(first, other.candidate) if proposal in possible(second, one.candidate)]
    meet = first.game == second.game and {first.audience, second.audience} == {"anyone"}
    clash = first.seat is not None and first.seat == second.seat
    assert (agreement(one, other, ()) is not None) is bool(fits and meet and not clash)


@given(seekers("h"), seekers("t"))
def test_whoever_is_not_barred_may_accept_something(one: Seeker, other: Seeker) -> None:
    offer, candidate = one.challenge, other.candidate
    if not proposals(offer):
        return
    if barred(offer, candidate) is None:
        assert choose(offer, candidate, Wanted()) == possible(offer, candidate)[0]
    else:
        with pytest.raises((OutsideRange, AccountNeeded)) as refusal:
            choose(offer, candidate, Wanted())
        assert refusal.value.code in ("outside-range", "not-signed-in")


@dataclass
class Odd:
    """A challenge that makes no sense, and the error that says so."""

    error: type[KemuError]
    words: str
    fields: dict[str, Any]


ODD = [
    Odd(WithYourself, "yourself|you;", {"audience": "player", "target": "h"}),
    Odd(OptionError, "could be rated", {"stake": "rated", "clocks": (NONE, FAST)}),
    Odd(OptionError, "could be rated", {"stake": "rated", "variants": (QUICK,)}),
    Odd(OptionError, "at most its highest", {"lowest": 1600, "highest": 1500}),
    Odd(OptionError, "no range", {"audience": "player", "target": "t", "lowest": 1500}),
    Odd(OptionError, "never end", {"standing": 2, "clocks": (SLOW, NONE)}),
    Odd(AccountNeeded, "Rated matches", {"account": False, "stake": "either"}),
    Odd(AccountNeeded, "Guests challenge anyone", {"account": False, "audience": "player", "target": "t"}),
    Odd(AccountNeeded, "Guests challenge anyone", {"account": False, "standing": 1}),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.words)
def test_what_makes_no_sense_is_refused_with_one_sentence(odd: Odd) -> None:
    with pytest.raises(odd.error, match=odd.words):
        check_challenge(challenge(**odd.fields))


def test_what_makes_sense_is_not_refused() -> None:
    for fields in ({}, {"stake": "either", "clocks": (NONE, SLOW)}, {"standing": 3}, {"account": False}, {"seat": 1}):
        check_challenge(challenge(**fields))
    check_challenge(challenge(audience="player", target="t", clocks=(NONE,)))
    check_challenge(challenge(lowest=1500, highest=1500))


def test_a_variant_a_clock_and_a_stake_are_chosen_by_number() -> None:
    offer = challenge(variants=(BASIC, MASTER), clocks=(SLOW, NONE), stake="either")
    assert choose(offer, tama(), wanted(offer, 1, None, None)).options == MASTER.options
    assert choose(offer, tama(), wanted(offer, None, 1, None)) == (BASIC.options, NONE, False)
    assert choose(offer, tama(), wanted(offer, None, None, False)) == (BASIC.options, SLOW, False)
    assert choose(offer, tama(), Wanted()).rated, "rated comes before casual"
    for variant, clock in ((2, None), (None, 2)):
        with pytest.raises(OptionError, match="does not offer"):
            wanted(offer, variant, clock, None)
    with pytest.raises(OptionError, match="does not offer"):
        choose(offer, tama(), wanted(offer, None, 1, True))


def test_a_range_counts_the_rating_of_the_game_at_the_pace_of_the_clock() -> None:
    offer = challenge(clocks=(SLOW, BANK), lowest=1600)
    assert [proposal.clock for proposal in possible(offer, tama(correspondence=1650))] == [BANK]
    assert barred(offer, tama()) == "outside-range", "a newcomer has 1500"
    with pytest.raises(OutsideRange):
        choose(offer, tama(rapid=1599.4), Wanted())
    assert choose(offer, tama(rapid=1599.6), Wanted()).clock == SLOW, "ratings are shown without fractions"
    untimed = challenge(clocks=(NONE,), highest=1400)
    assert barred(untimed, tama(rapid=1300)) is None
    rated = challenge(stake="rated")
    assert barred(rated, Candidate("g", False)) == "not-signed-in"
    assert barred(rated, Candidate("h", False)) is None, "the own one is not for oneself to accept"


def test_seats_are_as_both_wish() -> None:
    assert first_player(challenge(), "t") is None
    assert first_player(challenge(seat=0), "t") == "h"
    assert first_player(challenge(seat=1), "t") == "t"
    assert first_player(challenge(), "t", 0) == "t"
    assert first_player(challenge(), "t", 1) == "h"


def test_an_open_seat_fits_a_challenge_to_anyone_that_offers_its_terms() -> None:
    offer = challenge(stake="either", seat=1, highest=1600)
    for options, clock, rated, seat, fits in (
        (BASIC.options, SLOW, True, 1, True),
        (BASIC.options, SLOW, False, 1, True),
        (BASIC.options, SLOW, True, 0, False),
        (MASTER.options, SLOW, True, 1, False),
        (BASIC.options, FAST, False, 1, False),
    ):
        assert fits_open_seat(offer, tama(), Proposal(options, clock, rated), seat) is fits
    terms = Proposal(BASIC.options, SLOW, False)
    assert not fits_open_seat(offer, tama(rapid=1700), terms, 1)
    assert not fits_open_seat(replace(offer, audience="followed"), tama(), terms, 1)


def test_limits_and_how_long_a_challenge_lasts() -> None:
    check_room(MOST_OPEN - 1, account=True)
    check_room(MOST_OPEN_OF_GUEST - 1, account=False)
    for count, account in ((MOST_OPEN, True), (MOST_OPEN_OF_GUEST, False)):
        with pytest.raises(ChallengeLimit, match=f"You have {count} open"):
            check_room(count, account=account)
    assert lasting_minutes((BANK, DayClock(3))) == CORRESPONDENCE_MINUTES
    assert lasting_minutes((BANK, SLOW)) == LIVE_MINUTES


def test_the_own_challenge_and_that_of_a_blocked_player_are_not_accepted() -> None:
    check_meeting(challenge(), tama(), ())
    with pytest.raises(WithYourself):
        check_meeting(challenge(player="t"), tama(), ())
    with pytest.raises(Blocked):
        check_meeting(challenge(), tama(), {"h"})
