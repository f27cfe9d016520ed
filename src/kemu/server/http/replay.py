"""Actions shown step by step, for clients that hold no rules: lessons, links to positions, opened records."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from kemu.core.document import Document, quote
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, AnyView, Seat, options
from kemu.games import text as text_view
from kemu.play.dealer import Dealer
from kemu.storage.matches import OutcomeAnswer, outcome_answer


class Step(Struct, frozen=True):
    """One state of a study and how it was reached; what follows `outcome` is there if it was asked for.

    `odds` are those of the actions, where the dealer acts.
    """

    actor: Seat | None
    line: str | None
    view: AnyView
    turn: Seat | None
    actions: list[str]
    outcome: OutcomeAnswer | None
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    position: dict[str, Any] | UnsetType = UNSET
    odds: list[float] | UnsetType = UNSET


class ReplayAnswer(Struct, frozen=True):
    """A sequence of actions shown step by step; `dealt` is what the dealer added, if that was asked for."""

    options: dict[str, Any]
    seats: int
    steps: list[Step]
    dealt: list[str] | UnsetType = UNSET


class ReplayView(NamedTuple):
    """How steps are shown: through which seat, of a running match or not, with text drawings, with positions, and
    whether the dealer's turns after the last action are dealt at random.

    The seat "turn" is that of whoever is to act in a step. Positions hold all secrets, and so do the views of all seats
    together: both are for positions that the asker has set up.
    """

    seat: Seat | Literal["turn"]
    running: bool = False
    text: bool = False
    positions: bool = False
    deal: bool = False

    def viewer(self, game: AnyGame, state: Any) -> Seat:
        """Return the seat that a state is shown to."""
        if self.seat != "turn":
            return self.seat
        turn = game.turn(state)
        return SPECTATOR if turn is None or turn < 0 else turn


def replay_steps(game: AnyGame, position: Document | None, actions: Iterable[str], shown: ReplayView) -> ReplayAnswer:
    """Return all steps from a position; raises the error of the first illegal action with its number.

    In a running match the choices of others would reveal their secrets, so only those of the seat itself are shown.
    """
    if shown.seat not in ("turn", SPECTATOR, *range(game.seats)):
        raise OptionError(f"This game has the seats 0 to {game.seats - 1}, and -2 to watch, not {shown.seat}.")
    state = game.initial() if position is None else game.decode(position)
    steps = [_step(game, state, None, None, shown)]
    for number, text in enumerate(actions, start=1):
        try:
            state = _play(game, state, game.parse(text), steps, shown)
        except KemuError as error:
            raise error.located(f"Action {number}, {quote(text)}") from None
    dealt = _deal(game, state, steps, shown) if shown.deal else UNSET
    return ReplayAnswer(options(game), game.seats, steps, dealt)


def _deal(game: AnyGame, state: Any, steps: list[Step], shown: ReplayView) -> list[str]:
    """Add the steps of the dealer until a seat is to act or the game is over, and return what was dealt."""
    dealer, dealt = Dealer(), []
    while game.turn(state) == CHANCE:
        action = dealer.deal(game.odds(state))
        dealt.append(game.format(action))
        state = _play(game, state, action, steps, shown)
    return dealt


def _play(game: AnyGame, state: Any, action: Any, steps: list[Step], shown: ReplayView) -> Any:
    """Apply an action, add its step and return the state after it. Raises IllegalAction."""
    after = game.apply(state, action)
    line = game.format(action) if shown.seat == "turn" else game.seen(state, action, shown.seat)
    steps.append(_step(game, after, game.turn(state), line, shown))
    return after


def _step(game: AnyGame, state: Any, actor: Seat | None, line: str | None, shown: ReplayView) -> Step:
    choices = game.actions(state) if not shown.running or game.turn(state) == shown.seat else ()
    view, drawn = game.view(state, shown.viewer(game, state)), text_view(game.key)
    return Step(
        actor=actor,
        line=line,
        view=view,
        turn=game.turn(state),
        actions=[game.format(action) for action in choices],
        outcome=outcome_answer(game.outcome(state)),
        text=drawn.draw(game, view) if shown.text else UNSET,
        words=[drawn.explain(game, view, action) for action in choices] if shown.text else UNSET,
        position=game.encode(state) if shown.positions else UNSET,
        odds=_odds(game, state, choices) if shown.positions and game.turn(state) == CHANCE else UNSET,
    )


def _odds(game: AnyGame, state: Any, choices: Iterable[Any]) -> list[float]:
    chances = dict(game.odds(state))
    return [float(chances[action]) for action in choices]
