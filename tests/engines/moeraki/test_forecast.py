"""The forecast: the same for the same position, of one piece, and never against what is certain."""

from itertools import chain

import pytest

from kemu.engines.analysis import Forecast
from kemu.engines.moeraki.value.forecast import forecast
from kemu.games.moeraki.board import AREAS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import barred, earned, tiles
from tests.engines.moeraki.positions import filled, late_position, position, random_position

VARIANTS = ("beginner", "basic", "master")


def found(game: MoerakiKemu, state: State) -> Forecast:
    answer = forecast(game, state)
    assert answer is not None
    return answer


def states(game: MoerakiKemu) -> list[State]:
    """From early and late in games; of the master's game with Tane in hand and placed."""
    early = [random_position(game, actions, f"{game.variant} {actions}") for actions in (2, 8, 16)]
    return early + (filled("forecast")[:-1] if game.variant == "master" else [late_position(game, 12, "forecast")])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_position_has_the_same_forecast(variant: str) -> None:
    game = MoerakiKemu(variant, swap=True)
    for state in states(game):
        assert forecast(game, state) == forecast(game, state)


@pytest.mark.parametrize("variant", VARIANTS)
def test_chances_sum_up_to_one_and_to_the_score(variant: str) -> None:
    game = MoerakiKemu(variant)
    for state in states(game):
        prediction = found(game, state).prediction
        chances = [each.chance for each in prediction.endings]
        assert sum(chances) == pytest.approx(1, abs=0.005)
        assert chances == sorted(chances, reverse=True)
        won = sum(each.chance for each in prediction.endings if each.winner == 0)
        drawn = sum(each.chance for each in prediction.endings if each.winner is None)
        assert prediction.score == pytest.approx(won + drawn / 2, abs=0.005)
        reasons = {each.reason for each in prediction.endings}
        assert reasons <= {"tahuna", "awa", "ara", "draw" if variant == "beginner" else "marae"}


def test_tiles_are_forecast_where_they_count() -> None:
    for variant in VARIANTS:
        game = MoerakiKemu(variant)
        for state in states(game):
            answer = found(game, state)
            assert list(answer.ownership) == ([] if variant == "beginner" else [area.name for area in AREAS])
            if variant == "beginner":
                assert answer.prediction.lead is None
            else:
                assert answer.prediction.lead == pytest.approx(sum(answer.ownership.values()), abs=0.03)


def test_tiles_that_nothing_can_take_are_certain_and_closed_areas_have_none() -> None:
    game, certain, closed = MoerakiKemu("master"), 0, 0
    for state in chain.from_iterable(filled(f"forecast {number}") for number in range(4)):
        owners, none = found(game, state).ownership, barred(state.tane)
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


def test_a_full_board_is_counted() -> None:
    game, state = MoerakiKemu("master"), filled("forecast")[-1]
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.scores is not None
    prediction = found(game, state).prediction
    assert prediction.lead == float(outcome.scores[0] - outcome.scores[1])
    assert [(each.reason, each.winner, each.chance) for each in prediction.endings] == [
        ("marae", outcome.winners[0], 1)
    ]


def test_a_line_that_cannot_be_stopped_ends_every_game() -> None:
    game = MoerakiKemu("basic")
    [end] = found(game, position(game, "g7", "e5 e7 d6", "a3 a5 k3 k5")).prediction.endings
    assert (end.reason, end.winner, end.chance) == ("tahuna", 0, 1)


def test_a_tane_is_placed_on_a_full_board_where_it_gains_most() -> None:
    game = MoerakiKemu("master")
    before = (late_position(game, 1, f"asked {number}") for number in range(20))
    after = [game.apply(state, game.actions(state)[0]) for state in before]
    asked = [state for state in after if state.step is not None]
    assert asked
    for state in asked:
        sign = 1 if state.turn == 0 else -1
        leads = [sign * (found(game, game.apply(state, action)).prediction.lead or 0) for action in game.actions(state)]
        assert sign * (found(game, state).prediction.lead or 0) == max(leads)


def test_nothing_is_forecast_before_the_ball_lies() -> None:
    game = MoerakiKemu("basic")
    assert forecast(game, game.initial()) is None
