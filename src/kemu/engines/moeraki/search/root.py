"""One search under way: threats first, then proofs and the tree search side by side.

Every round goes one ply deeper with the tree search. Then it works on a proof that the side to move wins by quiet
stones that threaten, and on one that the opponent does after the stone that looks best; a stone refuted so is
demoted. All of it counts nodes, so that a search with a budget of nodes repeats exactly.
"""

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import outcome_reason, outcome_winner
from kemu.engines.moeraki.prove.lines import Board, Limit, LineProver
from kemu.engines.moeraki.search.alphabeta import INFINITE, MARAE_WINS, PROVEN, WINS
from kemu.engines.moeraki.search.workspace import ROOT_THREATS, Workspace
from kemu.games.moeraki.board import HOLLOWS

LAST_HOLLOWS: Final = (16, 16, 12)
"""Hollows left, in the three variants, from which on the search first tries to solve the game."""

LAST_WITHOUT_TANE: Final = 18
"""The same for a thorough search of a game without Tane, which has a solver of its own."""

THOROUGH_NODES: Final = 100_000
"""A search with a smaller budget in nodes does not ask the solvers and provers that need many."""

SOLVED_PER_MS: Final = 600
"""Nodes for that in each millisecond of a budget: less than half of what a processor can do."""

UNLIMITED: Final = 1 << 60
PROOF_SHARES: Final = (3, 8)
"""Nodes spent in all for which each of the two proofs gets one, by whether the search is selective."""

FINAL_THREATS: Final = 20_000
"""Nodes of the threat search for the last check of the action chosen."""

LEAST_PROOFS: Final = (5_000, 500)
"""The least that they get."""

FIRST_PROOF: Final = 500
PROOF_GROWTH: Final = 8
"""Nodes for the proof about one stone in the first round, and how many times as many in each further round."""


def is_thorough(budget: Budget) -> bool:
    """Return whether a budget is large enough for proofs."""
    return budget.nodes is None or budget.nodes >= THOROUGH_NODES


