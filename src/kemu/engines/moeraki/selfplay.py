"""Games of the tree search against itself, to a small fixed depth, as data to train an evaluation with.

A shard holds the positions of some hundred games. It depends on its seed and on the sources alone, so that shards can
be made by any number of processes, in any order, and made again.
"""

import io
import random
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.alphabeta import INFINITE
from kemu.engines.moeraki.packed import entry_move, move_cell, move_tane, outcome_reason, outcome_winner
from kemu.engines.moeraki.tables import AREA_BIT, HOLLOW_BIT, Words
from kemu.engines.moeraki.tane import placement_after
from kemu.engines.moeraki.transposition import WINS, probe
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.board import MOERAKI

OPTIONS: Final = tuple((variant, starter) for variant in range(3) for starter in range(2))
OPTION_WEIGHTS: Final = (15, 15, 40, 40, 45, 45)
"""How often games are of the beginner's, the basic and the master's kind, with either seat as the starter."""

ALIKE: Final = 20
"""So many games in a row have the same options and the same ball."""

OPENING_STONES: Final = (2, 30)
"""How many stones an opening has at least and at most."""

GUIDED_SHARE: Final = 0.5
"""Half of the openings let the search choose half of the stones."""

RANDOM_GAMES: Final = 0.3
RANDOM_STONES: Final = 0.1
"""Three games of ten have random stones later on as well, one in ten."""

KEPT_TANES: Final = 0.7
THREAT_NODES: Final = 1_000
MOST_NODES: Final = 20_000
"""A search that takes more gives up, and its stone is a random one."""

SOLVED_HOLLOWS: Final = 6
"""So few hollows are searched to the end."""

TABLE_ROWS: Final = 1 << 15

COLUMNS: Final = {
    "stones": np.uint64,  # of seats 0 and 1
    "ball": np.uint8,  # its cell
    "tanes": np.uint16,  # of seats 0 and 1, see `packed`
    "turn": np.uint8,
    "starter": np.uint8,
    "variant": np.uint8,
    "score": np.int16,  # of the search, for the side to move
    "settled": np.bool_,  # whether no random stone follows, so that the result is that of the search
    "result": np.int8,  # for seat 0: 1, 0 or -1
    "lead": np.int16,  # seat 0's half points beyond those of seat 1 at the end, NO_LEAD unless the Marae decides
    "reason": np.uint8,  # of the end, see `kernel.REASONS`
    "owners": np.int8,  # half points of each area at the end, as if no Tane were there, positive for seat 0
    "game": np.int32,  # number of the game in its shard
}
"""The arrays of a shard with their types; each has a row for each position, in which a stone is to be laid."""

NO_LEAD: Final = 1_000

BATCH_GAMES: Final = 400
BATCH_DEPTH: Final = 2


@dataclass(frozen=True)
class ShardPlan:
    """What a shard is made of."""

    seed: int
    games: int
    depth: int  # of the search for each stone


