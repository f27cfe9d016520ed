"""Whose tile is to be expected in each area, for drawings."""

import numpy as np

from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.expected_tiles import expected_tiles
from kemu.engines.moeraki.tables import AREA_BIT
from kemu.engines.moeraki.translation import kernel_state
from kemu.games.moeraki.board import AREAS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

EIGHTHS = 8.0


def expected_owners(game: MoerakiKemu, state: State) -> dict[str, float]:
    """The tiles to expect in each area, positive for seat 0; empty before the ball lies and where no tiles count.

    An area in which no tile can lie any more, because of a Tane, has 0.
    """
    if game.variant == "beginner" or not state.ball:
        return {}
    words = kernel_state(game, state)
    ball = np.uint64(1 << int(words[kernel.BALL_AT]))
    barred = int(kernel.barred(words[kernel.TANES], words[kernel.TANES + 1]))
    stones = words[kernel.STONES], words[kernel.STONES + 1]
    return {
        area.name: 0.0 if barred >> bit & 1 else expected_tiles(*stones, ball, np.uint64(1 << bit)) / EIGHTHS
        for area, bit in zip(AREAS, AREA_BIT, strict=True)
    }
