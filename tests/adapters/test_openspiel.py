"""The OpenSpiel adapter: OpenSpiel's own tests for every option set, and no secret in any tensor or string."""

import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import Any
from unittest import TestCase

import numpy as np
import pyspiel
import pytest

import kemu
from examples.mauw_openspiel import POSITION, small_game
from kemu.adapters import openspiel
from kemu.adapters.logged_state import LoggedState
from kemu.core.encoding import action_ids
from kemu.core.game import CHANCE, SPECTATOR, Seat
from kemu.core.laws import play
from tests.laws.choices import GAMES, OPTIONS, TWINS, each_game
from tests.patience import PATIENCE_SECONDS

MAUW = openspiel.name("mauw")
PERFECT_RECALL = pyspiel.IIGObservationType(perfect_recall=True)


@pytest.fixture(scope="module")
def api_test() -> Any:
    """OpenSpiel's own tests; they import all of its games and SciPy, which no other test needs."""
    from open_spiel.integration_tests import api_test

    return api_test


def load(key: str, options: dict[str, Any]) -> Any:
    return pyspiel.load_game(openspiel.name(key), options)


def test_games_are_registered_by_import() -> None:
    assert [openspiel.name(key) for key in kemu.game_keys()] == ["kemu_moeraki", "kemu_mu_torere", "kemu_mauw"]
    assert {openspiel.name(key) for key in kemu.game_keys()} <= set(pyspiel.registered_names())
    assert pyspiel.load_game("kemu_moeraki(variant=master)").num_distinct_actions() == 276
    code = "import pyspiel, kemu.adapters.openspiel; print(pyspiel.load_game('kemu_mauw(players=4)').num_players())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=PATIENCE_SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")


@pytest.mark.no_cover
@each_game
def test_random_simulation(key: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(key, options), num_sims=1, serialize=True, verbose=False)


