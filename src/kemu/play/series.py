"""A series: games between the same players, won by the first to win enough of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Outcome, Seat
from kemu.play.errors import MatchOver

Following: TypeAlias = Callable[[AnyGame, Any, Outcome], tuple[AnyGame, tuple[Seat, ...]]]
"""The next game, and for each of its seats the seat its player had before; see core/succession.py."""

LONGEST: Final = 100


@dataclass(frozen=True)
class Series:
    """The game to be played now, who sits where in it, and what each player has won before it."""

    length: int  # so many won games win the series
    game: AnyGame
    seating: tuple[int, ...]  # the player on each seat; players are numbered as they sat in the first game
    wins: tuple[int, ...]  # by player, wherever he sat
    following: Following

    @classmethod
    def begin(cls, game: AnyGame, length: int, following: Following) -> "Series":
        """A series before its first game."""
        if type(length) is not int or not 1 <= length <= LONGEST:
            raise OptionError(f"The length of a series is a whole number from 1 to {LONGEST}, not {quote(length)}.")
        return cls(length, game, tuple(range(game.seats)), (0,) * game.seats, following)

    def after(self, state: Any, outcome: Outcome) -> "Series":
        """The series after its game ended in this state, by the rules, by resignation or by agreement.

        Every winner of the game has won it, and after a draw nobody has.
        """
        if self.winners:
            raise MatchOver("The series is over.")
        won = {self.seating[seat] for seat in outcome.winners}
        game, came_from = self.following(self.game, state, outcome)
        return replace(
            self,
            game=game,
            seating=tuple(self.seating[seat] for seat in came_from),
            wins=tuple(count + (player in won) for player, count in enumerate(self.wins)),
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won the series, none while it goes on; several if they shared its last game."""
        return tuple(player for player, count in enumerate(self.wins) if count >= self.length)
