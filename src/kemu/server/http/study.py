"""A play shown step by step, for clients that hold no rules: lessons, links to positions, opened records."""

from collections.abc import Iterable
from typing import Any

from kemu.core.document import Document, quote
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import SPECTATOR, AnyGame, Seat, options
from kemu.server.answers import Step, StudyAnswer
from kemu.storage.store import result


def study(
    game: AnyGame, position: Document | None, actions: Iterable[str], seat: Seat, running: bool = False
) -> StudyAnswer:
    """All steps from a position, through the eyes of one seat; an illegal action raises with its number.

    In a running match the choices of others would betray their secrets, so only the seat's own are shown.
    """
    if seat != SPECTATOR and not 0 <= seat < game.seats:
        raise OptionError(f"This game has the seats 0 to {game.seats - 1}, and -2 to watch, not {seat}.")
    state = game.initial() if position is None else game.decode(position)
    steps = [_step(game, state, None, None, seat, running)]
    for number, text in enumerate(actions, start=1):
        actor = game.turn(state)
        try:
            action = game.parse(text)
            after = game.apply(state, action)
        except KemuError as error:
            raise type(error)(f"Action {number}, {quote(text)}: {error}") from None
        steps.append(_step(game, after, actor, game.seen(state, action, seat), seat, running))
        state = after
    return StudyAnswer(options(game), steps)


def _step(game: AnyGame, state: Any, actor: Seat | None, line: str | None, seat: Seat, running: bool) -> Step:
    choices = game.actions(state) if not running or game.turn(state) == seat else ()
    return Step(
        actor=actor,
        line=line,
        view=game.view(state, seat),
        turn=game.turn(state),
        actions=[game.format(action) for action in choices],
        outcome=result(game.outcome(state)),
    )
