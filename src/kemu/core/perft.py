"""Perft: the number of action sequences of a given length, the classic test of a rules module."""

from kemu.core.game import A, Game, S


def perft(game: Game[S, A], state: S, depth: int) -> int:
    """Return the number of sequences of `depth` actions; games that end earlier count only at their own depth."""
    if depth == 0:
        return 1
    actions = game.actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(game, game.apply(state, action), depth - 1) for action in actions)


def split(game: Game[S, A], state: S, depth: int) -> dict[str, int]:
    """Return the same count for each first action, to find where two rules part."""
    return {game.format(a): perft(game, game.apply(state, a), depth - 1) for a in game.actions(state)}
