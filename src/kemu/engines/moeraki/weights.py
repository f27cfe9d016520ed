"""What the engine of Moeraki-Kemu has learned, as `kemu train` writes it and as it comes with Kemu."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.moeraki.kernel import Numbers

FILE: Final = "weights.npz"

NET: Final = "net_"
"""The names of the arrays of the net begin so."""

Arrays = Mapping[str, NDArray[Any]]


class Weights(NamedTuple):
    """What the search of one variant has learned."""

    counted: Numbers  # the weights of lines, tiles and the Tane, see `evaluation`
    worths: Numbers  # by parameter of patterns: what it is worth on a full board and on an empty one
    ranks: Numbers  # by parameter: how promising a stone in the middle of the pattern looks, for the move ordering


def dump_weights(weights: Sequence[Weights], net: Arrays) -> bytes:
    """All weights as a file: the fields of Weights, a row for each variant, and the arrays of the net."""
    counted, worths, ranks = (np.array(field) for field in zip(*weights, strict=True))
    kinds = {"counted": np.int32, "worths": np.int16, "ranks": np.int16}
    fields = zip(kinds.items(), (counted, worths, ranks), strict=True)
    of_search = {name: field.astype(kind) for (name, kind), field in fields}
    return dump_arrays(of_search | {NET + name: array for name, array in net.items()})


def load_weights(data: bytes) -> tuple[Weights, ...]:
    """The weights of all variants from such a file."""
    arrays = load_arrays(data)
    fields = (arrays[name].astype(np.int64) for name in Weights._fields)
    return tuple(map(Weights, *fields))


def load_net_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of the net from such a file."""
    return {name.removeprefix(NET): array for name, array in load_arrays(data).items() if name.startswith(NET)}


def shipped_file() -> bytes:
    """The file that comes with Kemu."""
    return files(__package__).joinpath(FILE).read_bytes()


@lru_cache(maxsize=1)
def shipped_weights() -> tuple[Weights, ...]:
    """Its weights, by variant."""
    return load_weights(shipped_file())
