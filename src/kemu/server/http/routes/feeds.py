"""Feeds: a calendar of deadlines and the last notices, at secret addresses for programs that know no cookies."""

from secrets import token_urlsafe
from typing import Final, Literal

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.people.feeds import ATOM_TYPE, CALENDAR_TYPE, Deadline, FeedEntry, atom, calendar
from kemu.people.notices import Notice, page
from kemu.people.sentences import sentence
from kemu.server.http.requests import GUEST, AnyRequest, FromCaller, FromServices, request_source
from kemu.server.outbound.push import game_title
from kemu.server.runtime import now_ms
from kemu.server.services import Services

SECRET_BYTES: Final = 24


class UnknownFeed(KemuError):
    """No feed has this address, or not any more."""

    code = "unknown-feed"


class FeedAddresses(Struct, frozen=True):
    """The addresses of your feeds, null if you have none; who knows them can read your deadlines and notices."""

    calendar: str | None
    atom: str | None


class FeedsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The language of the sentences in your feeds."""

    language: Literal["en", "fr", "de"] = "en"


@get("/api/feeds")
async def feed_addresses(caller: FromCaller) -> FeedAddresses:
    """Return the addresses of your feeds."""
    return _addresses(await caller.services.runtime.store.feeds.secret(caller.visitor.id))


@post("/api/feeds", opt=GUEST, status_code=200)
async def renew_feeds(caller: FromCaller, data: JSONBody[FeedsRequest]) -> FeedAddresses:
    """Make feeds at new addresses; those of before lead nowhere any more."""
    secret = token_urlsafe(SECRET_BYTES)
    await caller.services.runtime.store.feeds.save(caller.visitor.id, secret, data.language)
    return _addresses(secret)


@delete("/api/feeds", status_code=204)
async def delete_feeds(caller: FromCaller) -> None:
    """Have no feeds any more."""
    await caller.services.runtime.store.feeds.delete(caller.visitor.id)


def _addresses(secret: str | None) -> FeedAddresses:
    if secret is None:
        return FeedAddresses(None, None)
    return FeedAddresses(f"/feeds/{secret}/deadlines.ics", f"/feeds/{secret}/notices.atom")


@get("/feeds/{secret:str}/deadlines.ics", media_type=CALENDAR_TYPE)
async def deadlines(request: AnyRequest, services: FromServices, secret: FromPath[str]) -> Response[str]:
    """Return the deadlines of whose feed this is as a calendar."""
    (player, language), origin = await _owner(services, secret), _origin(request, services)
    found = [
        Deadline(
            match.match,
            sentence(Notice(kind="your-turn", about=match.match, names=match.names), language, game_title(match.game)),
            f"{origin}/match/{match.match}",
            match.deadline,
        )
        for match in await services.waiting.of(player)
        if match.mine and match.awaited and match.deadline is not None
    ]
    return Response(calendar(found, now_ms()), media_type=CALENDAR_TYPE, headers=_PRIVATE)


@get("/feeds/{secret:str}/notices.atom", media_type=ATOM_TYPE)
async def notices_feed(request: AnyRequest, services: FromServices, secret: FromPath[str]) -> Response[str]:
    """Return the last notices of whose feed this is."""
    (player, language), origin = await _owner(services, secret), _origin(request, services)
    found = [
        FeedEntry(
            f"tag:kemu,2026:{notice.about}/{notice.at}",
            sentence(notice, language, game_title(notice.game)),
            f"{origin}{page(notice)}",
            notice.at,
        )
        for notice in await services.runtime.store.notices.latest(player)
    ]
    text = atom(found, f"{origin}/feeds/{secret}/notices.atom", now_ms())
    return Response(text, media_type=ATOM_TYPE, headers=_PRIVATE)


_PRIVATE: Final = {"cache-control": "private, no-cache"}


async def _owner(services: Services, secret: str) -> tuple[str, str]:
    found = await services.runtime.store.feeds.owner(secret)
    if found is None:
        raise UnknownFeed("No feed has this address, or not any more.")
    return found


def _origin(request: AnyRequest, services: Services) -> str:
    return f"{request_source(request, services).scheme}://{request.headers.get('host', '')}"
