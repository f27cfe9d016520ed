"""UCT with threat search and PUCT: proofs in their trees, repeatable choices, and every kind of action."""

from functools import partial

import numpy as np
import pytest

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.gumbel import PuctRoot
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.search_tree import (
    NONE,
    OPEN,
    WINNER,
    Path,
    add_children,
    back_up_proof,
    list_sound,
    new_tree,
)
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.tree_root import TreeRoot
from kemu.engines.moeraki.uct_threats import UctRoot
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.actions import PlaceTane
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import ending, late_position, position, random_position, workspace_at

BASIC = MoerakiKemu("basic")
MASTER = MoerakiKemu("master", swap=True, eye=True)
NAMES = ("uct-threats", "puct")
ROOTS = (UctRoot, PuctRoot)


def choose(name: str, game: MoerakiKemu, state: State, seed: int = 1) -> str:
    """What a bot chooses in a state."""
    player: Bot = bot(name, game, seed)
    return game.format(player.choose(game.view(state, state.turn), [], game.actions(state)))


def tree_root(kind: type[TreeRoot], game: MoerakiKemu, state: State) -> TreeRoot:
    """A search from a state that has not begun, with 20,000 nodes."""
    workspace = Workspace(kernel_rules(game))
    root = kind(new_tree(1 << 20), workspace, kernel_state(game, state), 1, 1)
    workspace.begin(20_000)
    return root


@pytest.mark.parametrize("name", NAMES)
def test_it_wins_at_once_and_blocks(name: str) -> None:
    assert choose(f"{name}@nodes=500", BASIC, position(BASIC, "g7", "e5 e7 d6", "a3 a5 k3 k5")) == "f6"
    assert choose(f"{name}@nodes=500", BASIC, position(BASIC, "g7", "d6 e5 d8", "a9 b10 k7 i11")) == "c11"


@pytest.mark.parametrize("name", NAMES)
def test_it_repeats_with_nodes_and_a_seed(name: str) -> None:
    state = random_position(MASTER, 6, "repeat")
    player, again = (bot(f"{name}@nodes=3000", MASTER, 4) for _ in range(2))
    for _ in range(2):
        view, actions = MASTER.view(state, state.turn), MASTER.actions(state)
        action = player.choose(view, [], actions)
        assert action == again.choose(view, [], actions)
        state = MASTER.apply(state, action)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["beginner", "basic", "master"])
def test_it_plays_whole_games(name: str, variant: str) -> None:
    game = MoerakiKemu(variant, swap=True)
    player, state = bot(f"{name}@nodes=400", game, 2), game.initial()
    while game.outcome(state) is None:
        action = player.choose(game.view(state, state.turn), [], game.actions(state))
        assert action in game.actions(state)
        state = game.apply(state, action)


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_of_time_is_for_every_state(name: str) -> None:
    for state in (MASTER.initial(), late_position(MASTER, 16, "time")):
        assert MASTER.parse(choose(f"{name}@ms=10", MASTER, state)) in MASTER.actions(state)


@pytest.mark.parametrize("name", NAMES)
def test_the_ending_is_solved(name: str) -> None:
    game, state = MoerakiKemu("master"), ending()
    player, placed = bot(f"{name}@nodes=200000", game, 1), False
    while (outcome := game.outcome(state)) is None:
        actions = game.actions(state)
        mine = state.turn == 0
        action = player.choose(game.view(state, 0), [], actions) if mine else actions[len(actions) // 2]
        placed = placed or (mine and isinstance(action, PlaceTane))
        state = game.apply(state, action)
    assert outcome.winners == (0,)
    assert placed


@pytest.mark.parametrize("kind", ROOTS)
def test_the_tree_proves_a_win_by_itself(kind: type[TreeRoot]) -> None:
    root = tree_root(kind, BASIC, position(BASIC, "g7", "d6 e5 d8", "a3 k5 k7 i11"))
    assert not root.impossible
    root.impossible = True  # so that no other proof is asked for
    root.deepen_all()
    assert root.tree.proof[0] == WINNER + root.seat
    best = root.children()[root.candidates[0].action]
    assert root.tree.proof[best] == WINNER + root.seat


@pytest.mark.parametrize("kind", ROOTS)
def test_a_loss_is_proved_and_any_stone_is_still_chosen(kind: type[TreeRoot]) -> None:
    state = position(BASIC, "g7", "f4 i9 k9 k7 d6", "a9 b10 e1 c1 g1 f10")
    root = tree_root(kind, BASIC, state)
    root.deepen_all()
    assert root.tree.proof[0] == WINNER + 1 - root.seat
    found = Searcher(BASIC, root=partial(kind, new_tree(1 << 20))).search(state, Budget(nodes=2000))
    assert found.action in BASIC.actions(state)
    assert found.value == -1.0


def test_the_root_is_lost_once_all_its_actions_are_marked_lost() -> None:
    root = tree_root(PuctRoot, BASIC, random_position(BASIC, 3, "marked"))
    root.workspace.begin(1)
    root.deepen_all()
    for child in root.children().values():
        assert root.tree.proof[0] == OPEN
        root.mark_lost(child)
    assert root.tree.proof[0] == WINNER + 1 - root.seat


def test_only_answers_to_a_threat_are_tried() -> None:
    actions = np.zeros(kernel.ACTION_COUNT, np.int64)
    state = position(BASIC, "g7", "d6 e5 d8", "a9 b10 k7 i11")
    workspace, _, _ = workspace_at(BASIC, state)
    words = kernel_state(BASIC, state)
    assert list_sound(words, workspace.rules, workspace.threat_context, actions) == 1
    quiet = kernel_state(BASIC, random_position(BASIC, 3, "quiet"))
    workspace.place_ball(int(quiet[kernel.BALL_AT]))
    assert list_sound(quiet, workspace.rules, workspace.threat_context, actions) == 54


@pytest.mark.parametrize(
    ("proofs", "expected"),
    [
        ((WINNER, OPEN, OPEN), WINNER),  # seat 0, to move at the root, wins with one child
        ((WINNER + 1, WINNER + 1, WINNER + 1), WINNER + 1),
        ((WINNER + 1, OPEN, WINNER + 1), OPEN),
        ((WINNER + 1, WINNER + kernel.NOBODY, WINNER + 1), WINNER + kernel.NOBODY),
    ],
)
def test_a_node_is_decided_by_its_children(proofs: tuple[int, ...], expected: int) -> None:
    tree = new_tree(8)
    assert add_children(0, 1, np.arange(3), 3, tree) == 4
    tree.proof[1:4] = proofs
    path = Path(np.array([0, 1, NONE]), np.array([1, 0, NONE]))
    back_up_proof(path, 1, tree)
    assert tree.proof[0] == expected
