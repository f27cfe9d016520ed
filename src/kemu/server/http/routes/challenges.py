"""Challenges: made, listed, accepted, declined and withdrawn."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from litestar import delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct, field

from kemu.analysis.analyse import make
from kemu.core.errors import OptionError
from kemu.core.game import options
from kemu.people.challenges import (
    LEASE_MS,
    LONGEST_MINUTES,
    MINUTE_MS,
    SEATS,
    Audience,
    Barred,
    Candidate,
    Challenge,
    Stake,
    Variant,
    barred,
    lasting_minutes,
    wanted,
)
from kemu.people.names import Name
from kemu.people.pace import Pace
from kemu.play.dealer import Dealer
from kemu.play.terms import ClockTerms
from kemu.server.auth.accounts import find_account, shown_player
from kemu.server.challenges import Visiting
from kemu.server.http.requests import GUEST, PLAY, READ, Caller, FromCaller
from kemu.server.live.frames import MatchAnswer, match_answer
from kemu.server.ratings import is_unrated
from kemu.server.runtime import now_ms
from kemu.storage.challenges import OpenChallenge, Page
from kemu.storage.errors import UnknownPlayer
from kemu.storage.players import PlayerRow

Points: TypeAlias = Annotated[int, Meta(ge=0, le=4000)]
Shown: TypeAlias = Literal["anyone", "mine", "me"]

MOST_VARIANTS: Final = 8
MOST_CLOCKS: Final = 8
MOST_STANDING: Final = 10


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """A challenge to be made: to an account by `name` or by id (`player`), to `followed` players, or else to anyone."""

    game: str
    clocks: Annotated[list[ClockTerms], Meta(min_length=1, max_length=MOST_CLOCKS)]
    variants: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=MOST_VARIANTS)] = field(
        default_factory=lambda: [{}]
    )
    stake: Stake = "casual"
    audience: Audience = "anyone"
    player: Annotated[str, Meta(max_length=40)] | None = None
    name: Name | None = None
    seat: Annotated[int, Meta(ge=0, lt=SEATS)] | None = None
    lowest: Points | None = None
    highest: Points | None = None
    standing: Annotated[int, Meta(ge=0, le=MOST_STANDING)] = 0
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES)] | None = None


class Acceptance(Struct, frozen=True, forbid_unknown_fields=True):
    """What is accepted of a challenge: the numbers of a variant and of a clock, and whether rated; else what fits."""

    variant: Annotated[int, Meta(ge=0, lt=MOST_VARIANTS)] | None = None
    clock: Annotated[int, Meta(ge=0, lt=MOST_CLOCKS)] | None = None
    rated: bool | None = None


class ChallengePlayer(Struct, frozen=True):
    """A player of a challenge."""

    id: str
    name: str
    account: bool


class ChallengeAnswer(Struct, frozen=True):
    """An open challenge; `barred` says why the one who asks can accept none of it, null if they can."""

    id: str
    player: ChallengePlayer
    game: str
    variants: list[dict[str, Any]]
    clocks: list[ClockTerms]
    stake: Stake
    audience: Audience
    target: ChallengePlayer | None
    seat: int | None
    lowest: int | None
    highest: int | None
    standing: int
    free: int
    created: int
    expires: int
    barred: Barred | None


class MadeChallenge(Struct, frozen=True):
    """A new challenge, or the match if an open challenge fitted it at once; the other one is null."""

    challenge: ChallengeAnswer | None
    match: MatchAnswer | None


@post("/api/challenges", opt=PLAY | GUEST)
async def make_challenge(caller: FromCaller, data: JSONBody[NewChallenge]) -> MadeChallenge:
    """Make a challenge; one to anyone becomes a match at once if an open one fits it."""
    services, visitor = caller.services, caller.visitor
    challenge = await _challenge(caller, data)
    async with services.turns.of(visitor.id):
        await services.identity.keep_guest(visitor)
        lasting = (data.minutes or lasting_minutes(challenge.clocks)) * MINUTE_MS
        expires = challenge.created + (lasting if challenge.account else LEASE_MS)
        match = await services.challenges.make(challenge, Visiting(visitor.player, caller.address), expires)
    if match is not None:
        return MadeChallenge(None, match_answer(await match.current(), visitor.id))
    found = OpenChallenge(challenge, expires, max(1, challenge.standing))
    return MadeChallenge(_answer(found, visitor.player, {}), None)


@get("/api/challenges", opt=READ)
async def list_challenges(
    caller: FromCaller,
    show: FromQuery[Shown] = "anyone",
    game: FromQuery[str | None] = None,
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    after: Annotated[str, QueryParameter(max_length=40)] = "",
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[ChallengeAnswer]:
    """List open challenges, newest first: those of others to anyone, those to you, or your own."""
    challenges, player = caller.services.challenges, caller.visitor.player
    page = Page(before, after, limit)
    if show == "mine":
        found = await challenges.of_player(player.id)
    elif show == "me":
        found = await challenges.for_player(player.id, page)
    else:
        found = await challenges.to_anyone(player.id, game, page)
    ratings = await challenges.ratings(player.id) if found and show != "mine" else {}
    return [_answer(each, player, ratings.get(each.challenge.game, {})) for each in found]


@post("/api/challenges/{challenge:str}/accept", status_code=200, opt=PLAY | GUEST)
async def accept(caller: FromCaller, challenge: FromPath[str], data: JSONBody[Acceptance]) -> MatchAnswer:
    """Accept a challenge; answers the match, which has begun."""
    services, visitor = caller.services, caller.visitor
    async with services.turns.of(visitor.id):
        await services.identity.keep_guest(visitor)
        found = (await services.challenges.find(challenge, visitor.id)).challenge
        chosen = wanted(found, data.variant, data.clock, data.rated)
        visiting = Visiting(visitor.player, caller.address)
        match = await services.challenges.accept(challenge, visiting, chosen)
    return match_answer(await match.current(), visitor.id)


@post("/api/challenges/{challenge:str}/decline", status_code=204, opt=PLAY)
async def decline(caller: FromCaller, challenge: FromPath[str]) -> None:
    """Decline a challenge to you; one to several players is taken off your list."""
    await caller.services.challenges.decline(challenge, caller.visitor.player)


@delete("/api/challenges/{challenge:str}", opt=PLAY)
async def withdraw(caller: FromCaller, challenge: FromPath[str]) -> None:
    """Withdraw a challenge of yours; its matches go on."""
    await caller.services.challenges.withdraw(challenge, caller.visitor.id)


async def _challenge(caller: Caller, data: NewChallenge) -> Challenge:
    visitor, players = caller.visitor, caller.services.runtime.store.players
    target = await _target(caller, data)
    shown = await shown_player(players, visitor.player)
    return Challenge(
        id=Dealer().new_id(),
        player=visitor.id,
        name=shown.name,
        account=visitor.player.account,
        game=data.game,
        variants=tuple(_variants(data)),
        clocks=tuple(dict.fromkeys(data.clocks)),
        stake=data.stake,
        created=now_ms(),
        audience=data.audience if target is None else "player",
        target=None if target is None else target.id,
        target_name="" if target is None else target.name,
        seat=data.seat,
        lowest=data.lowest,
        highest=data.highest,
        standing=data.standing,
    )


def _variants(data: NewChallenge) -> list[Variant]:
    """Return the different variants with all their options; raises OptionError unless they are for two."""
    found: list[Variant] = []
    for chosen in data.variants:
        game = make(data.game, chosen)
        if game.seats != SEATS:
            raise OptionError(f"A challenge is for {SEATS} players; with these options the game is for {game.seats}.")
        variant = Variant(options(game), not is_unrated(game))
        if variant not in found:
            found.append(variant)
    return found


async def _target(caller: Caller, data: NewChallenge) -> PlayerRow | None:
    """Return the account that is challenged by name or id; raises UnknownPlayer and OptionError."""
    named = data.player is not None or data.name is not None
    if named != (data.audience == "player") or (data.player is not None and data.name is not None):
        raise OptionError('Name the player by "player" or "name" if the challenge is to one, and only then.')
    if not named:
        return None
    players = caller.services.runtime.store.players
    found = await (players.player(data.player) if data.player else find_account(players, data.name or ""))
    if found is None or not found.account:
        raise UnknownPlayer("No account has this id." if data.player else "No account has this name.")
    return found


def _answer(found: OpenChallenge, viewer: PlayerRow, ratings: Mapping[Pace, float]) -> ChallengeAnswer:
    challenge = found.challenge
    target = None
    if challenge.target is not None:
        target = ChallengePlayer(challenge.target, challenge.target_name, account=True)
    return ChallengeAnswer(
        id=challenge.id,
        player=ChallengePlayer(challenge.player, challenge.name, challenge.account),
        game=challenge.game,
        variants=[variant.options for variant in challenge.variants],
        clocks=list(challenge.clocks),
        stake=challenge.stake,
        audience=challenge.audience,
        target=target,
        seat=challenge.seat,
        lowest=challenge.lowest,
        highest=challenge.highest,
        standing=challenge.standing,
        free=found.free,
        created=challenge.created,
        expires=found.expires,
        barred=barred(challenge, Candidate(viewer.id, viewer.account, ratings)),
    )
