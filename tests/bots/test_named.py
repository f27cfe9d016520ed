"""Bots by any name: files, modules, entry points and programs, in the arena, data sets, play, Gymnasium and batches."""

import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kemu
from kemu.bots.arena import Setting, dataset_jobs, jobs, play
from kemu.bots.command import BotFailed, CommandBot, program
from kemu.bots.named import named_bot
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.laws import check
from kemu.core.manifest import load
from kemu.games import register, unregister
from tests.outside_package import with_folder
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
STRANGERS = ROOT / "tests" / "strangers"
EXAMPLES = ROOT / "examples" / "agents"
AGENTS = "kemu_strangers.agents"
ANALYSE = f"{sys.executable} -m kemu analyse"


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The package of tests/strangers, installed in this process and in all that are started from it."""
    monkeypatch.syspath_prepend(STRANGERS)
    environment = with_folder(STRANGERS)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    manifests = [load(f"kemu_strangers.manifests:{name}") for name in ("TIC_TAC_TOE", "KUHN")]
    for each in manifests:
        register(each)
    yield environment
    for each in manifests:
        unregister(each.key)


def run(environment: dict[str, str], folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "kemu", *words],
        cwd=folder,
        env={**environment, "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def played_out(key: str, *names: str) -> list[str]:
    """Why each game of a small arena ended."""
    setting = Setting(key, {}, names, openings=1)
    return [play(setting, job).reason for job in jobs(setting)]


@pytest.mark.parametrize("key", ["tic-tac-toe", "kuhn", "mu-torere", "mauw"])
def test_an_agent_of_a_stranger_enters_the_arena(strangers: dict[str, str], key: str) -> None:
    for name in ("careful", f"{AGENTS}:Careful", f"{STRANGERS}/kemu_strangers/agents.py:Careful"):
        assert len(played_out(key, name, "random")) >= 2


def test_the_commands_take_an_agent_and_a_program(strangers: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("NAME = 'mine'\n", encoding="utf-8")
    (tmp_path / "my_agent.py").write_text(
        f"from beside import NAME\nfrom {AGENTS} import Careful\n\nclass Agent(Careful):\n    name = NAME\n",
        encoding="utf-8",
    )
    words = ("my_agent.py:Agent", "--bot-command", ANALYSE, "--openings", "1", "--workers", "1")
    arena = run(strangers, tmp_path, "arena", "tic-tac-toe", *words, "--json")
    assert set(json.loads(arena.stdout)["elo"]) == {"my_agent.py:Agent", f"command:{ANALYSE}"}, arena.stderr
    dataset = run(strangers, tmp_path, "dataset", "kuhn", "kuhn.parquet", "careful", "--openings", "3")
    assert dataset.stdout.startswith("3 games in kuhn.parquet"), dataset.stderr
    seats = ("--seat", "my_agent.py:Agent", "--seat", "careful", "--plain", "--save", "game.json")
    match = run(strangers, tmp_path, "play", "tic-tac-toe", *seats)
    assert json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["actions"], match.stderr


def test_a_record_names_no_code_that_is_run(strangers: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    record = {"kemu": 1, "game": "mu-torere", "actions": [], "players": ["evil.py:Bot", "command:touch ran"]}
    (tmp_path / "game.json").write_text(json.dumps(record), encoding="utf-8")
    run(strangers, tmp_path, "play", "--load", "game.json", "--plain")
    list(dataset_jobs(Setting("mu-torere", {}, (f"{tmp_path}/evil.py:Bot", "command:touch ran"), 1)))
    assert not (tmp_path / "ran").exists()


def test_it_is_the_opponent_in_gymnasium_and_its_games_have_batches(strangers: dict[str, str]) -> None:
    from kemu.adapters.gymnasium import KemuEnv, KemuVectorEnv

    environment = KemuEnv("tic-tac-toe", bot="careful", seat=1)
    observation, info = environment.reset(seed=1)
    assert observation.shape == (2, 3, 3)
    assert info["action_mask"].sum() == 8
    many = KemuVectorEnv("kuhn", num_envs=3)
    _, infos = many.reset(seed=1)
    total = 0.0
    for _ in range(20):
        actions = infos["action_mask"].argmax(axis=1)
        _, rewards, _, _, infos = many.step(actions)
        total += abs(rewards).sum()
    assert total > 0


def test_games_of_a_stranger_keep_the_laws_and_cfr_finds_the_value_of_kuhn_poker(strangers: dict[str, str]) -> None:
    import pyspiel
    from open_spiel.python.algorithms import cfr, expected_game_score

    from kemu.adapters import openspiel

    for key in ("tic-tac-toe", "kuhn"):
        check(kemu.game(key))
    openspiel.register_games()
    game = pyspiel.load_game("kemu_kuhn")
    assert (game.min_utility(), game.max_utility()) == (-2, 2)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=1e-4)


@pytest.mark.parametrize("key", ["mu-torere", "moeraki-kemu", "mauw"])
def test_a_program_in_javascript_plays_any_game(key: str) -> None:
    node = runpy.run_path(str(ROOT / "web" / "scripts" / "client.py"))["node"]()
    name = f"command:{node} {EXAMPLES / 'random_legal.mjs'}"
    assert played_out(key, name, "random")


def test_a_program_in_c_plays(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler 'cc', which pip cannot install")
    built = tmp_path / "first_legal"
    subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-o", built, EXAMPLES / "first_legal.c"], check=True)
    assert played_out("mauw", f"command:{built}", "random")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere.py:Agent", "There is no file nowhere.py"),
        ("nowhere:Agent", "There is no module nowhere"),
        (f"{AGENTS}:Nobody", "has nothing of the name 'Nobody'"),
        (f"{AGENTS}:NOTHING", "is no class or function"),
        (f"{AGENTS}:broken", "has no method 'choose"),
        ("nobody", "mu-torere has no bot 'nobody'"),
        ("command:", "A bot command names a program"),
    ],
)
def test_a_name_of_no_bot_is_refused(strangers: dict[str, str], name: str, sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence.replace("(", "[(]")):
        named_bot(name, kemu.game("mu-torere"), 1)


def test_an_illegal_choice_ends_the_game_with_a_sentence(strangers: dict[str, str]) -> None:
    with pytest.raises(IllegalAction, match="Cheater chose 'nonsense'"):
        played_out("mu-torere", f"{AGENTS}:Cheater", "random")


def test_a_module_that_an_agent_misses_is_not_hidden(tmp_path: Path) -> None:
    (tmp_path / "lacking.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        named_bot(f"{tmp_path}/lacking.py:Agent", kemu.game("mu-torere"), 1)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("", "ended without an answer"),
        ("print('hello')", "answered a line that is no JSON"),
        ("print('{}')", "answered without the id 1"),
        ("""print('{"id": 1, "action": "9-9"}')""", 'answered the action "9-9", which is not legal'),
        ("""print('{"id": 1, "error": {"code": "tired"}}')""", "refused"),
    ],
)
def test_a_program_that_fails_is_named_with_the_reason(tmp_path: Path, code: str, sentence: str) -> None:
    script = tmp_path / "bot.py"
    script.write_text(f"input()\n{code}\n", encoding="utf-8")
    game = kemu.game("mu-torere")
    failing = CommandBot(f"{sys.executable} {script}", game, 1)
    with pytest.raises(BotFailed, match=sentence):
        failing.choose(game.view(game.initial(), 0), [], game.actions(game.initial()))
    with pytest.raises(BotFailed, match="cannot be run"):
        program(str(tmp_path / "nothing"), 1)
