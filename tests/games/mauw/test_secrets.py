"""R12: what a seat may know, and that nothing else reaches it in any view, log line or error."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, SPECTATOR
from kemu.core.laws import equal_views_mean_equal_choices, play, secrets_do_not_matter
from kemu.games.mauw.actions import Draw, TakeMauw
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from tests.games.mauw.positions import choices, go, position
from tests.games.mauw.twins import looks_like, twin, twin_before, twins, unseen

PLAYERS = [2, 3, 4, 5, 6]

TEXTS = [
    *(f"{face}>{player}{column}" for face in ("1", "7", "s", "m=4", "m=s") for player in "12" for column in "AD"),
    *("+A", "+D", "!1", "!7", "!m", "!s", "-", "x"),
]


def known(game: Mauw, state: State, seat: int) -> dict[str, Any]:
    view: Any = game.view(state, seat)
    return dict(view)


def test_r12_a_seat_knows_its_hand_and_only_the_number_of_other_cards() -> None:
    game, state = position(3, hands=["7 m 2 1", "3 3 3 3", "8 8 8 8"], zones=["##4 . . ."], discards="5 s")
    assert known(game, state, 0) == {
        "seat": 0,
        "hand": ["1", "2", "7", "m"],
        "hands": [4, 4, 4],
        "zones": game.encode(state)["zones"],
        "worths": [[16, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        "scores": [16, 0, 0],
        "pile": 64 - 12 - 3 - 2,
        "discards": {"5": 1, "s": 1},
        "turn": 0,
        "turns": 0,
        "to_act": 0,
        "step": None,
        "end": None,
    }
    assert known(game, state, 1)["hand"] == ["3", "3", "3", "3"]


def test_r12_a_spectator_knows_what_all_seats_know() -> None:
    game, state = position(hands=["7 m 2 1"])
    seats = [known(game, state, seat) for seat in (0, 1)]
    spectator = known(game, state, SPECTATOR)
    assert spectator["hand"] is None
    shared = {field for field in seats[0] if seats[0][field] == seats[1][field]}
    assert {field: spectator[field] for field in shared} == {field: seats[0][field] for field in shared}
    assert set(spectator) - shared == {"seat", "hand"}


def test_r12_a_drawn_card_is_seen_only_by_who_draws_it() -> None:
    game, state = position(hands=["7 7 1 1", "7 3 3 3"], zones=["4 4 4 4", "2 . . ."])
    seats = (0, 1, SPECTATOR)
    state = go(game, state, "7>2A")
    assert [game.seen(state, game.parse("~8"), seat) for seat in seats] == ["~8", "~?", "~?"]
    assert known(game, state, 1)["drawer"] == 0
    state = go(game, state, "~8 !7")
    assert [game.seen(state, game.parse("~5"), seat) for seat in seats] == ["~?", "~5", "~?"]
    assert known(game, state, 0)["drawer"] == 1


def test_r12_the_deal_is_seen_only_by_who_is_dealt_the_card() -> None:
    game = Mauw(3)
    state = go(game, game.initial(), "~1")
    assert [game.seen(state, game.parse("~5"), seat) for seat in (0, 1, 2, SPECTATOR)] == ["~?", "~5", "~?", "~?"]


def test_r12_a_refill_is_seen_only_by_who_draws() -> None:
    game, state = position(hands=["1 1 8 8"], zones=["4 4 4 4"])
    state = go(game, state, "x")
    assert [game.seen(state, game.parse("~2"), seat) for seat in (0, 1, SPECTATOR)] == ["~2", "~?", "~?"]


def test_r12_nobody_sees_the_face_of_a_mauw_taken_from_the_pile() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 4 4 4"])
    state = go(game, state, "2>1A ~8")
    assert {game.seen(state, game.parse("^5"), seat) for seat in (0, 1, SPECTATOR)} == {"^?"}
    views = [
        [known(game, go(game, state, f"^{card}"), seat) for seat in (0, 1, SPECTATOR)] for card in "12345678sm"[4:]
    ]
    assert all(each == views[0] for each in views)


def test_r7_a_mauw_that_finds_no_place_is_seen_by_all() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["###7 4 4 4"])
    state = go(game, state, "2>1A ~8")
    assert {game.seen(state, game.parse("^5"), seat) for seat in (0, 1, SPECTATOR)} == {"^5"}


@pytest.mark.parametrize("text", ["7>2A", "m=7>2A", "1>1D"])
def test_plays_are_seen_by_all(text: str) -> None:
    game, state = position(hands=["7 m 1 1"], zones=["4 4 4 .", "2 . . ."])
    assert {game.seen(state, game.parse(text), seat) for seat in (0, 1, SPECTATOR)} == {text}


def test_answers_places_and_discarded_hands_are_seen_by_all() -> None:
    game, state = position(hands=["7 7 1 1", "7 3 3 3"], zones=["4 4 4 .", "7 . . ."])
    for text in ("7>2A", "~8", "!7", "~5", "!7", "~8", "-", "+D"):
        if text[0] != "~":
            assert {game.seen(state, game.parse(text), seat) for seat in (0, 1, SPECTATOR)} == {text}
        state = go(game, state, text)


def test_a_step_shows_what_was_said_openly() -> None:
    game, state = position(hands=["7 m 1 1", "7 m 3 3"], zones=["4 4 4 .", "7 . . ."])
    state = go(game, state, "m=7>2A ~8 !7")
    for seat in (0, 1, SPECTATOR):
        step = known(game, state, seat)["step"]
        assert step == {"name": "parry", "play": "m=7>2A", "attacks": 1, "answer": "7"}


def test_after_the_end_the_reason_is_known_and_hands_stay_hidden() -> None:
    game, state = position(zones=["### ### ### ."])
    view = known(game, state, SPECTATOR)
    assert (view["end"], view["hand"], view["to_act"], view["step"]) == ("three-columns", None, None, None)


# Twins


@pytest.mark.no_cover
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_secrets_do_not_matter_in_any_action_of_long_random_games(players: int, seed: int) -> None:
    game, source = Mauw(players), random.Random(seed)
    states, actions = play(game, source.randrange)
    differ = 0
    for state, action, after in zip(states, actions, states[1:], strict=False):
        for seat in (*range(players), SPECTATOR):
            other = twin_before(game, state, action, seat, source.shuffle)
            differ += other != state
            secrets_do_not_matter(game, state, other, seat)
            alike = looks_like(game, state, action, other, seat)
            assert game.seen(state, action, seat) == game.seen(other, alike, seat)
            assert game.view(after, seat) == game.view(game.apply(other, alike), seat)
    for seat in (*range(players), SPECTATOR):
        secrets_do_not_matter(game, states[-1], twin(states[-1], seat, source.shuffle), seat)
    # Most twins are others, or this would prove nothing.
    assert differ > len(states) * players / 2


@pytest.mark.parametrize("players", PLAYERS)
def test_equal_views_mean_equal_choices_from_the_deal_to_the_end(players: int) -> None:
    game, source = Mauw(players), random.Random(players)
    states, _ = play(game, source.randrange)
    assert game.outcome(states[-1])
    pairs = 0
    for state in states:
        seat = game.turn(state)
        viewer = SPECTATOR if seat is None or seat == CHANCE else seat
        for other in twins(game, state, viewer, source):
            equal_views_mean_equal_choices(game, state, other, viewer)
            pairs += other != state
    assert pairs > 2 * len(states), "hidden cards differ in most twins"


@settings(max_examples=25)
@given(st.sampled_from(PLAYERS), st.randoms(use_true_random=False), st.integers(0, 300))
def test_errors_tell_the_acting_seat_nothing_it_does_not_know(players: int, source: random.Random, length: int) -> None:
    game = Mauw(players)
    states, _ = play(game, source.randrange, length)
    state = states[-1]
    seat = game.turn(state)
    viewer = SPECTATOR if seat is None or seat == CHANCE else seat
    other = twin(state, viewer, source.shuffle)
    assert [refusal(game, state, text) for text in TEXTS] == [refusal(game, other, text) for text in TEXTS]


def refusal(game: Mauw, state: State, text: str) -> dict[str, object]:
    try:
        game.apply(state, game.parse(text))
    except IllegalAction as error:
        return error.document()
    return {}


def test_a_card_that_is_not_in_the_pile_is_refused_in_the_same_words_as_one_at_a_wrong_time() -> None:
    game, state = position(hands=["1 1 1 7"], pile="2 2")
    state = go(game, state, "7>1A")
    sentences = {
        str(refusal(game, state, text)["message"]).replace(text, "it")
        for text in ("~1", "~3", "~m", "^2", "-", "x", "+A", "!7")
    }
    assert sentences == {"The dealer gives a card now, and it is not one that can be given."}


@pytest.mark.no_cover
@settings(max_examples=25)
@given(st.sampled_from(PLAYERS), st.randoms(use_true_random=False), st.integers(0, 400))
def test_no_byte_of_a_secret_in_anything_that_is_serialised(players: int, source: random.Random, length: int) -> None:
    """All that a seat is sent of a game is a function of what it may know: the same for every twin."""
    game = Mauw(players)
    states, actions = play(game, source.randrange, length)
    for seat in (*range(players), SPECTATOR):
        other = twin(states[-1], seat, source.shuffle)
        assert json.dumps(game.view(states[-1], seat)) == json.dumps(game.view(other, seat))
    for state, action in zip(states, actions, strict=False):
        for seat in (*range(players), SPECTATOR):
            line, view = game.seen(state, action, seat), known(game, state, seat)
            if isinstance(action, Draw):
                assert (line != "~?") == (view["drawer"] == seat)
            if isinstance(action, TakeMauw):
                zone = view["zones"][view["turn"]]
                assert (line == "^?") == any(column["top"] is None and column["mauw"] < 3 for column in zone)


def test_twins_share_no_more_than_they_must() -> None:
    """The shuffle reaches other hands, the pile and the faces of the Mauw."""
    game, state = position(hands=["1 1 1 1", "2 2 2 2"], zones=["### ## . ."])
    assert len(unseen(state, 0)) == 56 - 4
    assert len(unseen(state, SPECTATOR)) == 56
    others = [twin(state, 0, random.Random(seed).shuffle) for seed in range(20)]
    assert len({other.hands[1] for other in others}) > 10
    assert all(other.hands[0] == state.hands[0] for other in others)
    assert all(game.decode(game.encode(other)) == other for other in others)
    assert choices(game, others[0]) == choices(game, state)
