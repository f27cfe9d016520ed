"""The net: alike in all symmetries and for both seats, never against what is certain, and it learns from few games."""

from functools import cache
from itertools import chain

import numpy as np
import pytest

from kemu.engines.analysis import Prediction
from kemu.engines.arrays import load_arrays
from kemu.engines.moeraki import kernel, prediction
from kemu.engines.moeraki.learner import MoerakiLearner
from kemu.engines.moeraki.net import SHAPES, Net, outlook, shipped_net
from kemu.engines.moeraki.net_fit import (
    NetEpoch,
    fit_net,
    losses_of,
    net_in_fractions,
    predictions,
    samples_of,
    untrained_net,
    whole_net,
)
from kemu.engines.moeraki.net_inputs import NOBODY, OWN_FULL
from kemu.engines.moeraki.prediction import expected_end, expected_owners
from kemu.engines.moeraki.translation import kernel_state
from kemu.engines.moeraki.transposition import Sides
from kemu.engines.moeraki.weights import load_net_arrays, shipped_file
from kemu.games.moeraki.actions import PlaceTane
from kemu.games.moeraki.board import AREAS, DIRECTIONS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.symmetry import symmetries
from kemu.games.moeraki.tiles import barred, earned, tiles
from tests.engines.moeraki.positions import filled, late_position, position, random_position

VARIANTS = ("beginner", "basic", "master")
LARGEST_FILE = 1_200_000
LEARNER = MoerakiLearner(batch_games=24, nodes=100)


def _random_net() -> Net:
    dice = np.random.default_rng(3)
    whole = whole_net(untrained_net(7))
    sizes = {"rows": 60, "area_states": 1 << 15, "area_counts": 1 << 10, "direct": 1 << 22}
    noise = {name: dice.normal(0, sizes.get(name, 0), shape) for name, shape in SHAPES.items()}
    return Net(**{name: (getattr(whole, name) + noise[name]).astype(getattr(whole, name).dtype) for name in SHAPES})


RANDOM_NET = _random_net()
"""Whatever is learned, most of these tests must hold."""

EQUAL_CHANCES = whole_net(untrained_net())


@pytest.fixture
def random_net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction, "shipped_net", lambda: RANDOM_NET)


def states(variant: str) -> list[State]:
    """From early and late in games; of the master's game with Tane in hand and placed."""
    game = MoerakiKemu(variant)
    early = [random_position(game, actions, f"{variant} {actions}") for actions in (2, 8, 16)]
    return early + (filled("net") if variant == "master" else [late_position(game, 12, "net")])


def end(game: MoerakiKemu, state: State) -> Prediction:
    found = expected_end(game, state)
    assert found is not None
    return found


@pytest.mark.usefixtures("random_net")
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_images_of_a_position_are_predicted_alike(variant: str) -> None:
    game = MoerakiKemu(variant)
    for state in states(variant):
        for symmetry in symmetries(game):
            image = symmetry.state(state)
            assert end(game, image) == end(game, state)
            images = [symmetry.action(PlaceTane(area, next(iter(DIRECTIONS)))).area for area in range(len(AREAS))]
            before, after = expected_owners(game, state), expected_owners(game, image)
            assert [after.get(AREAS[area].name) for area in images] == [before.get(area.name) for area in AREAS]


@pytest.mark.usefixtures("random_net")
@pytest.mark.parametrize("variant", VARIANTS)
def test_with_the_seats_exchanged_everything_is_said_of_the_other_seat(variant: str) -> None:
    game, exchanged_game = MoerakiKemu(variant), MoerakiKemu(variant, starter=1)
    for state in states(variant):
        exchanged = state._replace(stones=state.stones[::-1], tane=state.tane[::-1], turn=1 - state.turn)
        one, two = end(game, state), end(exchanged_game, exchanged)
        assert two.score == pytest.approx(1 - one.score)
        assert {(each.reason, each.winner, each.chance) for each in two.endings} == {
            (each.reason, None if each.winner is None else 1 - each.winner, each.chance) for each in one.endings
        }
        owners = expected_owners(game, state)
        assert expected_owners(exchanged_game, exchanged) == {area: -share for area, share in owners.items()}
        assert two.lead == (None if variant == "beginner" else -(one.lead or 0.0))


@pytest.mark.usefixtures("random_net")
@pytest.mark.parametrize("variant", VARIANTS)
def test_chances_sum_up_to_one_and_to_the_score(variant: str) -> None:
    game = MoerakiKemu(variant)
    for state in states(variant):
        found = end(game, state)
        assert sum(each.chance for each in found.endings) == pytest.approx(1, abs=0.005)
        won = sum(each.chance for each in found.endings if each.winner == 0)
        drawn = sum(each.chance for each in found.endings if each.winner is None)
        assert found.score == pytest.approx(won + drawn / 2, abs=0.005)
        reasons = {each.reason for each in found.endings}
        assert reasons <= {"tahuna", "awa", "ara", "draw" if variant == "beginner" else "marae"}


