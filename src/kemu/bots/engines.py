"""The engine behind each game: its capabilities, and answers by the rules where an engine lacks one.

Without an engine, the generic searcher plays a game.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from kemu.bots import generic
from kemu.core.errors import OptionError, UnknownGame
from kemu.core.game import AnyGame, AnyView, SamplesStates, Seat
from kemu.core.manifest import load
from kemu.core.record import replay
from kemu.engines import capabilities
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis
from kemu.engines.capabilities import EnginePlayer, Learner, Progress, ReviewBudget, SolvedGame
from kemu.engines.threats import find_rescue, last_decisions, search_turns
from kemu.games import game as make_game
from kemu.games import game_keys, manifest

C = TypeVar("C")


def engine_player(game: AnyGame) -> EnginePlayer | None:
    """Return what plays a game: the player of its engine, or the generic searcher.

    None if the game is not registered, or if it has secrets, no engine, and rules that sample no states: then there is
    nothing to search, and its only bot is the random one.
    """
    try:
        found = manifest(game.key)
    except UnknownGame:
        return None
    if found.player:
        return cast(EnginePlayer, load(found.player))
    return generic if not found.hidden or isinstance(game, SamplesStates) else None


def require_player(game: AnyGame) -> EnginePlayer:
    """Return what plays a game; raises OptionError if nothing can search it."""
    player = engine_player(game)
    if player is None:
        engines = [key for key in game_keys() if manifest(key).player]
        raise OptionError(f"{game.key} has no engine; games with one are {', '.join(engines)}.")
    return player


def capability(game: AnyGame, kind: Callable[..., C]) -> C | None:
    """Return the player of a game if it has a capability, one of the protocols of `kemu.engines.capabilities`."""
    player: Any = engine_player(game)
    return cast(C, player) if isinstance(player, cast(type, kind)) else None


def games_with(kind: Callable[..., object]) -> list[str]:
    """Return the keys of the games whose players have a capability."""
    return [key for key in game_keys() if capability(make_game(key), kind) is not None]


def solution(game: AnyGame, progress: Progress | None = None) -> SolvedGame:
    """Return the strong solution of a game that has one; raises UnknownGame for the others."""
    solver = capability(game, capabilities.Solver)
    if solver is None:
        raise UnknownGame(f"{game.key} is not solved; solved is {', '.join(games_with(capabilities.Solver))}.")
    return solver.solution(game, progress)


def theorems(game: AnyGame) -> capabilities.Theorems:
    """Return what the engine of a game can prove; raises UnknownGame if it proves nothing."""
    prover = capability(game, capabilities.Prover)
    if prover is None:
        raise UnknownGame(f"The engine of {game.key} writes no certificates.")
    return prover.theorems()


def learner(game: AnyGame) -> Learner:
    """Return what learns the weights of a game's engine; raises OptionError if nothing of it is learned."""
    trainable = capability(game, capabilities.Trainable)
    if trainable is None:
        learned = ", ".join(games_with(capabilities.Trainable))
        raise OptionError(f"Nothing is learned for {game.key}; games with a learner are {learned}.")
    return trainable.learner()


def expected_score(game: AnyGame, value: float) -> float:
    """Return the expected score, from 0 to 1, of the side to act for the value of a line."""
    engine = capability(game, capabilities.Calibrated)
    return engine.expected_score(game, value) if engine else (1 + value) / 2


def review_budget(game: AnyGame) -> ReviewBudget:
    """Return the nodes for each position of a review."""
    engine = capability(game, capabilities.Reviewing)
    return engine.review_budget() if engine else ReviewBudget()


def threats(game: AnyGame, view: AnyView) -> ThreatAnalysis[Any]:
    """Return the wins and the proved defences of the seat whose turn it is; nothing in games with secrets."""
    if "position" not in view:
        return ThreatAnalysis()
    return _threats_in(game, game.decode(view["position"]))


def rescue(game: AnyGame, actions: Sequence[str], seat: Seat) -> RescueAnalysis[Any] | None:
    """Return the last decision by which a seat could still have saved a game that is over, from its record.

    None if the seat has not lost by the rules, if nothing is proved, and in games with secrets.
    """
    if manifest(game.key).hidden:
        return None
    states = list(replay(game, actions))
    outcome = game.outcome(states[-1])
    if outcome is None or not outcome.winners or seat in outcome.winners:
        return None
    rescuer = capability(game, capabilities.Rescuer)
    if rescuer:
        return rescuer.rescue(game, states, seat)
    return find_rescue(game, states, last_decisions(game, states, seat), lambda state: _threats_in(game, state))


def _threats_in(game: AnyGame, state: Any) -> ThreatAnalysis[Any]:
    finder = capability(game, capabilities.ThreatFinder)
    return finder.threats(game, state) if finder else search_turns(game, state)
