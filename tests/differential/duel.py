"""A duel: a game and its independent referee play the same actions and must agree at every step."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, Protocol, TypeAlias

from kemu.core.game import AnyGame

Result: TypeAlias = tuple[tuple[int, ...], str, tuple[Fraction, ...] | None]
"""Winners, reason and scores of a game that is over."""

Position: TypeAlias = dict[str, Any]


class Referee(Protocol):
    """A second, naive implementation of a game's rules that is told the actions as texts."""

    met: Counter[str]
    """How often each situation worth testing came up."""

    def legal(self) -> set[str]: ...

    def turn(self) -> int | None: ...

    def odds(self) -> dict[str, Fraction]: ...

    def play(self, text: str) -> None: ...

    def outcome(self) -> Result | None: ...

    def document(self) -> Position | None:
        """The position document, None unless a turn is about to start."""


class Style(NamedTuple):
    """One way of playing, from the legal texts in sorted order."""

    name: str
    choose: Callable[[Any, list[str], Random], str]


def any_action(referee: Referee, texts: list[str], random: Random) -> str:
    """Every legal action is equally likely."""
    return random.choice(texts)


ANY = Style("any", any_action)


def duel(
    game: AnyGame,
    referee: Referee,
    style: Style,
    seed: int,
    *,
    state: Any = None,
    most: int = 10_000,
    ignore: Iterable[str] = (),
) -> None:
    """Play to the end, or `most` actions, and compare everything the contract shows after each action."""
    random = Random(seed)
    state = game.initial() if state is None else state
    played: list[str] = []
    ignored = tuple(ignore)
    compare(game, state, referee, played, ignored)
    while len(played) < most and referee.turn() is not None:
        text = style.choose(referee, sorted(referee.legal()), random)
        state = game.apply(state, game.parse(text))
        referee.play(text)
        played.append(text)
        compare(game, state, referee, played, ignored)


def compare(game: AnyGame, state: Any, referee: Referee, played: list[str], ignore: tuple[str, ...] = ()) -> None:
    """Assert that both sides show the same turn, legal texts, odds, outcome and position document."""
    where = f"{game} after {len(played)} actions: {' '.join(played)}"
    texts = [game.format(action) for action in game.actions(state)]
    assert len(texts) == len(set(texts)), f"{where}: an action is listed twice in {texts}"
    legal = referee.legal()
    assert set(texts) == legal, (
        f"{where}: only the game allows {sorted(set(texts) - legal)}, only the referee {sorted(legal - set(texts))}"
    )
    assert game.turn(state) == referee.turn(), f"{where}: turn {game.turn(state)}, referee {referee.turn()}"
    odds = {game.format(action): chance for action, chance in game.odds(state)}
    assert odds == referee.odds(), f"{where}: odds {odds}, referee {referee.odds()}"
    outcome = game.outcome(state)
    result = None if outcome is None else (outcome.winners, outcome.reason, outcome.scores)
    assert result == referee.outcome(), f"{where}: outcome {result}, referee {referee.outcome()}"
    expected = referee.document()
    if expected is not None:
        document = {field: value for field, value in game.encode(state).items() if field not in ignore}
        assert tidy(document) == tidy(expected), f"{where}: document {tidy(document)}, referee {tidy(expected)}"
        if not ignore and len(played) % 4 == 0:  # now and then, because it takes as long as all the rest
            assert game.decode(expected) == state, f"{where}: decode makes another state of {expected}"


def tidy(value: Any) -> Any:
    """A document in one canonical order: lists of texts are sets or multisets, a count of 0 is no entry."""
    if isinstance(value, dict):
        return {field: tidy(inner) for field, inner in value.items() if field not in CARDS or inner != 0}
    if isinstance(value, list):
        inners = [tidy(inner) for inner in value]
        return sorted(inners) if inners and all(isinstance(inner, str) for inner in inners) else inners
    return value


CARDS = frozenset({*"12345678", "s", "m"})
"""The fields of a document that count cards."""
