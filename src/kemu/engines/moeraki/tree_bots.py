"""The searches that grow a tree of their own, by the names of the bots that play with them."""

from functools import partial
from typing import Final

from kemu.engines.moeraki.gumbel import PuctRoot
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.search_tree import Tree
from kemu.engines.moeraki.uct_threats import UctRoot
from kemu.games.moeraki.rules import MoerakiKemu

ROOTS: Final = {"puct": PuctRoot, "uct-threats": UctRoot}


def tree_searcher(name: str, game: MoerakiKemu, tree: Tree) -> Searcher:
    """A search of this name with nothing in its tables, which uses a tree that may have been used before."""
    return Searcher(game, root=partial(ROOTS[name], tree))
