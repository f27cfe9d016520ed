"""The laws find what they are there to find: each is given games that break it."""

import inspect
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from kemu.core import laws
from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, IDENTITY, SPECTATOR, AnyGame, Outcome, Seat, Symmetry
from kemu.games.mu_torere.rules import Move, MuTorere, Position, State, symmetries
from tests.toss import Toss


def coins(game: AnyGame, state: str, seat: Seat, source: random.Random) -> Iterator[str]:
    """The twin of a tossed coin that nobody may see."""
    if state in ("h", "t"):
        yield "t" if state == "h" else "h"


def test_a_lawful_game_passes() -> None:
    laws.check(MuTorere(), plays=2, longest=30)


def test_a_game_with_chance_and_a_secret_passes() -> None:
    laws.check(Toss(), twins=coins)


class OverAtOnce(MuTorere):
    def outcome(self, state: State) -> Outcome | None:
        return Outcome((), "over")


class TurnAfterTheEnd(Toss):
    def turn(self, state: str) -> Seat | None:
        return super().turn(state) if state != "end" else 0


class ActionsAfterTheEnd(Toss):
    def actions(self, state: str) -> Sequence[str]:
        return super().actions(state) or ("done",)


class UnknownSeat(Toss):
    def turn(self, state: str) -> Seat | None:
        return 7 if state == "h" else super().turn(state)


class Doubled(MuTorere):
    def actions(self, state: State) -> Sequence[Move]:
        return [*super().actions(state), *super().actions(state)]


class Unstable(MuTorere):
    def actions(self, state: State) -> Sequence[Move]:
        ORDERS.append(-ORDERS[-1])
        return list(super().actions(state))[:: ORDERS[-1]]


ORDERS = [1]


class Refusing(MuTorere):
    def apply(self, state: State, action: Move) -> State:
        raise IllegalAction("No.")


@dataclass(frozen=True)
class Mutable(Toss):
    """Its states are lists in disguise: `apply` changes the one it is given."""

    def initial(self) -> Any:
        return Changing("start")

    def apply(self, state: Any, action: str) -> Any:
        after = Changing(super().apply(str(state), action))
        state.changes.append(action)
        return after

    def encode(self, state: Any) -> dict[str, Any]:
        return {"state": str(state), "changes": len(state.changes)}


class Changing(str):
    """A text with a list beside it."""

    __slots__ = ("changes",)

    def __init__(self, text: str) -> None:
        self.changes: list[str] = []


class SharedText(MuTorere):
    def format(self, action: Move) -> str:
        return "1-0"


class WrongParse(MuTorere):
    def parse(self, text: str) -> Move:
        return Move(0, 0)


class WrongDecode(MuTorere):
    def decode(self, document: Mapping[str, Any]) -> State:
        return self.initial()._replace(ply=0)


class OddsWithoutChance(MuTorere):
    def odds(self, state: State) -> Sequence[tuple[Move, Fraction]]:
        return [(Move(1, 0), Fraction(1))]


@dataclass(frozen=True)
class Odds(Toss):
    """A coin with odds of one's choice."""

    table: tuple[tuple[str, Fraction], ...] = ()

    def odds(self, state: str) -> Sequence[tuple[str, Fraction]]:
        return self.table if state == "start" else ()


class TwoLines(MuTorere):
    def seen(self, state: State, action: Move, seat: Seat) -> str:
        return "two\nlines"


class TupleView(MuTorere):
    def view(self, state: State, seat: Seat) -> Any:
        return {"points": tuple(state.position.points)}


class Lenient(MuTorere):
    def apply(self, state: State, action: Move) -> State:
        return super().apply(state, action) if action in self.actions(state) else state


class MutableWhenRefusing(Mutable):
    def apply(self, state: Any, action: str) -> Any:
        if action not in self.actions(str(state)):
            state.changes.append("refused")
        return Changing(Toss.apply(self, str(state), action))


class LosesAnAction(Toss):
    def parse(self, text: str) -> str:
        return "t"


class OpenToTheSpectator(Toss):
    def view(self, state: str, seat: Seat) -> object:
        return state if seat == SPECTATOR else "hidden"


class TurnOfASecret(Toss):
    def turn(self, state: str) -> Seat | None:
        return CHANCE if state == "h" else super().turn(state)


class ChoiceOfASecret(Toss):
    def actions(self, state: str) -> Sequence[str]:
        return (*super().actions(state), "heads") if state == "h" else super().actions(state)


class LineOfASecret(Toss):
    def seen(self, state: str, action: str, seat: Seat) -> str:
        return f"{action} {state}" if seat == self.reader else action

    reader = 0


class LineToTheSpectator(LineOfASecret):
    reader = SPECTATOR


HALF = Fraction(1, 2)
START, TORERE = "start", MuTorere().initial()

