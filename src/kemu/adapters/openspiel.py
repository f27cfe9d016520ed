"""Every game with an encoding as a game of OpenSpiel; importing this module registers them (extra `openspiel`).

>>> import pyspiel
>>> import kemu.adapters.openspiel
>>> "kemu_mauw" in pyspiel.registered_names()
True

The options of a game are its parameters; "" is an option that is not given. The parameter `position` starts every game
from a position document instead, as `position_parameter` writes it. What a seat may know is its views and its log:
observations are made from views, information states from logs.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from kemu.core.document import Document, read_json
from kemu.core.encoding import action_ids, line_ids, payoff_bounds
from kemu.core.game import CHANCE, SPECTATOR, options
from kemu.core.parts import imports_of_parts
from kemu.games import encoding, game_keys, manifest, picture
from kemu.games import game as make_game

with imports_of_parts():
    import numpy as np
    import pyspiel

    from kemu.adapters.logged_state import LoggedState, first_state

POSITION: Final = "position"
"""The parameter that every game has besides its options."""


def name(key: str) -> str:
    """Return the name of a game in OpenSpiel: kemu_ and its key, in which the word kemu is left out."""
    return "_".join(["kemu", *(word for word in key.split("-") if word != "kemu")])


def position_parameter(document: Document) -> str:
    """Return a position document as the value of the parameter `position`."""
    return urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


class KemuGame(pyspiel.Game):
    """A game of Kemu with its options; each game has a subclass that knows its key."""

    key: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        rules = make_game(self.key, **{option: value for option, value in given.items() if _is_option(option, value)})
        text = given.get(POSITION, "")
        document = urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode() if text else None
        seats, numbers = rules.seats, encoding(rules)
        self.first = first_state(numbers, None if document is None else rules.decode(read_json(document)))
        least, most, total = payoff_bounds(numbers)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(numbers.actions(0)),
            max_chance_outcomes=len(numbers.actions(CHANCE)),
            num_players=seats,
            min_utility=least,
            max_utility=most,
            utility_sum=total,
            max_game_length=self.first.longest,
        )
        super().__init__(game_type(self.key), info, given)

    def new_initial_state(self) -> "KemuState":
        """Return the state before the first action."""
        return KemuState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "KemuObserver":
        """Return an observer of states, by default of views. Raises ValueError if parameters are given."""
        if params:
            raise ValueError(f"An observer has no parameters; {params} were given.")
        return KemuObserver(self.first, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class KemuState(pyspiel.State):
    """A state of a game with the logs of its seats, as `logged`."""

    def __init__(self, game: KemuGame) -> None:
        super().__init__(game)
        self.logged = game.first

    def current_player(self) -> int:
        """Return the seat that is to act, or one of OpenSpiel's ids for the dealer and the end."""
        turn = self.logged.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.logged.legal_ids() if player == self.logged.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the ids of the dealer's actions with their probabilities."""
        ids = action_ids(self.logged.encoding, CHANCE)
        odds = self.logged.rules.odds(self.logged.state)
        return sorted((ids[action], float(chance)) for action, chance in odds)

    def _apply_action(self, action: int) -> None:
        self.logged = self.logged.after(self.logged.encoding.actions(self.current_player())[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.logged.rules.format(self.logged.encoding.actions(player)[action])

    def is_terminal(self) -> bool:
        """Return whether the game is over or was truncated."""
        return self.logged.turn is None

    def returns(self) -> list[float]:
        """Return the return of each seat; 0 while the game is running."""
        return list(self.logged.returns)

    def __str__(self) -> str:
        return _text(self.logged.rules.encode(self.logged.state))

    def _repr_svg_(self) -> str:
        return str(picture(self.logged.rules, self.logged.state))


class KemuObserver:
    """Shows what a player may know: its view, or with perfect recall its log; of public information, a spectator's.

    `tensor` is a flat array, `dict` its parts by name: "observation" in the shape of the encoding, or "player" and
    "log", a number for each line so far.
    """

    def __init__(self, first: LoggedState, kind: Any) -> None:
        self._first, self._kind = first, kind
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not (self._private and kind.public_info):
            return
        shapes: dict[str, tuple[int, ...]] = {"observation": first.encoding.shape}
        if kind.perfect_recall:
            shapes = {"player": (first.rules.seats,), "log": (first.longest,)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {label: part.reshape(shape) for (label, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: KemuState, player: int) -> None:
        """Write what a player knows in this state."""
        now = state.logged
        if "observation" in self.dict:
            self.tensor[:] = now.observation(player).ravel()
        elif self.dict:
            ids = line_ids(now.encoding)
            log = [ids[line] for line in now.logs[player]]
            self.tensor.fill(0)
            self.dict["player"][player] = 1
            self.dict["log"][: len(log)] = log

    def string_from(self, state: KemuState, player: int) -> str:
        """Return what a player knows in this state as text: a view as JSON, or the lines of a log."""
        if not self._kind.public_info:
            return self._private_part(state.logged, player)
        viewer = player if self._private else SPECTATOR
        if not self._kind.perfect_recall:
            return _text(state.logged.view(viewer))
        first = self._first
        start = [_text(first.view(viewer))] if first.state != first.rules.initial() else []
        return " ".join([f"player {viewer}" if self._private else "public", *start, *state.logged.logs[viewer]])

    def _private_part(self, now: LoggedState, player: int) -> str:
        """Return the fields of a player's view that a spectator's view has otherwise; empty in an open game."""
        if not self._private:
            return ""
        own, public = now.view(player), now.view(SPECTATOR)
        secret = {field: value for field, value in own.items() if value != public.get(field)}
        return _text(secret) if secret else ""


def game_type(key: str) -> Any:
    """Return the type of a game for OpenSpiel."""
    found, rules = manifest(key), make_game(key)
    numbers = encoding(rules)
    stochastic = bool(numbers.actions(CHANCE))
    modes, kinds = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    defaults = {option: "" if value is None else value for option, value in options(rules).items()}
    return pyspiel.GameType(
        short_name=name(key),
        long_name=found.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if stochastic else modes.DETERMINISTIC,
        information=kinds.IMPERFECT_INFORMATION if found.hidden else kinds.PERFECT_INFORMATION,
        utility=_utility(payoff_bounds(numbers)[2]),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=numbers.most_seats,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={**defaults, POSITION: ""},
    )


def _utility(total: float | None) -> Any:
    """Return the kind of payoffs whose sum this is."""
    kinds = pyspiel.GameType.Utility
    return kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM


def register_games() -> None:
    """Register every game with an encoding that OpenSpiel does not know yet; done once when this is imported."""
    known = set(pyspiel.registered_names())
    for key in game_keys():
        if manifest(key).encoding and name(key) not in known:
            # A class, because OpenSpiel lets go of what it was given after Python has ended; classes are never freed.
            pyspiel.register_game(game_type(key), type(f"KemuGame_{name(key)}", (KemuGame,), {"key": key}))


def _is_option(parameter: str, value: object) -> bool:
    return parameter != POSITION and value != ""


def _text(view: object) -> str:
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"))


register_games()
