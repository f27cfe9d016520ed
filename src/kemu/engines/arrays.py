"""Arrays as the bytes of a file of numpy, as learners hand weights and samples around."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def dump_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Arrays as a compressed file of numpy."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def load_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a compressed file of numpy."""
    with np.load(io.BytesIO(data)) as file:
        return {name: file[name] for name in file.files}


def count_positions(samples: bytes) -> int:
    """How many positions the samples of a batch hold, see `kemu.engines.learning.Learner`."""
    with np.load(io.BytesIO(samples)) as file:
        return len(file["game"])