BROKEN: list[tuple[Any, AnyGame, tuple[Any, ...], str]] = [
    (laws.actions_exist_until_the_end, OverAtOnce(), (TORERE,), "actions are empty exactly"),
    (laws.actions_exist_until_the_end, TurnAfterTheEnd(), ("end",), "turn is None exactly"),
    (laws.actions_exist_until_the_end, ActionsAfterTheEnd(), ("end",), "actions are empty exactly"),
    (laws.actions_exist_until_the_end, UnknownSeat(), ("h",), "turn is a seat"),
    (laws.actions_are_unique_and_stable, Doubled(), (TORERE,), "listed twice"),
    (laws.actions_are_unique_and_stable, Unstable(), (TORERE,), "stable order"),
    (laws.listed_actions_apply, Refusing(), (TORERE,), "A listed action applies, but 1-0 does not: No."),
    (laws.listed_actions_apply, Mutable(), (Changing("start"),), "apply leaves the state"),
    (laws.texts_parse_back, SharedText(), (TORERE,), "no two actions share a text"),
    (laws.texts_parse_back, WrongParse(), (TORERE,), "parse undoes format"),
    (laws.documents_decode_back, WrongDecode(), (TORERE._replace(ply=1),), "decode undoes encode"),
    (laws.odds_are_exact, OddsWithoutChance(), (TORERE,), "only the dealer"),
    (laws.odds_are_exact, Odds(table=(("h", Fraction(1)),)), (START,), "odds name exactly"),
    (laws.odds_are_exact, Odds(table=(("h", HALF), ("t", HALF / 2))), (START,), "odds sum to 1"),
    (laws.odds_are_exact, Odds(table=(("h", Fraction(0)), ("t", Fraction(1)))), (START,), "odds are positive"),
    (laws.views_and_lines_are_json, TwoLines(), (TORERE,), "one line"),
    (laws.views_and_lines_are_json, TupleView(), (TORERE,), "survives JSON"),
    (laws.unlisted_actions_are_refused, Lenient(), (TORERE, [Move(5, 0)]), "is refused, but Move"),
    (laws.unlisted_actions_are_refused, MutableWhenRefusing(), (Changing("h"), ["t"]), "a refused action leaves"),
    (laws.replay_reproduces, LosesAnAction(), (["start", "h"], ["h"]), "replay"),
    (laws.equal_views_mean_equal_choices, Toss(blind=False), ("h", "t", 0), "seat 0 has equal views"),
    (laws.equal_views_mean_equal_choices, TurnOfASecret(), ("h", "t", 0), "the same turn"),
    (laws.equal_views_mean_equal_choices, ChoiceOfASecret(), ("h", "t", 0), "equal choices"),
    (laws.secrets_do_not_matter, OpenToTheSpectator(), ("h", "t", 0), "seat -2 has equal views"),
    (laws.secrets_do_not_matter, LineOfASecret(), ("h", "t", 0), "viewer 0 has equal log lines"),
    (laws.secrets_do_not_matter, LineToTheSpectator(), ("h", "t", 0), "viewer -2 has equal log lines"),
]
IDS = [f"{law.__name__}-{type(game).__name__}" for law, game, _, _ in BROKEN]


@pytest.mark.parametrize(("law", "game", "rest", "fault"), BROKEN, ids=IDS)
def test_a_broken_law_is_named(law: Any, game: AnyGame, rest: tuple[Any, ...], fault: str) -> None:
    with pytest.raises(laws.LawBroken, match=fault):
        law(game, *rest)


@pytest.mark.parametrize("game", [game for _, game, _, _ in BROKEN], ids=IDS)
def test_check_finds_every_broken_game(game: AnyGame) -> None:
    with pytest.raises(laws.LawBroken):
        laws.check(game, twins=coins if isinstance(game, Toss) else laws.no_twins, longest=30)


def other_turn(state: State) -> State:
    """The same with the other side to act, which changes more than names of places."""
    return state._replace(position=state.position._replace(turn=1 - state.position.turn))


BLOCKED = State(Position("BBBW.WWBW", 0))


def other_colours(state: State) -> State:
    """The same with the colours exchanged."""
    exchanged = state.position.points.translate(str.maketrans("BW", "WB"))
    return state._replace(position=Position(exchanged, 1 - state.position.turn))


def exchanged(move: Move) -> Move:
    """The other of the two first actions."""
    return Move(5 - move.start, move.end)


FIRST = MuTorere().initial()
BROKEN_SYMMETRIES = [
    (FIRST, [Symmetry(other_turn, IDENTITY.action)], "keeps the turn"),
    (BLOCKED, [Symmetry(other_colours, IDENTITY.action)], "keeps the outcome"),
    (FIRST, [Symmetry(lambda state: state._replace(ply=9), IDENTITY.action)], "is a state"),
    (FIRST, [Symmetry(IDENTITY.state, lambda move: Move(2, 0))], "actions have images"),
    (FIRST, [Symmetry(IDENTITY.state, exchanged)], "commutes with apply"),
    (FIRST, symmetries(MuTorere())[:2], "are a group"),
]


@pytest.mark.parametrize(("state", "broken", "fault"), BROKEN_SYMMETRIES, ids=[row[-1] for row in BROKEN_SYMMETRIES])
def test_a_symmetry_that_changes_the_game_is_named(state: State, broken: Sequence[Symmetry], fault: str) -> None:
    game = MuTorere()
    laws.symmetries_keep_the_rules(game, state, symmetries(game))
    with pytest.raises(laws.LawBroken, match=fault):
        laws.symmetries_keep_the_rules(game, state, broken)


def test_every_law_has_a_game_that_breaks_it() -> None:
    functions = {found for name, found in inspect.getmembers(laws, inspect.isfunction) if not name.startswith("_")}
    own = {function for function in functions if function.__module__ == laws.__name__}
    law_of_symmetries = laws.symmetries_keep_the_rules  # broken above, and checked where a game names symmetries
    assert own - {laws.check, laws.play, laws.no_twins, law_of_symmetries} == {law for law, _, _, _ in BROKEN}
    assert set(laws.LAWS) <= own


def test_an_action_of_a_secret_card_may_be_missing_in_a_twin() -> None:
    class OtherSeatChooses(ChoiceOfASecret):
        seats = 2

        def turn(self, state: str) -> Seat | None:
            return {START: CHANCE, "end": None}.get(state, 1)

    laws.secrets_do_not_matter(OtherSeatChooses(), "h", "t", 0)
    with pytest.raises(laws.LawBroken, match="equal choices"):
        laws.secrets_do_not_matter(OtherSeatChooses(), "h", "t", 1)
