"""The cards of MAUW, what columns are worth, and what the option and the notation take."""

from fractions import Fraction
from typing import Any

import pytest

import kemu
from kemu.core.errors import OptionError, ParseError, UnknownGame
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import COLOURS, COLUMNS, DOTS, Column, deck, read_counts, score, worth, write_counts
from tests.games.mauw.positions import choices, go, position


def pile(players: int) -> dict[str, int]:
    game = Mauw(players)
    return dict(game.encode(game.initial())["pile"])


def test_all_72_cards_are_7_of_each_value_12_spirits_and_4_jokers() -> None:
    assert pile(6) == {**dict.fromkeys("12345678", 7), "s": 12, "m": 4}
    assert sum(pile(6).values()) == 72


@pytest.mark.parametrize(("players", "cards", "each"), [(2, 56, 5), (3, 64, 6), (4, 64, 6), (5, 72, 7), (6, 72, 7)])
def test_r1_dots_leave_56_64_or_72_cards_in_play(players: int, cards: int, each: int) -> None:
    assert sum(deck(players)) == cards
    assert pile(players) == {**dict.fromkeys("12345678", each), "s": 12, "m": 4}


@pytest.mark.parametrize("counts", [deck(2), deck(6), (0, 1, 0, 0, 2, 0, 0, 0, 0, 3)])
def test_counts_return_from_their_texts(counts: tuple[int, ...]) -> None:
    assert read_counts(write_counts(counts)) == counts


def test_r1_one_single_and_one_double_dot_of_each_value_is_data() -> None:
    assert {dots: sum(cards.values()) for dots, cards in DOTS.items()} == {1: 8, 2: 8}


def test_two_values_that_add_up_to_nine_share_a_colour() -> None:
    assert all(COLOURS[value] == COLOURS[9 - value] for value in range(1, 9))
    assert [COLOURS[value] for value in (1, 2, 3, 4)] == ["red", "orange", "green", "blue"]


# Worth and score


@pytest.mark.parametrize(("mauw", "points"), [(0, 0), (1, 18), (2, 36), (3, 72)])
def test_a_bare_column_has_nine_on_top(mauw: int, points: int) -> None:
    assert worth(Column(mauw)) == points


@pytest.mark.parametrize("mauw", [1, 2, 3])
def test_a_spirit_makes_a_column_worth_nothing(mauw: int) -> None:
    assert worth(Column(mauw, 0)) == 0


@pytest.mark.parametrize(("mauw", "points"), [(0, 7), (1, 14), (2, 28), (3, 56)])
def test_a_warrior_is_doubled_by_each_mauw(mauw: int, points: int) -> None:
    assert worth(Column(mauw, 7)) == points


def test_r4_a_joker_scores_the_value_it_was_named() -> None:
    assert worth(Column(2, 17)) == worth(Column(2, 7)) == 28
    assert worth(Column(3, 10)) == 0


def test_the_score_of_the_leaflet() -> None:
    game, state = position(zones=["###4 ### #s ###"])
    outcome = game.outcome(state)
    assert outcome
    assert [worth(column) for column in state.zones[0]] == [32, 72, 0, 72]
    assert outcome.scores == (Fraction(176), Fraction(0))


def test_there_are_74_columns() -> None:
    # Four numbers of Mauw, each bare or under 18 faces; without Mauw the two spirits cannot lie.
    assert len(COLUMNS) == len(set(COLUMNS)) == 4 * 19 - 2
    assert score((Column(),) * 4) == 0


# Options


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_play(players: int) -> None:
    game = kemu.game("mauw", players=players)
    assert game.seats == players
    assert game.turn(game.initial()) == kemu.CHANCE


def test_two_play_if_nothing_else_is_said() -> None:
    assert kemu.game("mauw") == Mauw(2)


@pytest.mark.parametrize("players", [1, 7, 0, "2", 2.0, True, None, [2]])
def test_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(OptionError, match="from 2 to 6"):
        Mauw(players)


def test_the_key_is_lower_case() -> None:
    with pytest.raises(UnknownGame):
        kemu.game("MAUW")


# Notation

TEXTS = ["7>1B", "s>2A", "m=7>1B", "m=s>2C", "+A", "+D", "!7", "!m", "-", "x", "~5", "~s", "~m", "^s", "^8", "^m"]


@pytest.mark.parametrize("text", TEXTS)
def test_each_action_has_one_text(text: str) -> None:
    game = Mauw()
    assert game.format(game.parse(text)) == text


def test_texts_of_all_players_columns_and_cards_return() -> None:
    game = Mauw(6)
    faces = [*"12345678s", *(f"m={value}" for value in "12345678s")]
    plays = [f"{face}>{player}{column}" for face in faces for player in "123456" for column in "ABCD"]
    assert [game.format(game.parse(text)) for text in plays] == plays
    assert len({game.parse(text) for text in plays}) == len(plays)


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "7",
            "7>1",
            "7>1E",
            "7>1b",
            "9>1A",
            "0>1A",
            "m>1A",
            "m=>1A",
            "m=m>1A",
            "m=9>1A",
            "7>0A",
            "7 > 1A",
            "7>1A ",
        ],
        *[
            "+",
            "+E",
            "+1A",
            "!",
            "!9",
            "!m=7",
            "--",
            "X",
            "~",
            "~?",
            "^?",
            "~9",
            "^0",
            "~m=7",
            "s>1A\n",
            "７>1A",
            "~55",
        ],
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="An action is such as 7>1B"):
        Mauw(6).parse(text)


@pytest.mark.parametrize(("players", "text"), [(2, "7>3B"), (4, "7>5A"), (6, "7>7A"), (2, "7>9B")])
def test_a_player_beyond_the_seats_is_refused(players: int, text: str) -> None:
    with pytest.raises(ParseError, match=f"There are {players} players"):
        Mauw(players).parse(text)


def test_players_are_numbered_from_one() -> None:
    game, state = position(hands=["7 7 7 7"])
    assert choices(game, state) == ["7>1A", "7>1B", "7>1C", "7>1D"]
    assert go(game, state, "7>1C ~1").zones[0][2] == Column(0, 7)
