"""Functions compiled by numba, with the types that mypy knows; importing this imports numba."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit
from numba import types as numba_types
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

types: Any = numba_types

F = TypeVar("F", bound=Callable[..., Any])

ONE = np.uint64(1)


def _stamp() -> str:
    """A name for the sources that compiled code can depend on."""
    package = Path(__file__).parent.parent
    sources = [path for folder in ("engines", "games") for path in sorted((package / folder).rglob("*.py"))]
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


_STAMP: Final = _stamp()


def compiled(function: F) -> F:
    """This function as machine code: kept in the cache, and free of the interpreter lock while it runs."""
    return _cached(function)


def borrowing(function: F) -> F:
    """Like `compiled` for a function that makes no arrays: it need not count who holds those it is given.

    Counting is an atomic instruction or two at every call, which costs small functions more than their work.
    """
    return _cached(function, _nrt=False)


def _cached(function: F, **options: bool) -> F:
    decorate: Any = njit  # its stubs do not know all of its options
    dispatcher = decorate(cache=True, nogil=True, **options)(function)
    # numba asks only whether the function's own file has changed; but the code of its callees and the tables are in
    # the machine code too, and running it with others of them ends in a wrong result or a crash.
    dispatcher._cache._cache_file._source_stamp = _STAMP
    return cast(F, dispatcher)


def recursive(signature: str) -> Callable[[F], F]:
    """Like `borrowing`, at once and for these types only, as a function that calls itself needs it.

    Code from the cache crashes where a function that calls itself is not there yet when a caller of it is loaded
    (numba issue 6061); compiled for one signature when its module is imported, it always is.
    """

    def decorate(function: F) -> F:
        dispatcher: Any = borrowing(function)
        with register_dispatcher(dispatcher):  # it finds itself by its name, which is not bound yet
            dispatcher.compile(signature)
        dispatcher.disable_compile()
        return cast(F, dispatcher)

    return decorate


def _instruction(function: F) -> Any:
    return intrinsic(function)


@_instruction
def _popcount(typing_context: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@_instruction
def _lowest(typing_context: Any, word: Any) -> Any:
    """The number of the lowest set bit of a word, 64 if there is none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@_instruction
def _multiply(typing_context: Any, left: Any, right: Any) -> Any:
    """The upper and the lower word of a product."""
    pair: Any = types.Tuple((types.uint64, types.uint64))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, pair, (upper, builder.trunc(product, word)))

    return pair(types.uint64, types.uint64), generate


@_instruction
def _signed(typing_context: Any, word: Any) -> Any:
    """The same bits as a signed number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.int64(types.uint64), generate


popcount: Final[Callable[[np.uint64], int]] = _popcount
"""How many bits of a word are set."""

lowest: Final[Callable[[np.uint64], int]] = _lowest
"""The number of the lowest set bit of a word, 64 if there is none."""

multiply: Final[Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]]] = _multiply
"""The upper and the lower word of a product."""

signed: Final[Callable[[np.uint64], int]] = _signed
"""A word as a number to calculate with; numba makes a fraction of the sum of a word and a number."""


@compiled
def rotate(word: np.uint64, steps: int) -> np.uint64:
    """Each bit moved down by some steps, round the end of the word."""
    return (word >> np.uint64(steps)) | (word << np.uint64(64 - steps))


@compiled
def next_random(stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The next place of a stream of random words (wyrand, by Wang Yi) and the word there."""
    place = stream + np.uint64(0xA0761D6478BD642F)
    upper, lower = multiply(place, place ^ np.uint64(0xE7037ED1A0B428DB))
    return place, upper ^ lower


@borrowing
def below(number: int, stream: np.uint64) -> tuple[int, np.uint64]:
    """A random number from 0 to before `number`, and the stream."""
    stream, word = next_random(stream)
    return signed(multiply(word, np.uint64(number))[0]), stream


def inlined(function: F) -> F:
    """Like `borrowing` for a single expression: numba copies it into every caller before it compiles the caller.

    A call that the compiler inlines later costs a loop over it some per cent.
    """
    decorate: Any = njit  # its stubs do not know all of its options
    return cast(F, decorate(inline="always")(function))
