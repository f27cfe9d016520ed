"""The information set of one seat: what its view and its log leave possible, and how likely each of it is.

Every pile was once seen by all: the deck, or the discard pile it was made of. Of each pile there is a *pool*: those of
its cards that were not seen since; they are in hands, lie as Mauw, or are still in it. Within a pool all deals are
equally likely. When a seat shows a card, it may have come from any pool of which the seat holds cards; each of these
possibilities is a hypothesis, weighed by its probability.
"""

import heapq
from collections.abc import Iterable, Sequence
from operator import is_not
from typing import Final, NamedTuple, TypeAlias

from kemu.core.game import Seat
from kemu.engines.mauw.log import AnyView, CardGiven, CardShown, Event, History, LogReader, PileMade, unseen_cards
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import CARD_NAMES, Card, Counts, count_cards, remove_card

MOST_HYPOTHESES: Final = 32
"""Number of the likeliest hypotheses that are kept."""


class Pool(NamedTuple):
    """The unseen cards of one pile, and how many of them each seat holds."""

    cards: Counts
    held: tuple[int, ...]

    def give(self, seat: Seat) -> "Pool":
        """The pool after a hidden card of it went to a hand."""
        return Pool(self.cards, _changed(self.held, seat, 1))

    def show(self, card: Card) -> "Pool":
        """The pool after a card was seen that came straight from the pile."""
        return Pool(remove_card(self.cards, card), self.held)

    def release(self, card: Card, seat: Seat) -> "Pool":
        """The pool after a card was seen that a seat held."""
        return Pool(remove_card(self.cards, card), _changed(self.held, seat, -1))

    def share(self, card: Card) -> float:
        """How likely a card of the pool is this one."""
        return self.cards[card] / sum(self.cards) if self.cards[card] else 0.0


Hypothesis: TypeAlias = tuple[Pool, ...]
"""A pool for each pile of which somebody may hold cards; the last one is of the pile in use."""

Weighed: TypeAlias = dict[Hypothesis, float]


def hypotheses(game: Mauw, view: AnyView, log: Sequence[str], most: int = MOST_HYPOTHESES) -> Weighed:
    """Every reading of the log with its weight, or the likeliest; of a view without a log the only one there is."""
    return Readings(game, most).weigh(view, LogReader(game).read(view, log))


class Readings:
    """Weighs the readings of logs of one game; those of a log that goes on are found from where it left off."""

    def __init__(self, game: Mauw, most: int = MOST_HYPOTHESES) -> None:
        self._game = game
        self._most = most
        self._weighed: dict[Seat, tuple[Sequence[Event], Weighed]] = {}

    def weigh(self, view: AnyView, history: History) -> Weighed:
        """Every reading of the log of a view with its weight, or the likeliest."""
        # If a surprise has ended all readings that were kept, coarser ones still know what the last pile was made of.
        weighed = self._follow(view["seat"], history.events) or self._after_all(history.events, {(): 1.0}, coarse=True)
        if history.events and weighed:
            return _likeliest(weighed, self._most)
        cards = unseen_cards(self._game, view)
        for turned in history.turned:
            if turned in cards:  # not in those of a view that has other cards of discarded hands than its log can have
                cards.remove(turned)
        held = tuple(number if seat != view["seat"] else 0 for seat, number in enumerate(view["hands"]))
        return {(Pool(count_cards(cards), held),): 1.0}

    def _follow(self, seat: Seat, events: Sequence[Event]) -> Weighed:
        """The readings after some events, from where the same ones left off."""
        before, weighed = self._weighed.get(seat, ((), {(): 1.0}))
        if len(before) > len(events) or any(map(is_not, before, events)):
            before, weighed = (), {(): 1.0}
        weighed = self._after_all(events[len(before) :], weighed, coarse=False)
        self._weighed[seat] = (events, weighed)
        return weighed

    def _after_all(self, events: Sequence[Event], weighed: Weighed, coarse: bool) -> Weighed:
        for event in events:
            weighed = _after(weighed, event, self._game.players, self._most, coarse)
        return weighed


def draw_odds(game: Mauw, view: AnyView, log: Sequence[str]) -> dict[str, float]:
    """How likely the next card of the pile is of each kind, as the seat of this view and log knows it.

    Within a pool every card is as likely to lie on top as any other. Empty if the pile is: a new one is made first.
    """
    if not view["pile"]:
        return {}
    odds: dict[str, float] = dict.fromkeys(CARD_NAMES, 0.0)
    for pools, weight in hypotheses(game, view, log).items():
        for card, name in enumerate(CARD_NAMES):
            odds[name] += weight * pools[-1].share(card)
    return odds


def _after(weighed: Weighed, event: Event, players: int, most: int, coarse: bool) -> Weighed:
    """The hypotheses after an event, those that it makes impossible left out; coarse ones know two pools."""
    match event:
        case PileMade(cards):
            fresh = Pool(cards, (0,) * players)
            return _sum_up(
                (_in_use((*(_merged(pools) if coarse else pools), fresh)), weight) for pools, weight in weighed.items()
            )
        case CardGiven(int(seat), None):
            return {(*pools[:-1], pools[-1].give(seat)): weight for pools, weight in weighed.items()}
        case CardGiven(_, int(card)):
            return {
                (*pools[:-1], pools[-1].show(card)): weight * chance
                for pools, weight in weighed.items()
                if (chance := pools[-1].share(card))
            }
        case CardShown(seat, card):
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