@dataclass
class _Game:
    """A game under way, with the positions of it that are kept."""

    workspace: Workspace
    state: Words
    dice: random.Random
    planned: int = 0  # the Tane that the search would place with the stone just laid
    rows: list[dict[str, Any]] = field(default_factory=list)

    def sane_stones(self) -> list[int] | None:
        """The stones that do not lose to threats at once, None if the side to move wins by threats."""
        seat = int(self.state[kernel.TURN])
        own, other = np.uint64(self.state[seat]), np.uint64(self.state[1 - seat])
        if self.workspace.attack(own, other, THREAT_NODES) is not None:
            return None
        legal = self.legal()
        if self.workspace.attack(other, own, THREAT_NODES) is None:
            return legal
        allowed = int(self.workspace.answers(other, own))
        return [action for action in legal if allowed >> action & 1] or legal

    def legal(self) -> list[int]:
        actions = np.zeros(kernel.ACTION_COUNT, np.int64)
        count = kernel.legal(self.state, self.workspace.rules, actions)
        return [int(action) for action in actions[:count]]

    def apply(self, action: int) -> None:
        self.state = self.state.copy()
        kernel.apply(self.state, self.workspace.rules, action)

    def search(self, depth: int) -> tuple[int, int]:
        """The action that the search finds for a stone and its score; a Tane that goes with it is kept for later."""
        workspace, state = self.workspace, self.state
        workspace.begin(MOST_NODES)
        sides = workspace.sides(state)
        if (found := workspace.attack(sides.own, sides.other, THREAT_NODES)) is not None:
            return found[0], WINS - found[1]
        left = 56 - int(sides.own | sides.other).bit_count()
        score = workspace.score(state, left if left <= SOLVED_HOLLOWS else depth, -INFINITE, INFINITE)
        move = int(entry_move(np.uint64(probe(sides, workspace.table))))
        legal = self.legal()
        if workspace.given_up or move_cell(move) not in legal:
            return self.dice.choice(legal), score
        self.planned = move_tane(move)
        return int(move_cell(move)), score

    def answer(self, depth: int) -> int:
        """The action of a player who is asked for the Tane: the placement that was planned, or the best there is."""
        if self.planned and kernel.tane_action(self.planned) in self.legal():
            return int(kernel.tane_action(self.planned))
        seat, best, chosen = int(self.state[kernel.TURN]), -INFINITE, kernel.KEEP
        for action in (kernel.KEEP, *self.placements()):
            after = self.state.copy()
            kernel.apply(after, self.workspace.rules, action)
            if after[kernel.STEP] != kernel.LAY:
                continue
            self.workspace.begin(MOST_NODES)
            score = self.workspace.score(after, depth - 1, -INFINITE, INFINITE)
            score = score if after[kernel.TURN] == seat else -score
            if score > best and not self.workspace.given_up:
                best, chosen = score, action
        return chosen

    def placements(self) -> list[int]:
        """The placement of the Tane that gains most in tiles to expect, if any does."""
        seat = int(self.state[kernel.TURN])
        own, other = np.uint64(self.state[seat]), np.uint64(self.state[1 - seat])
        opposing, last = int(self.state[kernel.TANES + 1 - seat]), int(self.state[kernel.LAST])
        tane = placement_after(own, other, opposing, last, self.workspace.ball)
        return [kernel.tane_action(tane)] if tane else []

    def keep(self, score: int) -> None:
        """Adds the position to those that are kept."""
        state = self.state
        row = {"stones": state[:2], "ball": state[kernel.BALL_AT], "tanes": state[kernel.TANES : kernel.TANES + 2]}
        rules = self.workspace.rules
        self.rows.append(
            {
                **row,
                "turn": state[kernel.TURN],
                "starter": rules[kernel.STARTER],
                "variant": rules[kernel.VARIANT],
                "score": score,
                "settled": True,
            }
        )


def make_shard(plan: ShardPlan) -> dict[str, NDArray[Any]]:
    """The arrays of a shard, by the names of COLUMNS."""
    table = np.zeros((TABLE_ROWS, 4), np.uint64)
    workspaces = [Workspace(np.array([*each, 0, 0, kernel.NOWHERE], np.uint64), table) for each in OPTIONS]
    rows: list[dict[str, Any]] = []
    for number in range(plan.games):
        # Games that follow each other share variant, starter and ball, since to empty the tables takes long.
        kind = random.Random(f"{plan.seed}/kind/{number // ALIKE}")
        workspace = kind.choices(workspaces, OPTION_WEIGHTS)[0]
        ball = kind.choice([HOLLOW_BIT[hollow] for hollow in MOERAKI])
        if number % ALIKE == 0:
            workspace.place_ball(ball)
        game = _play(workspace, plan.depth, random.Random(f"{plan.seed}/{number}"))
        rows += [{**row, "game": number} for row in game.rows]
    return {name: np.array([row[name] for row in rows], kind) for name, kind in COLUMNS.items()}


