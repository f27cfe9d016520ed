"""What a coach says of a position and of a lost game: as deep as the opponent plays, in at most three marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kemu.analysis.grades import standing
from kemu.analysis.positions import Positions, judge
from kemu.bots.engines import require_player, review_budget, threats
from kemu.core.game import AnyGame, AnyView, Seat
from kemu.core.record import Record
from kemu.engines.analysis import Budget, ThreatAnalysis, ThreatLine
from kemu.engines.threats import MOST_DECISIONS, search_turns

MOST_MARKS: Final = 3
"""More marked places than these say nothing to a beginner."""

COMPLETES_NEXT, DOUBLE_THREATS = 1, 2
"""How deep a coach looks: what completes next, threats on two places at once; `None` is every forced win."""

SHALLOW_LEVELS: Final = ((2, COMPLETES_NEXT), (4, DOUBLE_THREATS))
"""Up to which level of the opponent a coach looks no deeper than this."""

CHANCE_STANDING: Final = 0.25
"""A game could still be won with half of an equal share of the victory."""

SEARCH_PART: Final = 4
"""The part of a review's search that looks for the last chance in a game with secrets."""


def depth_for(levels: Iterable[int]) -> int | None:
    """Return how deep a coach looks against bots of these levels."""
    strongest = max(levels, default=0)
    return next((depth for level, depth in SHALLOW_LEVELS if 0 < strongest <= level), None)


def coached(game: AnyGame, view: AnyView, depth: int | None = None) -> ThreatAnalysis[Any]:
    """Return the wins, threats and defences that a coach names, at most three of each kind, the best first.

    The plain answer to what completes next is always among the defences, even if the game is lost in the long run.
    """
    found = threats(game, view)
    if found.wins:
        return replace(found, wins=found.wins[:MOST_MARKS], lines=found.lines[:MOST_MARKS])
    lines = tuple(line for line in found.lines if depth is None or _depth(line) <= depth)
    stops = _stops(game, view, replace(found, lines=lines), depth)
    return replace(found, stops=tuple(stops[:MOST_MARKS]), lines=lines[:MOST_MARKS])


def _depth(line: ThreatLine) -> int:
    """Return how deep a threat lies: what completes next, on two places at once, or by force."""
    if len(line.missing) == 1:
        return COMPLETES_NEXT
    return DOUBLE_THREATS if len(line.missing) == 2 and line.action in line.missing else DOUBLE_THREATS + 1


def _stops(game: AnyGame, view: AnyView, found: ThreatAnalysis[Any], depth: int | None) -> Sequence[Any]:
    """Return the defences at a depth, the plain answer first."""
    if depth is not None and not found.lines:
        return ()
    state = game.decode(view["position"]) if "position" in view else None
    next_cells = {line.missing[0] for line in found.lines if len(line.missing) == 1}
    plain = [action for action in game.actions(state) if game.format(action) in next_cells] if next_cells else []
    if len(plain) == 1:
        return plain if depth == COMPLETES_NEXT else [*plain, *_ranked(game, view, set(found.stops) - set(plain))]
    if depth == COMPLETES_NEXT and not plain:
        return _ranked(game, view, search_turns(game, state).stops)
    return _ranked(game, view, found.stops)


def _ranked(game: AnyGame, view: AnyView, actions: Iterable[Any]) -> list[Any]:
    """Return some actions in the order in which a quick search ranks them."""
    chosen = list(actions)
    if len(chosen) < 2:
        return chosen
    analyst, budget = require_player(game).analyst(game, None, 1), Budget(nodes=review_budget(game).first)
    count = len(game.actions(game.decode(view["position"])))
    lines = analyst.analyse(view, (), budget, count, 0).lines
    order = {line.action: number for number, line in enumerate(lines)}
    return sorted(chosen, key=lambda action: (order.get(action, len(order)), game.format(action)))


@dataclass(frozen=True)
class LastChance:
    """The last decision at which a seat could still win a game with secrets, by what it knew then.

    `better` is what would have kept the chance, `None` if the action taken was as good.
    """

    ply: int
    chance: float
    better: str | None


def last_chance(game: AnyGame, actions: Sequence[str], options: dict[str, Any], seat: Seat) -> LastChance | None:
    """Return the last decision at which a seat that lost could still win, `None` if none of its last ones is."""
    positions = Positions(Record(game.key, options, tuple(actions)))
    outcome = positions.outcome
    if outcome is None or not outcome.winners or seat in outcome.winners:
        return None
    budget = Budget(nodes=max(1, review_budget(game).second // SEARCH_PART))
    own = [ply for ply in positions.decisions if positions.turn(ply) == seat and positions.choices(ply) > 1]
    found: LastChance | None = None
    for ply in own[-MOST_DECISIONS:]:  # in the order of the game: what a log says is read on from where it was left
        facts = positions.facts(ply, budget)
        worth = judge(facts, positions.searched(ply, actions[ply]), None, game.seats)
        if standing(worth.best.score, game.seats) >= CHANCE_STANDING:
            found = LastChance(ply, round(worth.best.score, 4), worth.best.line[0] if worth.loss else None)
    return found
