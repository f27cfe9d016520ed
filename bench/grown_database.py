"""A database as it is after years: many finished matches and accounts, and some matches that go on.

python -m bench.grown_database sqlite:///grown.sqlite --matches 1000000 --accounts 100000 --active 10000

A few matches of each game are played by the rules; each of the others is a copy of one of them with an id, a time and
players of its own. The rows go in as they are stored, without the server. The database must be empty.
"""

import argparse
import asyncio
import random
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import asyncpg
import msgspec
from sqlalchemy.engine import make_url

from kemu.games import game, game_keys
from kemu.play.commands import Act, Join, Resign, SeatCommand, TableCommand, encode_entry
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.local import bots_as_players
from kemu.play.table import Table, new_table
from kemu.play.terms import ClockTerms, DayClock, NoClock, Player, Terms
from kemu.server.auth.identity import digest
from kemu.storage.matches import is_scheduled, row
from kemu.storage.store import Store

SAMPLES = 5
"""Matches of each kind and game that are played."""

ACTIONS = 8
"""In each match, before it ends by resignation or is left."""

CHUNK = 5000
"""Matches that are inserted at once."""

MATCH, CREATED = "@match@", 1111111111111
"""What stands in a sample for the id and the time of each copy."""

FINISHED, ACTIVE = "f", "a"
"""How the ids of matches begin."""

OFTEN = 50
"""Account 0 has played one finished match in this number, and more than anybody else."""

SECRET = "x" * 43
COOKIE = f"s{0:015}.{SECRET}"
"""The cookie of account 0."""

PLAYERS = ["@first@", "@second@", "@third@", "@fourth@"]
"""The same for its players; the first is the host."""

T = TypeVar("T")

Tables = dict[str, list[dict[str, Any]]]
"""Rows by table."""


class Sample(NamedTuple):
    """A match that was played, as texts to be filled in."""

    table: Table
    scheduled: bool
    row: str
    entries: list[str]


def play(key: str, bots: int, clock: ClockTerms, *, rated: bool, end: bool, seed: int) -> Sample:
    """Play a match at random for some actions; -1 bots leave a seat open. The first player resigns if it shall end."""
    now, source, dealer = time.time_ns() // 1_000_000, random.Random(seed), Dealer(seed)
    rules = game(key)
    people = [Player(player, f"Player {player}") for player in PLAYERS[: rules.seats - abs(bots)]]
    players = [*people, *bots_as_players(["1"] * bots)]
    table = new_table(Terms(MATCH, key, {}, PLAYERS[0], CREATED, clock, public=True, rated=rated), rules)
    entries: list[str] = []

    def do(command: TableCommand) -> None:
        nonlocal table
        entry, table = decide(table, command, now, dealer)
        entries.append(encode_entry(entry).decode())

    do(Join(tuple(enumerate(players))))
    while len(entries) <= ACTIONS and table.turn is not None and len(players) == rules.seats:
        action = rules.format(source.choice(rules.actions(table.state)))
        do(SeatCommand(table.turn, players[table.turn].id, Act(f"c{len(entries)}", table.version, action)))
    if end and table.outcome is None:
        do(SeatCommand(0, PLAYERS[0], Resign("resign")))
    return Sample(table, is_scheduled(table), msgspec.json.encode(row(table)).decode(), entries)


def samples(*, end: bool) -> list[Sample]:
    """Play matches of all games that have ended, or that go on: open ones, against bots, by correspondence."""
    found: list[Sample] = []
    for key in game_keys():
        for seed in range(SAMPLES):
            if end:
                found.append(play(key, 0, NoClock(), rated=seed % 2 == 0, end=True, seed=seed))
            else:
                for bots, clock in ((-1, NoClock()), (1, NoClock()), (0, DayClock(14))):
                    found.append(play(key, bots, clock, rated=False, end=False, seed=seed))
    return found


def copies(kind: str, played: list[Sample], count: int, accounts: int) -> Iterator[tuple[Sample, dict[str, str]]]:
    """Yield samples in turn, each with its id, its time and its players."""
    start, source = 1_600_000_000_000, random.Random(kind)
    for number in range(count):
        drawn = source.sample(range(1, accounts), len(PLAYERS))
        if kind == FINISHED and number % OFTEN == 0:
            drawn[0] = 0
        people = zip(PLAYERS, drawn, strict=True)
        filled = {MATCH: f"{kind}{number:09}", str(CREATED): str(start + number * 7919 % count * 1000)}
        yield played[number % len(played)], filled | {place: account(found) for place, found in people}


def account(number: int) -> str:
    """Return the id of an account."""
    return f"p{number:09}"