def batch_texts(first_seed: int, count: int) -> list[str]:
    """The texts of so many batches of games."""
    return [f"{seed} {BATCH_GAMES} {BATCH_DEPTH}" for seed in range(first_seed, first_seed + count)]


def play_batch(text: str) -> str:
    """The shard of a batch, a compressed file of numpy in Base64; its text is seed, games and depth."""
    file = io.BytesIO()
    np.savez_compressed(file, **make_shard(ShardPlan(*(int(word) for word in text.split()))))  # type: ignore[arg-type]
    return b64encode(file.getvalue()).decode("ascii")


def _play(workspace: Workspace, depth: int, dice: random.Random) -> _Game:
    """A game from a random opening that threats do not decide, to its end."""
    while (opening := random_opening(workspace, depth, OPENING_STONES, dice)) is None:
        pass
    game = _Game(workspace, opening, dice)
    often = RANDOM_STONES if dice.random() < RANDOM_GAMES else 0.0
    while game.state[kernel.STEP] != kernel.OVER:
        if game.state[kernel.STEP] != kernel.LAY:
            game.apply(game.answer(depth))
            continue
        game.planned = 0
        if often and dice.random() < often and (stones := game.sane_stones()) is not None:
            for row in game.rows:
                row["settled"] = False
            game.apply(dice.choice(stones))
            continue
        action, score = game.search(depth)
        game.keep(score)
        game.apply(action)
    _label(game)
    return game


def random_opening(workspace: Workspace, depth: int, stones: tuple[int, int], dice: random.Random) -> Words | None:
    """The ball of a workspace and some stones, None if the side to move would win by threats on the way."""
    game = _Game(workspace, np.zeros(kernel.STATE_WORDS, np.uint64), dice)
    game.state[kernel.BALL_AT], game.state[kernel.TURN] = kernel.NOWHERE, workspace.rules[kernel.STARTER]
    game.apply(kernel.BALL + workspace.ball_at)
    workspace.begin(MOST_NODES)
    guided = GUIDED_SHARE if dice.random() < GUIDED_SHARE else 0.0
    left = dice.randint(*stones)
    while left:
        if game.state[kernel.STEP] != kernel.LAY:
            game.apply(kernel.KEEP if dice.random() < KEPT_TANES else dice.choice(game.legal()))
            continue
        sane = game.sane_stones()
        if sane is None:
            return None
        game.apply(game.search(depth)[0] if dice.random() < guided else dice.choice(sane))
        left -= 1
        if game.state[kernel.STEP] == kernel.OVER:
            return None
    return game.state if game.state[kernel.STEP] != kernel.LAY or game.sane_stones() is not None else None


def _label(game: _Game) -> None:
    """Writes how the game ended into all its positions."""
    last, state = int(game.state[kernel.LAST]), game.state
    winner, reason = int(outcome_winner(last)), int(outcome_reason(last))
    result = 0 if winner == kernel.NOBODY else 1 if winner == 0 else -1
    lead = kernel.points(state, 0) - kernel.points(state, 1) if reason == kernel.MARAE else NO_LEAD
    owners = area_owners(state)
    for row in game.rows:
        row.update(result=result, lead=lead, reason=reason, owners=owners)


def area_owners(state: Words) -> NDArray[np.int8]:
    """The half points that each area brings without any Tane, positive for seat 0, by the number of the area."""
    ball = np.uint64(1 << int(state[kernel.BALL_AT]))
    laid = kernel.completed(state[0] | state[1] | ball)
    owners = np.zeros(len(AREA_BIT), np.int8)
    for sign, stones in ((1, state[0]), (-1, state[1])):
        major, full = (int(areas & laid) for areas in kernel.majorities(stones, ball))
        owners += np.array([sign * ((major >> bit & 1) + (full >> bit & 1)) for bit in AREA_BIT], np.int8)
    return owners
