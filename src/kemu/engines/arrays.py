"""The types of arrays that compiled functions take, and arrays as the bytes of a file of numpy."""

import io
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]
WordRows: TypeAlias = Annotated[NDArray[np.uint64], "rows"]
NumberRows: TypeAlias = Annotated[NDArray[np.int64], "rows"]
"""Arrays of one dimension, and of two."""


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
    """How many positions the samples of a batch hold, see `kemu.engines.capabilities.Learner`."""
    with np.load(io.BytesIO(samples)) as file:
        return len(file["game"])
