"""Batches against the reference rules: every option set, every number in every buffer, and no secret in any of them."""

import random
from typing import Any

import numpy as np
import pytest

import kemu
from kemu.core.encoding import action_ids, returns
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import CHANCE, AnyGame, Seat
from kemu.core.laws import play
from kemu.engines.batch import LEFT_ALONE, WHOEVER_ACTS, Batch, Buffers, seed_streams
from kemu.engines.mauw import batch as mauw_batch
from kemu.engines.mauw import layout, policy
from kemu.games import encoding
from tests.laws.choices import TWINS, each_game
from tests.outside_package import OutsideGame

LANES = 4
STEPS = {"moeraki-kemu": 130, "mu-torere": 150, "mauw": 450}


class Reference:
    """One lane, played by the reference rules with the cards that the batch will deal."""

    def __init__(self, game: AnyGame, stream: np.uint64) -> None:
        self.game, self.stream = game, stream
        self.state: Any = self._dealt(game.initial())

    def _dealt(self, state: Any) -> Any:
        while self.game.turn(state) == CHANCE:
            number, self.stream = policy.random_card(layout.kernel_state(state), np.uint64(self.stream))
            take = state.step.name == "take"
            state = self.game.apply(state, layout.rules_action(number, take))
        return state

    def act(self, action: Any) -> tuple[Any, bool]:
        """Take an action; returns the state after it, and whether the game ended and another one began."""
        after = self._dealt(self.game.apply(self.state, action))
        over = self.game.outcome(after) is not None
        self.state = self._dealt(self.game.initial()) if over else after
        return after, over


def observation(batch: Batch, state: Any, seat: Seat) -> bytes:
    return batch.encoding.observation(batch.game.view(state, seat), seat)


def compare(batch: Batch, buffers: Buffers, lane: int, state: Any) -> None:
    """The buffers of a lane are those of a state."""
    game, seat = batch.game, batch.game.turn(state)
    assert seat is not None
    assert buffers.seats[lane] == seat
    ids = action_ids(batch.encoding, seat)
    assert np.flatnonzero(buffers.masks[lane]).tolist() == sorted(ids[action] for action in game.actions(state))
    viewer = seat if batch.viewer == WHOEVER_ACTS else batch.viewer
    assert buffers.observations[lane].tobytes() == observation(batch, state, viewer)


@pytest.mark.no_cover
@each_game
@pytest.mark.parametrize("viewer", [WHOEVER_ACTS, 1])
def test_a_batch_plays_by_the_reference_rules(key: str, options: dict[str, Any], viewer: Seat) -> None:
    batch, source = kemu.batch(key, LANES, seed=5, viewer=viewer, **options), random.Random(f"{key} {options}")
    game, ends = batch.game, 0
    streams = np.empty(LANES, np.uint64)
    seed_streams(np.arange(5, 5 + LANES, dtype=np.uint64), streams, np.empty_like(streams))
    lanes = [Reference(game, stream) for stream in streams]
    buffers = batch.observe()
    for _ in range(STEPS[key]):
        actors = [game.turn(lane.state) for lane in lanes]
        actions = [source.choice(game.actions(lane.state)) for lane in lanes]
        chosen = [action_ids(batch.encoding, seat or 0)[action] for seat, action in zip(actors, actions, strict=True)]
        assert batch.step(np.array(chosen), buffers) is buffers
        for number, (lane, action) in enumerate(zip(lanes, actions, strict=True)):
            after, over = lane.act(action)
            assert bool(buffers.terminated[number]) == over
            assert not buffers.truncated[number]
            outcome = game.outcome(after)
            expected = returns(outcome, game.seats) if outcome else (0.0,) * game.seats
            assert buffers.rewards[number] == pytest.approx(expected)
            if over:
                ends += 1
                last = actors[number] if viewer == WHOEVER_ACTS else viewer
                assert buffers.finals[number].tobytes() == observation(batch, after, last or 0)
            compare(batch, buffers, number, lane.state)
            assert batch._streams[number] == lane.stream
    assert ends or (key == "mu-torere" and options.get("repetition") is False)


@each_game
def test_every_action_that_is_not_legal_is_refused(key: str, options: dict[str, Any]) -> None:
    batch = kemu.batch(key, 2, **options)
    for state in play(batch.game, random.Random(3).randrange, 400)[0][::9]:
        if (seat := batch.game.turn(state)) is None or seat == CHANCE:
            continue
        batch.set_state(0, state)
        batch.set_state(1, state)
        before = batch.observe()
        legal = {action_ids(batch.encoding, seat)[action] for action in batch.game.actions(state)}
        for number in (-2, *range(batch.action_count), batch.action_count, 10**6):
            if number in legal:
                continue
            with pytest.raises(IllegalAction, match=f"Action {number} is not legal in lane 1"):
                batch.step(np.array([min(legal), number]))
        after = batch.observe()
        assert after.observations.tobytes() == before.observations.tobytes()
        assert after.masks.tobytes() == before.masks.tobytes()


def leaks(batch: Batch, states: list[Any]) -> int:
    """How many observations or masks of a seat differ between a state and its twin; at least 40 pairs are compared."""
    found = compared = 0
    source = random.Random(4)
    for state in states:
        if batch.game.turn(state) not in range(batch.game.seats):
            continue
        for twin in TWINS[batch.game.key](batch.game, state, batch.viewer, source):
            batch.set_state(0, state)
            batch.set_state(1, twin)
            buffers = batch.observe()
            compared += twin != state
            found += buffers.observations[0].tobytes() != buffers.observations[1].tobytes()
            if batch.game.turn(state) == batch.viewer:
                found += buffers.masks[0].tobytes() != buffers.masks[1].tobytes()
    assert compared >= 40
    return found


