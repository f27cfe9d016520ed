"""How a game is expected to end, by the net, for study."""

from fractions import Fraction
from typing import Final

import numpy as np

from kemu.core.game import Seat
from kemu.engines.analysis import LikelyEnding, Prediction
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.net import Outlook, outlook, shipped_net
from kemu.engines.moeraki.net_inputs import TILES
from kemu.engines.moeraki.packed import pack_tanes
from kemu.engines.moeraki.translation import kernel_state
from kemu.engines.moeraki.transposition import Sides
from kemu.games.moeraki.board import AREAS, HOLLOWS
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

DIGITS: Final = 3
"""Of what is told: more would differ between machines, which do not agree on the last digit of a power."""

KINDS: Final = (*kernel.REASONS[kernel.TAHUNA : kernel.ARA + 1], kernel.REASONS[kernel.MARAE])


def expected_owners(game: MoerakiKemu, state: State) -> dict[str, float]:
    """The tiles to expect in each area, positive for seat 0; empty before the ball lies and where no tiles count.

    An area in which no tile can lie any more, because of a Tane, has 0.
    """
    if game.variant == "beginner" or not state.ball:
        return {}
    seat, found = _outlook(game, _answered(game, state))
    tiles = _for_seat_0(seat) * (found.areas @ TILES)
    return {area.name: round(float(each), DIGITS) + 0.0 for area, each in zip(AREAS, tiles, strict=True)}  # no -0.0


def expected_end(game: MoerakiKemu, state: State) -> Prediction | None:
    """How the game is expected to end; None before the ball lies.

    The lead is the difference of tiles, as it is to be expected if the Marae decides.
    """
    if not state.ball:
        return None
    state = _answered(game, state)
    seat, found = _outlook(game, state)
    lead = None
    if game.variant != "beginner":
        lead = round(_for_seat_0(seat) * float((found.areas @ TILES).sum()), DIGITS) + 0.0
    if (outcome := game.outcome(state)) is not None:
        winner = outcome.winners[0] if outcome.winners else None
        score = 0.5 if winner is None else 1.0 - winner
        return Prediction(score, lead, (LikelyEnding(outcome.reason, winner, 1.0),))
    score = round(found.score if seat == 0 else 1 - found.score, DIGITS)
    return Prediction(score, lead, _likely_endings(seat, found))


def _likely_endings(seat: Seat, found: Outlook) -> tuple[LikelyEnding, ...]:
    """All endings that have a chance, the most likely one first, from what the net says for a seat."""
    endings = [
        LikelyEnding(reason, winner, round(float(chance), DIGITS))
        for winner, chances in ((seat, found.win_kinds), (1 - seat, found.loss_kinds))
        for reason, chance in zip(KINDS, chances, strict=True)
    ]
    endings.append(LikelyEnding("draw", None, round(found.draw, DIGITS)))
    return tuple(sorted((ending for ending in endings if ending.chance), key=lambda ending: -ending.chance))


def _answered(game: MoerakiKemu, state: State) -> State:
    """The state itself; on a full board where somebody is asked for the Tane, the end after the best answers.

    The net knows of no Tane to come on a full board, and the few answers can all be tried.
    """
    if state.step is None or state.occupied.bit_count() < len(HOLLOWS):
        return state
    ends = [_answered(game, game.apply(state, action)) for action in game.actions(state)]
    return max(ends, key=lambda end: _points_won(game, end, state.turn))


def _points_won(game: MoerakiKemu, end: State, seat: Seat) -> tuple[bool, Fraction]:
    """Whether a seat wins a game that ended by the Marae, and its lead."""
    outcome = game.outcome(end)
    assert outcome is not None
    assert outcome.scores is not None
    return seat in outcome.winners, Fraction(outcome.scores[seat] - outcome.scores[1 - seat])


def _for_seat_0(seat: Seat) -> int:
    return 1 if seat == 0 else -1


def _outlook(game: MoerakiKemu, state: State) -> tuple[Seat, Outlook]:
    """What the net says for the seat that lays the next stone, which is not always the one that is asked now."""
    words, seat = kernel_state(game, state), 1 - state.mover
    stones = [np.uint64(words[kernel.STONES + each]) for each in (seat, 1 - seat)]
    tanes = [int(words[kernel.TANES + each]) for each in (seat, 1 - seat)]
    sides = Sides(stones[0], stones[1], pack_tanes(tanes[0], tanes[1], game.starter == seat))
    return seat, outlook(shipped_net(), sides, int(words[kernel.BALL_AT]), VARIANTS.index(game.variant))