@pytest.mark.usefixtures("random_net")
def test_tiles_that_nothing_can_take_are_certain_and_closed_areas_have_none() -> None:
    game, certain, closed = MoerakiKemu("master"), 0, 0
    for state in chain.from_iterable(filled(f"net {number}") for number in range(4)):
        owners, none = expected_owners(game, state), barred(state.tane)
        laid = {tile.area: tile.worth if tile.tribe == 0 else -tile.worth for tile in tiles(*state[:3])}
        for area, point in enumerate(AREAS):
            if area in none:
                assert owners[point.name] == 0
                closed += 1
            elif earned(area, *state[:2]) and None not in state.tane:
                assert owners[point.name] == laid.get(area, 0), "nothing lies on the area of a Tane"
                certain += 1
    assert certain > 100
    assert closed > 20


@pytest.mark.usefixtures("random_net")
def test_a_full_board_is_counted() -> None:
    game, state = MoerakiKemu("master"), filled("net")[-1]
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores is not None
    assert end(game, state).lead == float(outcome.scores[0] - outcome.scores[1])


@pytest.mark.usefixtures("random_net")
def test_a_full_board_on_which_a_tane_may_still_come_is_counted_after_it() -> None:
    game = MoerakiKemu("master")
    before = (late_position(game, 1, f"asked {number}") for number in range(20))
    state = next(after for each in before if (after := game.apply(each, game.actions(each)[0])).step is not None)
    found, owners = end(game, state), expected_owners(game, state)
    while (outcome := game.outcome(state)) is None:
        # Each answer in turn is the best one: no other wins more for who gives it.
        ends = {action: end(game, game.apply(state, action)) for action in game.actions(state)}
        sign = 1 if state.turn == 0 else -1
        best = max(ends, key=lambda action: sign * (2 * len(AREAS) * ends[action].score + (ends[action].lead or 0.0)))
        assert ends[best] == found
        state = game.apply(state, best)
    assert [(each.reason, each.winner, each.chance) for each in found.endings] == [("marae", outcome.winners[0], 1)]
    laid = {tile.area: tile.worth if tile.tribe == 0 else -tile.worth for tile in tiles(*state[:3])}
    assert sum(owners.values()) == found.lead == sum(laid.values())


def test_a_side_without_a_majority_to_come_gets_no_tile() -> None:
    game = MoerakiKemu("basic")
    # Seat 1 has three stones round f9; round g8, seat 0 has two of three hollows that are taken.
    state = position(game, "f6", "a9 g9 g7", "e9 f8 f10")
    words = kernel_state(game, state)
    sides = Sides(words[kernel.STONES + 1], words[kernel.STONES], 0)
    found = outlook(RANDOM_NET, sides, int(words[kernel.BALL_AT]), kernel.BASIC).areas
    areas = {area.name: chances for area, chances in zip(AREAS, found, strict=True)}
    assert areas["f9"].tolist() == [1, 0, 0, 0, 0]
    assert areas["g8"][OWN_FULL] == 0
    assert 0 < areas["g8"][NOBODY] < 1
    assert np.allclose(found.sum(axis=1), 1)


def test_nothing_is_predicted_before_the_ball_lies() -> None:
    game = MoerakiKemu("basic")
    assert expected_end(game, game.initial()) is None
    assert expected_owners(game, game.initial()) == {}


@cache
def learned() -> list[NetEpoch]:
    return list(fit_net({}, load_arrays(played()), 3, 0))


@cache
def played() -> bytes:
    return LEARNER.play_batch(LEARNER.weights_in_use(), 1)


def test_fitting_lowers_every_loss_and_repeats() -> None:
    first, *_, last = learned()
    for name in ("result", "area_ends", "area", "tiles"):
        assert getattr(last.trained, name) < getattr(first.trained, name), name
    again = list(fit_net({}, load_arrays(played()), 3, 0))[-1]
    assert last.trained == again.trained
    assert all(np.array_equal(last.arrays[name], again.arrays[name]) for name in SHAPES)


def test_whole_numbers_say_nearly_the_same_as_fractions() -> None:
    positions, whole = load_arrays(played()), Net(**learned()[-1].arrays)
    chosen = np.arange(0, len(positions["own"]), 7)
    chances, areas = predictions(net_in_fractions(whole), samples_of(positions), chosen)
    for at, number in enumerate(chosen):
        own, other, tanes, ball, variant = (
            positions[name][number] for name in ("own", "other", "tanes", "ball", "variant")
        )
        found = outlook(whole, Sides(own, other, int(tanes)), int(ball), int(variant))
        assert found.win == pytest.approx(chances[at, 0], abs=0.002)
        assert found.win_kinds == pytest.approx(chances[at, 3:7], abs=0.002)
        assert found.areas == pytest.approx(areas[at], abs=0.002)


def test_the_net_that_comes_with_kemu_is_small_and_has_learned() -> None:
    assert len(shipped_file()) < LARGEST_FILE
    assert {name: array.shape for name, array in load_net_arrays(shipped_file()).items()} == SHAPES
    found = samples_of(load_arrays(played()))
    learned, untrained = (
        losses_of(net_in_fractions(net), found, np.arange(len(found.kind))) for net in (shipped_net(), EQUAL_CHANCES)
    )
    assert learned.tiles < untrained.tiles
    assert learned.area < untrained.area
    assert learned.kind < untrained.kind
