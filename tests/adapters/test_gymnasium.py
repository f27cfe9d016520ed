"""The Gymnasium adapter: its checker for every option set, bots that play, and the vector environment on batches."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from kemu.adapters.gymnasium import KemuEnv, KemuVectorEnv
from kemu.core.errors import IllegalAction, OptionError
from tests.laws.choices import each_game


@each_game
def test_checker(key: str, options: dict[str, Any]) -> None:
    check_env(KemuEnv(key, **options), skip_render_check=True)


def play(environment: KemuEnv, seed: int) -> tuple[list[bytes], float]:
    """The observations of a game of the first legal actions, and its reward."""
    observation, info = environment.reset(seed=seed)
    seen, reward, ended = [observation.tobytes()], 0.0, False
    while not ended:
        observation, reward, terminated, truncated, info = environment.step(np.int64(info["action_mask"].argmax()))
        seen.append(observation.tobytes())
        ended = terminated or truncated
        assert ended == (not info["action_mask"].any())
    return seen, reward


@pytest.mark.parametrize("bot", ["random", "1"])
@pytest.mark.parametrize(("key", "options", "seat"), [("mu-torere", {}, 1), ("mauw", {"players": 3}, 2)])
def test_a_seat_plays_against_bots(key: str, options: dict[str, Any], seat: int, bot: str) -> None:
    games = [play(KemuEnv(key, bot, seat, **options), seed) for seed in (1, 1, 2)]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_a_better_bot_wins_more() -> None:
    results = {bot: [play(KemuEnv("mu-torere", bot), seed)[1] for seed in range(12)] for bot in ("random", "8")}
    assert sum(results["8"]) < sum(results["random"])
    assert max(results["8"]) <= 0


def test_an_illegal_action_changes_nothing() -> None:
    environment = KemuEnv("mu-torere")
    before, _ = environment.reset(seed=1)
    after, reward, terminated, truncated, info = environment.step(np.int64(31))
    assert (before == after).all()
    assert (reward, terminated, truncated) == (0, False, False)
    assert info["illegal"] == "Action 31 is not legal."
    for _ in range(999):
        truncated = environment.step(np.int64(31))[3]
    assert truncated


def test_it_renders_text() -> None:
    environment = KemuEnv("mu-torere", render_mode="ansi")
    environment.reset()
    assert "● Black" in str(environment.render())
    silent = KemuEnv("mu-torere")
    silent.reset()
    assert silent.render() is None


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(OptionError, match="seats are 0 to 1"):
        KemuEnv("mu-torere", seat=2)
    with pytest.raises(OptionError, match="no bot"):
        KemuEnv("mu-torere", bot="strong")


@each_game
def test_vector_environment(key: str, options: dict[str, Any]) -> None:
    many = KemuVectorEnv(key, 6, seat=1, **options)
    assert many.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = many.reset(seed=3)
    again, _ = KemuVectorEnv(key, 6, seat=1, **options).reset(seed=[3, 4, 5, 6, 7, 8])
    assert (observations == again).all()
    ended = 0
    for _ in range(60):
        assert observations in many.observation_space
        actions = infos["action_mask"].argmax(axis=1)
        assert actions in many.action_space
        observations, rewards, terminated, truncated, infos = many.step(actions)
        assert not rewards[~terminated].any()
        ended += int(terminated.sum())
        if (terminated | truncated).any():
            assert (infos["_final_obs"] == (terminated | truncated)).all()
            assert (infos["final_obs"][terminated] != observations[terminated]).any()
    assert ended or key == "mauw" or options.get("repetition") is False


def test_vector_environment_agrees_with_single_ones_on_what_a_game_is_worth() -> None:
    many = KemuVectorEnv("moeraki-kemu", 64, variant="beginner")
    _, infos = many.reset(seed=1)
    rewards = []
    for _ in range(60):
        _, reward, terminated, _, infos = many.step(infos["action_mask"].argmax(axis=1))
        rewards += reward[terminated].tolist()
    assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert len(set(rewards)) > 1


def test_vector_environment_refuses_illegal_actions() -> None:
    many = KemuVectorEnv("mu-torere", 2)
    before, _ = many.reset(seed=1)
    with pytest.raises(IllegalAction):
        many.step(np.array([0, 31]))
    assert (many._buffers.observations == before).all()
