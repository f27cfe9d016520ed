"""How well bots solve puzzles."""

from kemu.analysis.puzzles.puzzle import Puzzle
from kemu.core.bot import Bot
from kemu.core.game import AnyView
from kemu.games import manifest


def solves(puzzle: Puzzle, bot: Bot) -> float:
    """Return 1 if a bot finds the first action of a puzzle from what its solver knows, 0 if it does not."""
    game, first = puzzle.game, puzzle.found.steps[0]
    view: AnyView = puzzle.found.position
    if not manifest(puzzle.key).hidden:
        view = game.view(game.decode(puzzle.found.position), puzzle.seat)
    actions = [game.parse(text) for text in (first.action, *first.refutations)]
    actions.sort(key=game.format)
    return float(game.format(bot.choose(view, puzzle.found.log, actions)) == first.action)
