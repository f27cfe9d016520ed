"""Answers to a puzzle: whether the actions of a solver are right, and what is replied."""

from collections.abc import Sequence
from dataclasses import dataclass

from kemu.core.errors import IllegalAction
from kemu.study.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Judgement:
    """What the actions of a solver are worth: right so far or not, done or not, and all actions with the replies."""

    right: bool
    done: bool
    actions: tuple[str, ...]  # those of both sides from the position of the puzzle on
    replies: tuple[str, ...]  # what follows the last action of the solver


def judge(puzzle: Puzzle, actions: Sequence[str]) -> Judgement:
    """Compares the actions of a solver with the steps of a puzzle; raises IllegalAction for one that cannot be."""
    played: list[str] = []
    for number, (step, action) in enumerate(zip(puzzle.found.steps, actions, strict=False), start=1):
        if action != step.action and action not in step.refutations:
            raise IllegalAction(f"'{action}' is no action of this position.")
        right = action == step.action
        refutation = () if right else tuple(filter(None, [step.refutations[action]]))
        replies = step.replies if right else refutation
        played += [action, *replies]
        last = number == len(puzzle.found.steps)
        if not right or last or number == len(actions):
            if number < len(actions):
                raise IllegalAction("The puzzle was over before these actions.")
            return Judgement(right, last or not right, tuple(played), replies)
    raise IllegalAction("An answer has at least one action.")
