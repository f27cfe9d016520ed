"""The learned weights of Moeraki-Kemu, as `kemu train` writes them and as they come with Kemu."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers, dump_arrays, load_arrays

FILE: Final = "weights.npz"


class Weights(NamedTuple):
    """The weights of one variant."""

    counted: Numbers  # the weights of lines, tiles and the Tane, see `evaluation`
    worths: Numbers  # by parameter of patterns: what it is worth on a full board and on an empty one
    ranks: Numbers  # by parameter: how promising a stone in the middle of the pattern looks, for the move ordering


def dump_weights(weights: Sequence[Weights]) -> bytes:
    """Return all weights as a file: the fields of Weights, a row for each variant."""
    counted, worths, ranks = (np.array(field) for field in zip(*weights, strict=True))
    kinds = {"counted": np.int32, "worths": np.int16, "ranks": np.int16}
    fields = zip(kinds.items(), (counted, worths, ranks), strict=True)
    return dump_arrays({name: field.astype(kind) for (name, kind), field in fields})


def load_weights(data: bytes) -> tuple[Weights, ...]:
    """Return the weights of all variants from such a file."""
    arrays = load_arrays(data)
    fields = (arrays[name].astype(np.int64) for name in Weights._fields)
    return tuple(map(Weights, *fields))


def shipped_file() -> bytes:
    """Return the file that comes with Kemu."""
    return files(__package__).joinpath(FILE).read_bytes()


@lru_cache(maxsize=1)
def shipped_weights() -> tuple[Weights, ...]:
    """Its weights, by variant."""
    return load_weights(shipped_file())
