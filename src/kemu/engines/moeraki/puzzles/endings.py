"""Puzzles about endings: few hollows are left, the solver knows every result, and one action alone wins."""

from collections.abc import Iterator
from typing import Any, Final

from kemu.engines.capabilities import PuzzleStep, UnsoundPuzzle
from kemu.engines.moeraki.board.translation import kernel_state
from kemu.engines.moeraki.certify.win_checker import verify
from kemu.engines.moeraki.certify.writers import write_proof
from kemu.engines.moeraki.quick_choice import open_lines
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

MOST_HOLLOWS: Final = {"beginner": 0, "basic": 7, "master": 6}
"""Empty hollows of an ending, few enough that its whole tree can be written and checked by the reference rules."""

LEAST_CHOICE: Final = 4
"""Actions of the first step of a puzzle, at least."""

MOST_STEPS: Final = 4
SOLVER_NODES: Final = 3_000_000


class EndingPuzzles:
    """Looks for the only winning actions of endings of one game."""

    def __init__(self, game: MoerakiKemu) -> None:
        self.game = game
        self.searcher = Searcher(game)

    def steps(self, state: State) -> Iterator[PuzzleStep]:
        """Return the actions that alone win from a state, each with the reply that leaves the fewest such actions."""
        seat, game = state.turn, self.game
        left = len(HOLLOWS) - state.occupied.bit_count()
        if left > MOST_HOLLOWS[game.variant] or len(game.actions(state)) < LEAST_CHOICE or self.is_urgent(state):
            return
        only = self.only_win(state)
        for number in range(MOST_STEPS):
            if only is None:
                return
            action, refutations = only
            state, replies = self.hardest_reply(game.apply(state, action), seat)
            only = self.only_win(state) if game.turn(state) == seat and len(game.actions(state)) > 1 else None
            following = only is not None and number + 1 < MOST_STEPS
            yield PuzzleStep(game.format(action), replies if following else (), refutations)

    def is_urgent(self, state: State) -> bool:
        """Return whether one stone of either side would complete a line now, which everybody sees."""
        return state.step is None and any(any(open_lines(self.game, state, seat)) for seat in range(2))

    def only_win(self, state: State) -> tuple[Any, dict[str, str]] | None:
        """Return the only action that wins, and the refutation of each other one; None if there is not exactly one."""
        game, wins, refutations = self.game, [], {}
        for action in game.actions(state):
            after = game.apply(state, action)
            if self.winner(after) == state.turn:
                wins.append(action)
            else:
                refutations[game.format(action)] = self.refutation(after, 1 - state.turn)
            if len(wins) > 1:
                return None
        return (wins[0], refutations) if wins else None

    def refutation(self, state: State, seat: int) -> str:
        """Return an action of a seat that wins, empty if it is not to act."""
        game = self.game
        if game.turn(state) != seat:
            return ""
        return next(game.format(each) for each in game.actions(state) if self.winner(game.apply(state, each)) == seat)

    def hardest_reply(self, state: State, seat: int) -> tuple[State, tuple[str, ...]]:
        """Return the state in which a seat acts again, after replies that leave it the fewest actions that win."""
        replies: list[str] = []
        while self.game.turn(state) not in (seat, None):
            after = {action: self.game.apply(state, action) for action in self.game.actions(state)}
            reply = min(after, key=lambda action: self.count_wins(after[action], seat))
            replies.append(self.game.format(reply))
            state = after[reply]
        return state, tuple(replies)

    def count_wins(self, state: State, seat: int) -> int:
        """Return how many actions of a seat win; many if it is not to act."""
        if self.game.turn(state) != seat:
            return len(HOLLOWS) if self.game.turn(state) is None else len(HOLLOWS) - 1
        return sum(self.winner(self.game.apply(state, action)) == seat for action in self.game.actions(state))

    def winner(self, state: State) -> int:
        """Return who wins with best play; raises UnsoundPuzzle if the solver does not know."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return outcome.winners[0]
        workspace = self.searcher.workspace
        workspace.begin(SOLVER_NODES)
        value = workspace.solve(kernel_state(self.game, state))
        if not value:
            raise UnsoundPuzzle("The solver does not decide the ending.")
        return state.turn if value > 0 else 1 - state.turn

    def prove_only(self, state: State, text: str) -> None:
        """Check by the reference rules, with a written tree for each action, that this one alone wins."""
        game = self.game
        for action in game.actions(state):
            right = game.format(action) == text
            self.prove(game.apply(state, action), state.turn if right else 1 - state.turn)

    def prove(self, state: State, winner: int) -> None:
        """Check by the reference rules that a seat wins; raises UnsoundPuzzle."""
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            if outcome.winners != (winner,):
                raise UnsoundPuzzle(f"Seat {winner} does not win.")
        elif state.turn == winner and state.step is None:
            proof = write_proof(self.searcher, state)
            if proof is None:
                raise UnsoundPuzzle(f"No proof is found that seat {winner} wins.")
            verify(proof)
        else:
            actions = game.actions(state)
            if state.turn == winner:
                actions = [each for each in actions if self.winner(game.apply(state, each)) == winner][:1]
            if not actions:
                raise UnsoundPuzzle(f"Seat {winner} does not win.")
            for action in actions:
                self.prove(game.apply(state, action), winner)
