"""A store in memory, for tests and trial runs; it is empty at every start."""

import asyncio
from asyncio import Future
from collections.abc import Sequence
from secrets import token_hex

from kemu.play.errors import StaleVersion
from kemu.storage.errors import NameTaken, PasswordChanged, UnknownMatch
from kemu.storage.memory_puzzles import MemoryPuzzles
from kemu.storage.memory_sessions import MemorySessions, check_password
from kemu.storage.memory_studies import MemoryStudies
from kemu.storage.rows import MatchRow, PlayerRow, RatingRow, TokenRow
from kemu.storage.store import CHANGED, STALE, STATUS, Append, NoNotifications, Query, Rating, expected_versions


class MemoryReviews:
    """The Reviews of a store in memory."""

    def __init__(self) -> None:
        self._reviews: dict[str, tuple[str, int]] = {}  # text and time, by digest

    async def review(self, digest: str) -> str | None:
        found = self._reviews.get(digest)
        return found[0] if found else None

    async def save_review(self, digest: str, text: str, at: int) -> None:
        self._reviews.setdefault(digest, (text, at))

    async def prune_reviews(self, before: int) -> None:
        self._reviews = {digest: kept for digest, kept in self._reviews.items() if kept[1] >= before}


class MemoryStore:
    """A Store whose journal, matches and players are this one object."""

    def __init__(self) -> None:
        self.process = token_hex(8)
        self.shared = False
        self.journal = self.matches = self.players = self
        self.notifications = NoNotifications()
        self._rows: dict[str, MatchRow] = {}
        self._entries: dict[str, list[bytes]] = {}
        self.studies = self.explorer = MemoryStudies(self._rows, self._entries)
        self._players: dict[str, PlayerRow] = {}
        self.sessions = MemorySessions(self, self._players)
        self.reviews = MemoryReviews()
        self.puzzles = MemoryPuzzles()
        self._tokens: dict[str, TokenRow] = {}
        self._ratings: dict[tuple[str, str], RatingRow] = {}
        self._rated: set[str] = set()

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def reserve(self) -> None: ...

    async def check(self) -> None: ...

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        done: Future[None] = asyncio.get_running_loop().create_future()
        expected = expected_versions(appends)
        if expected is None or any(len(self._entries.get(match, ())) != expected[match] for match in expected):
            done.set_exception(StaleVersion(STALE))
            return done
        for append in appends:
            self._entries.setdefault(append.match, []).append(append.entry)
            if append.row is not None:
                self._rows[append.match] = append.row
            if append.rating is not None:
                self._rate(append.match, append.rating)
        done.set_result(None)
        return done

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        if match not in self._rows:
            raise UnknownMatch("No match has this id.")
        return self._rows[match], list(self._entries[match])

    async def entries(self, match: str, after: int) -> list[bytes]:
        return self._entries.get(match, [])[after:]

    async def rows(self, query: Query) -> list[MatchRow]:
        rows = [row for row in self._rows.values() if _selected(row, query)]
        return sorted(rows, key=lambda row: (row.terms.created, row.terms.id), reverse=True)[: query.limit]

    async def count_hosted(self, player: str) -> int:
        return sum(row.terms.host == player and row.status in ("open", "running") for row in self._rows.values())

    async def page(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        return [self._rows[match] for match in sorted(self._rows) if match > after][:limit]

    async def plays_rated(self, player: str, game: str) -> bool:
        running = (row for row in self._rows.values() if row.status == "running" and row.terms.rated)
        return any(row.terms.game == game and player in row.person_ids for row in running)

    async def unrated(self) -> list[str]:
        finished = (row.terms for row in self._rows.values() if row.status == "finished")
        return [terms.id for terms in finished if terms.rated and terms.id not in self._rated]

    async def claim_unowned(self, now: int, silent_since: int) -> list[str]:
        return []

    async def release(self) -> None: ...

    async def player(self, player: str) -> PlayerRow | None:
        return self._players.get(player)

    async def account(self, name: str) -> PlayerRow | None:
        accounts = (player for player in self._players.values() if player.account)
        return next((player for player in accounts if player.name.casefold() == name.casefold()), None)

    async def save_player(self, player: PlayerRow) -> None:
        other = await self.account(player.name) if player.account else None
        if other is not None and other.id != player.id:
            raise NameTaken("Another account has this name.")
        known = self._players.get(player.id)
        if known is not None and known.password not in (None, player.password):
            raise PasswordChanged(CHANGED)
        self._players[player.id] = player

    async def add_token(self, token: TokenRow, password: str | None = None) -> None:
        check_password(self._players, token.player, password)
        self._tokens[token.id] = token

    async def token(self, token: str) -> TokenRow | None:
        return self._tokens.get(token)

    async def tokens(self, player: str) -> list[TokenRow]:
        return [self._tokens[token] for token in sorted(self._tokens) if self._tokens[token].player == player]

    async def delete_token(self, player: str, token: str) -> bool:
        found = self._tokens.get(token)
        if found is None or found.player != player:
            return False
        del self._tokens[token]
        return True

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        rows = (row for row in self._ratings.values() if player in (None, row.player) and game in (None, row.game))
        return sorted(rows, key=lambda row: -row.mu)[:100]

    async def rate(self, match: str, rating: Rating) -> bool:
        return self._rate(match, rating)

    def _rate(self, match: str, rating: Rating) -> bool:
        if match in self._rated:
            return False
        self._rated.add(match)
        game = rating.game
        known = {player: self._ratings[player, game] for player in rating.players if (player, game) in self._ratings}
        self._ratings.update({(row.player, row.game): row for row in rating.update(known)})
        return True


def _selected(row: MatchRow, query: Query) -> bool:
    """Whether a query selects this row."""
    terms = row.terms
    if query.game not in (None, terms.game) or (query.before is not None and terms.created >= query.before):
        return False
    if query.show == "mine":
        return query.player in row.person_ids
    return terms.public and row.status == STATUS[query.show]