@each_game
def test_the_api_on_a_part_of_the_tree(
    api_test: Any, key: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # 400 states of a long game take minutes, and the first forty show the same.
    sample = api_test.sample_some_states.sample_some_states
    monkeypatch.setattr(
        api_test.sample_some_states, "sample_some_states", lambda game, **_: sample(game, max_states=40)
    )
    name = openspiel.name(key)
    suite = type("Suite", (api_test.EnforceAPIOnPartialTreeBase,), {"game": load(key, options), "game_name": name})
    run_suite(suite)


def test_the_api_on_a_whole_tree(api_test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_game()
    counts = walk(game)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, MAUW, (counts["chance"], counts["seat"], counts["end"]))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, MAUW, counts["information states"])
    monkeypatch.setattr(api_test.EnforceAPIOnFullTreeBase, "assertEqual", _compare_counts, raising=False)
    run_suite(type("Suite", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": MAUW}))


def _compare_counts(self: Any, first: Any, second: Any, msg: Any = None) -> None:
    assert first == second, msg


def run_suite(suite: type[TestCase]) -> None:
    """Every test of a unittest class of OpenSpiel."""
    suite.setUpClass()
    names = [name for name in dir(suite) if name.startswith("test_")]
    assert len(names) >= 5
    for name in names:
        getattr(suite(name), name)()


def walk(game: Any) -> Counter[str]:
    """How many different nodes of each kind a game has, by what its state and logs say."""
    seen: dict[str, set[str]] = {"chance": set(), "seat": set(), "end": set(), "information states": set()}

    def visit(state: Any) -> None:
        kind = "end" if state.is_terminal() else "chance" if state.is_chance_node() else "seat"
        seen[kind].add(state.history_str())
        if kind == "seat":
            seen["information states"].add(state.information_state_string())
        for action in state.legal_actions():
            visit(state.child(action))

    visit(game.new_initial_state())
    return Counter({kind: len(found) for kind, found in seen.items()})


def late(key: str, options: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a game that is soon over, so that its playthrough is short: MAUW in its last turns."""
    game = kemu.game(key, **options)
    if key != "mauw":
        return options
    states = play(game, random.Random(1).randrange, 120)[0]
    state = [state for state in states if state.step.name == "turn"][-1]
    return {**options, "position": openspiel.position_parameter(game.encode(state._replace(turns=498)))}


@each_game
def test_a_playthrough_can_be_written_and_repeated(key: str, options: dict[str, Any]) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    name = str(load(key, late(key, options)))
    first = generate_playthrough.playthrough(name, action_sequence=None, observation_params_string=None, seed=1)
    assert "provides_information_state_tensor = True" in first
    again = generate_playthrough.playthrough(name, action_sequence=None, observation_params_string=None, seed=1)
    assert first == again


@pytest.mark.no_cover
@each_game
def test_it_plays_by_the_reference_rules(key: str, options: dict[str, Any]) -> None:
    game = kemu.game(key, **options)
    adapted = load(key, options)
    states, actions = play(game, random.Random(7).randrange, 300)
    theirs = adapted.new_initial_state()
    for state, action in zip(states, actions, strict=False):
        turn = game.turn(state)
        assert turn is not None
        ids = action_ids(theirs.logged.encoding, turn)
        assert theirs.current_player() == turn
        assert theirs.legal_actions() == sorted(ids[each] for each in game.actions(state))
        assert [theirs.action_to_string(number) for number in theirs.legal_actions()] == [
            game.format(each) for each in sorted(game.actions(state), key=ids.__getitem__)
        ]
        if turn == CHANCE:
            assert dict(theirs.chance_outcomes()) == {ids[each]: float(odds) for each, odds in game.odds(state)}
        theirs.apply_action(ids[action])
    assert theirs.logged.state == states[-1]
    if outcome := game.outcome(states[-1]):
        assert [share > 0 for share in theirs.returns()] == [seat in outcome.winners for seat in range(game.seats)]


def shown(adapted: Any, first: Any, seat: Seat, state: Any, lines: tuple[str, ...]) -> tuple[Any, ...]:
    """All that OpenSpiel shows to a seat in a state with this log, and to the public."""
    node = adapted.new_initial_state()
    node.logged = replace(first, state=state, logs=dict.fromkeys(first.logs, lines), length=len(lines))
    parts: list[Any] = []
    for recall in (True, False):
        for private in (pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE):
            for public in (True, False):
                kind = pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)
                observer = adapted.make_py_observer(kind)
                observer.set_from(node, seat)
                parts += [
                    observer.string_from(node, seat),
                    None if observer.tensor is None else observer.tensor.tobytes(),
                ]
    return tuple(parts)


def leaks(adapted: Any, key: str, options: dict[str, Any]) -> int:
    """How often something that OpenSpiel shows differs between twins."""
    game, source, found, compared = kemu.game(key, **options), random.Random(3), 0, 0
    for state in play(game, random.Random(5).randrange, 150)[0][::10]:
        for seat in range(game.seats):
            for twin in TWINS[key](game, state, seat, source):
                compared += twin != state
                pair = [
                    shown(adapted, adapted.new_initial_state().logged, seat, each, ("~?",)) for each in (state, twin)
                ]
                found += pair[0] != pair[1]
    assert compared >= 20
    return found


@pytest.mark.parametrize("options", OPTIONS["mauw"], ids=str)
def test_equal_views_give_equal_tensors_and_strings(options: dict[str, Any]) -> None:
    assert leaks(load("mauw", options), "mauw", options) == 0


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = LoggedState.view

    def leaking(self: LoggedState, seat: Seat) -> Any:
        return {**honest(self, seat), "pile": self.state.pile[0]}

    monkeypatch.setattr(LoggedState, "view", leaking)
    assert leaks(load("mauw", {}), "mauw", {}) > 0


def test_logs_hide_what_a_seat_may_not_see() -> None:
    game = load("mauw", {"players": 3})
    state = game.new_initial_state()
    for card in (1, 5, 9):
        state.apply_action(card)
    assert state.information_state_string(0) == "player 0 ~1 ~? ~?"
    assert state.information_state_string(2) == "player 2 ~? ~? ~m"
    public = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    )
    assert public.string_from(state, 0) == "public ~? ~? ~?"
    assert state.logged.logs[SPECTATOR] == ("~?",) * 3
    tensor = np.array(state.information_state_tensor(1))
    assert tensor[:3].tolist() == [0, 1, 0]
    assert (tensor[3:6] > 0).all()
    assert not tensor[6:].any()


def test_a_game_may_start_from_a_position() -> None:
    game = small_game()
    again = pyspiel.load_game(str(game))
    state = again.new_initial_state()
    assert kemu.game("mauw").encode(state.logged.state) == {**POSITION, "hands": state_hands(POSITION)}
    assert '"turns":498' in state.information_state_string(0)
    assert state._repr_svg_().startswith("<svg")


def state_hands(document: dict[str, Any]) -> list[list[str]]:
    return [sorted(hand, key="12345678sm".index) for hand in document["hands"]]


def test_a_game_without_an_end_is_stopped() -> None:
    state = load("mu-torere", {"repetition": False}).new_initial_state()
    game = state.logged.rules
    for ply in range(1000):
        assert not state.is_terminal()
        text = ("4-0", "5-4", "0-5")[ply % 3]
        state.apply_action(action_ids(state.logged.encoding, 0)[game.parse(text)])
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == [0, 0]


def test_an_observer_takes_no_parameters() -> None:
    with pytest.raises(ValueError, match="no parameters"):
        load("mauw", {}).make_py_observer(None, {"size": 3})


def test_every_option_set_is_covered() -> None:
    assert {key for key, _ in GAMES} == set(kemu.game_keys())
