"""The whole solution of a puzzle about lines: its steps, its tree, its themes, and the certificates of every claim."""

from collections.abc import Iterator
from typing import Final

from kemu.core.document import Document
from kemu.core.game import options
from kemu.engines.moeraki.defence import Defence
from kemu.engines.moeraki.line_puzzles import LinePuzzles, OnlyStone
from kemu.engines.moeraki.lineproof import NAMES, bits
from kemu.engines.moeraki.linewriter import head
from kemu.engines.moeraki.proof import write_proof
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.engines.moeraki.translation import kernel_state
from kemu.engines.moeraki.verifier import verify as verify_tree
from kemu.engines.puzzles import FoundPuzzle, PuzzleStep, UnsoundPuzzle, Verifier
from kemu.games.moeraki.actions import KEEP, LAYS
from kemu.games.moeraki.board import HOLLOW
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import filled, lines

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


class SolutionWriter:
    """Writes trees and finds threats in all states of one game."""

    def __init__(self, game: MoerakiKemu) -> None:
        self.game = game
        self.searcher = Searcher(game)
        self.defence = Defence(game)


class LineSolution:
    """Solves positions with the ball in the hollow of its finder."""

    def __init__(self, writer: SolutionWriter, finder: LinePuzzles) -> None:
        self.game = writer.game
        self.finder = finder
        self._writer = writer

    def puzzle(self, state: State) -> FoundPuzzle | None:
        """The puzzle of a state, None if no stone is the only right one or its solution is not worth keeping."""
        only = self.finder.only_stone(*self._boards(state))
        if only is None:
            return None
        return self._attack(state, only) if only.goal == "win" else self._rescue(state, only)

    def check(self, state: State, puzzle: FoundPuzzle, verify: Verifier) -> None:
        """Gives a proof of each claim to a verifier: certificates, and the tree by the reference rules."""
        begin = state
        for number, step in enumerate(puzzle.steps):
            own, other = self._boards(state)
            refuted = dict.fromkeys(map(_bit, step.refutations), NO_ANSWER)
            if {_bit(step.action), *refuted} != set(bits(self.finder.prover.empty(own, other))):
                raise UnsoundPuzzle("Some stone is neither right nor refuted.")
            self.finder.prove(own, other, OnlyStone(_bit(step.action), puzzle.goal, refuted), verify)
            if number + 1 < len(puzzle.steps):
                for text in (step.action, *step.replies):
                    state = self.game.apply(state, self.game.parse(text))
        if puzzle.goal == "win":
            position, tree = self.game.encode(begin), _written(puzzle.tree or {})
            verify_tree({"game": self.game.key, "options": dict(puzzle.options), "position": position, "tree": tree})
        else:
            self._check_certificate(begin, puzzle, verify)

    def _check_certificate(self, state: State, puzzle: FoundPuzzle, verify: Verifier) -> None:
        own, other = self._boards(state)
        laid = own | 1 << _bit(puzzle.steps[0].action)
        text = head("beginner", self.finder.prover.ball_name, laid, other, "other", "hold")
        verify(f"{text}{puzzle.certificate}\nend\n")

    def _boards(self, state: State) -> tuple[int, int]:
        """The stones of the side to move and those of the other."""
        words = kernel_state(self.game, state)
        return int(words[state.turn]), int(words[1 - state.turn])

    def _attack(self, state: State, only: OnlyStone) -> FoundPuzzle | None:
        """The puzzle of a stone that wins."""
        proof = write_proof(self._writer.searcher, state)
        if proof is None:
            return None
        tree = _read(proof["tree"])
        if tree["do"] != NAMES[only.stone] or _size(tree) > LARGEST_TREE:
            return None
        steps, depth = tuple(self._steps(state, only, tree)), _depth(tree)
        played, quiet = self._play_out(state, tree)
        completed = filled(state.ball, played.stones[state.turn], self.game.eye)
        reasons = {line.reason for line in completed}
        corner = any(line.reason == "awa" and line.hollows.bit_count() == CORNER_HOLLOWS for line in completed)
        themes = ("attack", *(["quiet"] if quiet else []), *sorted(reasons), *(["corner"] if corner else []))
        grade = LEAST_GRADE + STONE_GRADE * depth + QUIET_GRADE * quiet + STEP_GRADE * len(steps)
        return FoundPuzzle(options(self.game), self.game.encode(state), "win", steps, themes, depth, grade, tree)

    def _rescue(self, state: State, only: OnlyStone) -> FoundPuzzle | None:
        """The puzzle of a stone that saves the game."""
        threats = self._writer.defence.find(state)
        plies = self.finder.prover.attack_plies(*reversed(self._boards(state)))
        if not threats.lines or not plies:
            return None
        depth = (plies + 1) // 2
        stone = NAMES[only.stone]
        blocks = any(stone in line.cells for line in threats.lines)
        reasons = {line.reason for line in threats.lines}
        corner = any(line.reason == "awa" and len(line.cells) == CORNER_HOLLOWS for line in threats.lines)
        themes = ("defence", "block" if blocks else "quiet", *sorted(reasons), *(["corner"] if corner else []))
        grade = LEAST_GRADE + STONE_GRADE * depth + DEFENCE_GRADE + QUIET_GRADE * (not blocks)
        proof = self.finder.holding_proof(*self._boards(state), only.stone)
        position, steps = self.game.encode(state), (self._step(state, only, ()),)
        return FoundPuzzle(options(self.game), position, only.goal, steps, themes, depth, grade, None, proof)

    def _steps(self, state: State, only: OnlyStone, tree: Document) -> Iterator[PuzzleStep]:
        """The stones of the main line as long as each of them is the only one that wins."""
        for number in range(MOST_STEPS):
            own, other = self._boards(state)
            laid = self._lay(state, NAMES[only.stone])
            holes = self.finder.prover.holes(own | 1 << only.stone, self.finder.prover.empty(own, other))
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
        """The step of an only stone; a wrong stone that has somebody asked for the Tane has no reply yet."""
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
            only = None if after is None else self.finder.only_stone(*self._boards(after))
            if after is not None and only is not None and only.goal == "win" and node["do"] == NAMES[only.stone]:
                return reply, after, only, node
        return None

    def _lay(self, state: State, text: str) -> State | None:
        """The state after a stone, None if somebody is asked for the Tane or the game is over."""
        after = self.game.apply(state, LAYS[HOLLOW[text]])
        return after if after.step is None and self.game.outcome(after) is None else None

    def _play_out(self, state: State, tree: Document) -> tuple[State, bool]:
        """The state at the end of the longest line of a tree, Tane kept, and whether the winner laid a quiet stone."""
        quiet, seat = False, state.turn
        while True:
            state = self._after(state, tree["do"])
            if self.game.outcome(state) is not None:
                return state, quiet
            own, other = state.stones[seat], state.stones[1 - seat]
            holes = [
                line for line in lines(state.ball, self.game.eye) if _lacks_one(line.hollows, own, other | state.ball)
            ]
            quiet = quiet or not holes
            then = tree.get("then") or {}
            reply = max(then, key=lambda text: _depth(then[text]))
            state, tree = self._after(state, reply), then[reply]

    def _after(self, state: State, text: str) -> State:
        """The state after a stone and all Tane kept."""
        state = self.game.apply(state, LAYS[HOLLOW[text]])
        while state.step is not None and self.game.outcome(state) is None:
            state = self.game.apply(state, KEEP)
        return state


def _lacks_one(line: int, own: int, taken: int) -> bool:
    missing = line & ~own
    return missing.bit_count() == 1 and not missing & taken


def _bit(text: str) -> int:
    return HOLLOW_BIT[HOLLOW[text]]


def _read(node: Document) -> Document:
    """A node of a written proof in the form in which puzzles keep it."""
    kept: Document = {"do": node["lay"]}
    if "then" in node:
        kept["then"] = {reply: _read(each) for reply, each in node["then"].items()}
    if "else" in node:
        kept["else"] = _read(node["else"])
    return kept


def _written(node: Document) -> Document:
    """The inverse of `_read`."""
    written: Document = {"lay": node.get("do")}
    if "then" in node:
        written["then"] = {reply: _written(each) for reply, each in node["then"].items()}
    if "else" in node:
        written["else"] = _written(node["else"])
    return written


def _below(node: Document) -> list[Document]:
    return [*node.get("then", {}).values(), *([node["else"]] if "else" in node else [])]


def _size(node: Document) -> int:
    return 1 + sum(_size(each) for each in _below(node))


def _depth(node: Document) -> int:
    """Stones of the winner to the end, at most."""
    return 1 + max((_depth(each) for each in _below(node)), default=0)
