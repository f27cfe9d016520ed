"""What one seat can know of the hidden cards, exactly: where the cards of each pile may be, and how likely.

Every pile was once seen by all, the deck or the discards it was made of. Of each pile there is a *pool*: those of
its cards that were not seen since; they are in hands, lie as Mauw, or are still in it. Within a pool all ways to
deal are equally likely. When somebody shows a card, it may have come from any pool of which he holds cards; each of
these readings is a hypothesis, weighed by its chance.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kemu.core.game import Seat
from kemu.engines.mauw.history import Event, Given, Shown, Stacked, retell
from kemu.engines.mauw.sight import View, unseen
from kemu.games.mauw.cards import Card, Counts, count, minus
from kemu.games.mauw.rules import Mauw

MOST_HYPOTHESES: Final = 32
"""The likeliest so many are kept."""


class Pool(NamedTuple):
    """The unseen cards of one pile, and how many of them each seat holds."""

    cards: Counts
    held: tuple[int, ...]

    def give(self, seat: Seat) -> "Pool":
        """The pool after a hidden card of it went to a hand."""
        return Pool(self.cards, _changed(self.held, seat, 1))

    def show(self, card: Card) -> "Pool":
        """The pool after a card was seen that came straight from the pile."""
        return Pool(minus(self.cards, card), self.held)

    def release(self, card: Card, seat: Seat) -> "Pool":
        """The pool after a card was seen that a seat held."""
        return Pool(minus(self.cards, card), _changed(self.held, seat, -1))

    def share(self, card: Card) -> float:
        """How likely a card of the pool is this one."""
        return self.cards[card] / sum(self.cards) if self.cards[card] else 0.0


Hypothesis: TypeAlias = tuple[Pool, ...]
"""A pool for each pile of which somebody may hold cards; the last one is of the pile in use."""

Weighed: TypeAlias = dict[Hypothesis, float]


@dataclass(frozen=True)
class Knowledge:
    """Hypotheses as the search reads them: by hypothesis and pool the cards and how many each seat holds."""

    chances: NDArray[np.float64]  # summed up, so that the last is 1
    cards: NDArray[np.int64]
    held: NDArray[np.int64]


def know(game: Mauw, view: View, log: Sequence[str]) -> Knowledge:
    """What a seat can know from its view and its log."""
    weighed = hypotheses(game, view, log)
    longest = max(len(hypothesis) for hypothesis in weighed)
    nothing = Pool((0,) * 10, (0,) * game.players)
    padded = [(*[nothing] * (longest - len(hypothesis)), *hypothesis) for hypothesis in weighed]
    return Knowledge(
        np.cumsum(list(weighed.values())),
        np.array([[pool.cards for pool in hypothesis] for hypothesis in padded], np.int64),
        np.array([[pool.held for pool in hypothesis] for hypothesis in padded], np.int64),
    )


def hypotheses(game: Mauw, view: View, log: Sequence[str], most: int = MOST_HYPOTHESES) -> Weighed:
    """Every reading of the log with its weight, or the likeliest; of a view without a log the only one there is."""
    history = retell(game, view, log)
    # If a surprise has ended all readings that were kept, coarser ones still know what the last pile was made of.
    for coarse in (False, True):
        weighed: Weighed = {(): 1.0} if history.events else {}
        for event in history.events:
            weighed = _after(weighed, event, game.players, most, coarse)
        if weighed:
            return _likeliest(weighed, most)
    cards = unseen(game, view)
    for turned in history.turned:
        cards.remove(turned)
    held = tuple(number if seat != view["seat"] else 0 for seat, number in enumerate(view["hands"]))
    return {(Pool(count(cards), held),): 1.0}


def _after(weighed: Weighed, event: Event, players: int, most: int, coarse: bool) -> Weighed:
    """The hypotheses after an event, those that it makes impossible left out; coarse ones know two pools."""
    match event:
        case Stacked(cards):
            fresh = Pool(cards, (0,) * players)
            return _sum_up(
                (_in_use((*(_merged(pools) if coarse else pools), fresh)), weight) for pools, weight in weighed.items()
            )
        case Given(int(seat), None):
            return {(*pools[:-1], pools[-1].give(seat)): weight for pools, weight in weighed.items()}
        case Given(_, int(card)):
            return {
                (*pools[:-1], pools[-1].show(card)): weight * chance
                for pools, weight in weighed.items()
                if (chance := pools[-1].share(card))
            }
        case Shown(seat, card):
            return _likeliest(
                _sum_up(
                    (_in_use((*pools[:at], pool.release(card, seat), *pools[at + 1 :])), weight * chance)
                    for pools, weight in weighed.items()
                    for at, pool in enumerate(pools)
                    if (chance := pool.held[seat] * pool.share(card))
                ),
                most,
            )
    return weighed


def _merged(pools: Hypothesis) -> Hypothesis:
    """All pools in one."""
    if len(pools) < 2:
        return pools
    return (Pool(*(tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*pools, strict=True))),)


def _in_use(pools: Hypothesis) -> Hypothesis:
    """The pools without those of which nobody holds a card any more: the rest of them lies as Mauw."""
    return (*(pool for pool in pools[:-1] if any(pool.held)), pools[-1])


def _sum_up(readings: Iterable[tuple[Hypothesis, float]]) -> Weighed:
    """The weight of each hypothesis, however often it was come to."""
    weighed: Weighed = {}
    for hypothesis, weight in readings:
        weighed[hypothesis] = weighed.get(hypothesis, 0.0) + weight
    return weighed


def _likeliest(weighed: Weighed, most: int) -> Weighed:
    """The likeliest hypotheses, with weights that sum up to 1."""
    if len(weighed) > most:
        weighed = {each: weighed[each] for each in heapq.nlargest(most, weighed, weighed.__getitem__)}
    total = sum(weighed.values())
    return {hypothesis: weight / total for hypothesis, weight in weighed.items()}


def _changed(held: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return (*held[:seat], held[seat] + change, *held[seat + 1 :])
