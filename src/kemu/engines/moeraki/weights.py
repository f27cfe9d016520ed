"""What the engine of Moeraki-Kemu has learned, as `kemu train` writes it and as it comes with Kemu."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.moeraki.kernel import Numbers

FILE: Final = "weights.npz"


class Weights(NamedTuple):
    """What the search of one variant has learned."""

    counted: Numbers  # the weights of lines, tiles and the Tane, see `evaluation`
    worths: Numbers  # by parameter of patterns: what it is worth on a full board and on an empty one
    ranks: Numbers  # by parameter: how promising a stone in the middle of the pattern looks, for the move ordering


def dump_weights(weights: Sequence[Weights]) -> bytes:
    """The weights of all variants as a file: the fields of Weights, a row for each variant."""
    counted, worths, ranks = (np.array(field) for field in zip(*weights, strict=True))
    kinds = {"counted": np.int32, "worths": np.int16, "ranks": np.int16}
    fields = zip(kinds.items(), (counted, worths, ranks), strict=True)
    return dump_arrays({name: field.astype(kind) for (name, kind), field in fields})


def load_weights(data: bytes) -> tuple[Weights, ...]:
    """The weights of all variants from such a file."""
    arrays = load_arrays(data)
    fields = (arrays[name].astype(np.int64) for name in Weights._fields)
    return tuple(map(Weights, *fields))


@lru_cache(maxsize=1)
def shipped_weights() -> tuple[Weights, ...]:
    """The weights that come with Kemu, by variant."""
    return load_weights(files(__package__).joinpath(FILE).read_bytes())
