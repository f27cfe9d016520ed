"""MAUW on a full screen."""

import random

import pytest

from kemu.core.display import Board, Room
from kemu.core.game import SPECTATOR
from kemu.games.mauw import text as screen
from kemu.games.mauw.rules import Mauw, View

ROOM = Room(52, 20)


def some_view(players: int, seat: int, seed: int = 1) -> View:
    game, dice = Mauw(players), random.Random(seed)
    state = game.initial()
    for _ in range(30 * players):
        if game.turn(state) is not None:
            state = game.apply(state, dice.choice(game.actions(state)))
    return game.view(state, seat)


def board_of(players: int, seat: int) -> Board:
    return screen.board(Mauw(players), some_view(players, seat), ROOM)


@pytest.mark.parametrize("players", range(2, 7))
def test_columns_and_cards_are_places_within_the_room(players: int) -> None:
    board = board_of(players, 0)
    columns = {f"{player}{letter}" for player in range(1, players + 1) for letter in "ABCD"}
    hand = some_view(players, 0)["hand"]
    assert hand
    assert set(board.places) == columns | set(hand)
    assert len(board.lines) <= ROOM.lines
    assert max(map(len, board.lines)) <= ROOM.columns
    for name in columns:
        place = board.places[name]
        assert board.lines[place.row - 1][place.column + 1] == name[1]
    for name in hand:
        place = board.places[name]
        assert board.lines[place.row][place.column + 1] == name


def test_cards_alike_are_one_place_with_their_number() -> None:
    game = Mauw()
    view: View = {**some_view(2, 0), "hand": ["2", "4", "4", "m"]}
    assert any(" 4♠ ×2" in line for line in screen.board(game, view, ROOM).lines)


def test_a_spectator_has_no_hand() -> None:
    assert not any("Hand" in line for line in board_of(3, SPECTATOR).lines)


def test_what_is_pointed_at_for_each_action() -> None:
    game = Mauw()
    view: View = {**some_view(2, 0), "turn": 1}
    paths = {text: screen.path(game, view, game.parse(text)) for text in ("7>2B", "m=7>1C", "+A", "!s", "-", "x")}
    assert paths == {"7>2B": ("7", "2B"), "m=7>1C": ("m", "1C"), "+A": ("2A",), "!s": ("s",), "-": (), "x": ()}


def test_what_a_player_has() -> None:
    game = Mauw()
    view = game.view(game.initial(), 0)
    assert screen.facts(game, view, 0) == ("0 points, 0 cards",)
    assert screen.now(game, view) == "Player 1 draws a card."
