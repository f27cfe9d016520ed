"""Every game with an encoding as an AEC environment of PettingZoo (extra `pettingzoo`).

>>> import kemu
>>> from kemu.adapters.pettingzoo import env
>>> environment = env(kemu.game_keys()[0])
>>> environment.reset(seed=1)
>>> environment.agent_selection
'player_0'

An observation is a dictionary: "observation" in the shape of the encoding, and "action_mask" by action id, 0 everywhere
for an agent that is not about to act. The dealer draws from the seed of `reset`.
"""

from typing import Any, Final

from kemu.core.game import Seat
from kemu.core.parts import imports_of_parts
from kemu.games import encoding
from kemu.games import game as make_game
from kemu.play.dealer import Dealer

with imports_of_parts():
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from kemu.adapters.logged_state import first_state

SEEDS: Final = 2**31


def env(key: str, /, render_mode: str | None = None, **options: Any) -> Any:
    """Return the game of this key with these options in PettingZoo's usual wrappers; raises UnknownGame or OptionError.

    An illegal action ends the game with -1 for its agent, as in PettingZoo's own environments.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(key, render_mode, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class KemuAEC(AECEnv):
    """A game without wrappers; the agents are player_0, player_1, … by seat. Raises UnknownGame or OptionError."""

    def __init__(self, key: str, /, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.metadata = {"name": f"kemu_{key}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self._encoding = encoding(make_game(key, **options))
        self.possible_agents = [f"player_{seat}" for seat in range(self._encoding.game.seats)]
        self.agents: list[str] = []
        count = len(self._encoding.actions(0))
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, self._encoding.shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the same seed gives the same cards."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._dealer = Dealer(int(self._random.integers(SEEDS)))
        self._now = first_state(self._encoding).dealt(self._dealer)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._now.turn or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation and the action mask of an agent."""
        mask = self._now.mask()
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": self._now.observation(self._seat(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the action of the agent that is about to act; raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        chosen = self._encoding.actions(self._seat(agent))[int(action or 0)]
        self._now = self._now.after(chosen).dealt(self._dealer)
        self.rewards = dict(zip(self.possible_agents, self._now.returns, strict=True))
        seat = self._now.turn
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, self._now.terminated)
            self.truncations = dict.fromkeys(self.agents, not self._now.terminated)
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.possible_agents[seat]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return a drawing in text of what the agent that is about to act sees."""
        return self._now.drawing(self._seat(self.agent_selection)) if self.render_mode == "ansi" else None

    def _seat(self, agent: str) -> Seat:
        return self.possible_agents.index(agent)


raw_env = KemuAEC