@pytest.mark.parametrize("players", range(2, 7))
def test_a_batch_shows_no_secret(players: int) -> None:
    game = kemu.game("mauw", players=players)
    states = play(game, random.Random(players).randrange, 400)[0]
    for viewer in range(players):
        assert leaks(kemu.batch("mauw", 2, players=players, viewer=viewer), states) == 0


@pytest.mark.parametrize("place", [layout.HELD + layout.CARDS, layout.PILE])
def test_a_planted_leak_is_found(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first card of the next seat's hand, or of the pile, is added to what a seat sees."""
    loops = mauw_batch.LOOPS

    def observe(states: Any, rules: Any, viewer: Seat, buffers: Buffers) -> None:
        loops.observe(states, rules, viewer, buffers)
        buffers.observations[:, 0] += states[:, place].astype(np.uint8)

    monkeypatch.setattr(mauw_batch, "LOOPS", loops._replace(observe=observe))
    batch = kemu.batch("mauw", 2, viewer=0)
    assert leaks(batch, play(batch.game, random.Random(2).randrange, 400)[0]) > 0


@each_game
def test_a_lane_depends_on_its_seed_alone(key: str, options: dict[str, Any]) -> None:
    def run(batch: Batch, seeds: Any, steps: int) -> list[bytes]:
        buffers = batch.reset(seeds)
        for _ in range(steps):
            batch.step(batch.random_actions(buffers.masks), buffers)
        return [row.tobytes() for row in buffers.observations]

    alone = run(kemu.batch(key, 1, **options), [8], 40)
    many = run(kemu.batch(key, 5, **options), [3, 8, 1, 8, 2], 40)
    assert many[1] == many[3] == alone[0]
    assert run(kemu.batch(key, 3, **options), 7, 40)[1] == alone[0]
    assert len(set(many)) > 1


def test_a_lane_can_be_left_alone() -> None:
    batch = kemu.batch("mauw", 3, seed=2)
    buffers = batch.observe()
    kept = buffers.observations[1].copy()
    actions = batch.random_actions(buffers.masks)
    actions[1] = LEFT_ALONE
    after = batch.step(actions)
    assert (after.observations[1] == kept).all()
    assert (after.observations[0] != buffers.observations[0]).any()


CYCLE = ("4-0", "5-4", "0-5") * 2
"""Six plies of Mū tōrere that lead back to the initial position."""


@pytest.mark.parametrize(("repetition", "plies"), [(False, 1000), (True, 12)])
def test_a_game_that_goes_round_is_stopped(repetition: bool, plies: int) -> None:
    batch = kemu.batch("mu-torere", 2, repetition=repetition)
    ids = action_ids(batch.encoding, 0)
    actions = [ids[batch.game.parse(text)] for text in CYCLE]
    buffers = batch.reset()
    for ply in range(plies):
        assert not (buffers.truncated | buffers.terminated).any()
        batch.step(np.full(2, actions[ply % 6]), buffers)
    assert (buffers.terminated if repetition else buffers.truncated).all()
    assert not (buffers.truncated if repetition else buffers.terminated).any()
    assert not buffers.rewards.any()


def test_a_past_that_is_too_long_is_refused() -> None:
    batch = kemu.batch("mu-torere", 1)
    state = batch.game.initial()
    with pytest.raises(OptionError, match="at most 1000 plies, not 1000"):
        batch.set_state(0, state._replace(past=(state.position._replace(turn=1),) * 1000))


def test_random_actions_are_uniform() -> None:
    batch = kemu.batch("moeraki-kemu", 9000, seed=1)
    counts = np.bincount(batch.random_actions(batch.observe().masks), minlength=batch.action_count)
    assert np.flatnonzero(counts).tolist() == list(range(57, 66))
    assert counts[57:66].min() > 850
    assert counts[57:66].max() < 1150


def test_wrong_arguments_are_refused(outside_game: OutsideGame) -> None:
    batch = kemu.batch("mauw", 4)
    with pytest.raises(OptionError, match="at least one lane"):
        kemu.batch("mauw", 0)
    with pytest.raises(OptionError, match="viewer is a seat"):
        kemu.batch("mauw", 1, viewer=2)
    with pytest.raises(OptionError, match="one seed for each of 4 lanes"):
        batch.reset([1, 2])
    whole = batch.new_buffers()
    for wrong in (
        kemu.batch("mauw", 3).new_buffers(),
        whole._replace(rewards=whole.rewards.astype(np.float64)),
        whole._replace(observations=np.zeros((4, 458), np.uint8)[:, ::2]),
    ):
        with pytest.raises(OptionError, match="another kind"):
            batch.reset(buffers=wrong)
    with pytest.raises(OptionError, match="Masks have the shape"):
        batch.random_actions(whole.masks[:3])
    assert (batch.random_actions(whole.masks) == LEFT_ALONE).all()
    with pytest.raises(IllegalAction, match="one action for each of 4 lanes"):
        batch.step(np.zeros(3))
    with pytest.raises(OptionError, match="no seat is to act"):
        batch.set_state(0, batch.game.initial())
    with pytest.raises(OptionError, match="no encoding"):
        kemu.batch("nim", 4)


def test_every_encoding_belongs_to_its_game() -> None:
    for key in kemu.game_keys():
        assert encoding(kemu.game(key)).game == kemu.game(key)
