"""The parts of an installation: what `pip install kemu` leaves out, and what to say of a missing part."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Final, NamedTuple

from kemu.core.errors import MissingPart


class Part(NamedTuple):
    """An extra of the package: who needs it, and the modules of other packages by which it is known."""

    needs: str
    modules: tuple[str, ...]


PARTS: Final[dict[str, Part]] = {
    "engines": Part("The engines and batches need", ("numpy", "numba")),
    "server": Part(
        "The server needs",
        (
            *("litestar", "sqlalchemy", "uvicorn", "httptools", "argon2", "asyncpg", "disarm"),
            *("cryptography", "openskill", "prometheus_client", "rustworkx"),
        ),
    ),
    "client": Part("The client of a server needs", ("websockets",)),
    "terminal": Part("The full screen needs", ("textual", "rich")),
    "plots": Part("Plots need", ("matplotlib",)),
    "dataset": Part("Data sets need", ("pyarrow",)),
    "cluster": Part("A cluster needs", ("ray",)),
    "gymnasium": Part("The environments of Gymnasium need", ("gymnasium",)),
    "pettingzoo": Part("The environments of PettingZoo need", ("pettingzoo",)),
    "openspiel": Part("The games for OpenSpiel need", ("pyspiel",)),
}
"""The parts by the names of their extras, see `pyproject.toml`."""

_EXTRA_OF: Final = {module: extra for extra, part in PARTS.items() for module in part.modules}


def is_installed(extra: str) -> bool:
    """Return whether everything of a part is installed."""
    return _first_missing(extra) is None


def require(*extras: str) -> None:
    """Raise MissingPart, with what to install, unless these parts are installed."""
    for extra in extras:
        if (module := _first_missing(extra)) is not None:
            raise _missing(module)


def missing_part(error: ModuleNotFoundError) -> MissingPart | None:
    """Return what to say of a failed import; None if the module belongs to no part."""
    module = (error.name or "").partition(".")[0]
    return _missing(module) if module in _EXTRA_OF else None


@contextmanager
def imports_of_parts() -> Iterator[None]:
    """Let imports within raise MissingPart, not ModuleNotFoundError, for what belongs to a part."""
    try:
        yield
    except ModuleNotFoundError as error:
        if found := missing_part(error):
            raise found from None
        raise


def import_part(module: str) -> ModuleType:
    """Return a module, imported now; raises MissingPart where it needs a part that is not installed."""
    with imports_of_parts():
        return importlib.import_module(module)


def _first_missing(extra: str) -> str | None:
    return next((module for module in PARTS[extra].modules if find_spec(module) is None), None)


def _missing(module: str) -> MissingPart:
    extra = _EXTRA_OF[module]
    return MissingPart(f"{PARTS[extra].needs} {module}, which is not installed; pip install 'kemu[{extra}]' adds it.")
