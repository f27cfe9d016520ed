"""Reviews of finished matches and of records, as they are made; each is made once and kept."""

import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from kemu.analysis.grades import VERSION
from kemu.analysis.review import Retry
from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.core.record import Record
from kemu.play.errors import MatchRunning
from kemu.server.http.caller import READ, Caller, FromCaller
from kemu.server.runtime import now_ms
from kemu.work.tasks import RETRY, REVIEW, RetryQuestion, ReviewQuestion

LINES: Final = "application/x-ndjson"
"""The media type of a JSON object on each line."""


@get("/api/matches/{match:str}/review", opt=READ, media_type=LINES)
async def review_match(caller: FromCaller, match: FromPath[str]) -> Stream:
    """Review a match that is over, step by step: a JSON object on each line, the last with the whole review."""
    table = await (await caller.services.registry.find(match)).current()
    if table.outcome is None:
        raise MatchRunning("A match is reviewed when it is over.")
    return await _streamed(caller, table.record())


@post("/api/reviews", status_code=200, opt=READ, media_type=LINES)
async def review_record(caller: FromCaller, data: JSONBody[ReviewQuestion]) -> Stream:
    """Review a record step by step."""
    return await _streamed(caller, Record.decode(data.record))


@post("/api/reviews/retry", status_code=200, opt=READ)
async def retry(caller: FromCaller, data: JSONBody[RetryQuestion]) -> Retry:
    """Return what another action in the place of one of a record would have been worth."""
    return await caller.services.analyses.ask(RETRY, data, caller.asker)


async def _streamed(caller: Caller, record: Record) -> Stream:
    """Return the lines of a review; a refusal that comes before the first one is an answer of its own."""
    steps = _steps(caller, record)
    first = await anext(steps)
    return Stream(_lines(first, steps), media_type=LINES, headers={"cache-control": "no-store"})


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
    question = ReviewQuestion(record.encode())
    async with aclosing(caller.services.analyses.stream(REVIEW, question, caller.asker)) as steps:
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
