"""A draft of an entry: its events so far, the tournament after them, and what several commands do."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from kemu.people.tournaments import events as e
from kemu.people.tournaments.rounds import missing_computers, next_round
from kemu.people.tournaments.values import Entrant, PairedGame, Round, Tournament

NewId: TypeAlias = Callable[[], str]


class Draft:
    """The events of an entry so far, and the tournament after them."""

    def __init__(self, tournament: Tournament, now: int, new_id: NewId) -> None:
        self.tournament = tournament
        self.events: list[e.AnyTournamentEvent] = []
        self.now = now
        self.new_id = new_id

    def add(self, event: e.AnyTournamentEvent) -> None:
        """Add an event and apply it."""
        self.tournament = e.apply_tournament_event(self.tournament, event, self.now)
        self.events.append(event)

    @property
    def newest(self) -> Round:
        """The newest round of a tournament that runs."""
        assert self.tournament.current is not None, "a tournament that runs has a round"
        return self.tournament.current

    def forfeit(self, game: PairedGame, points: tuple[int, ...]) -> None:
        """Give a game these points without its being played."""
        self.add(e.GameScored(game.match, points, "forfeit"))


def begin(draft: Draft) -> None:
    """Begin the first round."""
    draft.add(e.StageChanged("running"))
    begin_round(draft)


def begin_round(draft: Draft) -> None:
    """Begin the next round with as many computers as it needs, or end the tournament if there is none."""
    computers = [entrant for entrant in draft.tournament.entrants if entrant.bot]
    terms, wanted = draft.tournament.terms, missing_computers(draft.tournament)
    number = len(draft.tournament.rounds) + 1
    for place in range(wanted):
        known = computers[place] if place < len(computers) else None
        if known is None and terms.computer is not None:
            draft.add(e.Entered(Entrant(f"bot:{place + 1}", terms.computer.bot, 0, number, bot=terms.computer.bot)))
        elif known is not None and known.away:
            draft.add(e.Entered(replace(known, away=False)))
    for surplus in computers[wanted:]:
        if not surplus.away and terms.system in ("league", "tables"):
            draft.add(e.Withdrew(surplus.id))
    following = next_round(draft.tournament, draft.now, draft.new_id)
    draft.add(e.StageChanged("finished") if following is None else e.RoundBegan(following))
