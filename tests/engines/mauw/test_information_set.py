"""What a seat can know of hidden cards: the truth is always possible, and no hard fact is ever forgotten."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from kemu.core.errors import ParseError
from kemu.core.game import CHANCE
from kemu.engines.mauw import layout
from kemu.engines.mauw.hands import empty_memory
from kemu.engines.mauw.information_set import MOST_HYPOTHESES, Hypothesis, Pool, Readings, hypotheses
from kemu.engines.mauw.layout import CARDS, kernel_state
from kemu.engines.mauw.log import CardShown, History, LogReader, PileMade, consistent_state, unseen_cards
from kemu.engines.mauw.search import public_state
from kemu.engines.mauw.tree import determinize, make_belief
from kemu.engines.mauw.value import MOST_CARDS
from kemu.games.mauw.actions import DEALER_ACTIONS, DISCARD_HAND, Action, Draw, TakeMauw, card_from_hand
from kemu.games.mauw.documents import cards_seen, mauw_lying
from kemu.games.mauw.rules import View
from kemu.games.mauw.state import CARD_NAMES, SPIRIT, Card, Counts, State, count_cards, deck
from kemu.games.mauw.turns import drawer
from tests.engines.mauw.games import Played, playing
from tests.games.mauw.positions import position

PLAYERS = (2, 3, 4, 5, 6)
EVERYTHING = 1_000_000


class Origins:
    """Where each hidden card of a real game came from, by the full states."""

    def __init__(self, players: int, seat: int) -> None:
        self.seat = seat
        self.piles = [Counter(dict(enumerate(deck(players))))]
        self.hands: list[list[tuple[Card, int]]] = [[] for _ in range(players)]

    def follow(self, before: State, action: Action, after: State, actor: int | None) -> None:
        """Keeps up with an action."""
        left = sum(before.pile)
        if isinstance(action, Draw | TakeMauw):
            left -= 1
            holder = drawer(before) if isinstance(action, Draw) else None
            if holder == self.seat or (holder is None and after.step.name != "put"):
                self.piles[-1][action.card] -= 1
            elif holder is not None:
                self.hands[holder].append((action.card, len(self.piles) - 1))
        elif actor is not None and actor != self.seat:
            card = card_from_hand(action)
            shown = before.hands[actor] if action == DISCARD_HAND else () if card is None else (card,)
            for each in shown:
                held = next(held for held in self.hands[actor] if held[0] == each)
                self.hands[actor].remove(held)
                self.piles[held[1]][each] -= 1
        if sum(after.pile) > left:
            self.piles.append(Counter(dict(enumerate(after.pile))))

    def reading(self) -> Hypothesis:
        """The hypothesis that is true."""
        pools = []
        for number, pile in enumerate(self.piles):
            held = tuple(sum(origin == number for _, origin in hand) for hand in self.hands)
            if any(held) or number == len(self.piles) - 1:
                pools.append(Pool(tuple(pile[each] for each in range(CARDS)), held))
        return tuple(pools)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_true_is_always_among_the_hypotheses(players: int) -> None:
    exact = several = 0
    for seed in range(2):
        origins = Origins(players, seat := seed % players)
        for number, (played, action) in enumerate(playing(players, seed)):
            if number > 190:
                break
            state, game = played.state, played.game
            if number % 19 == 18 and game.turn(state) is not None:
                found = hypotheses(game, played.view(seat), played.logs[seat], EVERYTHING)
                if LogReader(game).read(played.view(seat), played.logs[seat]).events:
                    assert origins.reading() in found
                    assert sum(found.values()) == pytest.approx(1)
                    exact, several = exact + 1, several + (len(found) > 1)
            origins.follow(state, action, game.apply(state, action), game.turn(state))
    assert exact > 6
    assert several or players == 2


def dealt(played: Played, seat: int, deals: int) -> list[State]:
    """States that the search may think of, from the view and the log of a seat."""
    view, game = played.view(seat), played.game
    belief = make_belief(public_state(game, view), hypotheses(game, view, played.logs[seat]), empty_memory())
    stand_in = consistent_state(game, view)
    numbers, cards, stream = belief.public.copy(), np.zeros(MOST_CARDS, np.int64), np.uint64(len(played.logs[seat]))
    states = []
    for _ in range(deals):
        stream = np.uint64(determinize(belief, numbers, cards, stream))
        held = numbers[layout.HELD : layout.SIZES].reshape(-1, CARDS).tolist()
        hands = tuple(_hand(counts) for counts in held[: game.players])
        pile = tuple(numbers[layout.PILE : layout.PILE + CARDS].tolist())
        states.append(stand_in._replace(hands=hands, pile=pile))
        assert kernel_state(states[-1]).tolist() == numbers.tolist()
    return states


def _hand(counts: list[int]) -> tuple[Card, ...]:
    return tuple(each for each, number in enumerate(counts) for _ in range(number))


@pytest.mark.no_cover  # many deals; the other tests measure them
@pytest.mark.parametrize("players", PLAYERS)
def test_every_deal_looks_the_same_and_keeps_every_hard_fact(players: int) -> None:
    checked = 0
    for number, (played, _) in enumerate(playing(players, 7)):
        seat = played.game.turn(played.state)
        if seat is None or seat == CHANCE or number % 5:
            continue
        checked += 1
        history = LogReader(played.game).read(played.view(seat), played.logs[seat])
        for state in dealt(played, seat, 5):
            assert played.game.view(state, seat) == played.view(seat)
            assert played.game.decode(played.game.encode(state)) == state
            hidden = faces_of_mauw(state)
            assert sum(hidden) == mauw_lying(state)
            assert all(lying >= turned for lying, turned in zip(hidden, count_cards(history.turned), strict=True))
    assert checked > 5


def faces_of_mauw(state: State) -> Counts:
    """What lies as Mauw: all cards that are neither in hands nor in the stacks nor open."""
    return tuple(whole - seen for whole, seen in zip(deck(len(state.hands)), cards_seen(state), strict=True))


@pytest.mark.parametrize("players", [2, 4])
def test_after_a_reshuffle_without_a_draw_the_whole_pile_is_known(players: int) -> None:
    seen = 0
    for seed in range(2):
        before = 0
        for played, action in playing(players, seed):
            grown, before = sum(played.state.pile) > before, sum(played.state.pile)
            if not grown or not played.logs[0]:
                continue
            for seat in range(players):
                if "x" not in played.logs[seat]:
                    assert {state.pile for state in dealt(played, seat, 4)} == {played.state.pile}
                    seen += 1
            assert isinstance(action, DEALER_ACTIONS)
    assert seen


def test_a_hand_discarded_whole_is_known_from_the_discards_until_they_are_shuffled() -> None:
    named = forgotten = 0
    for seed in range(12):
        discarded: list[CardShown] = []
        pile = 0
        for played, action in playing(3, seed):
            game, state = played.game, played.state
            if discarded and sum(state.pile) > pile:
                assert not LogReader(game).read(played.view(0), played.logs[0]).events
                forgotten += 1
                break
            if discarded and played.logs[0][-1] == "x":
                assert LogReader(game).read(played.view(0), played.logs[0]).events[-len(discarded) :] == tuple(
                    discarded
                )
                named += 1
            if action == DISCARD_HAND and (discarded or state.turn == 0):
                break  # of two hands it is unknown which card was in which
            if action == DISCARD_HAND:
                discarded = [CardShown(state.turn, each) for each in state.hands[state.turn]]
            pile = sum(state.pile)
    assert named
    assert forgotten


def test_a_log_that_does_not_lead_to_the_view_tells_nothing() -> None:
    game, state = position(hands=["1 2 3 4"], zones=["## #4 . ."])
    view = game.view(state, 0)
    deal = ["~1", "~?"] * 4
    nonsense = (["nonsense"], ["~1"], ["7>1A"], deal, [*deal, "~?"], [*deal, "^?"], [*deal, "1>1A", "x"], [*deal, "+A"])
    for log in ([], *nonsense):
        assert LogReader(game).read(view, log) == History()
        ((pool,),) = hypotheses(game, view, log)
        assert pool == Pool(count_cards(unseen_cards(game, view)), (0, 4))
        assert pool.cards[SPIRIT] == 12


def with_other_discards(view: View) -> Iterator[View]:
    """A view with another card in place of each kind of its discards in turn, as far as there are such cards."""
    for name, other in permutations(CARD_NAMES, 2):
        if view["discards"].get(name):
            changed = dict(view["discards"])
            changed[name] -= 1
            changed[other] = changed.get(other, 0) + 1
            yield {**view, "discards": {each: number for each, number in changed.items() if number}}


def test_a_log_with_other_discards_than_the_view_tells_nothing_of_them() -> None:
    compared = 0
    for number, (played, _) in enumerate(playing(2, 5)):
        seat = played.game.turn(played.state)
        if number % 9 or seat is None or seat == CHANCE:
            continue
        for view in with_other_discards(played.view(seat)):
            try:
                unseen = count_cards(unseen_cards(played.game, view))
            except ParseError:
                continue
            history = LogReader(played.game).read(view, played.logs[seat])
            assert history == History() or "x" in played.logs[seat]
            for pools in hypotheses(played.game, view, played.logs[seat]):
                assert all(sum(pool.cards[card] for pool in pools) <= unseen[card] for card in range(CARDS))
            compared += 1
    assert compared > 50


def test_a_turned_card_that_the_view_shows_elsewhere_is_not_hidden() -> None:
    """As in a view whose cards of discarded hands cannot be those of its log."""
    game, state = position(hands=["1 2 3 4"], zones=["## #4 . ."])
    view = game.view(state, 0)
    unseen = count_cards(unseen_cards(game, view))
    ((pool,),) = Readings(game).weigh(view, History(turned=(SPIRIT,) * (unseen[SPIRIT] + 1)))
    assert pool.cards == (0, *unseen[1:])


def test_only_so_many_hypotheses_are_kept_as_asked_for() -> None:
    sizes = set()
    for number, (played, _) in enumerate(playing(6, 3)):
        if number > 200:
            break
        if number % 20 == 19:
            for most in (4, MOST_HYPOTHESES):
                found = hypotheses(played.game, played.view(0), played.logs[0], most)
                assert sum(found.values()) == pytest.approx(1)
                assert len(found) <= most
                sizes.add(len(found))
    assert {4, MOST_HYPOTHESES} <= sizes


def test_a_surprise_after_rare_readings_were_left_out_leaves_the_last_pile_known() -> None:
    """With one reading kept the truth is soon lost, but never the cards of the pile that was made last."""
    lost = 0
    for number, (played, _) in enumerate(playing(4, 2)):
        if number % 20 or "x" in played.logs[0]:
            continue
        found = hypotheses(played.game, played.view(0), played.logs[0], 1)
        assert len(found) == 1
        ((*_, last),) = found
        made = [
            event
            for event in LogReader(played.game).read(played.view(0), played.logs[0]).events
            if isinstance(event, PileMade)
        ]
        assert all(left <= whole for left, whole in zip(last.cards, made[-1].cards, strict=True))
        lost += len(made) > 1
    assert lost
