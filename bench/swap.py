"""What `swap` changes in the beginner's game: python bench/swap.py

After every first stone that differs by symmetry, with the ball in each class of hollows, two certificates are made: the
side that owns the stone keeps the other from every line, and so does the side that answers it. Both are given to the
verifiers in Python and C. If all are accepted, the game is a draw whether the sides are swapped or not.
"""

import tempfile
from pathlib import Path

from kemu.certificates.checking import build_c, check, check_in_c
from kemu.engines.moeraki.lineproof import LineProver
from kemu.engines.moeraki.linewriter import certificate, distinct_replies
from kemu.engines.moeraki.theorems import CLASSES


def main() -> None:
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


if __name__ == "__main__":
    main()
