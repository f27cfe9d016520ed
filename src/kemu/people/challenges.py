"""Challenges: what a player offers to play, to whom, and when two players agree.

A challenge is to a named player, to the players whom the challenger follows, or to anyone. One challenge fits several
wishes: every variant on every clock, rated or casual. It is for two players.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from kemu.core.errors import KemuError, OptionError
from kemu.core.game import Seat
from kemu.people.glicko import Strength
from kemu.people.pace import Pace, pace_of
from kemu.people.relations import Blocked, WithYourself
from kemu.play.terms import ClockTerms, NoClock, fit_for_rating, is_correspondence

Audience: TypeAlias = Literal["anyone", "followed", "player"]
Stake: TypeAlias = Literal["casual", "rated", "either"]
Barred: TypeAlias = Literal["not-signed-in", "outside-range"]
"""Why a player can accept nothing of a challenge: the code of the refusal."""

SEATS: Final = 2
"""How many seats the matches of challenges have."""

MOST_OPEN: Final = 20
"""How many challenges of an account may be open."""

MOST_OPEN_OF_GUEST: Final = 3

MINUTE_MS: Final = 60 * 1000
LIVE_MINUTES: Final = 60
"""How long a challenge stays open that may lead to a match at the board, unless its challenger says otherwise."""

CORRESPONDENCE_MINUTES: Final = 14 * 24 * 60
LONGEST_MINUTES: Final = 30 * 24 * 60
LEASE_MS: Final = MINUTE_MS
"""How long a guest's challenge stays open after the guest was last there."""

LONGEST_OF_GUEST_MS: Final = 60 * MINUTE_MS

UNTIMED: Final[Pace] = "rapid"
"""The pace whose ratings count in ranges for matches without a clock."""


class UnknownChallenge(KemuError, code="unknown-challenge"):
    """No challenge has this id, or it is not for the player who asks."""


class ChallengeTaken(KemuError, code="challenge-taken"):
    """A challenge was accepted by somebody else, withdrawn, or has expired."""


class OutsideRange(KemuError, code="outside-range"):
    """The rating of a player is outside the range of a challenge."""


class ChallengeLimit(KemuError, code="challenge-limit"):
    """A player has as many open challenges as one may, or one to the same player."""


class AccountNeeded(KemuError, code="not-signed-in"):
    """A challenge is of accounts or for them, and a guest asks."""


class Variant(Struct, frozen=True):
    """Options of a game, all of them, and whether a match with them can be rated."""

    options: dict[str, Any]
    ratable: bool


class Challenge(Struct, frozen=True, kw_only=True):
    """An offer to play one of several variants of a game on one of several clocks.

    `target` is the named player, if the challenge is to one. `seat` is the wished one; None is drawn by lot. `lowest`
    and `highest` are the range of ratings. `standing` is up to how many matches it makes at a time; 0 is a single one,
    with which it ends. `account` tells whether the challenger has an account.
    """

    id: str
    player: str
    name: str
    account: bool
    game: str
    variants: tuple[Variant, ...]
    clocks: tuple[ClockTerms, ...]
    stake: Stake
    created: int
    audience: Audience = "anyone"
    target: str | None = None
    target_name: str = ""
    seat: Seat | None = None
    lowest: int | None = None
    highest: int | None = None
    standing: int = 0


class Candidate(NamedTuple):
    """A player who may accept a challenge, with their ratings in its game by pace."""

    id: str
    account: bool
    ratings: Mapping[Pace, float] = {}


class Proposal(NamedTuple):
    """What is played: the options of the game, the clock, and whether the match is rated."""

    options: dict[str, Any]
    clock: ClockTerms
    rated: bool


class Wanted(NamedTuple):
    """What somebody wants of a challenge; None is whatever comes first."""

    options: dict[str, Any] | None = None
    clock: ClockTerms | None = None
    rated: bool | None = None

    def fits(self, proposal: Proposal) -> bool:
        """Return whether a proposal is what is wanted."""
        return all(asked in (None, given) for asked, given in zip(self, proposal, strict=True))


class Agreement(NamedTuple):
    """What two challengers agree on, and the player at seat 0; None is drawn by lot."""

    proposal: Proposal
    first: str | None


def check_challenge(challenge: Challenge) -> None:
    """Raise the error that says why a challenge makes no sense: OptionError, WithYourself or AccountNeeded."""
    if challenge.target == challenge.player:
        raise WithYourself("This is you; challenge somebody else.")
    if not challenge.account:
        _check_guest(challenge)
    if not proposals(challenge):
        raise OptionError(
            "No match of this challenge could be rated: that takes a clock of at least 60 seconds, 30 seconds with an "
            "increment, or days, and options that do not decide it at once."
        )
    lowest, highest = _range(challenge)
    if lowest > highest:
        raise OptionError("The lowest rating of a range is at most its highest.")
    if challenge.audience == "player" and (lowest, highest) != _ANY_RATING:
        raise OptionError("A challenge to one player has no range of ratings.")
    if challenge.standing and any(isinstance(clock, NoClock) for clock in challenge.clocks):
        raise OptionError("A standing challenge has a clock: without one its matches might never end.")


def _check_guest(challenge: Challenge) -> None:
    """Raise AccountNeeded for what guests cannot ask for: all but single casual challenges to anyone."""
    if challenge.stake != "casual":
        raise AccountNeeded("Rated matches are for accounts; make one first.")
    if challenge.audience != "anyone" or challenge.standing:
        raise AccountNeeded("Guests challenge anyone, for one match; make an account for more.")


