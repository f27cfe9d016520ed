"""The laws every game keeps; run `check(game)` on your own, or one law on one state.

A law is a function that raises LawBroken with a sentence. The laws about secrets need *twins*: states that are the
same for one seat and differ in what is hidden from it, made from the rules by whoever tests the game.
"""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, Seat, Symmetry
from kemu.core.record import replay

Twins: TypeAlias = Callable[[AnyGame, Any, Seat, random.Random], Iterable[Any]]
"""From a game, a state, a seat and a source of randomness: some states that this seat cannot distinguish from it."""


class LawBroken(AssertionError):
    """A game broke a law."""


def no_twins(game: AnyGame, state: Any, seat: Seat, source: random.Random) -> Iterable[Any]:
    """The twins of an open game: nothing is hidden in it."""
    return ()


def check(game: AnyGame, *, twins: Twins = no_twins, plays: int = 20, longest: int = 2000, seed: int = 0) -> None:
    """Check every law on every state of some random plays; raise LawBroken at the first that is broken.

    A game with secrets is checked for leaks only if it comes with its `twins`.
    """
    source = random.Random(seed)
    for _ in range(plays):
        states, actions = play(game, source.randrange, longest)
        for state in states:
            for law in LAWS:
                law(game, state)
            unlisted_actions_are_refused(game, state, actions)
            for seat in range(game.seats):
                for twin in twins(game, state, seat, source):
                    secrets_do_not_matter(game, state, twin, seat)
        replay_reproduces(game, states, actions)


def play(game: AnyGame, pick: Callable[[int], int], longest: int = 2000) -> tuple[list[Any], list[Any]]:
    """One play of at most `longest` actions: all states and the actions between them; `pick(n)` chooses among n."""
    states: list[Any] = [game.initial()]
    actions: list[Any] = []
    while game.turn(states[-1]) is not None and len(actions) < longest:
        legal = game.actions(states[-1])
        if not legal:  # a broken game; the law about its end says how
            break
        actions.append(legal[pick(len(legal))])
        states.append(_apply_listed(game, states[-1], actions[-1]))
    return states, actions


def actions_exist_until_the_end(game: AnyGame, state: Any) -> None:
    """There are actions, a turn and no outcome, until there are no actions, no turn and an outcome."""
    over = game.outcome(state) is not None
    _require((game.turn(state) is None) == over, "turn is None exactly when there is an outcome", state)
    _require((not game.actions(state)) == over, "actions are empty exactly when there is an outcome", state)
    seats = (CHANCE, *range(game.seats))
    _require(over or game.turn(state) in seats, "turn is a seat of the game or the dealer", state)


def actions_are_unique_and_stable(game: AnyGame, state: Any) -> None:
    """No action is listed twice, and a second call lists the same in the same order."""
    actions = list(game.actions(state))
    _require(len(set(actions)) == len(actions), "no action is listed twice", state)
    _require(list(game.actions(state)) == actions, "actions come in a stable order", state)


def listed_actions_apply(game: AnyGame, state: Any) -> None:
    """Every listed action applies and leaves the state it came from as it was."""
    document, number = game.encode(state), hash(state)
    for action in game.actions(state):
        hash(_apply_listed(game, state, action))
    _require(game.encode(state) == document and hash(state) == number, "apply leaves the state as it was", state)


def texts_parse_back(game: AnyGame, state: Any) -> None:
    """Every action has a text of its own that parses to it."""
    actions = game.actions(state)
    texts = [game.format(action) for action in actions]
    _require(len(set(texts)) == len(texts), "no two actions share a text", state)
    parsed = [game.parse(text) for text in texts]
    _require(parsed == list(actions), "parse undoes format", state)


def documents_decode_back(game: AnyGame, state: Any) -> None:
    """A state survives its position document, through JSON."""
    _require(game.decode(json.loads(json.dumps(game.encode(state)))) == state, "decode undoes encode", state)


def odds_are_exact(game: AnyGame, state: Any) -> None:
    """At the dealer's turn the odds name exactly the actions and sum to 1; elsewhere there are none."""
    odds = game.odds(state)
    if game.turn(state) != CHANCE:
        _require(not odds, "only the dealer has odds", state)
        return
    _require([action for action, _ in odds] == list(game.actions(state)), "odds name exactly the actions", state)
    _require(sum(chance for _, chance in odds) == 1, "odds sum to 1", state)
    _require(all(chance > 0 for _, chance in odds), "odds are positive", state)


