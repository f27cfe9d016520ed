"""Functions compiled by numba, with the types that mypy knows; importing this imports numba.

All that Kemu uses of numba beyond its documented interface is listed in `INTERNALS` and reached by `internal`.
"""

import importlib
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any, Final, TypeVar, cast, get_type_hints

import numba
import numpy as np
from numba import njit
from numba.extending import intrinsic

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.code_cache import cache_folder, cache_roots, source_hash

F = TypeVar("F", bound=Callable[..., Any])

INTERNALS: Final = {
    "numba.config.CACHE_DIR": "to choose the folder of the compiled code",
    "numba.core.options.DefaultOptions._nrt": "to compile functions that do not count references",
    "numba.core.options.DefaultOptions.forceinline": "to compile functions into their callers",
    "numba.core.typeinfer.register_dispatcher": "to compile functions that call themselves",
    "numba.core.dispatcher.Dispatcher.disable_compile": "to keep functions that call themselves to one signature",
    "numba.types.BaseTuple.from_types": "to name the types of a search's arrays",
    "numba.core.base.BaseContext.make_tuple": "to return two words from an instruction",
    "numba.core.base.BaseContext.make_array": "to reach the memory of an array",
    "llvmlite.ir.IRBuilder.ctpop": "to count the bits of a word",
    "llvmlite.ir.IRBuilder.cttz": "to find the lowest bit of a word",
    "llvmlite.ir.IRBuilder.shuffle_vector": "to put bits into the order of a row",
    "llvmlite.ir.VectorType": "to write and read many bits at once",
    "llvmlite.ir.Constant": "to write instructions",
    "llvmlite.ir.IntType": "to write instructions",
}
"""Private parts of numba and llvmlite that Kemu uses, and why."""


def internal(name: str) -> Any:
    """Return the object of this name from `INTERNALS`; raises ImportError if the installed numba does not have it."""
    try:
        return resolve_name(name)
    except (ImportError, AttributeError):
        raise ImportError(
            f"numba {numba.__version__} has no {name}, which Kemu needs {INTERNALS[name]};"
            " install a release of numba that Kemu's dependencies allow."
        ) from None


for _name in INTERNALS:
    internal(_name)

types: Final[Any] = importlib.import_module("numba.types")
ir: Final[Any] = importlib.import_module("llvmlite.ir")

_TYPES: Final[dict[Any, Any]] = {
    np.uint64: types.uint64,
    int: types.int64,
    bool: types.boolean,
    Words: types.Array(types.uint64, 1, "C"),
    Numbers: types.Array(types.int64, 1, "C"),
    WordRows: types.Array(types.uint64, 2, "C"),
    NumberRows: types.Array(types.int64, 2, "C"),
}


def native_type(hint: Any) -> Any:
    """Return numba's type for a type hint: a word, a number, a flag, an array of these, or a NamedTuple of such."""
    if hint in _TYPES:
        return _TYPES[hint]
    fields = get_type_hints(hint, include_extras=True).values()
    return internal("numba.types.BaseTuple.from_types")(tuple(map(native_type, fields)), hint)


def plain_tuple(context: tuple[Any, ...]) -> Any:
    """The fields of a NamedTuple, and in their places those of any within it, as one plain tuple.

    For calls from Python: numba takes some 15 µs to recognize a NamedTuple that holds others, and one for this.
    """
    parts = (plain_tuple(field) if isinstance(field, tuple) else (field,) for field in context)
    return tuple(field for part in parts for field in part)


_CONFIG: Final[Any] = numba.config
_FOLDER: Final = cache_folder(source_hash(), cache_roots(_CONFIG.CACHE_DIR))


def compiled(function: F) -> F:
    """This function as machine code: kept in the cache, and free of the interpreter lock while it runs."""
    return _cached(function)


def no_refcount(function: F) -> F:
    """Like `compiled` for a function that makes no arrays: it does not count references to those it is given.

    Counting is an atomic instruction or two at every call, which costs small functions more than their work.
    """
    return _cached(function, _nrt=False)


def inlined(function: F) -> F:
    """Like `no_refcount` for a function whose code is always put where it is called.

    For functions of a few instructions, and for parts of a search's function: a call would hand over all arrays of
    its context, word by word, at every node.
    """
    return _cached(function, _nrt=False, forceinline=True)


def inlined_early(function: F) -> F:
    """Like `inlined` for a single expression: numba copies it into every caller before it compiles the caller.

    A call that the compiler inlines later costs a loop over it some per cent.
    """
    decorate: Any = njit  # its stubs do not know all of its options
    return cast(F, decorate(inline="always")(function))


def _cached(function: F, **options: bool) -> F:
    decorate: Any = njit  # its stubs do not know all of its options
    before = _CONFIG.CACHE_DIR  # numba's own setting is left as it was
    _CONFIG.CACHE_DIR = str(_FOLDER)
    try:
        return cast(F, decorate(cache=_FOLDER is not None, nogil=True, **options)(function))
    finally:
        _CONFIG.CACHE_DIR = before


def recursive(function: F) -> F:
    """Compile a function that calls itself like `no_refcount`, at once and for the types of its annotations only.

    Code from the cache crashes where a function that calls itself is not there yet when a caller of it is loaded
    (numba issue 6061); compiled for one signature when its module is imported, it always is. Where the function
    calls itself, the arguments must have exactly these types: a literal such as False has a type of its own.
    """
    hints = get_type_hints(function, include_extras=True)
    result = native_type(hints.pop("return"))
    dispatcher: Any = no_refcount(function)
    # While it is compiled the function finds itself by its name, which is not bound yet.
    with internal("numba.core.typeinfer.register_dispatcher")(dispatcher):
        dispatcher.compile(result(*map(native_type, hints.values())))
    dispatcher.disable_compile()
    return cast(F, dispatcher)


def instruction(function: F) -> Any:
    """An instruction for compiled functions: given types it returns a signature, and what writes its code."""
    return intrinsic(function)