def proposals(challenge: Challenge) -> list[Proposal]:
    """Return all that a challenge offers, in the order of its wishes; rated before casual."""
    stakes = {"casual": (False,), "rated": (True,), "either": (True, False)}[challenge.stake]
    return [
        Proposal(variant.options, clock, rated)
        for rated in stakes
        for variant in challenge.variants
        for clock in challenge.clocks
        if not rated or (variant.ratable and fit_for_rating(clock))
    ]


def lasting_minutes(clocks: Sequence[ClockTerms]) -> int:
    """Return for how many minutes a challenge with these clocks stays open unless its challenger says otherwise."""
    return CORRESPONDENCE_MINUTES if all(is_correspondence(clock) for clock in clocks) else LIVE_MINUTES


def check_room(open_now: int, *, account: bool) -> None:
    """Raise ChallengeLimit if a player with some open challenges may make no other one."""
    if open_now >= (MOST_OPEN if account else MOST_OPEN_OF_GUEST):
        raise ChallengeLimit(f"You have {open_now} open challenges; withdraw some first.")


def check_meeting(challenge: Challenge, candidate: Candidate, blocked: Collection[str]) -> None:
    """Raise WithYourself or Blocked if a player cannot play against a challenger at all.

    `blocked` are the players whom a block of either side keeps apart from the candidate.
    """
    if challenge.player == candidate.id:
        raise WithYourself("This challenge is your own.")
    if challenge.player in blocked:
        raise Blocked("You and this player do not meet: one of you has blocked the other.")


def possible(challenge: Challenge, candidate: Candidate) -> list[Proposal]:
    """Return what of a challenge a player may accept by rating and account, in the order of its wishes."""
    return [proposal for proposal in proposals(challenge) if _may_play(challenge, candidate, proposal)]


def choose(challenge: Challenge, candidate: Candidate, wanted: Wanted) -> Proposal:
    """Return what a player accepts of a challenge: the first that they want and may have.

    Raises OptionError if the challenge does not offer it, AccountNeeded and OutsideRange.
    """
    offered = [proposal for proposal in proposals(challenge) if wanted.fits(proposal)]
    if not offered:
        raise OptionError("The challenge does not offer this.")
    for proposal in offered:
        if _may_play(challenge, candidate, proposal):
            return proposal
    if not candidate.account and all(proposal.rated for proposal in offered):
        raise AccountNeeded("Rated matches are for accounts; make one first.")
    raise OutsideRange("Your rating is outside the range of this challenge.")


def wanted(challenge: Challenge, variant: int | None, clock: int | None, rated: bool | None) -> Wanted:
    """Return what somebody wants of a challenge by the numbers of a variant and of a clock; raises OptionError."""
    try:
        options = None if variant is None else challenge.variants[variant].options
        return Wanted(options, None if clock is None else challenge.clocks[clock], rated)
    except IndexError:
        raise OptionError("The challenge does not offer this.") from None


def barred(challenge: Challenge, candidate: Candidate) -> Barred | None:
    """Return why a player can accept nothing of a challenge; None if they can, and for the challenger."""
    if challenge.player == candidate.id or possible(challenge, candidate):
        return None
    needs_account = not candidate.account and challenge.stake == "rated"
    return "not-signed-in" if needs_account else "outside-range"


class Seeker(NamedTuple):
    """An open challenge, and its challenger as one who may accept others."""

    challenge: Challenge
    candidate: Candidate


def agreement(one: Seeker, other: Seeker, blocked: Collection[str]) -> Agreement | None:
    """Return what two open challenges agree on, the same in either order; None if nothing fits both.

    Of all that fits, the first wish of the older challenge counts. `blocked` are players kept apart from one of them.
    """
    older, newer = sorted((one, other), key=lambda seeker: (seeker.challenge.created, seeker.challenge.id))
    first, second = older.challenge, newer.challenge
    if first.game != second.game or first.player == second.player or blocked:
        return None
    if {first.audience, second.audience} != {"anyone"}:
        return None
    if first.seat is not None and first.seat == second.seat:
        return None
    allowed = possible(second, older.candidate)
    common = next((proposal for proposal in possible(first, newer.candidate) if proposal in allowed), None)
    return None if common is None else Agreement(common, first_player(first, second.player, second.seat))


def fits_open_seat(challenge: Challenge, host: Candidate, proposal: Proposal, seat: Seat) -> bool:
    """Return whether a challenge to anyone fits the open seat of a match that waits, with this host and these terms."""
    wished = challenge.seat in (None, seat)
    return wished and challenge.audience == "anyone" and proposal in possible(challenge, host)


def first_player(challenge: Challenge, other: str, preferred: Seat | None = None) -> str | None:
    """Return who sits at seat 0 by the wishes of a challenger and of the other player; None is drawn by lot."""
    seat = challenge.seat if challenge.seat is not None or preferred is None else 1 - preferred
    return None if seat is None else (challenge.player, other)[seat]


def _may_play(challenge: Challenge, candidate: Candidate, proposal: Proposal) -> bool:
    if proposal.rated and not (challenge.account and candidate.account):
        return False
    lowest, highest = _range(challenge)
    pace = pace_of(proposal.clock, SEATS) or UNTIMED
    return lowest <= round(candidate.ratings.get(pace, Strength().rating)) <= highest


_ANY_RATING: Final = (float("-inf"), float("inf"))


def _range(challenge: Challenge) -> tuple[float, float]:
    lowest, highest = _ANY_RATING
    return (
        lowest if challenge.lowest is None else challenge.lowest,
        highest if challenge.highest is None else challenge.highest,
    )