def match_rows(sample: Sample, values: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a match, each with its table."""
    terms, match, created = sample.table.terms, values[MATCH], int(values[str(CREATED)])
    status = sample.table.status
    searched: dict[str, Any] = {"id": match, "game": terms.game, "host": values[PLAYERS[0]], "status": status}
    searched |= {"public": True, "rated": terms.rated, "created": created}
    due = sample.scheduled and terms.clock != NoClock()
    jobs = {"scheduled": sample.scheduled, "due": due, "owner": "dead"}
    yield "matches", searched | jobs | {"row": fill(sample.row, values)}
    for version, entry in enumerate(sample.entries, start=1):
        yield "entries", {"match": match, "version": version, "entry": fill(entry, values)}
    shared: dict[str, Any] = {"match": match, "game": terms.game, "created": created, "running": status == "running"}
    for player in sample.table.players:
        if player is not None and player.kind == "person":
            yield "sitters", shared | {"player": values[player.id]}


def fill(text: str, values: dict[str, str]) -> str:
    """Return the text of a sample with the values of a copy."""
    for name, value in values.items():
        if name in text:
            text = text.replace(name, value)
    return text


def account_rows(numbers: Iterable[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of accounts: each with a session, a profile, and ratings and results in each game."""
    now = time.time_ns() // 1_000_000
    for number in numbers:
        player, source = account(number), random.Random(number)
        yield "players", {"id": player, "name": f"Player {number}", "login": f"player {number}", "password": "hash"}
        session = {"id": f"s{number:015}", "player": player, "digest": digest(SECRET), "device": "Firefox"}
        yield "sessions", session | {"created": now, "used": now - source.randrange(10**9)}
        yield "profiles", {"player": player, "since": now, "hidden": False, "quiet": False}
        for key in game_keys():
            yield from standing_rows(player, key, source, now)


def standing_rows(player: str, key: str, source: random.Random, now: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a player's rating in a game, of some days of it, and of results against others."""
    place: dict[str, Any] = {"player": player, "game": key}
    for pace in ("blitz", "rapid"):
        rating = {"rating": source.gauss(1500, 200), "deviation": source.uniform(45, 200)}
        listed = {"matches": 12, "at": now, "listed_until": now * 2 if rating["deviation"] < 110 else 0}
        yield "ratings", place | {"pace": pace, "volatility": 0.09} | rating | listed
        for day in range(5):
            yield "rating_days", place | {"pace": pace, "day": now // 86_400_000 - day} | rating
    counts = {"won": 3, "drawn": 1, "lost": 2, "together": 0}
    for other in ("people", "bot:3", account(source.randrange(10**5))):
        yield "results", place | {"other": other, "rated": source.randrange(25) if other[0] == "p" else 0} | counts


def pieces(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield values in lists of a size."""
    each = iter(values)
    while found := list(islice(each, size)):
        yield found


def chunks(matches: int, accounts: int, active: int) -> Iterator[Tables]:
    """Yield all rows of the database, some at a time."""

    def gathered(rows: Iterable[tuple[str, dict[str, Any]]]) -> Tables:
        tables: Tables = {}
        for table, values in rows:
            tables.setdefault(table, []).append(values)
        return tables

    for numbers in pieces(range(accounts), CHUNK):
        yield gathered(account_rows(numbers))
    for kind, count in ((FINISHED, matches), (ACTIVE, active)):
        for some in pieces(copies(kind, samples(end=kind == FINISHED), count, accounts), CHUNK):
            yield gathered(found for sample, values in some for found in match_rows(sample, values))


def fill_sqlite(path: str, parts: Iterable[Tables]) -> None:
    """Insert all rows into a SQLite database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for pragma in ("synchronous = OFF", "cache_size = -1000000"):
            file.execute(f"PRAGMA {pragma}")
        for tables in parts:
            file.execute("BEGIN")
            for name, rows in tables.items():
                columns = rows[0].keys()
                values = ", ".join(f":{column}" for column in columns)
                file.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values})", rows)
            file.execute("COMMIT")


async def fill_postgres(url: str, parts: Iterable[Tables]) -> None:
    """Insert all rows into a PostgreSQL database."""
    connection = await asyncpg.connect(url)
    for tables in parts:
        for name, rows in tables.items():
            records = [tuple(values.values()) for values in rows]
            await connection.copy_records_to_table(name, records=records, columns=list(rows[0]))
    await connection.execute("ANALYZE")
    await connection.close()


async def make_tables(url: str) -> None:
    """Give an empty database its tables."""
    store = Store(url)
    await store.open()
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--matches", type=int, default=200_000)
    parser.add_argument("--accounts", type=int, default=100_000)
    parser.add_argument("--active", type=int, default=10_000)
    chosen = parser.parse_args()
    start = time.perf_counter()
    asyncio.run(make_tables(chosen.database))
    url, parts = make_url(chosen.database), chunks(chosen.matches, chosen.accounts, chosen.active)
    if url.get_backend_name() == "sqlite":
        fill_sqlite(str(url.database), parts)
    else:
        asyncio.run(fill_postgres(chosen.database, parts))
    print(f"made in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
