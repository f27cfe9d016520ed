"""Puzzles about lines: one stone wins or saves the game, every other one is refuted by proof.

Lines depend on the stones alone, so that all of it holds in every variant; that a stone does not win is claimed in the
beginner's game only, where a side that completes no line has not won. Boards are those of the kernel.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.capabilities import FoundPuzzle, Goal, PuzzleStep, UnsoundPuzzle, Verifier
from kemu.engines.moeraki.board.tables import NAMED_BIT, NAMES, bits
from kemu.engines.moeraki.board.translation import kernel_state
from kemu.engines.moeraki.certify.win_checker import verify as verify_tree
from kemu.engines.moeraki.certify.writers import Claim, Unwritten, certificate, head, write_proof
from kemu.engines.moeraki.prove.lines import LineProver
from kemu.engines.moeraki.quick_choice import open_lines
from kemu.engines.moeraki.search.defence import Defence
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.actions import KEEP, LAYS
from kemu.games.moeraki.board import HOLLOW, HOLLOWS, MOERAKI
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import filled

SURVIVORS: Final = 10
"""With more stones that threats alone do not refute, a position is left out."""

NODES: Final = 6_000
"""Nodes for one question about a stone."""

FIRST_STONES: Final = 6
"""On a board with fewer stones nothing is asked."""


class OnlyStone(NamedTuple):
    """The only right stone of a position."""

    stone: int  # its bit
    goal: Goal
    refutations: dict[int, int]  # by the bit of each other stone: the opponent's answer to it


class OnlyStones:
    """Looks for the only stones of positions with the ball in the hollow of a prover."""

    def __init__(self, prover: LineProver, draws: bool) -> None:
        """`draws` if a side that completes no line has not won, as in the beginner's game."""
        self.prover = prover
        self.draws = draws

    def only_stone(self, own: int, other: int) -> OnlyStone | None:
        """The stone of the side to move that is the only one to win or to save the game, None if that is not proved."""
        prover = self.prover
        empty = prover.empty(own, other)
        laid = (own | other).bit_count()
        if laid < FIRST_STONES or prover.holes(own, empty) or prover.holes(other, empty):
            return None
        if prover.attack(other, own) is not None:
            return self.only_answer(own, other)
        if self.draws and (prover.attack(own, other) is not None or prover.quiet_win(own, other, NODES) is not None):
            return self.only_win(own, other)
        return None

    def only_answer(self, own: int, other: int) -> OnlyStone | None:
        """Return the stone after which alone the opponent does not win, where he would by threats."""
        prover, empty = self.prover, bits(self.prover.empty(own, other))
        answers = {bit: prover.attack(other, own | 1 << bit) for bit in empty}
        refuted = {bit: answer for bit, answer in answers.items() if answer is not None}
        open_stones = [bit for bit in empty if bit not in refuted]
        if not 0 < len(open_stones) <= SURVIVORS:
            return None
        held: list[int] = []
        for bit in open_stones:
            pn, dn, answer = prover.decide(other, own | 1 << bit, True, NODES)
            if pn == 0 and answer is not None:
                refuted[bit] = answer
            elif dn == 0 and not held:
                held.append(bit)
            else:
                return None
        if not held:
            return None
        pn, dn, _ = prover.decide(own | 1 << held[0], other, False, NODES)
        return OnlyStone(held[0], "win" if pn == 0 else "draw" if dn == 0 and self.draws else "save", refuted)

    def only_win(self, own: int, other: int) -> OnlyStone | None:
        """Return the stone that alone wins, in a game in which no other one does."""
        prover = self.prover
        wins: list[int] = []
        refuted: dict[int, int] = {}
        for bit in bits(prover.empty(own, other)):
            laid = own | 1 << bit
            pn, dn, answer = prover.decide(laid, other, False, NODES)
            if pn == 0:
                wins.append(bit)
            if len(wins) > 1 or (pn and dn):
                return None
            if dn == 0:
                refuted[bit] = self.holding_answer(laid, other, answer)
        return OnlyStone(wins[0], "win", refuted) if wins else None

    def holding_answer(self, attacker: int, keeper: int, found: int | None) -> int:
        """Return a stone of the keeper, to move, after which the attacker completes no line."""
        prover = self.prover
        if (best := prover.attack(keeper, attacker)) is not None:
            return best
        empty = prover.empty(attacker, keeper)
        if found is not None and empty >> found & 1:
            return found
        pairs = prover.pairs(keeper, attacker) or []
        # With a pairing any stone holds; one of a pair is as good as another.
        return next((bit for pair in pairs for bit in pair), bits(empty)[0])

    def prove(self, own: int, other: int, only: OnlyStone, verify: Verifier) -> None:
        """Give a certificate of every claim about an only stone to the verifier; raises UnsoundPuzzle."""
        try:
            for bit in only.refutations:
                loses = self.loses(own | 1 << bit, other)
                if not loses and not (self.draws and only.goal == "win"):
                    raise UnsoundPuzzle(f"{NAMES[bit]} is not refuted.")
                verify(certificate(self.prover, other, own | 1 << bit, "prover", "win" if loses else "hold"))
            claim: Claim = "win" if only.goal == "win" else "hold"
            verify(certificate(self.prover, own | 1 << only.stone, other, "other", claim))
            if only.goal == "draw":
                verify(certificate(self.prover, other, own | 1 << only.stone, "prover", "hold"))
        except (Unwritten, ValueError) as error:
            raise UnsoundPuzzle(f"No certificate: {error}") from None

    def holding_proof(self, own: int, other: int, stone: int) -> str:
        """The proof of the certificate that the side to move completes the game without a loss after this stone."""
        try:
            text = certificate(self.prover, own | 1 << stone, other, "other", "hold")
        except Unwritten:
            raise UnsoundPuzzle("The proof that the stone holds is not found again.") from None
        return text.partition("\nproof\n")[2].removesuffix("\nend\n")

    def loses(self, own: int, other: int) -> bool:
        """Return whether the opponent, to move, is proved to complete a line."""
        if self.prover.attack(other, own) is not None:
            return True
        pn, _, _ = self.prover.decide(other, own, True, NODES)
        return pn == 0


