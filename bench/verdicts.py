"""Positions of the beginner's game decided with proof: python bench/verdicts.py [POSITIONS] [SECONDS] [CHECK] [FROM]

Half of the positions come from games of players who lay at random but take and block every line they see, half from
games of the search with 1,000 nodes a stone after four such stones; each has 4 to 20 stones and is not over. Prints
how many are decided within SECONDS (10) of processor time, with the standard error, and the times. With CHECK = 1 every
verdict is written out and given to the verifier. FROM is the number of the first position.
"""

import random
import sys
import time
from collections import Counter

from kemu.certificates.verify import Proof
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.lineproof import Board, LineProver, Result
from kemu.engines.moeraki.linewriter import Unwritten, certificates
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.translation import kernel_state
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

GAME = MoerakiKemu("beginner")
ROUND_NODES = 1_000_000
REPORT_EVERY = 10


def seen(state: State, source: random.Random) -> Action:
    """A stone that wins at once, else one that blocks, else any."""
    actions = list(GAME.actions(state))
    passed = state._replace(turn=1 - state.turn)
    wins = [action for action in actions if state.ball and GAME.outcome(GAME.apply(state, action))]
    blocks = [action for action in actions if state.ball and GAME.outcome(GAME.apply(passed, action))]
    return source.choice(wins or blocks or actions)


def position(number: int, searcher: Searcher) -> State:
    """A position out of a game, by its number always the same."""
    source = random.Random(f"verdict {number}")
    while True:
        state, stones = GAME.initial(), 4 + number // 2 % 17
        for laid in range(stones + 1):
            by_search = number % 2 and laid > 4
            found = searcher.search(state, Budget(nodes=1000)).action if by_search else seen(state, source)
            state = GAME.apply(state, found)
            if GAME.outcome(state):
                break
        if GAME.outcome(state) is None:
            return state


def decide(prover: LineProver, board: Board, seconds: int) -> Result | None:
    """The verdict within so much processor time, in rounds of nodes so that a busy machine makes no difference."""
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        if (result := prover.prove(board, Budget(nodes=ROUND_NODES)).result) is not None:
            return result
    return None


def share_of(results: Counter[str | None]) -> str:
    """The share that is decided, with its standard error."""
    count = results.total()
    share = 1 - results[None] / count
    return f"{share:.1%} ± {(share * (1 - share) / count) ** 0.5:.1%} decided"


def main(positions: int = 1000, seconds: int = 10, check: int = 0, first: int = 0) -> None:
    provers: dict[str, LineProver] = {}
    searcher = Searcher(GAME)
    results: Counter[str | None] = Counter()
    accepted, nodes, times, verified = 0, 0, [], 0.0
    for number in range(first, first + positions):
        state = position(number, searcher)
        words, ball = kernel_state(GAME, state), HOLLOWS[state.ball.bit_length() - 1].name
        board = Board(int(words[state.turn]), int(words[1 - state.turn]))
        if ball not in provers:
            provers[ball] = LineProver(ball)
        prover = provers[ball]
        begin = time.process_time()
        found = decide(prover, board, seconds)
        took = time.process_time() - begin
        result = found if took <= seconds else None
        results[result] += 1
        times.append(took)
        if len(times) % REPORT_EVERY == 0:
            print(f"{len(times)} positions, {share_of(results)}: {dict(results)}, {sum(times):.0f} s", flush=True)
        if result is None:
            print("open:", ball, GAME.encode(state)["stones"], f"{took:.1f} s", flush=True)
        elif check:
            try:
                texts = certificates(prover, board, result)
            except Unwritten:
                print("unwritten:", result, GAME.encode(state)["stones"], flush=True)
                continue
            begin = time.process_time()
            nodes += sum(Proof(text.splitlines()).nodes for text in texts)
            verified += time.process_time() - begin
            accepted += 1
    times.sort()
    print(f"{positions} positions, {share_of(results)} within {seconds} s: {dict(results)}")
    print(
        "processor time: " + ", ".join(f"{part} % {times[positions * part // 100]:.4f} s" for part in (50, 75, 90, 95))
    )
    if check:
        print(f"{accepted} verdicts accepted by the verifier, {nodes} nodes in {verified:.1f} s")


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
