"""The explorer: what was played from a position and how it ended, merged under symmetry.

Two positions are the same if they look the same to everybody: how often they came up before does not count, and neither
does how the board is turned or mirrored, where the rules know no difference. Actions that a symmetry of the position
exchanges count as one.

Games in which seats see different things have no explorer: what was played there depends on hands that others do not
know, and deals hardly ever come up again.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from kemu.core.errors import OptionError
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, AnyView, Outcome, Symmetry, options
from kemu.core.record import Record, replay
from kemu.games import game, manifest, symmetries

KEY_BYTES: Final = 16
"""Of the hash that stands for a position; two positions never share it by chance."""


class Canonical(NamedTuple):
    """The form that stands for all images of a position, and the symmetries that give it."""

    key: str  # a JSON text: game, options and position
    symmetries: Sequence[Symmetry]

    def action(self, game: AnyGame, action: Any) -> str:
        """Return the text that stands for all images of an action in this position."""
        return min(game.format(each.action(action)) for each in self.symmetries)


def canonical(rules: AnyGame, state: Any) -> Canonical:
    """Return the canonical form of a state: of all its images the one whose document comes first."""
    if not manifest(rules.key).hidden:  # the position in a view is without the past
        view: AnyView = rules.view(state, SPECTATOR)
        state = rules.decode(view["position"])
    found: dict[str, list[Symmetry]] = defaultdict(list)
    for each in symmetries(rules):
        found[_text(rules.encode(each.state(state)))].append(each)
    first = min(found)
    return Canonical(f"{rules.key} {_text(options(rules))} {first}", found[first])


def _text(document: object) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


class Tally(NamedTuple):
    """How often an action was taken, by how it ended for the seat that took it; a shared win is a win."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: object) -> "Tally":
        assert isinstance(other, Tally), "tallies are added to tallies"
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


class Play(NamedTuple):
    """An action of a finished game: the key of the position, the canonical text of the action."""

    position: str
    action: str


class ExploredAction(NamedTuple):
    """Actions played from a position: those that symmetries exchange, in the order of the legal ones."""

    actions: tuple[str, ...]
    tally: Tally


Index = Mapping[Play, Tally]
"""Index of what was played in some games; `kemu.storage` keeps such a mapping in a table."""


def check_explorable(rules: AnyGame) -> None:
    """Raise OptionError if a game has no explorer."""
    found = manifest(rules.key)
    if found.hidden:
        raise OptionError(f"{found.title} has no explorer: its cards are hidden, and deals hardly ever come up again.")


def position_key(found: Canonical) -> str:
    """Return the hash that stands for a position."""
    return blake2b(found.key.encode(), digest_size=KEY_BYTES).hexdigest()


def plays(rules: AnyGame, actions: Sequence[str], outcome: Outcome) -> Iterator[tuple[Play, Tally]]:
    """Return every action of a finished game, the dealer's left out. Raises KemuError if one is not legal."""
    for state, text in zip(replay(rules, actions), actions, strict=False):
        seat = rules.turn(state)
        if seat is not None and seat != CHANCE:
            found = canonical(rules, state)
            yield Play(position_key(found), found.action(rules, rules.parse(text))), _tally(outcome, seat)


def index(records: Iterable[Record]) -> Index:
    """Return the index of the finished games among some records.

    Raises:
        KemuError: A record is not legal, or of a game that has no explorer.
    """
    totals: dict[Play, Tally] = {}
    for record in records:
        rules = game(record.game, **record.options)
        check_explorable(rules)
        *_, last = replay(rules, record.actions)
        outcome = record.result or rules.outcome(last)
        for play, tally in plays(rules, record.actions, outcome) if outcome else ():
            totals[play] = totals.get(play, Tally()) + tally
    return totals


def explore(rules: AnyGame, state: Any, tallies: Mapping[str, Tally]) -> list[ExploredAction]:
    """Return what was played from a state, the most frequent first.

    Args:
        rules: The game.
        state: Where to look.
        tallies: The tallies of this position in an index, by the canonical text of the action.
    """
    found, same = canonical(rules, state), dict[str, list[str]]()
    for action in rules.actions(state):
        same.setdefault(found.action(rules, action), []).append(rules.format(action))
    explored = [ExploredAction(tuple(texts), tallies[text]) for text, texts in same.items() if text in tallies]
    return sorted(explored, key=lambda each: -sum(each.tally))


def explore_index(rules: AnyGame, state: Any, known: Index) -> list[ExploredAction]:
    """Return what an index holds of a state, the most frequent action first. Raises OptionError."""
    check_explorable(rules)
    key = position_key(canonical(rules, state))
    return explore(rules, state, {play.action: tally for play, tally in known.items() if play.position == key})


def _tally(outcome: Outcome, seat: int) -> Tally:
    if not outcome.winners:
        return Tally(drawn=1)
    return Tally(won=1) if seat in outcome.winners else Tally(lost=1)