MOST_STEPS: Final = 6
LARGEST_TREE: Final = 150
"""Nodes of a tree that is kept with its puzzle."""

LEAST_GRADE: Final = 550
STONE_GRADE: Final = 150
QUIET_GRADE: Final = 200
STEP_GRADE: Final = 50
DEFENCE_GRADE: Final = 150
NO_ANSWER: Final = -1
"""Instead of the bit of an answer: a check finds its own."""

CORNER_HOLLOWS: Final = 3
"""The length of a diagonal that cuts off a corner."""


@lru_cache(maxsize=len(MOERAKI))
def _prover(ball: str) -> LineProver:
    return LineProver(ball, small_nodes=0)  # what the shipped puzzles were proved with


class LinePuzzles:
    """Finds the puzzles of states of one game in which a stone is to be laid, and proves them again."""

    def __init__(self, game: MoerakiKemu) -> None:
        self.game = game
        self._searcher = Searcher(game)
        self._defence = Defence(game)

    def _finder(self, state: State) -> OnlyStones:
        """Return what finds the only stones of states with the same ball."""
        return OnlyStones(_prover(HOLLOWS[state.ball.bit_length() - 1].name), self.game.variant == "beginner")

    def puzzle(self, state: State) -> FoundPuzzle | None:
        """Return the puzzle of a state, None if no stone is the only right one or its solution is not worth keeping."""
        only = self._finder(state).only_stone(*self._boards(state))
        if only is None:
            return None
        return self._attack(state, only) if only.goal == "win" else self._rescue(state, only)

    def check(self, state: State, puzzle: FoundPuzzle, verify: Verifier) -> None:
        """Give a proof of each claim to a verifier: certificates, and the tree by the reference rules."""
        begin, finder = state, self._finder(state)
        for number, step in enumerate(puzzle.steps):
            own, other = self._boards(state)
            refuted = dict.fromkeys((NAMED_BIT[text] for text in step.refutations), NO_ANSWER)
            if {NAMED_BIT[step.action], *refuted} != set(bits(finder.prover.empty(own, other))):
                raise UnsoundPuzzle("Some stone is neither right nor refuted.")
            finder.prove(own, other, OnlyStone(NAMED_BIT[step.action], puzzle.goal, refuted), verify)
            if number + 1 < len(puzzle.steps):
                for text in (step.action, *step.replies):
                    state = self.game.apply(state, self.game.parse(text))
        if puzzle.goal == "win":
            position, tree = self.game.encode(begin), puzzle.tree or {}
            verify_tree({"game": self.game.key, "options": dict(puzzle.options), "position": position, "tree": tree})
        else:
            own, other = self._boards(begin)
            laid = own | 1 << NAMED_BIT[puzzle.steps[0].action]
            text = head("beginner", finder.prover.ball_name, laid, other, "other", "hold")
            verify(f"{text}{puzzle.certificate}\nend\n")

    def _boards(self, state: State) -> tuple[int, int]:
        """Return the stones of the side to move and those of the other."""
        words = kernel_state(self.game, state)
        return int(words[state.turn]), int(words[1 - state.turn])

    def _attack(self, state: State, only: OnlyStone) -> FoundPuzzle | None:
        """Return the puzzle of a stone that wins."""
        proof = write_proof(self._searcher, state)
        tree: Document = proof["tree"] if proof else {}
        if tree.get("do") != NAMES[only.stone] or _size(tree) > LARGEST_TREE:
            return None
        steps, depth = tuple(self._steps(state, only, tree)), _depth(tree)
        played, quiet = self._play_out(state, tree)
        completed = filled(state.ball, played.stones[state.turn], self.game.eye)
        lines = {(line.reason, line.hollows.bit_count()) for line in completed}
        themes = ("attack", *(["quiet"] if quiet else []), *_line_themes(lines))
        grade = LEAST_GRADE + STONE_GRADE * depth + QUIET_GRADE * quiet + STEP_GRADE * len(steps)
        return FoundPuzzle(options(self.game), self.game.encode(state), "win", steps, themes, depth, grade, tree)

    def _rescue(self, state: State, only: OnlyStone) -> FoundPuzzle | None:
        """Return the puzzle of a stone that saves the game."""
        threats, finder = self._defence.find(state), self._finder(state)
        plies = finder.prover.attack_plies(*reversed(self._boards(state)))
        if not threats.lines or not plies:
            return None
        depth = (plies + 1) // 2
        blocks = any(NAMES[only.stone] in line.cells for line in threats.lines)
        lines = {(line.reason, len(line.cells)) for line in threats.lines}
        themes = ("defence", "block" if blocks else "quiet", *_line_themes(lines))
        grade = LEAST_GRADE + STONE_GRADE * depth + DEFENCE_GRADE + QUIET_GRADE * (not blocks)
        proof = finder.holding_proof(*self._boards(state), only.stone)
        position, steps = self.game.encode(state), (self._step(state, only, ()),)
        return FoundPuzzle(options(self.game), position, only.goal, steps, themes, depth, grade, None, proof)

    def _steps(self, state: State, only: OnlyStone, tree: Document) -> Iterator[PuzzleStep]:
        """Return the stones of the main line as long as each of them is the only one that wins."""
        prover = self._finder(state).prover
        for number in range(MOST_STEPS):
            own, other = self._boards(state)
            laid = self._lay(state, NAMES[only.stone])
            holes = prover.holes(own | 1 << only.stone, prover.empty(own, other))
            replies = [NAMES[hole] for hole in holes] or sorted(
                tree.get("then", ()), key=lambda text: -_depth(tree["then"][text])
            )
            following = None
            if laid is not None and len(holes) < 2 and number + 1 < MOST_STEPS:
                following = self._following(laid, replies, tree)
            yield self._step(state, only, () if following is None else (following[0],))
            if following is None:
                return
            _, state, only, tree = following

    def _step(self, state: State, only: OnlyStone, replies: tuple[str, ...]) -> PuzzleStep:
        """Return the step of an only stone; a wrong stone that has somebody asked for the Tane has no reply yet."""
        refutations = {
            NAMES[bit]: NAMES[answer] if self._lay(state, NAMES[bit]) is not None else ""
            for bit, answer in only.refutations.items()
        }
        return PuzzleStep(NAMES[only.stone], replies, refutations)

    def _following(
        self, state: State, replies: list[str], tree: Document
    ) -> tuple[str, State, OnlyStone, Document] | None:
        """The first reply after which one stone of the tree alone wins again, with that state, stone and node."""
        for reply in replies:
            node = tree["then"][reply]
            after = self._lay(state, reply)
            only = None if after is None else self._finder(after).only_stone(*self._boards(after))
            if after is not None and only is not None and only.goal == "win" and node["do"] == NAMES[only.stone]:
                return reply, after, only, node
        return None

    def _lay(self, state: State, text: str) -> State | None:
        """Return the state after a stone, None if somebody is asked for the Tane or the game is over."""
        after = self.game.apply(state, LAYS[HOLLOW[text]])
        return after if after.step is None and self.game.outcome(after) is None else None

    def _play_out(self, state: State, tree: Document) -> tuple[State, bool]:
        """The state at the end of the longest line of a tree, Tane kept, and whether the winner laid a quiet stone."""
        quiet, seat = False, state.turn
        while True:
            state = self._after(state, tree["do"])
            if self.game.outcome(state) is not None:
                return state, quiet
            quiet = quiet or not any(open_lines(self.game, state, seat))
            then = tree.get("then") or {}
            reply = max(then, key=lambda text: _depth(then[text]))
            state, tree = self._after(state, reply), then[reply]

    def _after(self, state: State, text: str) -> State:
        """Return the state after a stone and all Tane kept."""
        state = self.game.apply(state, LAYS[HOLLOW[text]])
        while state.step is not None and self.game.outcome(state) is None:
            state = self.game.apply(state, KEEP)
        return state


def _line_themes(lines: Collection[tuple[str, int]]) -> list[str]:
    """Return the themes of lines with these reasons and numbers of hollows."""
    return [*sorted({reason for reason, _ in lines}), *(["corner"] if ("awa", CORNER_HOLLOWS) in lines else [])]


def _below(node: Document) -> list[Document]:
    return [*node.get("then", {}).values(), *([node["else"]] if "else" in node else [])]


def _size(node: Document) -> int:
    return 1 + sum(_size(each) for each in _below(node))


def _depth(node: Document) -> int:
    """Stones of the winner to the end, at most."""
    return 1 + max((_depth(each) for each in _below(node)), default=0)
