"""Which positions are the same: canonical forms under the symmetries of a game.

Two positions are the same if they look the same to everybody: how often they came up before does not count, and neither
does how the board is turned or mirrored, where the rules know no difference.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from kemu.core.game import SPECTATOR, AnyGame, AnyView, Symmetry, options
from kemu.games import manifest, symmetries


class Canonical(NamedTuple):
    """The form that stands for all images of a position, and the symmetries that give it."""

    key: str  # a JSON text: game, options and position
    symmetries: Sequence[Symmetry]

    def action(self, game: AnyGame, action: Any) -> str:
        """The text that stands for all images of an action in this position."""
        return min(game.format(each.action(action)) for each in self.symmetries)


def canonical(rules: AnyGame, state: Any) -> Canonical:
    """The canonical form of a state: of all its images the one whose document comes first."""
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
