"""The tournaments of a process: each is a live document, told to everybody who looks at its page.

Commands come over HTTP; a socket shows what they change. Everything here may be known by everybody who has the address.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct, UnsetType

from kemu.people.tournaments.commands import PersonCommand, TournamentCommand, UnknownTournament
from kemu.people.tournaments.decide import TournamentRules
from kemu.people.tournaments.events import TournamentEntry, decode_tournament_entry, encode_tournament_entry
from kemu.people.tournaments.rounds import last_round, next_due
from kemu.people.tournaments.standings import TournamentStanding, standings
from kemu.people.tournaments.values import Entrant, Round, Stage, Tournament, TournamentTerms
from kemu.play.commands import Id
from kemu.play.dealer import Dealer
from kemu.play.errors import AlreadyDone
from kemu.play.runner import Answer
from kemu.server.live.actor import FULL, Actor, DocumentConnection, Render
from kemu.server.live.connection import Asked
from kemu.server.live.frames import Done, Pong, Refused, encode
from kemu.server.live.registry import Registry
from kemu.server.runtime import Runtime, TooMany, now_ms
from kemu.storage.journal import Append
from kemu.storage.tournaments import TournamentRow, TournamentSave

PREFIX: Final = "t-"
"""Of the ids of tournaments, whose entries are in the same journal as those of matches."""

Saved: TypeAlias = Callable[[Tournament, TournamentEntry, Tournament], None]


class TournamentRead(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Messages of a client at a tournament."""

    id: Id


class PingTournament(TournamentRead, frozen=True, tag="ping"):
    """Answer with the server's time."""

    t: int = 0


class FullTournament(TournamentRead, frozen=True, tag="full"):
    """Send everything again."""


TournamentMessage: TypeAlias = PingTournament | FullTournament


class TournamentState(Struct, frozen=True, kw_only=True):
    """How far a tournament is: entrants and standings, the newest of its rounds, and when the next thing is due (ms).

    `last` is the number of the last round if it is known.
    """

    version: int
    now: int
    stage: Stage
    entrants: list[Entrant]
    standings: list[TournamentStanding]
    rounds: list[Round]
    due: int | None
    last: Annotated[int, Meta(ge=0)] | None


class TournamentAnswer(TournamentState, frozen=True, kw_only=True):
    """A tournament with all its rounds."""

    id: str
    host: str
    created: int
    terms: TournamentTerms


class TournamentFrame(TournamentAnswer, frozen=True, kw_only=True, tag="tournament"):
    """Everything there is to know of a tournament."""


class TournamentChange(TournamentState, frozen=True, kw_only=True, tag="change"):
    """The next version of a tournament; `rounds` are only those that have changed or are new."""


TournamentMessageAnswer: TypeAlias = TournamentFrame | TournamentChange | Done | Refused | Pong


def tournament_answer(tournament: Tournament) -> TournamentAnswer:
    """Return a tournament as everybody may know it."""
    return TournamentAnswer(**_described(tournament), **_state(tournament, tournament.rounds))


def _described(tournament: Tournament) -> dict[str, Any]:
    named = ("id", "host", "created", "terms")
    return {name: getattr(tournament, name) for name in named}


def _state(tournament: Tournament, rounds: tuple[Round, ...]) -> dict[str, Any]:
    return {
        "version": tournament.version,
        "now": now_ms(),
        "stage": tournament.stage,
        "entrants": list(tournament.entrants),
        "standings": standings(tournament),
        "rounds": list(rounds),
        "due": next_due(tournament),
        "last": last_round(tournament),
    }


