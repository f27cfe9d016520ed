"""Routes of the relations between players: whom one follows, blocks and reports. Tokens can use nothing of them."""

from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from kemu.people.relations import RelationKind
from kemu.people.reports import Reason, Report
from kemu.server.auth.identity import NotSignedIn
from kemu.server.http.requests import Caller, FromCaller
from kemu.server.runtime import now_ms
from kemu.storage.errors import UnknownPlayer
from kemu.storage.people import RelationRow


class RelationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to follow or to block a player."""

    kind: RelationKind


class ReportRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A player, why they are reported, and the match in which it happened."""

    player: str
    reason: Reason
    match: Annotated[str, Meta(max_length=40, pattern=r"^[\w-]+$")] | None = None


class RelationAnswer(Struct, frozen=True):
    """Whether you follow or block a player; `null` if neither."""

    kind: RelationKind | None


class RelatedAnswer(Struct, frozen=True):
    """A player whom you follow or block, since when."""

    player: str
    name: str
    created: int


@get("/api/relations")
async def relations(
    caller: FromCaller,
    kind: FromQuery[RelationKind] = "follow",
    before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[RelatedAnswer]:
    """List whom you follow or block, newest first."""
    people = caller.services.runtime.store.people
    return [RelatedAnswer(*each) for each in await people.related(caller.visitor.id, kind, before, limit)]


@get("/api/relations/{player:str}")
async def relation(caller: FromCaller, player: FromPath[str]) -> RelationAnswer:
    """Return whether you follow or block a player."""
    return RelationAnswer(await caller.services.runtime.store.people.relation(caller.visitor.id, player))


@put("/api/relations/{player:str}")
async def relate(caller: FromCaller, player: FromPath[str], data: JSONBody[RelationRequest]) -> RelationAnswer:
    """Follow or block a player, instead of what was before."""
    _check_account(caller)
    store = caller.services.runtime.store
    other = await store.players.player(player)
    if other is None or (data.kind == "follow" and not other.account):
        raise UnknownPlayer("No account has this id." if other else "No player has this id.")
    async with caller.services.turns.of(caller.visitor.id):
        await store.people.relate(RelationRow(caller.visitor.id, other.id, data.kind, now_ms()))
    return RelationAnswer(data.kind)


@delete("/api/relations/{player:str}")
async def unrelate(caller: FromCaller, player: FromPath[str]) -> None:
    """Follow and block a player no longer; nothing happens if you do neither."""
    await caller.services.runtime.store.people.unrelate(caller.visitor.id, player)


@post("/api/reports", status_code=204)
async def report(caller: FromCaller, data: JSONBody[ReportRequest]) -> None:
    """Report a player to the operator of the server, in place of an earlier report of yours about the same player."""
    _check_account(caller)
    store = caller.services.runtime.store
    if await store.players.player(data.player) is None:
        raise UnknownPlayer("No player has this id.")
    async with caller.services.turns.of(caller.visitor.id):
        given = Report(data.player, caller.visitor.id, data.reason, now_ms(), data.match)
        await store.moderation.report(given)


def _check_account(caller: Caller) -> None:
    if not caller.visitor.player.account:
        raise NotSignedIn("Following, blocking and reporting are for accounts; make one first.")
