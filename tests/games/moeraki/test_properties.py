"""What holds in every game, on random play."""

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.laws import LAWS, check, play
from kemu.games.moeraki.board import AREA, DIRECTIONS, HOLLOW, MOERAKI, numbers
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import FULL, HALF, barred, tiles
from tests.games.moeraki.positions import BASIC, BEGINNER, MASTER
from tests.games.moeraki.test_early_wins import brute_force

names = st.sampled_from(("f4", "e5", "g5", "d6", "f6", "h6", "e7", "g7", "f8"))
games = st.builds(
    lambda variant, starter, moved_from, eye, swap: MoerakiKemu(
        variant, starter, moved_from, eye and variant == "master", swap
    ),
    st.sampled_from(VARIANTS),
    st.integers(0, 1),
    st.none() | names,
    st.booleans(),
    st.booleans(),
)


def peaceful(game: MoerakiKemu, source: Random) -> list[State]:
    """A play that avoids early wins where a few tries allow it, so that boards fill up."""
    states = [game.initial()]
    while legal := game.actions(states[-1]):
        for _ in range(8):
            after = game.apply(states[-1], source.choice(legal))
            outcome = game.outcome(after)
            if outcome is None or outcome.reason in ("marae", "draw"):
                break
        states.append(after)
    return states


@settings(max_examples=15)
@given(game=games, seed=st.integers(0, 10**6))
def test_the_laws_hold_with_any_options(game: MoerakiKemu, seed: int) -> None:
    check(game, plays=1, seed=seed)


@settings(max_examples=40)
@given(game=games, source=st.randoms())
def test_every_game_ends_after_56_stones_at_the_latest(game: MoerakiKemu, source: Random) -> None:
    states = peaceful(game, source)
    last = states[-1]
    outcome = game.outcome(last)
    assert outcome is not None
    stones = [own.bit_count() for own in last.stones]
    assert (outcome.reason in ("marae", "draw")) <= (stones == [28, 28])
    assert sum(stones) <= 56
    assert last.ball.bit_count() == 1
    assert last.ball in [1 << hollow for hollow in MOERAKI]


@settings(max_examples=40)
@given(game=games, source=st.randoms())
def test_a_laid_stone_never_moves_and_a_tane_neither(game: MoerakiKemu, source: Random) -> None:
    states = peaceful(game, source)
    for before, after in pairwise(states):
        swapped = before.stones == after.stones[::-1] and (before.stones[0] | before.stones[1]).bit_count() == 1
        for seat in (0, 1):
            assert swapped or before.stones[seat] & ~after.stones[seat] == 0
            assert before.tane[seat] in (None, after.tane[seat])
        assert before.ball in (0, after.ball)


@settings(max_examples=30)
@given(source=st.randoms())
def test_an_early_win_never_depends_on_tiles_or_tane(source: Random) -> None:
    """Brute force over coordinates, without tiles, finds the same early wins as the master's game with its Tane."""
    for state in peaceful(MASTER, source):
        if state.step is not None or not state.ball:
            continue
        outcome = MASTER.outcome(state)
        reason = outcome.reason if outcome and outcome.reason != "marae" else None
        bare = State(state.ball, state.stones, (None, None), state.turn)
        assert reason == brute_force(numbers(state.ball)[0], set(numbers(state.stones[1 - state.turn])), eye=False)
        for game in (BEGINNER, BASIC, MASTER):
            other = game.outcome(bare)
            assert (other.reason if other and other.reason not in ("marae", "draw") else None) == reason


@settings(max_examples=30)
@given(source=st.randoms())
def test_tiles_lie_on_complete_areas_out_of_sight_and_under_no_tane(source: Random) -> None:
    for state in peaceful(MASTER, source):
        lying = tiles(state.ball, state.stones, state.tane)
        places = [tile.area for tile in lying]
        assert len(set(places)) == len(places)
        assert not set(places) & barred(state.tane)
        assert not set(places) & {tane.area for tane in state.tane if tane}
        assert all(tile.worth in (FULL, HALF) for tile in lying)


@settings(max_examples=30)
@given(source=st.randoms())
def test_a_state_is_all_that_the_future_depends_on(source: Random) -> None:
    """Two ways to the same position go on alike: the state read from its document plays as the one that was played."""
    for state in peaceful(MASTER, source):
        read = MASTER.decode(MASTER.encode(state))
        assert read == state
        assert list(MASTER.actions(read)) == list(MASTER.actions(state))
        assert MASTER.outcome(read) == MASTER.outcome(state)


def changed(document: Document, source: Random) -> Document:
    """A position document with one thing about it changed, for better or worse."""
    names, areas = list(HOLLOW), list(AREA)
    stones = [list(hollows) for hollows in document["stones"]]
    kind = source.choice(("turn", "ball", "tane", "step", "move", "drop", "colour"))
    seat = source.randrange(2)
    tane = list(document["tane"])
    tane[seat] = source.choice([None, {"at": source.choice(areas), "looks": source.choice(list(DIRECTIONS))}])
    if kind in ("move", "drop", "colour") and stones[seat]:
        stone = stones[seat].pop(source.randrange(len(stones[seat])))
        if kind != "drop":
            stones[seat if kind == "move" else 1 - seat].append(source.choice(names) if kind == "move" else stone)
    changes = {
        "turn": {"turn": 1 - document["turn"]},
        "ball": {"ball": source.choice([None, *names])},
        "tane": {"tane": tane},
        "step": {"step": {"stone": source.choice(names)}},
    }
    return {**document, "stones": stones, **changes.get(kind, {})}


@settings(max_examples=60)
@given(game=games, source=st.randoms())
def test_a_changed_document_is_refused_or_is_a_position_that_keeps_the_laws(game: MoerakiKemu, source: Random) -> None:
    states = peaceful(game, source)
    for _ in range(12):
        document = changed(game.encode(source.choice(states)), source)
        try:
            state = game.decode(document)
        except ParseError:
            continue
        for law in LAWS:
            law(game, state)


def test_some_changed_documents_are_refused_and_some_are_not() -> None:
    source = Random(3)
    states = peaceful(MASTER, source)
    refused = 0
    for _ in range(200):
        try:
            MASTER.decode(changed(MASTER.encode(source.choice(states)), source))
        except ParseError:
            refused += 1
    assert 0 < refused < 200


def test_random_play_reaches_every_reason() -> None:
    """The properties above would prove little if play never came there."""
    eye = MoerakiKemu(eye=True)
    ends = [(eye, play(eye, Random(seed).randrange)[0][-1]) for seed in range(200)]
    ends += [(game, peaceful(game, Random(seed))[-1]) for seed in range(5) for game in (BEGINNER, BASIC)]
    reasons = {outcome.reason for game, state in ends if (outcome := game.outcome(state))}
    assert reasons == {"tahuna", "awa", "ara", "eye", "marae", "draw"}
