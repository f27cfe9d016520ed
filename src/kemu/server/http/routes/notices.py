"""Notices: what a player was told lately, and what of it they have seen."""

from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from kemu.core.errors import OptionError
from kemu.server.http.requests import PLAY, READ, FromCaller
from kemu.server.live.notices import NoticesAnswer, WaitingMatch


class SeenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What was seen: the notice about one subject, or all notices up to a time in ms."""

    about: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\0]*$")] | None = None
    until: Annotated[int, Meta(ge=0, le=2**53)] | None = None


@get("/api/notices", opt=READ)
async def latest(caller: FromCaller) -> NoticesAnswer:
    """Return your last notices."""
    return await caller.services.notices.answer(caller.visitor.id)


@post("/api/notices/seen", opt=PLAY, status_code=204)
async def seen(caller: FromCaller, data: JSONBody[SeenRequest]) -> None:
    """Note what you have seen, on every page and device of yours."""
    if (data.about is None) == (data.until is None):
        raise OptionError("Name either the subject that was seen, or until when everything was seen.")
    if data.about is not None:
        await caller.services.notices.see(caller.visitor.id, data.about)
    if data.until is not None:
        await caller.services.notices.see_all(caller.visitor.id, data.until)


@get("/api/turns", opt=READ)
async def turns(caller: FromCaller) -> list[WaitingMatch]:
    """List your running matches, those with the least time left first."""
    return await caller.services.waiting.of(caller.visitor.id)