def views_and_lines_are_json(game: AnyGame, state: Any) -> None:
    """Every seat and the spectator have a view that JSON can carry, and one line for each action."""
    for seat in (SPECTATOR, *range(game.seats)):
        view = game.view(state, seat)
        _require(json.loads(json.dumps(view)) == view, "a view survives JSON", state)
        for action in game.actions(state):
            _require(len(game.seen(state, action, seat).splitlines()) == 1, "a log line is one line", state)


LAWS: Final[tuple[Callable[[AnyGame, Any], None], ...]] = (
    actions_exist_until_the_end,
    actions_are_unique_and_stable,
    listed_actions_apply,
    texts_parse_back,
    documents_decode_back,
    odds_are_exact,
    views_and_lines_are_json,
)
"""The laws about one state."""


def unlisted_actions_are_refused(game: AnyGame, state: Any, others: Sequence[Any]) -> None:
    """Anything not listed, from `others` or not even an action, raises IllegalAction and leaves the state as it was.

    Raises LawBroken if it does not.
    """
    document, legal = game.encode(state), set(game.actions(state))
    for other in (*others, None, object()):
        if other in legal:
            continue
        try:
            game.apply(state, other)
        except IllegalAction:
            continue
        raise LawBroken(f"An action that is not listed is refused, but {other!r} was applied in {state!r}.")
    _require(game.encode(state) == document, "a refused action leaves the state as it was", state)


def replay_reproduces(game: AnyGame, states: Sequence[Any], actions: Sequence[Any]) -> None:
    """The texts of a play rebuild each of its states."""
    texts = [game.format(action) for action in actions]
    _require(list(replay(game, texts)) == list(states), "replay reproduces every state", states[-1])


def symmetries_keep_the_rules(game: AnyGame, state: Any, symmetries: Sequence[Symmetry]) -> None:
    """The image of a state has the images of its actions, of what follows, and the same turn and outcome."""
    images = {each.state(state) for each in symmetries}
    for each in symmetries:
        image = each.state(state)
        _require(game.turn(image) == game.turn(state), "a symmetry keeps the turn", state)
        _require(game.outcome(image) == game.outcome(state), "a symmetry keeps the outcome", state)
        _require(game.decode(game.encode(image)) == image, "the image of a state is a state", state)
        actions = game.actions(state)
        _require({each.action(action) for action in actions} == set(game.actions(image)), "actions have images", state)
        for action in actions:
            after = _apply_listed(game, image, each.action(action))
            _require(after == each.state(game.apply(state, action)), "a symmetry commutes with apply", state)
        _require({other.state(image) for other in symmetries} == images, "symmetries are a group", state)


def equal_views_mean_equal_choices(game: AnyGame, state: Any, twin: Any, seat: Seat) -> None:
    """Two states with equal views for a seat have the same turn and, when the seat acts, the same actions in order."""
    _require(game.view(state, seat) == game.view(twin, seat), f"seat {seat} has equal views of twins", state)
    _require(game.turn(state) == game.turn(twin), "equal views mean the same turn", state)
    if game.turn(state) == seat:
        _require(list(game.actions(state)) == list(game.actions(twin)), "equal views mean equal choices", state)


def secrets_do_not_matter(game: AnyGame, state: Any, twin: Any, seat: Seat) -> None:
    """A seat has equal views, choices and log lines in twins, and the spectator, who knows no more, has too."""
    equal_views_mean_equal_choices(game, state, twin, seat)
    equal_views_mean_equal_choices(game, state, twin, SPECTATOR)
    legal = set(game.actions(twin))
    for action in game.actions(state):
        if action not in legal:  # it depends on a secret of whoever acts, such as the cards of another hand
            continue
        for viewer in (seat, SPECTATOR):
            lines = {game.seen(each, action, viewer) for each in (state, twin)}
            _require(len(lines) == 1, f"viewer {viewer} has equal log lines in twins", state)


def _apply_listed(game: AnyGame, state: Any, action: Any) -> Any:
    try:
        return game.apply(state, action)
    except IllegalAction as error:
        raise LawBroken(f"A listed action applies, but {game.format(action)} does not: {error}") from error


def _require(kept: bool, law: str, state: Any) -> None:
    if not kept:
        raise LawBroken(f"Law: {law}. Broken in {state!r}.")
