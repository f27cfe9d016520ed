"""How far the solvers and provers of Moeraki-Kemu get, each checked by something that shares nothing with them.

    python -m bench.proofs swap                     after every first stone of the beginner's game both sides hold
    python -m bench.proofs endings 1000 14          endings with up to 14 empty hollows, solvers against brute force
    python -m bench.proofs verdicts 1000 10         positions of the beginner's game decided within 10 s
    python -m bench.proofs holds 200 200            games of level 8, with 200 ms a stone, against all other bots

`swap` gives all its certificates to the verifiers in Python and C, `verdicts` every verdict to the one in Python. The
brute force of `endings` is tests/differential/compiled_brute_force.py. Numbers are positions or games, and a limit.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from kemu.bots import bot
from kemu.engines.analysis import Budget
from kemu.engines.certificates import build_c, check, check_in_c
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.certify.theorems import CLASSES
from kemu.engines.moeraki.certify.verify import Proof
from kemu.engines.moeraki.certify.writers import Unwritten, certificate, certificates, distinct_replies
from kemu.engines.moeraki.prove.lead_endings import Endings
from kemu.engines.moeraki.prove.lines import Board, LineProver, Result
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.board import HOLLOWS, MOERAKI
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import quiet_ending
from tests.differential.compiled_brute_force import compiled_brute_force

BEGINNER = MoerakiKemu("beginner")
KNOWN_BITS = 9
"""A table of the brute force has two to this power rows, doubled for each empty hollow."""

ROUND_NODES = 1_000_000
OPPONENTS = ("random", "reflex", "1", "2", "3", "4", "5", "6", "7", "8@ms=200", "6@nodes=20000")


def swap() -> None:
    """Certify that both sides hold after every first stone that differs by symmetry."""
    with tempfile.TemporaryDirectory() as folder:
        program = build_c(Path(folder))
        for ball in CLASSES:
            prover, nodes = LineProver(ball), 0
            stones = distinct_replies(0, 0, int(prover.ball))
            for stone in stones:
                for mine, theirs, turn in ((1 << stone, 0, "other"), (0, 1 << stone, "prover")):
                    text = certificate(prover, mine, theirs, turn, "hold")
                    nodes += check(text).nodes
                    check_in_c(text, program)
            print(f"{ball}: {len(stones)} first stones, both sides hold; {nodes} nodes accepted", flush=True)


def solved(game: MoerakiKemu, state: State, workspace: Workspace) -> int | None:
    """Return the result by the solver of the variant, with empty tables."""
    words = kernel_state(game, state)
    if game.variant == "master":
        workspace.place_ball(int(words[2]))
        workspace.begin(1 << 40)
        return workspace.solve(words)
    found = Endings(int(words[2]), game.variant == "basic", 1 << 16)
    return found.value(int(words[state.turn]), int(words[1 - state.turn]), state.turn == game.starter)


def endings(positions: int = 1000, left: int = 14) -> None:
    """Compare the solvers with brute force, as many positions with 1 to `left` empty hollows."""
    known = np.zeros((1 << KNOWN_BITS + left, 4), np.uint64)
    for variant in ("beginner", "basic", "master"):
        game = MoerakiKemu(variant)
        workspace = Workspace(kernel_rules(game))
        results: Counter[int] = Counter()
        differ, by_solver, by_force = 0, 0.0, 0.0
        for number in range(positions):
            empty = 1 + number % left
            state = quiet_ending(game, empty, f"{variant} {number}")
            begin = time.process_time()
            value = solved(game, state, workspace)
            middle = time.process_time()
            force = compiled_brute_force(game, state, known[: 1 << KNOWN_BITS + empty])
            by_solver, by_force = by_solver + middle - begin, by_force + time.process_time() - middle
            results[force] += 1
            if value != force:
                differ += 1
                print("differs:", variant, game.encode(state), value, force, flush=True)
        print(
            f"{variant}: {positions} compared, {differ} differ, {dict(results)}, {by_solver:.1f} s and {by_force:.1f} s"
        )


def seen(state: State, source: random.Random) -> Action:
    """A stone that wins at once, else one that blocks, else any."""
    actions = list(BEGINNER.actions(state))
    passed = state._replace(turn=1 - state.turn)
    wins = [action for action in actions if state.ball and BEGINNER.outcome(BEGINNER.apply(state, action))]
    blocks = [action for action in actions if state.ball and BEGINNER.outcome(BEGINNER.apply(passed, action))]
    return source.choice(wins or blocks or actions)


def position(number: int, searcher: Searcher) -> State:
    """A position of 4 to 20 stones out of a game, half of them by search; by its number always the same."""
    source = random.Random(f"verdict {number}")
    while True:
        state, stones = BEGINNER.initial(), 4 + number // 2 % 17
        for laid in range(stones + 1):
            by_search = number % 2 and laid > 4
            found = searcher.search(state, Budget(nodes=1000)).action if by_search else seen(state, source)
            state = BEGINNER.apply(state, found)
            if BEGINNER.outcome(state):
                break
        if BEGINNER.outcome(state) is None:
            return state


def decide(prover: LineProver, board: Board, seconds: int) -> Result | None:
    """The verdict within this processor time, in rounds of nodes so that a busy machine makes no difference."""
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        if (result := prover.prove(board, Budget(nodes=ROUND_NODES)).result) is not None:
            return result
    return None


def verdicts(positions: int = 1000, seconds: int = 10) -> None:
    """Decide positions and give every verdict to the verifier."""
    provers = {hollow: LineProver(HOLLOWS[hollow].name) for hollow in MOERAKI}
    searcher, results, unwritten = Searcher(BEGINNER), Counter[str | None](), 0
    for number in range(positions):
        state = position(number, searcher)
        words = kernel_state(BEGINNER, state)
        board, prover = Board(int(words[state.turn]), int(words[1 - state.turn])), provers[state.ball.bit_length() - 1]
        result = decide(prover, board, seconds)
        results[result] += 1
        if result is not None:
            try:
                for text in certificates(prover, board, result):
                    Proof(text.splitlines())
            except Unwritten:
                unwritten += 1
    share = 1 - results[None] / positions
    error = (share * (1 - share) / positions) ** 0.5
    print(
        f"{share:.1%} ± {error:.1%} of {positions} decided in {seconds} s: {dict(results)}; {unwritten} not certified"
    )


def held(number: int, ms: int) -> str:
    """The result of a game for level 8: won, lost or drawn."""
    opponent, mine = OPPONENTS[number % len(OPPONENTS)], number // len(OPPONENTS) % 2
    bots = [bot(opponent, BEGINNER, seed=number), bot(opponent, BEGINNER, seed=number)]
    bots[mine] = bot(f"8@ms={ms}", BEGINNER, seed=number)
    state = BEGINNER.apply(BEGINNER.initial(), BEGINNER.parse(f"@{HOLLOWS[MOERAKI[number % len(MOERAKI)]].name}"))
    while (seat := BEGINNER.turn(state)) is not None:
        state = BEGINNER.apply(state, bots[seat].choose(BEGINNER.view(state, seat), [], BEGINNER.actions(state)))
    outcome = BEGINNER.outcome(state)
    assert outcome is not None, "the game is over"
    return "drawn" if not outcome.winners else "won" if outcome.winners == (mine,) else "lost"


def holds(games: int = 200, ms: int = 200) -> None:
    """Play level 8 against all bots, with the ball on all nine hollows and either side first."""
    results: Counter[str] = Counter()
    for number in range(games):
        results[held(number, ms)] += 1
    print(f"{games} games: {dict(results)}")


PROOFS = {"swap": swap, "endings": endings, "verdicts": verdicts, "holds": holds}


if __name__ == "__main__":
    name, *numbers = sys.argv[1:] or [""]
    if name not in PROOFS:
        sys.exit(__doc__)
    PROOFS[name](*map(int, numbers))
