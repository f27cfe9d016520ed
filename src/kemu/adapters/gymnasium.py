"""Every game with an encoding as an environment of Gymnasium (extra `gymnasium`): alone, and many at once.

>>> import kemu
>>> from kemu.adapters.gymnasium import KemuEnv
>>> environment = KemuEnv(kemu.game_keys()[0], bot="1")
>>> observation, info = environment.reset(seed=1)
>>> int(info["action_mask"].sum())
9
"""

from typing import Any, Final

from kemu.bots.named import named_bot as make_bot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import Seat
from kemu.core.parts import imports_of_parts
from kemu.games import encoding
from kemu.games import game as make_game
from kemu.play.dealer import Dealer

with imports_of_parts():
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from kemu.adapters.logged_state import first_state
    from kemu.engines.batch import LEFT_ALONE, batch

SEEDS: Final = 2**31


class KemuEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """One seat of a game; bots of one level have the others.

    An observation is what the seat sees, info has its "action_mask". The reward is what the game was worth to the seat,
    when it ends. An action that is not legal changes nothing; info then has the reason as "illegal".
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  Gymnasium's own name and type

    def __init__(
        self, key: str, bot: str = "random", seat: Seat = 0, render_mode: str | None = None, **options: Any
    ) -> None:
        self._encoding = encoding(make_game(key, **options))
        if seat not in range(self._encoding.game.seats):
            raise OptionError(f"The seats are 0 to {self._encoding.game.seats - 1}, not {seat}.")
        make_bot(bot, self._encoding.game)  # raises OptionError now rather than in `reset`
        self._bot, self._seat, self.render_mode = bot, seat, render_mode
        self.observation_space = spaces.Box(0, 255, self._encoding.shape, np.uint8)
        self.action_space = spaces.Discrete(len(self._encoding.actions(seat)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game, with other cards and bots each time; the same seed gives the same games."""
        super().reset(seed=seed)
        cards, *bots = (int(each) for each in self.np_random.integers(SEEDS, size=1 + self._encoding.game.seats))
        self._dealer = Dealer(cards)
        self._now = first_state(self._encoding).dealt(self._dealer)
        self._bots: list[Bot] = [make_bot(self._bot, self._encoding.game, each) for each in bots]
        self._steps = 0
        self._let_bots_act()
        return self._now.observation(self._seat), {"action_mask": self._now.mask()}

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take an action, and let the bots act until the seat is to act again."""
        info: dict[str, Any] = {}
        self._steps += 1
        if int(action) in self._now.legal_ids():
            self._act(self._encoding.actions(self._seat)[int(action)])
            self._let_bots_act()
        else:
            info["illegal"] = f"Action {int(action)} is not legal."
        now = self._now
        info["action_mask"] = now.mask()
        truncated = not now.terminated and max(now.length, self._steps) >= now.longest
        return now.observation(self._seat), now.returns[self._seat], now.terminated, truncated, info

    def render(self) -> str | None:
        """Return a drawing in text of what the seat sees."""
        return self._now.drawing(self._seat) if self.render_mode == "ansi" else None

    def _act(self, action: Any) -> None:
        self._now = self._now.after(action).dealt(self._dealer)

    def _let_bots_act(self) -> None:
        while (seat := self._now.turn) is not None and seat != self._seat:
            actions = self._now.rules.actions(self._now.state)
            self._act(self._bots[seat].choose(self._now.view(seat), self._now.logs[seat], actions))


class KemuVectorEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """One seat in each of many games of a batch; random players have the others.

    Infos have the "action_mask" of each game. Where a game ended, the next one has begun in the same step, and infos
    have the last observation of the one before as "final_obs".
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, key: str, num_envs: int = 1, seat: Seat = 0, **options: Any) -> None:
        self._batch = batch(key, num_envs, viewer=seat, **options)
        self._seat, self.num_envs = seat, num_envs
        self.single_observation_space = spaces.Box(0, 255, self._batch.encoding.shape, np.uint8)
        self.single_action_space = spaces.Discrete(self._batch.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._buffers = self._batch.new_buffers()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game in each environment; one seed is counted on from, or there is one for each."""
        seeds = [number for number in seed if number is not None] if isinstance(seed, list) else seed
        self._batch.reset(seeds, self._buffers)
        self._play_on(np.full(self.num_envs, LEFT_ALONE))
        return self._buffers.observations.copy(), {"action_mask": self._buffers.masks.astype(np.int8)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in each environment, and let the others act; raises IllegalAction and changes nothing."""
        rewards, terminated, truncated = self._play_on(np.asarray(actions))
        infos: dict[str, Any] = {"action_mask": self._buffers.masks.astype(np.int8)}
        if (ended := terminated | truncated).any():
            infos["final_obs"], infos["_final_obs"] = self._buffers.finals.copy(), ended
        return self._buffers.observations.copy(), rewards, terminated, truncated, infos

    def _play_on(self, actions: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Take these actions, and random ones in the games where another seat is to act, until the own seat is."""
        buffers, seat = self._buffers, self._seat
        rewards = np.zeros(self.num_envs, np.float64)
        terminated, truncated = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        while True:
            self._batch.step(actions, buffers)
            rewards += buffers.rewards[:, seat]
            terminated |= buffers.terminated
            truncated |= buffers.truncated
            others = buffers.seats != seat
            if not others.any():
                return rewards, terminated, truncated
            actions = np.where(others, self._batch.random_actions(buffers.masks), LEFT_ALONE)
