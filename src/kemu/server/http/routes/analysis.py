"""Routes of analysis: help and hints for learners, reviews as they are made, the explorer, and proofs."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import Any, Final, Literal, TypeVar

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream
from msgspec import Struct

from kemu.analysis.analyse import MOST_LINES, make
from kemu.analysis.coach import depth_for
from kemu.analysis.explorer import Tally, canonical, check_explorable, explore, position_key
from kemu.analysis.grades import VERSION
from kemu.analysis.review import Retry
from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.core.game import AnyGame, AnyView, Seat
from kemu.core.record import Record, replay
from kemu.play.errors import MatchRunning, NotYours
from kemu.play.table import Table
from kemu.server.http.requests import PLAY, READ, AnyRequest, Caller, FromCaller
from kemu.server.runtime import TooMany, now_ms
from kemu.work import tasks
from kemu.work.pool import Asker, TaskFailed, Urgency

MOST_WAITING: Final = 3
"""How many requests for help of one player may wait."""

AGAINST_BOTS: Final = "Hints are for casual matches against bots, on your turn."

T = TypeVar("T")


class Hint(Struct, frozen=True, omit_defaults=True):
    """A suggestion and why: `only`, `wins`, `stops` or `best`; in some games also what it is about, in points."""

    action: str
    reason: str
    stakes: dict[str, int] = {}


class NoHints(KemuError, code="no-hints"):
    """Hints are for casual matches against bots."""


@post("/api/matches/{match:str}/hint", status_code=200, opt=PLAY)
async def hint(request: AnyRequest, caller: FromCaller, match: FromPath[str]) -> Hint:
    """Return what the strongest bot would do in your place, and why."""
    table, seat = await _helped(caller, match)
    if seat is None:
        raise NoHints(AGAINST_BOTS)
    bots = caller.services.bots
    question = bots.question(table, seat, bots.names(table.game)[-1])
    asker = _asker(caller)
    answer = await _while_connected(request, bots.choose(question, asker))
    found = await _while_connected(request, _find_threats(caller, table, seat, asker, action=answer.action))
    return Hint(answer.action, reason(found, answer.action, len(question.actions)), found.stakes)


@get("/api/matches/{match:str}/threats", opt=READ)
async def threats(
    request: AnyRequest, caller: FromCaller, match: FromPath[str], deep: FromQuery[bool] = False
) -> tasks.Threats:
    """Return what wins at once and what must be stopped; nothing if it is not your turn.

    The coach looks as deep as the bots of the match play, or for every forced win if `deep` is set.
    """
    table, seat = await _helped(caller, match)
    if seat is None:  # the question was on its way while you acted
        return tasks.Threats([], [], ())
    depth = None if deep else depth_for(_levels(table))
    return await _while_connected(request, _find_threats(caller, table, seat, _asker(caller), depth))


@get("/api/matches/{match:str}/rescue", opt=READ)
async def rescue(
    request: AnyRequest, caller: FromCaller, match: FromPath[str], seat: FromQuery[int]
) -> tasks.RescueAnswer:
    """Return the last moment at which your seat could have saved a match that is over."""
    table = await (await caller.services.registry.find(match)).current()
    if table.outcome is None:
        raise MatchRunning("What could have been is told when the match is over.")
    if seat not in table.seats(caller.visitor.id):
        raise NotYours(f"Seat {seat} belongs to somebody else.")
    await caller.services.analyses.check(caller.asker, table.terms.game)
    lost = table.outcome.winners and seat not in table.outcome.winners and not table.ended_by_players
    if not lost:
        return tasks.RescueAnswer(None)
    pool = caller.services.bots.pool
    question = tasks.RescueQuestion(table.terms.game, table.terms.options, table.record().actions, seat)
    return await _while_connected(request, pool.ask(tasks.RESCUE, question, _asker(caller)))


async def _find_threats(
    caller: Caller, table: Table, seat: Seat, asker: Asker, depth: int | None = None, action: str | None = None
) -> tasks.Threats:
    view: AnyView = table.game.view(table.state, seat)
    if "position" not in view and action is None:  # seats have secrets, and what wins depends on them
        return tasks.Threats([], [], ())
    question = tasks.ThreatQuestion(table.terms.game, table.terms.options, view, depth, action)
    return await caller.services.bots.pool.ask(tasks.THREATS, question, asker)


def _levels(table: Table) -> list[int]:
    """Return the levels of the bots of a match."""
    bots = [player.id for player in table.players if player is not None and player.kind == "bot"]
    return [int(name) for name in bots if name.isdecimal()]


def _asker(caller: Caller) -> Asker:
    """Return the caller as an asker in the queue for help; raises TooMany."""
    asker = Asker(caller.address, Urgency.HELP, caller.visitor.id)
    if caller.services.bots.pool.waiting("play", asker) >= MOST_WAITING:
        raise TooMany("You have asked for help often enough; wait for the answers.")
    return asker


async def _while_connected(request: AnyRequest, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, which is cancelled when the client closes the connection.

    Raises NoHints if that happens or the workers fail.
    """
    loop = asyncio.get_running_loop()
    working, gone = loop.create_task(work), loop.create_task(_disconnected(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise NoHints("Nobody waits for this answer any more.")
        return await working
    except TaskFailed:
        raise NoHints("No bot can help just now; try again.") from None
    finally:
        working.cancel()
        gone.cancel()


async def _disconnected(request: AnyRequest) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _helped(caller: Caller, match: str) -> tuple[Table, Seat | None]:
    """Return a casual match in which the caller plays against bots only, and the caller's seat if it is on turn.

    Raises NoHints for any other match, and MatchRunning for a caller in a rated match of the same game.
    """
    table = await (await caller.services.registry.find(match)).current()
    people = {player.id for player in table.players if player is not None and player.kind == "person"}
    if table.terms.rated or people != {caller.visitor.id}:
        raise NoHints(AGAINST_BOTS)
    await caller.services.analyses.check(caller.asker, table.terms.game)
    return table, table.turn if table.turn in table.seats(caller.visitor.id) else None


def reason(found: tasks.Threats, action: str, choices: int) -> str:
    """Return why an action is suggested: `only`, `wins`, `stops` or, on the word of a bot, `best`."""
    if choices == 1:
        return "only"
    if action in found.wins:
        return "wins"
    return "stops" if action in found.stops else "best"


LINES: Final = "application/x-ndjson"
"""The media type of a JSON object on each line."""

STREAM_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
"""Of an answer that comes line by line; the second asks a proxy to pass each line on at once."""


@get("/api/matches/{match:str}/review", opt=READ, media_type=LINES)
async def review_match(caller: FromCaller, match: FromPath[str]) -> Stream:
    """Review a match that is over, step by step: a JSON object on each line, the last with the whole review."""
    table = await (await caller.services.registry.find(match)).current()
    if table.outcome is None:
        raise MatchRunning("A match is reviewed when it is over.")
    return await _streamed(caller, table.record())


@post("/api/reviews", status_code=200, opt=READ, media_type=LINES)
async def review_record(caller: FromCaller, data: JSONBody[tasks.ReviewQuestion]) -> Stream:
    """Review a record step by step."""
    return await _streamed(caller, Record.decode(data.record))


@post("/api/reviews/retry", status_code=200, opt=READ)
async def retry(caller: FromCaller, data: JSONBody[tasks.RetryQuestion]) -> Retry:
    """Return what another action in the place of one of a record would have been worth."""
    return await caller.services.analyses.ask(tasks.RETRY, data, caller.asker)


async def _streamed(caller: Caller, record: Record) -> Stream:
    """Return the lines of a review; a refusal that comes before the first one is an answer of its own."""
    steps = _steps(caller, record)
    first = await anext(steps)
    return Stream(_lines(first, steps), media_type=LINES, headers=STREAM_HEADERS)


async def _lines(first: Document, steps: AsyncGenerator[Document, None]) -> AsyncGenerator[bytes, None]:
    yield _line(first)
    async with aclosing(steps):
        try:
            async for step in steps:
                yield _line(step)
        except KemuError as error:  # the answer has begun, so that its last line says why it ends
            yield _line(error.document())


def _line(document: Document) -> bytes:
    return msgspec.json.encode(document) + b"\n"


async def _steps(caller: Caller, record: Record) -> AsyncGenerator[Document, None]:
    """Yield the steps of a review: one if it is kept already, else as they are made."""
    await caller.services.analyses.check(caller.asker, record.game)
    reviews, digest = caller.services.runtime.store.reviews, record_digest(record)
    if (text := await reviews.review(digest)) is not None:
        yield {"phase": "kept", "done": 1, "total": 1, "review": json.loads(text)}
        return
    question = tasks.ReviewQuestion(record.encode())
    async with aclosing(caller.services.analyses.stream(tasks.REVIEW, question, caller.asker)) as steps:
        async for step in steps:
            document = step.encode()
            if step.review is not None and step.review.complete:
                await reviews.save_review(digest, json.dumps(document["review"]), now_ms())
            yield document


def record_digest(record: Record) -> str:
    """Return the key of a review: a digest of all that it depends on, which the players' names are not."""
    document = {name: value for name, value in record.encode().items() if name != "players"}
    text = json.dumps([VERSION, document], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


PROOF_MS: Final = 1000
"""How long proofs are looked for."""


class ExplorerRequest(tasks.PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position, by the actions played from another one, and whose games to look at."""

    scope: Literal["mine", "public", "bots"] = "public"


class GraphRequest(tasks.PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position to be found in the graph of its game."""


class PlayedAction(Struct, frozen=True):
    """Actions that were played and that symmetry makes one, and how the games ended for the player who took them."""

    actions: list[str]
    won: int
    drawn: int
    lost: int


class ExplorerAnswer(Struct, frozen=True):
    """What was played from a position, the most frequent first, and whose turn it is."""

    turn: Seat | None
    played: list[PlayedAction]


class ProvedAnswer(Struct, frozen=True):
    """By action, its proven result for the seat that takes it, such as "win in 3"; unproven actions are missing."""

    proved: dict[str, str]


@post("/api/explorer", status_code=200, opt=READ)
async def explorer(caller: FromCaller, data: JSONBody[ExplorerRequest]) -> ExplorerAnswer:
    """Return what was played from a position: in your own games, all public ones, or those of bots alone."""
    rules = make(data.game, data.options)
    check_explorable(rules)
    await caller.services.analyses.check(caller.asker, data.game)
    async with caller.services.turns.of(caller.address):  # a long line takes a while
        state, key = await asyncio.to_thread(_position, rules, data)
    scope = caller.visitor.id if data.scope == "mine" else data.scope
    rows = await caller.services.runtime.store.explorer.tallies(key, scope)
    tallies = {row.action: Tally(row.won, row.drawn, row.lost) for row in rows}
    played = [PlayedAction(list(each.actions), *each.tally) for each in explore(rules, state, tallies)]
    return ExplorerAnswer(rules.turn(state), played)


@post("/api/explorer/proved", status_code=200, opt=READ)
async def proved(caller: FromCaller, data: JSONBody[ExplorerRequest]) -> ProvedAnswer:
    """Return what a short search proves of the actions in a position; the scope does not matter."""
    check_explorable(make(data.game, data.options))
    found: dict[str, str] = {}
    question = tasks.LinesQuestion(data.game, data.options, data.position, data.actions, MOST_LINES)
    async with aclosing(caller.services.analyses.stream(tasks.ANALYSE, question, caller.asker)) as steps:
        async for step in steps:
            found |= {line.action: line.proven for line in step.lines if line.proven}
            if step.ms >= PROOF_MS:
                break
    return ProvedAnswer(found)


def _position(rules: AnyGame, data: ExplorerRequest) -> tuple[Any, str]:
    """Return the state that a request asks about, and the key of its position. Raises KemuError."""
    *_, state = replay(rules, data.actions, None if data.position is None else rules.decode(data.position))
    return state, position_key(canonical(rules, state))


@post("/api/analysis/graph", status_code=200, opt=READ)
async def graph(caller: FromCaller, data: JSONBody[GraphRequest]) -> tasks.GraphAnswer:
    """Return every position of a small solved game up to symmetry, and which of them this one is."""
    question: tasks.PositionQuestion = data
    return await caller.services.analyses.ask(tasks.GRAPH, question, caller.asker)
