"""The laws every game keeps; run `check(game)` on your own, or one law on one state.

A law is a function that raises LawBroken with a sentence. Laws about secrets need *twins*: states that one seat
cannot tell apart, made from the rules by whoever tests the game.
"""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, Seat
from kemu.core.record import replay


class LawBroken(AssertionError):
    """A game broke a law."""


def check(game: AnyGame, *, plays: int = 20, longest: int = 2000, seed: int = 0) -> None:
    """Every law on every state of some random plays."""
    source = random.Random(seed)
    choices: dict[str, object] = {}
    for _ in range(plays):
        states, actions = play(game, source.randrange, longest)
        for state in states:
            for law in LAWS:
                law(game, state)
            strangers_are_refused(game, state, actions)
            equal_views_mean_equal_choices(game, state, choices)
        replay_reproduces(game, states, actions)


def play(game: AnyGame, pick: Callable[[int], int], longest: int = 2000) -> tuple[list[Any], list[Any]]:
    """One play: all states and the actions between them; `pick(n)` chooses among n actions."""
    states: list[Any] = [game.initial()]
    actions: list[Any] = []
    while game.turn(states[-1]) is not None and len(actions) < longest:
        legal = game.actions(states[-1])
        actions.append(legal[pick(len(legal))])
        states.append(game.apply(states[-1], actions[-1]))
    return states, actions


def actions_exist_until_the_end(game: AnyGame, state: Any) -> None:
    """There are actions, a turn and no outcome, until there are no actions, no turn and an outcome."""
    over = game.outcome(state) is not None
    _demand((game.turn(state) is None) == over, "turn is None exactly when there is an outcome", state)
    _demand((not game.actions(state)) == over, "actions are empty exactly when there is an outcome", state)
    seats = (CHANCE, *range(game.seats))
    _demand(over or game.turn(state) in seats, "turn is a seat of the game or the dealer", state)


def actions_are_unique_and_stable(game: AnyGame, state: Any) -> None:
    """No action is listed twice, and asking again lists the same in the same order."""
    actions = list(game.actions(state))
    _demand(len(set(actions)) == len(actions), "no action is listed twice", state)
    _demand(list(game.actions(state)) == actions, "actions come in a stable order", state)


def listed_actions_apply(game: AnyGame, state: Any) -> None:
    """Every listed action applies and leaves the state it came from as it was."""
    before, mark = game.encode(state), hash(state)
    for action in game.actions(state):
        try:
            hash(game.apply(state, action))
        except IllegalAction as error:
            raise LawBroken(f"A listed action applies, but {game.format(action)} does not: {error}") from error
    _demand(game.encode(state) == before and hash(state) == mark, "apply leaves the state as it was", state)


def strangers_are_refused(game: AnyGame, state: Any, strangers: Sequence[Any]) -> None:
    """Anything that is not listed raises IllegalAction and leaves the state as it was."""
    before, legal = game.encode(state), set(game.actions(state))
    for stranger in (*strangers, None, object()):
        if stranger in legal:
            continue
        try:
            game.apply(state, stranger)
        except IllegalAction:
            continue
        raise LawBroken(f"An action that is not listed is refused, but {stranger!r} was applied in {state!r}.")
    _demand(game.encode(state) == before, "a refused action leaves the state as it was", state)


def texts_return(game: AnyGame, state: Any) -> None:
    """Every action has a text of its own that parses to it."""
    actions = game.actions(state)
    texts = [game.format(action) for action in actions]
    _demand(len(set(texts)) == len(texts), "no two actions share a text", state)
    _demand(all(game.parse(text) == action for text, action in zip(texts, actions, strict=True)), "texts parse", state)


def documents_return(game: AnyGame, state: Any) -> None:
    """A state survives its position document, through JSON."""
    _demand(game.decode(json.loads(json.dumps(game.encode(state)))) == state, "decode undoes encode", state)


def odds_are_exact(game: AnyGame, state: Any) -> None:
    """At the dealer's turn the odds name exactly the actions and sum to 1; elsewhere there are none."""
    odds = game.odds(state)
    if game.turn(state) != CHANCE:
        _demand(not odds, "only the dealer has odds", state)
        return
    _demand([action for action, _ in odds] == list(game.actions(state)), "odds name exactly the actions", state)
    _demand(sum(chance for _, chance in odds) == 1, "odds sum to 1", state)
    _demand(all(chance > 0 for _, chance in odds), "odds are positive", state)


def views_and_lines_are_json(game: AnyGame, state: Any) -> None:
    """Every seat and the spectator have a view that JSON can carry, and one line for each action."""
    for seat in (SPECTATOR, *range(game.seats)):
        view = game.view(state, seat)
        _demand(json.loads(json.dumps(view)) == view, "a view survives JSON", state)
        for action in game.actions(state):
            _demand(len(game.seen(state, action, seat).splitlines()) == 1, "a log line is one line", state)


def equal_views_mean_equal_choices(game: AnyGame, state: Any, choices: dict[str, object]) -> None:
    """A seat that sees the same has the same actions; `choices` remembers what was seen before."""
    seat = game.turn(state)
    if seat is None or seat == CHANCE:
        return
    view = json.dumps([seat, game.view(state, seat)], sort_keys=True)
    actions = list(game.actions(state))
    _demand(choices.setdefault(view, actions) == actions, "equal views mean equal choices", state)


def replay_reproduces(game: AnyGame, states: Sequence[Any], actions: Sequence[Any]) -> None:
    """The texts of a play rebuild each of its states."""
    texts = [game.format(action) for action in actions]
    _demand(list(replay(game, texts)) == list(states), "replay reproduces every state", states[-1])


def secrets_do_not_matter(game: AnyGame, state: Any, twin: Any, seat: Seat) -> None:
    """A seat cannot tell twins apart: same view, same turn, same choices; and the spectator knows no more."""
    for viewer in (seat, SPECTATOR):
        _demand(game.view(state, viewer) == game.view(twin, viewer), f"viewer {viewer} sees twins alike", state)
    _demand(game.turn(state) == game.turn(twin), "twins have the same turn", state)
    if game.turn(state) == seat:
        _demand(list(game.actions(state)) == list(game.actions(twin)), "twins give the same choices", state)
        for viewer in (seat, SPECTATOR):
            for action in game.actions(state):
                lines = {game.seen(one, action, viewer) for one in (state, twin)}
                _demand(len(lines) == 1, "twins give the same log lines", state)


LAWS: tuple[Callable[[AnyGame, Any], None], ...] = (
    actions_exist_until_the_end,
    actions_are_unique_and_stable,
    listed_actions_apply,
    texts_return,
    documents_return,
    odds_are_exact,
    views_and_lines_are_json,
)


def _demand(kept: bool, law: str, state: Any) -> None:
    if not kept:
        raise LawBroken(f"Law: {law}. Broken in {state!r}.")