def part_of(budget: Budget, parts: int, count: int = 1) -> Budget:
    """Return `count` of `parts` equal parts of a budget."""
    nodes, ms = (limit and max(limit * count // parts, 1) for limit in (budget.nodes, budget.ms))
    return Budget(nodes, ms)


@dataclass
class Candidate:
    """An action at the root and what is known of it."""

    action: int
    state: Words  # after the action
    score: int = 0
    sound: bool = False  # shown that the opponent has no win by quiet stones after it
    drawn: bool = False  # shown that neither side completes a line after it, in the beginner's game


class Root:
    """A search under way from one state in which a stone is laid or somebody is asked for a Tane."""

    def __init__(self, workspace: Workspace, state: Words, lines: int, seed: int) -> None:
        self.workspace = workspace
        self.state = state
        self.lines = lines
        self.asked = (lines, seed)
        self.seat = int(state[kernel.TURN])
        self.own, self.other = np.uint64(state[self.seat]), np.uint64(state[1 - self.seat])
        self.left = len(HOLLOWS) - 1 - int(self.own).bit_count() - int(self.other).bit_count()
        self.depth = 0  # of the last round that came to its end; another run goes on from there
        self.impossible = state[kernel.STEP] != kernel.LAY  # whether the side to move has no win by quiet stones
        self.solved = False
        self.verdict: str | None = None  # what a proof says of the state, won, lost or drawn, in the beginner's game
        self.nodes = 0
        self.rounds: list[dict[int, int]] = []  # by action the scores of the last two rounds that came to their end
        if workspace.ball_at != int(state[kernel.BALL_AT]):
            workspace.place_ball(int(state[kernel.BALL_AT]))
        self.candidates = [Candidate(action, self.after(state, action)) for action in self.legal(state)]
        random.Random(seed).shuffle(self.candidates)
        # Among equals a Tane is kept: no solved ending needs one thrown away.
        self.candidates.sort(key=lambda candidate: candidate.action != kernel.KEEP)

    def legal(self, state: Words) -> list[int]:
        """Return the actions of a state."""
        actions = np.zeros(kernel.ACTION_COUNT, np.int64)
        count = kernel.legal(state, self.workspace.rules, actions)
        return [int(action) for action in actions[:count]]

    def after(self, state: Words, action: int) -> Words:
        """Return the state after an action."""
        following = state.copy()
        kernel.apply(following, self.workspace.rules, action)
        return following

    def run(self, budget: Budget, threads: int) -> None:
        """Search until the budget is spent or nothing is left to find."""
        self.workspace.begin(budget.nodes or UNLIMITED)
        shared = self.workspace.rules, self.workspace.table, self.workspace.weights
        others = [Workspace(*shared) for _ in range(threads - 1)]
        timer = threading.Timer((budget.ms or 0) / 1000, _stop, [[self.workspace, *others]])
        if budget.ms:
            timer.daemon = True
            timer.start()
        workers = [threading.Thread(target=self.search_ahead, args=(each, ahead)) for ahead, each in enumerate(others)]
        for worker in workers:
            worker.start()
        share = budget.nodes // 2 if budget.nodes else SOLVED_PER_MS * (budget.ms or 0)
        try:
            if not self.win_by_threats() and not self.solve(share, is_thorough(budget)):
                self.deepen_all()
                self.check_best()
                if self.solved:
                    for candidate in self.candidates:
                        candidate.score = min(candidate.score, -MARAE_WINS)
        finally:
            timer.cancel()
            _stop(others)
            for worker in workers:
                worker.join()
            self.nodes += sum(workspace.control.nodes for workspace in (self.workspace, *others))

    def win_by_threats(self) -> bool:
        """Return whether the side to move wins by threats alone; then that stone is put first."""
        if self.state[kernel.STEP] != kernel.LAY:
            return False
        found = self.workspace.attack(self.own, self.other)
        if found is None:
            return False
        self.promote(found[0], WINS - found[1])
        return self.lines == 1

    def is_ending(self, thorough: bool) -> bool:
        """Return whether few enough hollows are left that the search first tries to solve the game."""
        variant = int(self.workspace.rules[kernel.VARIANT])
        return self.left <= (LAST_WITHOUT_TANE if thorough and variant != kernel.MASTER else LAST_HOLLOWS[variant])

    def solve(self, share: int, thorough: bool) -> bool:
        """Return whether the last hollows could be solved exactly, for every action."""
        if not self.is_ending(thorough):
            return False
        solve = self.workspace.solve_exactly if thorough else self.workspace.solve
        with self.workspace.control.limited(share):
            for candidate in self.candidates:
                value = solve(candidate.state)
                if value is None:
                    break
                candidate.score = MARAE_WINS * (value if candidate.state[kernel.TURN] == self.seat else -value)
                if candidate.score > 0 and self.lines == 1:
                    self.promote(candidate.action, candidate.score)
                    self.solved = True
                    break
            else:
                self.solved = True
                self.rank()
        # Where all is lost, the tree search finds what holds out longest.
        return self.solved and self.candidates[0].score > -MARAE_WINS

    def promote(self, action: int, score: int) -> None:
        """Put an action first, with this score."""
        best = next((candidate for candidate in self.candidates if candidate.action == action), None)
        if best is None:  # dropped because it was not known to be sound
            best = Candidate(action, self.after(self.state, action))
        else:
            self.candidates.remove(best)
        best.score = score
        self.candidates.insert(0, best)

    def prove_stones(self, prover: LineProver, budget: Budget) -> None:
        """Work on the proofs that a stone wins, loses or draws, for every stone, in the beginner's game.

        If one line only is asked for, stones after which the other side may win are dropped if another is sound.
        """
        before = prover.nodes
        half = part_of(budget, 2)
        if kernel.SWAP not in [candidate.action for candidate in self.candidates]:  # the prover knows stones only
            self.verdict, stone, _ = prover.prove(Board(int(self.own), int(self.other)), half)
            if stone is not None:
                self.promote(stone, WINS - self.left if self.verdict == "won" else 0)
        if self.verdict not in ("won", "lost"):
            self.prove_each(prover, half)
            for candidate in self.candidates:
                candidate.drawn = candidate.sound and (self.verdict == "drawn" or self.is_answered(prover, candidate))
            if self.lines == 1 and any(candidate.sound for candidate in self.candidates):
                self.candidates = [candidate for candidate in self.candidates if candidate.sound]
        self.nodes += prover.nodes - before

    def prove_each(self, prover: LineProver, budget: Budget) -> None:
        """Look after each stone for a proof that the other side completes a line, or does not."""
        limit, nodes, open_ones = Limit(prover, budget), FIRST_PROOF, list(self.candidates)
        while open_ones and not limit.met:
            for candidate in open_ones:
                theirs, mine = self.against(candidate)
                pn, dn, _ = prover.decide(int(theirs), int(mine), True, nodes)
                candidate.sound = dn == 0
                if pn == 0:
                    candidate.score = -(WINS - self.left)
                if limit.met:
                    break
            if self.lines == 1 and any(candidate.sound for candidate in self.candidates):
                return
            open_ones = [each for each in open_ones if not each.sound and abs(each.score) <= PROVEN]
            nodes *= PROOF_GROWTH

    def is_answered(self, prover: LineProver, candidate: Candidate) -> bool:
        """Return whether the other side, to move after a stone, is shown to keep the side at the root from a line."""
        theirs, mine = self.against(candidate)
        return prover.decide(int(mine), int(theirs), False, FIRST_PROOF)[1] == 0

    def take_results(self, results: Mapping[int, tuple[int, bool]], nodes: int) -> None:
        """Set by action the score, and whether it is a proved draw, as searches of all actions have found them."""
        for candidate in self.candidates:
            candidate.score, candidate.drawn = results[candidate.action]
        self.rank()
        self.nodes += nodes

    def rank(self) -> None:
        """Put the actions with the best scores first."""
        self.candidates.sort(key=lambda candidate: -candidate.score)

    def deepen_all(self) -> None:
        """Go deeper round by round, with the proofs in between."""
        depth = self.depth + 1
        while depth <= self.left + 1 and self.deepen(self.workspace, self.candidates, depth):
            self.depth = depth
            self.rounds = [*self.rounds[-1:], {each.action: each.score for each in self.candidates}]
            share = self.proof_share()
            if self.decided() or self.win_by_quiet_stones(share):
                return
            if not self.refute_best(share):
                depth += 1

    def proof_share(self) -> int:
        """Return the nodes for each of the two proofs after a round."""
        selective = int(self.workspace.control.selective)
        return max(self.workspace.control.nodes // PROOF_SHARES[selective], LEAST_PROOFS[selective])

    def win_by_quiet_stones(self, share: int) -> bool:
        """Return whether the side to move is shown to win by quiet stones; then that stone is put first."""
        if self.impossible:
            return False
        proof = self.workspace.prove(self.own, self.other, share)
        self.impossible = proof.dn == 0
        if proof.pn != 0:
            return False
        self.promote(proof.stone, WINS - proof.plies)
        return self.lines == 1

    def settle(self) -> dict[int, int]:
        """Give every action the score of the last full round, unless a proof says more; return how far each moved."""
        if not self.rounds:
            return {}
        last, before = self.rounds[-1], self.rounds[0]
        for candidate in [] if self.solved else list(self.candidates):
            if self.doubtful(candidate):
                self.refute_by_threats(candidate, FINAL_THREATS)
            if abs(candidate.score) <= PROVEN:
                candidate.score = last.get(candidate.action, candidate.score)
        self.rank()
        return {action: abs(score - before.get(action, score)) for action, score in last.items()}

    def decided(self) -> bool:
        """Return whether the lines asked for are decided."""
        return all(abs(candidate.score) > PROVEN for candidate in self.candidates[: self.lines])

    def deepen(self, workspace: Workspace, candidates: list[Candidate], depth: int) -> bool:
        """Return one round of the tree search over all actions; whether it came to its end."""
        workspace.control.set_depth(depth)
        done: list[Candidate] = []
        for candidate in list(candidates):
            floor = -INFINITE if len(done) < self.lines else done[self.lines - 1].score
            score = candidate.score
            if abs(score) <= PROVEN:
                high = INFINITE if floor == -INFINITE else floor + 1
                score = self.value(workspace, candidate.state, depth - 1, floor, high)
                if score > floor > -INFINITE and not workspace.control.given_up:
                    score = self.value(workspace, candidate.state, depth - 1, floor, INFINITE)
            if workspace.control.given_up:
                break
            candidate.score = score
            done.append(candidate)
            done.sort(key=lambda each: -each.score)
        # Actions that a round cut short has not searched keep their order behind the others.
        rest = [candidate for candidate in candidates if candidate not in done]
        candidates[:] = done + rest
        return not workspace.control.given_up

    def value(self, workspace: Workspace, state: Words, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a state for the seat at the root, through all questions before the next stone."""
        step, mine = int(state[kernel.STEP]), int(state[kernel.TURN]) == self.seat
        if step == kernel.OVER:
            return _result(int(state[kernel.LAST]), self.seat)
        following: Sequence[int] = ()
        if step == kernel.LAY:
            low, high = (alpha, beta) if mine else (-beta, -alpha)
            score = workspace.score(state, depth, low, high)
            best = score if mine else -score
            if kernel.may_swap(state, workspace.rules):
                following = [kernel.SWAP]
        else:
            following = self.legal(state)
            best = -INFINITE if mine else INFINITE
        for action in following:
            if workspace.control.given_up or (best >= beta if mine else best <= alpha):
                break
            score = self.value(workspace, self.after(state, action), depth, alpha, beta)
            best = max(best, score) if mine else min(best, score)
        return best

    def refute_best(self, share: int) -> bool:
        """Return whether the opponent is shown to win after the best action, which is then demoted."""
        best = self.candidates[0]
        if best.sound or not self.doubtful(best):
            return False
        if self.refute_by_threats(best, min(share, ROOT_THREATS)):
            return True
        proof = self.workspace.prove(*self.against(best), share)
        best.sound = proof.dn == 0
        if proof.pn == 0:
            self.demote(best, proof.plies)
        return proof.pn == 0

    def doubtful(self, candidate: Candidate) -> bool:
        """Return whether the opponent's threats can refute an action that is not decided yet."""
        stone = self.state[kernel.STEP] == kernel.LAY and candidate.action != kernel.SWAP
        return bool(stone) and abs(candidate.score) <= PROVEN

    def against(self, candidate: Candidate) -> tuple[np.uint64, np.uint64]:
        """Return the stones of the opponent and of the seat at the root after an action."""
        return np.uint64(candidate.state[1 - self.seat]), np.uint64(candidate.state[self.seat])

    def refute_by_threats(self, candidate: Candidate, limit: int) -> bool:
        """Return whether the opponent wins by threats alone after an action, which is then demoted."""
        found = self.workspace.attack(*self.against(candidate), limit)
        if found is not None:
            self.demote(candidate, found[1])
        return found is not None

    def demote(self, candidate: Candidate, plies: int) -> None:
        """Give an action the score of a loss in `plies` after it."""
        candidate.score = -(WINS - 1 - plies)
        self.rank()

    def check_best(self) -> None:
        """Demote actions that lose to plain threats until the first one does not; a round cut short leaves such."""
        for _ in range(len(self.candidates)):
            best = self.candidates[0]
            if not self.doubtful(best) or not self.refute_by_threats(best, FINAL_THREATS):
                return

    def search_ahead(self, workspace: Workspace, ahead: int) -> None:
        """Search on another thread, some plies deeper, and leaves what it finds in the shared table."""
        workspace.turn_to(self.workspace.ball_at)
        workspace.begin(UNLIMITED)
        own = [Candidate(candidate.action, candidate.state) for candidate in self.candidates]
        for depth in range(2 + ahead, self.left + 2):
            if not self.deepen(workspace, own, depth):
                return


def _stop(workspaces: Sequence[Workspace]) -> None:
    for workspace in workspaces:
        workspace.control.stop()


def _result(last: int, seat: int) -> int:
    """Return the score of a game that is over."""
    winner, reason = outcome_winner(last), outcome_reason(last)
    if winner == kernel.NOBODY:
        return 0
    score = MARAE_WINS if reason == kernel.MARAE else WINS - 1
    return score if winner == seat else -score
