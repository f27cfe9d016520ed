"""Actions shown step by step, for clients that hold no rules: lessons, links to positions, opened records."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import UNSET

from kemu.core.document import Document, quote
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import SPECTATOR, AnyGame, Seat, options
from kemu.games import text as text_view
from kemu.server.http.responses import Step, StudyAnswer
from kemu.server.match_answer import outcome_answer


class StudyView(NamedTuple):
    """How steps are shown: through which seat, of a running match or not, and whether with text drawings."""

    seat: Seat
    running: bool = False
    text: bool = False


def study(game: AnyGame, position: Document | None, actions: Iterable[str], shown: StudyView) -> StudyAnswer:
    """All steps from a position; raises the error of the first illegal action with its number.

    In a running match the choices of others would reveal their secrets, so only those of the seat itself are shown.
    """
    seat = shown.seat
    if seat != SPECTATOR and not 0 <= seat < game.seats:
        raise OptionError(f"This game has the seats 0 to {game.seats - 1}, and -2 to watch, not {seat}.")
    state = game.initial() if position is None else game.decode(position)
    steps = [_step(game, state, None, None, shown)]
    for number, text in enumerate(actions, start=1):
        actor = game.turn(state)
        try:
            action = game.parse(text)
            after = game.apply(state, action)
        except KemuError as error:
            raise type(error)(f"Action {number}, {quote(text)}: {error}") from None
        steps.append(_step(game, after, actor, game.seen(state, action, seat), shown))
        state = after
    return StudyAnswer(options(game), steps)


def _step(game: AnyGame, state: Any, actor: Seat | None, line: str | None, shown: StudyView) -> Step:
    choices = game.actions(state) if not shown.running or game.turn(state) == shown.seat else ()
    view, drawn = game.view(state, shown.seat), text_view(game.key)
    return Step(
        actor=actor,
        line=line,
        view=view,
        turn=game.turn(state),
        actions=[game.format(action) for action in choices],
        outcome=outcome_answer(game.outcome(state)),
        text=drawn.draw(game, view) if shown.text else UNSET,
        words=[drawn.explain(game, view, action) for action in choices] if shown.text else UNSET,
    )
