"""The best division of players into pairs, by the exact maximum-weight matching of rustworkx."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import rustworkx

Cost: TypeAlias = Callable[[int, int], tuple[int, ...] | None]
"""From two places in the list, the lesser first, what it costs to pair them: the first number matters most.

None if they cannot be paired at all.
"""

BITS: Final = 24
"""How large the sum of each number of the costs may be, in bits."""


def best_pairs(count: int, cost: Cost) -> list[tuple[int, int]]:
    """Return as many pairs of the places 0 to `count` - 1 as possible, at the least total cost, each place once."""
    edges = []
    for second in range(count):
        for first in range(second):
            found = cost(first, second)
            if found is not None:
                edges.append((first, second, _weight(found)))
    most = max((weight for *_, weight in edges), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(first, second, most - weight) for first, second, weight in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matched)


def _weight(cost: Sequence[int]) -> int:
    """Return one number that orders sums of costs like the costs: each number has its own bits."""
    total = 0
    for part in cost:
        total = (total << BITS) + part
    return total
