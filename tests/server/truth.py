"""What each viewer of a match of MAUW may be sent, worked out from the stored entries and the rules alone.

Nothing of the server is used: who sits where at each version and which actions were taken is read from the JSON of the
entries. Every view, log line and choice is compared with that of a twin, a state that differs only in what the viewer
may not know; so a frame that passes could have been sent with other hidden cards.
"""

import json
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from kemu.core.game import SPECTATOR, Seat
from kemu.games import text as text_view
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from tests.games.mauw.twins import looks_like, twin, twin_before
from tests.server.live_server import LiveServer

SHARED = {"type", "version", "now", "turn", "outcome", "re", "offers", "clock", "view", "actions", "text", "words"}
FIELDS = {
    "event": SHARED | {"events", "match"},
    "full": SHARED | {"seat", "log", "match"},
    "presence": {"type", "seats", "watching"},
    "done": {"type", "re", "version"},
    "resumed": {"type", "version", "now", "clock"},
    "refused": {"type", "re", "code", "message"},
    "pong": {"type", "re", "t", "now"},
}
"""Every field that a message may have."""

ENDS = {"agreed", "resigned", "flagged", "claimed", "aborted", "stopped"}


class Moment(NamedTuple):
    """A match after one entry."""

    holders: tuple[str | None, ...]  # the player at each seat
    past: tuple[tuple[State, Seat, Any], ...]  # each action with the state before it and who took it
    state: State
    started: bool
    over: bool
    new: int  # how many of the past actions are of this entry
    turn: Seat | None = None  # the seat that acts now


class Truth:
    """A match at each of its versions."""

    def __init__(self, rules: Mauw, entries: Sequence[bytes], seed: int = 0) -> None:
        self.rules = rules
        self._shuffle = random.Random(seed).shuffle
        self._moments = [Moment((None,) * rules.seats, (), rules.initial(), False, False, 0)]
        for entry in entries:
            self._moments.append(self._after(self._moments[-1], json.loads(entry)["events"]))

    @property
    def now(self) -> Moment:
        """The match after its last entry."""
        return self._moments[-1]

    @property
    def version(self) -> int:
        """The number of the last entry."""
        return len(self._moments) - 1

    def _after(self, before: Moment, events: Any) -> Moment:
        holders, past = list(before.holders), list(before.past)
        state, started, over, new = before.state, before.started, before.over, 0
        for event in events:
            match event["event"]:
                case "joined" | "replaced":
                    holders[event["seat"]] = event["player"]["id"]
                case "left":
                    holders[event["seat"]] = None
                case "started":
                    started = True
                case "acted":
                    action = self.rules.parse(event["action"])
                    past.append((state, event["seat"], action))
                    state, new = self.rules.apply(state, action), new + 1
                case "undone":
                    state = past[-event["plies"]][0]
                    del past[-event["plies"] :]
                case name:
                    over = over or name in ENDS
        over = over or self.rules.turn(state) is None
        turn = self.rules.turn(state) if started and not over else None
        return Moment(tuple(holders), tuple(past), state, started, over, new, turn)

    # What a viewer may be sent.

    def may_look(self, player: str, seat: Seat, version: int) -> bool:
        """Whether a player may look through a seat at this version."""
        holders = self._moments[version].holders
        return seat == SPECTATOR or (0 <= seat < len(holders) and holders[seat] == player)

    def check_message(self, message: Any, player: str, seat: Seat, *, text: bool) -> Seat:
        """Check a message to a player whose socket looks through a seat; gives the seat that it looks through then."""
        kind = message["type"]
        assert message.keys() <= FIELDS[kind], message.keys() - FIELDS[kind]
        if kind not in ("full", "event"):
            return seat
        if kind == "full":
            seat = message["seat"]
        version = message["version"]
        assert self.may_look(player, seat, version), f"seat {seat} at version {version}"
        moment = self._moments[version]
        mine = [each for each, holder in enumerate(moment.holders) if holder == player]
        assert "match" not in message or message["match"]["mine"] == mine
        if kind == "full":
            self.check_log([line for _, line in message.get("log", [])], moment.past, seat)
        else:
            acted = [event["line"] for event in message["events"] if event["event"] == "acted"]
            self.check_log(acted, moment.past[len(moment.past) - moment.new :], seat)
        self.check_standing(message, moment.state, seat, choices=moment.turn == seat, text=text)
        return seat

    def check_standing(self, shown: Any, state: State, seat: Seat, *, choices: bool, text: bool) -> None:
        """View, choices and text are those of a twin."""
        other = twin(state, seat, self._shuffle)
        view, drawn = self.rules.view(other, seat), text_view(self.rules.key)
        assert shown["view"] == view
        actions = self.rules.actions(other) if choices else ()
        assert shown.get("actions", []) == [self.rules.format(action) for action in actions]
        words = [drawn.explain(self.rules, view, action) for action in actions] if text else []
        assert shown.get("words", []) == words
        assert shown.get("text") == (drawn.draw(self.rules, view) if text else None)

    def check_listed(self, view: Any) -> None:
        """What a list shows of a match is what a spectator saw at some version."""
        states = [moment.state for moment in reversed(self._moments)]
        assert any(view == self.rules.view(twin(state, SPECTATOR, self._shuffle), SPECTATOR) for state in states)

    def check_log(self, lines: Sequence[str], past: Sequence[tuple[State, Seat, Any]], seat: Seat) -> None:
        """Log lines are those of twins."""
        assert len(lines) == len(past)
        for line, (state, _, action) in zip(lines, past, strict=True):
            other = twin_before(self.rules, state, action, seat, self._shuffle)
            alike = looks_like(self.rules, state, action, other, seat)
            assert line == self.rules.seen(other, alike, seat)

    def check_study(self, steps: Any, seat: Seat, *, text: bool) -> None:
        """The steps of a running match are those of twins; a bot may have gone on since."""
        past = self.now.past[: len(steps) - 1]
        states = [*(state for state, *_ in self.now.past), self.now.state]
        self.check_log([step["line"] for step in steps[1:]], past, seat)
        for step, state in zip(steps, states, strict=False):
            self.check_standing(step, state, seat, choices=self.rules.turn(state) == seat, text=text)


def read_truth(server: LiveServer, match: str) -> Truth:
    """A match of MAUW as it is stored now."""
    row, entries = server.run(server.parts.runtime.store.matches.load(match))
    return Truth(Mauw(**row.terms.options), entries)
