"""Challenges: made, accepted, declined, and matched with each other; their matches begin with both players seated."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import Final, NamedTuple

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame
from kemu.games import game as make_game
from kemu.people.challenges import (
    LEASE_MS,
    LONGEST_OF_GUEST_MS,
    SEATS,
    Agreement,
    Candidate,
    Challenge,
    ChallengeTaken,
    Proposal,
    Seeker,
    UnknownChallenge,
    Wanted,
    agreement,
    check_challenge,
    check_meeting,
    choose,
    first_player,
    fits_open_seat,
)
from kemu.people.notices import Kind, Notice
from kemu.people.pace import Pace
from kemu.play.commands import Join
from kemu.play.dealer import Dealer
from kemu.play.errors import StaleVersion
from kemu.play.table import Table
from kemu.play.terms import Player, Terms, new_series
from kemu.server.auth.accounts import shown_player
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.live.match_notices import MatchNotices
from kemu.server.live.notices import NoticeCenter
from kemu.server.runtime import Rates, Runtime, now_ms
from kemu.storage.challenges import MOST_TARGETS, OpenChallenge, Page
from kemu.storage.errors import StoreUnavailable
from kemu.storage.matches import Query
from kemu.storage.players import PlayerRow

MOST_MATCHED: Final = 100
"""With how many open challenges, the oldest ones, another one is compared."""

ATTEMPTS: Final = 3
"""How often a standing challenge is asked again that others took part of at the same moment."""

log = logging.getLogger(__name__)


class Visiting(NamedTuple):
    """A player who makes or answers a challenge, and from which address."""

    player: PlayerRow
    address: str


class ChallengeMatcher:
    """Makes matches of challenges, and tells everybody whom they concern."""

    def __init__(
        self, runtime: Runtime, matches: MatchRegistry, notices: NoticeCenter, match_notices: MatchNotices
    ) -> None:
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._matches = matches
        self._notices = notices
        self._match_notices = match_notices
        self._board = notices.challenges
        self._rates = Rates(runtime.settings.matches_per_minute)
        self._renewed = 0
        self._made: list[Callable[[str, str], None]] = []

    def subscribe(self, made: Callable[[str, str], None]) -> None:
        """Have a function called with the name of the challenger and the game of each new challenge to anyone."""
        self._made.append(made)

    # What players do.

    async def make(self, challenge: Challenge, visiting: Visiting, expires: int) -> MatchActor | None:
        """Save a new challenge; return the match if an open one, or an open challenge, fits it at once.

        Raises ChallengeLimit, TooMany, Blocked and whatever `check_challenge` does.
        """
        check_challenge(challenge)
        self._rates.spend(visiting.address, "Too many challenges come from your address; try again in a minute.")
        if challenge.audience == "anyone" and not challenge.standing:
            joined = await self._join(challenge, visiting.player)
            if joined is not None:
                return joined
        targets = await self._targets(challenge)
        found = OpenChallenge(challenge, expires, max(1, challenge.standing))
        await self._store.challenges.add(found, targets, leased=not challenge.account)
        self._board.changed({challenge.player, *targets} if challenge.audience != "anyone" else ())
        for target in targets:
            self._notices.tell(target, _notice("challenge", challenge, challenge.id, challenge.name))
        match = await self._seek(found, visiting)
        if match is None and challenge.audience == "anyone":
            for made in self._made:
                made(challenge.name, challenge.game)
        return match

    async def accept(self, challenge: str, visiting: Visiting, wanted: Wanted) -> MatchActor:
        """Make the match of a challenge, with a variant, a clock and a stake of it.

        Raises UnknownChallenge, ChallengeTaken, OutsideRange, Blocked, TooMany.
        """
        attempt = 0
        while True:
            attempt += 1
            found = await self.find(challenge, visiting.player.id)
            try:
                return await self._accept(found.challenge, visiting, wanted)
            except ChallengeTaken:
                if not found.challenge.standing or attempt == ATTEMPTS:
                    raise

    async def decline(self, challenge: str, player: PlayerRow) -> None:
        """Take a challenge off the list of a player; a challenger by name is told. Raises UnknownChallenge."""
        found = (await self.find(challenge, player.id)).challenge
        if not await self._store.challenges.decline(found, player.id):
            raise UnknownChallenge("No challenge to you has this id.")
        await self._notices.see(player.id, found.id)
        if found.audience == "player":
            self._notices.tell(found.player, _notice("declined", found, found.id, player.name))
        self._board.changed({found.player, player.id})

    async def withdraw(self, challenge: str, player: str) -> None:
        """Delete a challenge of a player. Raises UnknownChallenge."""
        if not await self._store.challenges.withdraw(challenge, player):
            raise UnknownChallenge("No challenge of yours has this id.")
        self._board.changed(())

    async def find(self, challenge: str, viewer: str) -> OpenChallenge:
        """Return an open challenge that a player may see. Raises UnknownChallenge."""
        found = await self._store.challenges.find(challenge, now_ms())
        if found is None or not await self._may_see(found.challenge, viewer):
            raise UnknownChallenge("No open challenge has this id.")
        return found

    async def candidate(self, player: PlayerRow, game: str) -> Candidate:
        """Return a player with their ratings in a game."""
        return Candidate(player.id, player.account, (await self.ratings(player.id)).get(game, {}))

    async def ratings(self, player: str) -> Mapping[str, Mapping[Pace, float]]:
        """Return the ratings of a player by game and pace."""
        found: dict[str, dict[Pace, float]] = {}
        for rating in await self._store.ratings.of_player(player):
            found.setdefault(rating.game, {})[rating.pace] = rating.rating
        return found

    async def to_anyone(self, viewer: str, game: str | None, page: Page) -> list[OpenChallenge]:
        """Return the challenges of others to anyone."""
        return await self._store.challenges.to_anyone(viewer, now_ms(), game, page)

    async def for_player(self, viewer: str, page: Page) -> list[OpenChallenge]:
        """Return the challenges to a player."""
        return await self._store.challenges.for_player(viewer, now_ms(), page)

    async def of_player(self, player: str) -> list[OpenChallenge]:
        """Return the challenges of a player."""
        return await self._store.challenges.of_player(player, now_ms())

    # What happens by itself.

    def entry_saved(self, before: Table | None, after: Table) -> None:
        """Open a standing challenge again when one of its matches ends."""
        if after.outcome is not None and before is not None and before.outcome is None:
            self._tasks.start(self._ended(after.id))

    def keep_leases(self, now: int) -> None:
        """Keep the challenges of guests open who are there."""
        if now - self._renewed > LEASE_MS // 3:
            self._renewed = now
            self._tasks.start(self._renew(now))

    async def prune(self) -> None:
        """Delete what has expired, and open what was missed."""
        await self._store.challenges.prune(now_ms())
        for match in await self._store.challenges.ended_matches():
            await self._ended(match)

    async def _renew(self, now: int) -> None:
        try:
            await self._store.challenges.renew(self._board.players, now + LEASE_MS, now - LONGEST_OF_GUEST_MS)
        except StoreUnavailable as error:
            log.warning("challenges of guests are not kept", exc_info=error)

    async def _ended(self, match: str) -> None:
        try:
            found = await self._store.challenges.reopen(match)
        except StoreUnavailable as error:  # the upkeep tries again
            log.warning("a challenge is not opened again", exc_info=error)
            return
        if found is not None and found.expires > now_ms():
            self._board.changed(())
            await self._seek(found, None)

    # Matches.

    async def _accept(self, challenge: Challenge, visiting: Visiting, wanted: Wanted) -> MatchActor:
        player = visiting.player
        check_meeting(challenge, Candidate(player.id, player.account), await self._apart(player.id, challenge))
        proposal = choose(challenge, await self.candidate(player, challenge.game), wanted)
        await self._matches.check_limits(player.id, visiting.address)
        agreed = Agreement(proposal, first_player(challenge, player.id))
        await self._notices.see(player.id, challenge.id)
        return await self._begin(agreed, [challenge], player)

    async def _seek(self, found: OpenChallenge, visiting: Visiting | None) -> MatchActor | None:
        """Make a match of a challenge and the first open one that fits it; return it, None if none does."""
        challenge = found.challenge
        if challenge.audience != "anyone":
            return None
        player = await self._store.players.player(challenge.player) or _guest(challenge)
        mine = Seeker(challenge, await self.candidate(player, challenge.game))
        others = await self._store.challenges.oldest(player.id, challenge.game, now_ms(), MOST_MATCHED)
        for other in others:
            agreed = agreement(mine, await self._seeker(other.challenge, challenge), ())
            if agreed is None:
                continue
            try:
                if visiting is not None:
                    await self._matches.check_limits(player.id, visiting.address)
                return await self._begin(agreed, [other.challenge, challenge], player)
            except ChallengeTaken:  # one of the two was faster elsewhere
                if await self._store.challenges.find(challenge.id, now_ms()) is None:
                    return None
        return None

    async def _join(self, challenge: Challenge, player: PlayerRow) -> MatchActor | None:
        """Take the open seat of the oldest match in the lobby that fits a new challenge; None if none does."""
        rows = await self._store.matches.rows(Query("lobby", game=challenge.game, limit=MOST_MATCHED))
        for row in reversed(rows):
            people = [each for each in row.players if each is not None and each.kind == "person"]
            if len(row.players) != SEATS or len(people) != 1 or row.terms.series.to > 1:
                continue
            seat, host = row.players.index(None), people[0]
            if host.id == player.id or await self._store.people.kept_apart(player.id, [host.id]):
                continue
            known = await self._store.players.player(host.id)
            candidate = await self.candidate(known or PlayerRow(host.id, host.name), challenge.game)
            proposal = Proposal(row.terms.options, row.terms.clock, row.terms.rated)
            if not fits_open_seat(challenge, candidate, proposal, seat):
                continue
            with suppress(KemuError):  # somebody else was faster
                actor = await self._matches.find(row.terms.id)
                await actor.execute(Join(((seat, await shown_player(self._store.players, player)),)))
                return actor
        return None

    async def _seeker(self, challenge: Challenge, other: Challenge) -> Seeker:
        """Return a challenge with its challenger; the ratings are read only if the other one has a range."""
        ranged = other.lowest is not None or other.highest is not None
        ratings = (await self.ratings(challenge.player)).get(challenge.game, {}) if ranged else {}
        return Seeker(challenge, Candidate(challenge.player, challenge.account, ratings))

    async def _begin(self, agreed: Agreement, taken: Sequence[Challenge], player: PlayerRow) -> MatchActor:
        """Make the match of a challenge and a player, who hosts it; raises ChallengeTaken."""
        challenge, proposal = taken[0], agreed.proposal
        game = make_game(challenge.game, **proposal.options)
        players = self._store.players
        challenger = await shown_player(players, await players.player(challenge.player) or _guest(challenge))
        seated = [challenger, await shown_player(players, player)]
        first = agreed.first or SystemRandom().choice(seated).id
        seated.sort(key=lambda each: each.id != first)
        ids = [each.id for each in taken]
        try:
            actor = await self._matches.create(_terms(agreed, challenge, player.id, game), game, _seats(seated), ids)
        except StaleVersion:  # the id of the match is new
            raise ChallengeTaken("This challenge is no longer open.") from None
        self._match_notices.entry_saved(None, actor.document)
        self._tell_found(actor.document, taken, player)
        return actor

    def _tell_found(self, table: Table, taken: Sequence[Challenge], player: PlayerRow) -> None:
        """Tell the challenger what the challenge became, unless the match waits for them at once."""
        self._board.changed(())
        for challenge in taken:
            self._board.met(challenge.player, challenge.id, table.id)
        challenger = taken[0].player
        on_turn = table.players[table.turn] if table.turn is not None and table.turn >= 0 else None
        if on_turn is None or on_turn.id != challenger:
            self._notices.tell(challenger, _notice("accepted", taken[0], table.id, player.name))

    async def _targets(self, challenge: Challenge) -> set[str]:
        """Return to whom a challenge is that is not to anyone. Raises Blocked."""
        if challenge.target is not None:
            target = Candidate(challenge.target, account=True)
            check_meeting(challenge, target, await self._apart(challenge.target, challenge))
            return {challenge.target}
        if challenge.audience == "anyone":
            return set()
        followed = await self._store.people.related(challenge.player, "follow", limit=MOST_TARGETS)
        others = {each.player for each in followed}
        return others - await self._store.people.kept_apart(challenge.player, others)

    async def _apart(self, player: str, challenge: Challenge) -> set[str]:
        return await self._store.people.kept_apart(player, [challenge.player])

    async def _may_see(self, challenge: Challenge, viewer: str) -> bool:
        if challenge.audience == "anyone" or viewer == challenge.player:
            return True
        return await self._store.challenges.is_target(challenge.id, viewer)


def _guest(challenge: Challenge) -> PlayerRow:
    """Return the challenger as the challenge has them, if the store has not."""
    return PlayerRow(challenge.player, challenge.name, challenge.account)


def _terms(agreed: Agreement, challenge: Challenge, host: str, game: AnyGame) -> Terms:
    return Terms(
        id=Dealer().new_id(),
        game=game.key,
        options=agreed.proposal.options,
        host=host,
        created=now_ms(),
        clock=agreed.proposal.clock,
        public=challenge.audience == "anyone",
        rated=agreed.proposal.rated,
        series=new_series(1, game.seats),
    )


def _seats(players: Sequence[Player]) -> list[tuple[int, Player]]:
    return list(enumerate(players))


def _notice(kind: Kind, challenge: Challenge, about: str, name: str) -> Notice:
    return Notice(kind=kind, about=about, game=challenge.game, names=(name,))
