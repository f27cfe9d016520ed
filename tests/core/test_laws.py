"""The laws find what they are there to find: each is shown a game that breaks it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from kemu.core import laws
from kemu.core.errors import IllegalAction
from kemu.core.game import Outcome, Seat
from kemu.games.mu_torere.rules import Move, MuTorere, State
from tests.toss import Toss


def test_a_lawful_game_passes() -> None:
    laws.check(MuTorere(), plays=2, longest=30)


def test_a_game_with_chance_passes() -> None:
    laws.check(Toss())


class Endless(MuTorere):
    def outcome(self, state: State) -> Outcome | None:
        return Outcome((), "over")


class Doubled(MuTorere):
    def actions(self, state: State) -> Sequence[Move]:
        return [*super().actions(state), *super().actions(state)]


class Unstable(MuTorere):
    def actions(self, state: State) -> Sequence[Move]:
        return list(super().actions(state))[:: FLIP.pop()]


FLIP = [-1, 1] * 50


class Refusing(MuTorere):
    def apply(self, state: State, action: Move) -> State:
        raise IllegalAction("No.")


class Lenient(MuTorere):
    def apply(self, state: State, action: Move) -> State:
        return super().apply(state, action) if action in self.actions(state) else state


class Mute(MuTorere):
    def format(self, action: Move) -> str:
        return "1-0"


class Garbled(MuTorere):
    def parse(self, text: str) -> Move:
        return Move(0, 0)


class Forgetful(MuTorere):
    def decode(self, document: dict[str, Any]) -> State:
        return self.initial()._replace(ply=0)


class Gambling(MuTorere):
    def odds(self, state: State) -> Sequence[tuple[Move, Fraction]]:
        return [(Move(1, 0), Fraction(1))]


class Talking(MuTorere):
    def seen(self, state: State, action: Move, seat: Seat) -> str:
        return "two\nlines"


class Tupled(MuTorere):
    def view(self, state: State, seat: Seat) -> object:
        return {"points": tuple(state.position.points)}


@pytest.mark.parametrize(
    ("game", "law", "fault"),
    [
        (Endless(), laws.actions_exist_until_the_end, "actions are empty exactly"),
        (Doubled(), laws.actions_are_unique_and_stable, "listed twice"),
        (Unstable(), laws.actions_are_unique_and_stable, "stable order"),
        (Refusing(), laws.listed_actions_apply, "A listed action applies, but 1-0 does not: No."),
        (Mute(), laws.texts_return, "no two actions share a text"),
        (Garbled(), laws.texts_return, "texts parse"),
        (Forgetful(), laws.documents_return, "decode undoes encode"),
        (Gambling(), laws.odds_are_exact, "only the dealer"),
        (Talking(), laws.views_and_lines_are_json, "one line"),
        (Tupled(), laws.views_and_lines_are_json, "survives JSON"),
    ],
)
def test_a_broken_law_is_named(game: MuTorere, law: Any, fault: str) -> None:
    with pytest.raises(laws.LawBroken, match=fault):
        law(game, game.initial())


def test_an_action_that_is_not_listed_must_be_refused() -> None:
    game = Lenient()
    with pytest.raises(laws.LawBroken, match="is refused, but Move"):
        laws.strangers_are_refused(game, game.initial(), [Move(5, 0)])


def test_equal_views_with_other_choices_break_the_law() -> None:
    choices: dict[str, object] = {}
    for state, kept in (("h", True), ("h", True), ("start", True), ("end", True)):
        laws.equal_views_mean_equal_choices(Toss(), state, choices)
        assert kept
    choices = {key: ["other"] for key in choices}
    with pytest.raises(laws.LawBroken, match="equal views"):
        laws.equal_views_mean_equal_choices(Toss(), "t", choices)


def test_replay_must_reproduce_every_state() -> None:
    game = MuTorere()
    with pytest.raises(laws.LawBroken, match="replay"):
        laws.replay_reproduces(game, [game.initial()], [Move(1, 0)])


def test_a_secret_that_is_hidden_does_not_matter() -> None:
    laws.secrets_do_not_matter(Toss(), "h", "t", 0)
    laws.secrets_do_not_matter(Toss(), "start", "start", 0)


def test_a_secret_that_shows_breaks_the_law() -> None:
    with pytest.raises(laws.LawBroken, match="viewer 0 sees twins alike"):
        laws.secrets_do_not_matter(Toss(blind=False), "h", "t", 0)
