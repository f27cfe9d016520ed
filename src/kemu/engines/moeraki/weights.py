"""The file of the learned weights: rows that a symmetry makes equal are kept once."""

import io
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.moeraki.features import CLOSED_ROWS
from kemu.engines.moeraki.network import CHANNELS, HEAD, NO_WEIGHTS, PHASES, NetworkWeights
from kemu.engines.moeraki.patterns import equal_rows, swapped_rows

SHIPPED: Final = Path(__file__).with_name("weights.npz")

SWAPPED_CLOSED: Final = np.arange(CLOSED_ROWS).reshape(3, 5, 5).transpose(0, 2, 1).ravel()
"""By kind of closed area, the one with the stones of both sides exchanged."""


class LearnedWeights(NamedTuple):
    """What the file holds."""

    table: NDArray[np.int16]  # by class of equal rows, in the order of the least row of each: what it adds to the sums
    closed: NDArray[np.int32]  # the same by kind of closed area
    heads: NDArray[np.int32]  # by variant and phase, see `network`


def dump_weights(weights: LearnedWeights) -> bytes:
    """The bytes of the file."""
    file = io.BytesIO()
    np.savez_compressed(file, **weights._asdict())
    return file.getvalue()


def load_weights(data: bytes) -> NetworkWeights:
    """The weights in the bytes of a file, as the search needs them; raises ValueError if they fit another network."""
    with np.load(io.BytesIO(data)) as file:
        learned = LearnedWeights(*(file[name] for name in LearnedWeights._fields))
    if learned.table.shape[1] != CHANNELS or learned.heads.shape != (3 * PHASES, HEAD):
        raise ValueError("These weights are of another network.")
    whole = learned.table[np.unique(equal_rows(), return_inverse=True)[1]]
    return NetworkWeights(
        np.ascontiguousarray(np.concatenate([whole, whole[swapped_rows()]], axis=1)),
        np.ascontiguousarray(np.concatenate([learned.closed, learned.closed[SWAPPED_CLOSED]], axis=1)),
        np.ascontiguousarray(learned.heads),
    )


@lru_cache(maxsize=1)
def shipped_weights() -> NetworkWeights:
    """The weights that come with Kemu, none if there are none."""
    return load_weights(SHIPPED.read_bytes()) if SHIPPED.exists() else NO_WEIGHTS
