"""The positions of a chapter: which actions are legal, and which positions are the same.

Two positions are the same if they look the same to everybody: how often they came up before does not count, and neither
does how the board is turned or mirrored, where the rules know no difference.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from kemu.core.document import quote
from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR, AnyGame, options
from kemu.core.symmetry import Symmetry
from kemu.games import game, manifest, symmetries
from kemu.study.tree import Chapter, Path


class Canonical(NamedTuple):
    """The form that stands for all images of a position, and the symmetries that give it."""

    key: str  # a JSON text: game, options and position
    symmetries: Sequence[Symmetry]

    def action(self, game: AnyGame, action: Any) -> str:
        """The text that stands for all images of an action in this position."""
        return min(game.format(each.action(action)) for each in self.symmetries)


def game_of(chapter: Chapter) -> AnyGame:
    """The rules of a chapter. Raises UnknownGame or OptionError."""
    return game(chapter.game, **chapter.options)


def first_state(chapter: Chapter) -> Any:
    """The state at the root of a chapter. Raises KemuError."""
    rules = game_of(chapter)
    return rules.initial() if chapter.position is None else rules.decode(chapter.position)


def state_at(chapter: Chapter, path: Path) -> Any:
    """The state at a path, whether the chapter has a node there or not. Raises KemuError."""
    rules, state = game_of(chapter), first_state(chapter)
    for action in path:
        state = rules.apply(state, rules.parse(action))
    return state


def states(chapter: Chapter) -> list[Any]:
    """The state at each node.

    Raises:
        KemuError: The first action that is not legal, with its path; or game, options or position are none.
    """
    rules, found = game_of(chapter), [first_state(chapter)]
    for number, node in enumerate(chapter.nodes[1:], start=1):
        try:
            found.append(rules.apply(found[node.parent], rules.parse(node.action)))
        except KemuError as error:
            place = " ".join(chapter.path(number)[:-1]) or "the start"
            raise type(error)(f"{quote(node.action)} after {quote(place)}: {error}") from None
    return found


def canonical(rules: AnyGame, state: Any) -> Canonical:
    """The canonical form of a state: of all its images the one whose document comes first."""
    if not manifest(rules.key).hidden:  # the position in a view is without the past
        view: Any = rules.view(state, SPECTATOR)
        state = rules.decode(view["position"])
    found: dict[str, list[Symmetry]] = defaultdict(list)
    for each in symmetries(rules):
        found[_text(rules.encode(each.state(state)))].append(each)
    first = min(found)
    return Canonical(f"{rules.key} {_text(options(rules))} {first}", found[first])


def transpositions(chapter: Chapter) -> list[list[tuple[str, ...]]]:
    """The paths that lead to the same position, for each position of a chapter with more than one."""
    rules = game_of(chapter)
    same: dict[str, list[int]] = defaultdict(list)
    for number, state in enumerate(states(chapter)):
        same[canonical(rules, state).key].append(number)
    return [[chapter.path(number) for number in numbers] for numbers in same.values() if len(numbers) > 1]


def other_paths(chapter: Chapter, path: Path) -> list[tuple[str, ...]]:
    """The other paths of a chapter to the position at this one. Raises KemuError."""
    rules = game_of(chapter)
    wanted, number = canonical(rules, state_at(chapter, path)).key, chapter.find(path)
    found = enumerate(states(chapter))
    same = (each for each, state in found if each != number and canonical(rules, state).key == wanted)
    return [chapter.path(each) for each in same]


def _text(document: object) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"))