class TournamentActor(Actor[Tournament, TournamentCommand, TournamentEntry, str]):
    """Owns one tournament."""

    reading: ClassVar[tuple[type, ...]] = (PingTournament, FullTournament)

    def __init__(self, registry: "TournamentRegistry", row: TournamentRow) -> None:
        tournament = Tournament(row.id, row.host, row.created, row.terms)
        super().__init__(tournament, registry.rules, registry, decode_tournament_message)
        self._registry = registry

    async def check_visitor(self, player: str) -> None:
        """Raise UnknownTournament if pupils take part and the player is not of their class."""
        await self._registry.check_class(player, self.document)

    def admit(self, player: str, asked: Asked, room: int) -> str:
        """Return an empty viewpoint: everybody sees the same. Raises TooMany if the server is full."""
        if len(self._viewers) >= room:
            raise TooMany(FULL)
        return ""

    def message_received(self, connection: DocumentConnection, message: TournamentMessage) -> None:
        """Answer a message of a client."""
        match message:
            case PingTournament():
                self._runner.call(lambda: connection.send(encode(Pong(message.id, message.t, now_ms()))))
            case _ if not connection.may_ask_for_all():
                connection.refuse(TooMany("You have asked for everything too often; wait a moment."), message.id)
            case _:
                self._runner.call(partial(self._send_all, connection))

    def _connect(self, connection: DocumentConnection, view: str, after: int | None, re: str | UnsetType) -> None:
        if not connection.closed:
            self._viewers[connection] = view
            self._send_all(connection)

    def _disconnected(self, view: str) -> None:
        """Nothing is counted of those who look."""

    def _send_all(self, connection: DocumentConnection) -> None:
        found = self.document
        connection.send(encode(TournamentFrame(**_described(found), **_state(found, found.rounds))))

    def _render(self, before: Tournament, entry: TournamentEntry, after: Tournament) -> Render[str]:
        known = set(map(id, before.rounds))
        changed = tuple(each for each in after.rounds if id(each) not in known)
        frame = encode(TournamentChange(**_state(after, changed)))
        return lambda connection, view, re: frame

    def _applied(self, before: Tournament, entry: TournamentEntry, after: Tournament) -> None:
        """Nothing follows here: the jobs follow from what this process saves."""


class TournamentRegistry(Registry[Tournament, TournamentEntry, TournamentActor]):
    """Owns the actors of all tournaments in memory."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime, "tournament", decode_tournament_entry)
        self.store = runtime.store.tournaments
        self.rules = TournamentRules(Dealer().new_id)
        self._on_save: list[Saved] = []

    def subscribe_saves(self, saved: Saved) -> None:
        """Have a function called with the tournaments before and after each entry that this process saved."""
        self._on_save.append(saved)

    async def create(self, host: str, terms: TournamentTerms) -> TournamentActor:
        """Make a new tournament."""
        row = TournamentRow(PREFIX + Dealer().new_id(), host, now_ms(), terms, due=terms.starts)
        await self.store.add(row)
        return self._add(TournamentActor(self, row))

    async def open_for(self, tournament: str, player: str) -> TournamentActor:
        """Return the actor of a tournament that a player may look at. Raises UnknownTournament."""
        actor = await self.find(tournament)
        await actor.current()
        await actor.check_visitor(player)
        return actor

    async def check_class(self, player: str, tournament: Tournament) -> None:
        """Raise UnknownTournament if pupils take part and the player is not of their class."""
        people = {entrant.id for entrant in tournament.entrants if not entrant.bot}
        if tournament.terms.group is not None and await self._runtime.store.people.strange_pupils(player, people):
            raise UnknownTournament("No tournament has this id.")

    async def command(self, tournament: str, command: PersonCommand) -> TournamentActor:
        """Carry out a command of a person, once. Raises KemuError."""
        actor = await self.find(tournament)
        try:
            await actor.execute(command)
        except AlreadyDone:
            await actor.current()
        return actor

    def append(self, before: Tournament, entry: TournamentEntry, after: Tournament, saved: Answer) -> None:
        """Save an entry with what is searched for of the tournament."""
        people = None
        if before.entrants is not after.entrants:
            people = tuple(entrant.id for entrant in after.entrants if not entrant.bot)
        save = TournamentSave(_row(after), people)
        append = Append(after.id, after.version, encode_tournament_entry(entry), tournament=save)
        self._write([append], saved, partial(self._entry_saved, before, entry, after))

    def _entry_saved(self, before: Tournament, entry: TournamentEntry, after: Tournament) -> None:
        for saved in self._on_save:
            saved(before, entry, after)

    async def _load(self, document: str) -> TournamentActor:
        actor = TournamentActor(self, await self.store.row(document))
        actor.replay([decode_tournament_entry(entry) for entry in await self._store.journal.entries(document, 0)])
        return actor


def _row(tournament: Tournament) -> TournamentRow:
    people = sum(not entrant.bot for entrant in tournament.present)
    where = tournament.id, tournament.host, tournament.created, tournament.terms, tournament.stage
    return TournamentRow(*where, people, len(tournament.rounds), next_due(tournament))


decode_tournament_message: Final = msgspec.json.Decoder(TournamentMessage).decode
