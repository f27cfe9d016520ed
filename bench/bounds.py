"""Bounds of the basic game: python bench/bounds.py [BALL] [TARGET] [DEPTH] [STEPS] [ATTEMPTS] > certificate.txt

Looks for a proof that the answering side loses by at most TARGET half tiles with the ball in this hollow: a pairing,
or a tree of at most DEPTH (0) answers above pairings. Prints each better pairing over the empty board and the end of
the search to standard error, and the certificate to standard output.
"""

import sys
import time

from kemu.engines.moeraki.bounds import BoundSearch, BoundTree, bound_certificate, leaf_text
from kemu.engines.moeraki.lineproof import LineProver


def main(ball: str, target: int, depth: int = 0, steps: int = 200, attempts: int = 4000) -> None:
    begin = time.process_time()
    best = None
    for best in () if depth else BoundSearch(LineProver(ball), seed=1).bounds(target, steps, attempts):
        print(f"{ball}: {best.lead / 2} tiles, {time.process_time() - begin:.1f} s", file=sys.stderr, flush=True)
    if best is not None:
        target, proof = best.lead, leaf_text(best.pairs)
    else:
        tree = BoundTree(ball, target, (steps, attempts))
        found = tree.proof(0, 0, depth)
        print(f"{ball}: {tree.leaves} leaves, {time.process_time() - begin:.1f} s", file=sys.stderr)
        if found is None:
            sys.exit("no proof found")
        proof = found
    print(bound_certificate(ball, target, proof), end="")


if __name__ == "__main__":
    given = sys.argv[1:] or ["h6", "11"]
    main(given[0], *(int(text) for text in given[1:]))
