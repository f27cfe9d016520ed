"""What the engine of MAUW has learned: the weights of its value and of its policy, for each number of players."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.mauw.policy import gain_policy
from kemu.games.mauw.state import LEFT_OUT

Floats = NDArray[np.float32]

SHIPPED: Final = Path(__file__).with_name("weights.npz")
"""The weights with which the engine plays."""


class Weights(NamedTuple):
    """The numbers of a value and of a policy."""

    rows: Floats  # of the value, by row and unit
    output: Floats  # of the value, by unit; that of the last one is not used
    policy: Floats  # by row


Nets: TypeAlias = Mapping[int, Weights]
"""Weights for each number of players."""


def write_nets(nets: Nets) -> bytes:
    """Weights as a file of numpy."""
    return dump_arrays(
        {f"{name}{players}": array for players, net in nets.items() for name, array in net._asdict().items()}
    )


def read_nets(data: bytes) -> dict[int, Weights]:
    """The inverse of `write_nets`; in a file without a policy, as there were before, it is that of gains."""
    arrays = load_arrays(data)
    return {
        players: Weights(
            arrays[f"rows{players}"],
            arrays[f"output{players}"],
            arrays[f"policy{players}"] if f"policy{players}" in arrays else gain_policy(),
        )
        for players in LEFT_OUT
    }


@cache
def shipped_nets() -> Nets:
    """The weights with which the engine plays."""
    return read_nets(SHIPPED.read_bytes())
