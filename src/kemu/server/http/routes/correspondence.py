"""What a player keeps about a match for themselves: note, forced and conditional moves; and their vacation."""

from typing import Annotated

import msgspec
from litestar import get, patch, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct
from msgspec.structs import replace

from kemu.games import manifest
from kemu.people.vacation import VacationStock
from kemu.play.errors import NotYours, StaleVersion
from kemu.play.plans import NoPlan, check_plannable, make_plan, remaining_lines
from kemu.play.table import Table
from kemu.server.auth.identity import NotSignedIn
from kemu.server.http.requests import PLAY, Caller, FromCaller
from kemu.server.runtime import now_ms
from kemu.storage.plans import PlanRow


class PlanChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes of a plan; `lines` begin at the position of this `version`, and none drops the conditional moves."""

    note: Annotated[str, Meta(max_length=4000, pattern=r"^[^\0]*$")] | None = None
    forced: bool | None = None
    lines: list[list[Annotated[str, Meta(max_length=100)]]] | None = None
    version: int = 0


class PlanAnswer(Struct, frozen=True):
    """What you keep about a match; `lines` are what is left of the conditional moves at the present position."""

    note: str
    forced: bool
    lines: list[list[str]]


class VacationChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether your vacation begins or ends."""

    on: bool


class VacationAnswer(Struct, frozen=True):
    """Your vacation: milliseconds left, and until when it lasts at most if it has begun."""

    left: int
    until: int | None


@get("/api/matches/{match:str}/plan", opt=PLAY)
async def plan_of(caller: FromCaller, match: FromPath[str]) -> PlanAnswer:
    """Return what you keep about a match in which you play."""
    table = await (await caller.services.registry.find(match)).current()
    _check_seat(table, caller)
    return _answer(table, await _row(table, caller))


@patch("/api/matches/{match:str}/plan", opt=PLAY)
async def change_plan(caller: FromCaller, match: FromPath[str], data: JSONBody[PlanChange]) -> PlanAnswer:
    """Change what you keep about a match in which you play; nobody else is shown it."""
    services = caller.services
    actor = await services.registry.find(match)
    async with services.turns.of(caller.visitor.id):
        table = await actor.current()
        _check_seat(table, caller)
        row = await _row(table, caller)
        if data.forced is not None:
            check_plannable(table)
            row = replace(row, forced=data.forced)
        if data.note is not None:
            row = replace(row, note=data.note)
        if data.lines is not None:
            row = replace(row, plan=_plan(table, caller.visitor.id, data))
        await services.runtime.store.plans.save_plan(row)
        services.plan_scheduler.match_changed(actor)  # the match may have gone on meanwhile
        return _answer(await actor.current(), row)


@get("/api/vacation", opt=PLAY)
async def vacation(caller: FromCaller) -> VacationAnswer:
    """Return how much vacation you have left."""
    return _vacation(await caller.services.vacations.find(caller.visitor.id))


@put("/api/vacation", opt=PLAY)
async def change_vacation(caller: FromCaller, data: JSONBody[VacationChange]) -> VacationAnswer:
    """Begin or end your vacation: the clocks of your correspondence matches stand still, as your opponents see."""
    if not caller.visitor.player.account:
        raise NotSignedIn("Vacations are for accounts; make one first.")
    async with caller.services.turns.of(caller.visitor.id):
        return _vacation(await caller.services.vacations.change(caller.visitor.id, on=data.on))


def _check_seat(table: Table, caller: Caller) -> None:
    if not table.seats(caller.visitor.id):
        raise NotYours("You do not play in this match.")


async def _row(table: Table, caller: Caller) -> PlanRow:
    rows = await caller.services.runtime.store.plans.plans(table.id)
    return next((row for row in rows if row.player == caller.visitor.id), PlanRow(table.id, caller.visitor.id))


def _plan(table: Table, player: str, data: PlanChange) -> str | None:
    if not data.lines:
        return None
    check_plannable(table)
    if len(table.seats(player)) > 1:
        raise NoPlan("You play at several seats of this match yourself.")
    if data.version < table.position:
        raise StaleVersion(f"The position changed in version {table.position}; you looked at {data.version}.")
    plan = make_plan(table, table.seats(player)[0], data.lines, hidden=manifest(table.terms.game).hidden)
    return msgspec.json.encode(plan).decode() if plan.lines else None


def _answer(table: Table, row: PlanRow) -> PlanAnswer:
    plan = row.conditional
    lines = () if plan is None else remaining_lines(table, plan)
    return PlanAnswer(row.note, row.forced, [list(line) for line in lines])


def _vacation(vacation: VacationStock) -> VacationAnswer:
    return VacationAnswer(vacation.left(now_ms()), vacation.until)
