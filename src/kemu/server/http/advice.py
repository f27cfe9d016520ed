"""What wins at once and what must be stopped, worked out from the rules and one seat's view alone."""

from typing import Any

from kemu.core.game import AnyGame, Seat
from kemu.server.http.responses import Threats

NOTHING = Threats([], [])


def threats(game: AnyGame, view: Any, seat: Seat) -> Threats:
    """The actions that win at once, and those that keep others from it if not all do; none in games with secrets."""
    if "position" not in view:
        return NOTHING
    state = game.decode(view["position"])
    wins, safe, losing = [], [], False
    for action in game.actions(state):
        after = game.apply(state, action)
        if (outcome := game.outcome(after)) and outcome.winners == (seat,):
            wins.append(game.format(action))
        if _loses(game, after, seat):
            losing = True
        else:
            safe.append(game.format(action))
    return Threats(wins, safe if losing else [])


def reason(found: Threats, action: str, choices: int) -> str:
    """Why an action is suggested: `only`, `wins`, `stops` or, on the word of a bot, `best`."""
    if choices == 1:
        return "only"
    if action in found.wins:
        return "wins"
    return "stops" if action in found.stops else "best"


def _loses(game: AnyGame, state: Any, seat: Seat) -> bool:
    """Whether somebody else can win with the next action."""
    if game.turn(state) in (None, seat):
        return False
    ends = (game.outcome(game.apply(state, reply)) for reply in game.actions(state))
    return any(outcome is not None and bool(outcome.winners) and seat not in outcome.winners for outcome in ends)
