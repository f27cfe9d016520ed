"""The PettingZoo adapter: PettingZoo's own tests for every option set."""

from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test

from kemu.adapters.pettingzoo import env, raw_env
from kemu.core.errors import OptionError
from tests.adapters.option_sets import each_game


def expected_warnings(test: Any) -> Any:
    """What api_test warns of in environments with action masks that are not on its list of known names."""
    for message in (
        "Observation space for each agent probably should be",
        "Observation is not a NumPy array",
        "Observation numpy array is all zeros",
        "Action mask numpy array is all zeros",
    ):
        test = pytest.mark.filterwarnings(f"ignore:{message}:UserWarning")(test)
    return test


@each_game
@expected_warnings
def test_api(key: str, options: dict[str, Any]) -> None:
    api_test(env(key, **options), num_cycles=60)


@pytest.mark.no_cover
@each_game
def test_seeds(key: str, options: dict[str, Any]) -> None:
    seed_test(lambda: env(key, **options), num_cycles=30)


def play(environment: Any, seed: int) -> dict[str, float]:
    """What random actions bring each agent."""
    environment.reset(seed=seed)
    rewards = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[agent] += reward
        mask = observation["action_mask"]
        waiting = next((other for other in environment.agents if other != agent), agent)
        if waiting != agent:
            assert not environment.observe(waiting)["action_mask"].any()
        environment.step(None if terminated or truncated else int(mask.argmax()))
    return rewards


@pytest.mark.parametrize(("key", "options"), [("moeraki-kemu", {}), ("mauw", {"players": 3})])
def test_a_game_is_played_to_its_end(key: str, options: dict[str, Any]) -> None:
    rewards = play(env(key, **options), 1)
    assert sum(rewards.values()) == pytest.approx(0)
    assert max(rewards.values()) > 0


def test_a_game_without_an_end_is_truncated() -> None:
    environment = env("mu-torere", repetition=False)
    environment.reset()
    ids = [3, 2 * 8 + 8 + 4, 8 + 4]  # 4-0, 5-4, 0-5
    for ply in range(1000):
        assert not any(environment.truncations.values())
        environment.step(ids[ply % 3])
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())


def test_an_illegal_action_ends_the_game_for_its_agent() -> None:
    environment = env("moeraki-kemu")
    environment.reset()
    environment.step(0)
    assert environment.rewards["player_0"] == -1
    assert all(environment.terminations.values())


def test_it_renders_text() -> None:
    environment = raw_env("mu-torere", render_mode="ansi")
    environment.reset()
    drawing = environment.render()
    assert drawing
    assert "● Black" in drawing
    assert raw_env("mu-torere").render_mode is None
    silent = raw_env("mu-torere")
    silent.reset()
    assert silent.render() is None
    silent.close()


def test_a_wrong_option_is_refused() -> None:
    with pytest.raises(OptionError):
        env("mauw", players=9)
