"""Functions compiled by numba, with the types that mypy knows; importing this imports numba.

All that Kemu uses of numba beyond its documented interface is listed in `INTERNALS` and reached by `internal`.
"""

import importlib
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Any, Final, TypeVar, cast, get_type_hints

import numba
import numpy as np
from numba import njit
from numba.extending import intrinsic
from numpy.typing import NDArray

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.code_cache import cache_folder, cache_roots, source_hash

F = TypeVar("F", bound=Callable[..., Any])

ONE = np.uint64(1)
ZERO = np.uint64(0)

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
"""What is used of numba and llvmlite that may change without notice, and what for."""


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


def _from_word(write_code: Callable[[Any, Any], Any]) -> Callable[[np.uint64], int]:
    """Return an instruction that makes a number of a word, by what writes its code from a builder and the word."""

    @instruction
    def from_word(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return write_code(builder, arguments[0])

        return types.int64(types.uint64), generate

    return cast(Callable[[np.uint64], int], from_word)


popcount: Final = _from_word(lambda builder, word: builder.ctpop(word))
"""Counts the bits of a word that are set."""

lowest: Final = _from_word(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))
"""Finds the number of the lowest set bit of a word, 64 if there is none."""

signed: Final = _from_word(lambda builder, word: word)
"""Makes a number to calculate with of a word; numba makes a fraction of the sum of a word and a number."""


@instruction
def _multiply(typing_context: Any, left: Any, right: Any) -> Any:
    pair: Any = types.Tuple((types.uint64, types.uint64))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, pair, (upper, builder.trunc(product, word)))

    return pair(types.uint64, types.uint64), generate


multiply: Final[Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]]] = _multiply
"""Finds the upper and the lower word of a product."""


@inlined
def bit(number: int | np.uint64) -> np.uint64:
    """The word in which only the bit of this number is set."""
    return ONE << np.uint64(number)


@inlined
def has_bit(word: np.uint64, number: int | np.uint64) -> bool:
    """Whether the bit of this number is set in a word."""
    return (word >> np.uint64(number)) & ONE != ZERO


@inlined
def lowest_bit(word: np.uint64) -> np.uint64:
    """The word in which only the lowest set bit of a word is set; 0 for 0."""
    return word & (~word + ONE)


@inlined
def drop_lowest(word: np.uint64) -> np.uint64:
    """A word without its lowest set bit; 0 stays 0."""
    return word & (word - ONE)


@inlined
def has_several(word: np.uint64) -> bool:
    """Whether more than one bit of a word is set."""
    return drop_lowest(word) != ZERO


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


@no_refcount
def below(number: int, stream: np.uint64) -> tuple[int, np.uint64]:
    """A random number from 0 to before `number`, and the stream."""
    stream, word = next_random(stream)
    return signed(multiply(word, np.uint64(number))[0]), stream


# The bits of a word as a row of bytes, and back, by vector instructions

Row = NDArray[np.uint8] | NDArray[np.bool_]
BitWriter = Callable[[Row, int, np.uint64, np.uint64], None]

NO_BIT: Final = 64
"""The number, in the order of a row, of a byte that is always 0."""

WORD_BITS: Final = 64


def bit_writer(order: Sequence[int]) -> BitWriter:
    """A function for compiled code that writes two words into a row, from a place on.

    `order` has the number of a bit for each byte, or NO_BIT; the byte says in how many of the words this bit is set.
    """

    # Vectors of one size, the last of which may overlap: of any other size they would be written in small pieces.
    size = min(WORD_BITS, 1 << (len(order).bit_length() - 1))
    places = [*range(0, len(order) - size, size), len(order) - size]

    @instruction
    def write_bits(typing_context: Any, row: Any, start: Any, first: Any, second: Any) -> Any:
        bits, unordered = ir.VectorType(ir.IntType(1), WORD_BITS), ir.VectorType(ir.IntType(8), WORD_BITS)
        numbers = ir.VectorType(ir.IntType(32), size)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, start, *words = arguments
            data = context.make_array(signature.args[0])(context, builder, array).data
            one, other = (builder.zext(builder.bitcast(word, bits), unordered) for word in words)
            both, zeros = builder.add(one, other), ir.Constant(unordered, [0] * WORD_BITS)
            for place in places:
                ordered = builder.shuffle_vector(both, zeros, ir.Constant(numbers, list(order[place : place + size])))
                target = builder.gep(data, [builder.add(start, ir.Constant(start.type, place))])
                builder.store(ordered, builder.bitcast(target, ordered.type.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(row, types.int64, types.uint64, types.uint64), generate

    writer: BitWriter = write_bits
    return writer


@instruction
def _read_bits(typing_context: Any, row: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        vector = ir.VectorType(ir.IntType(8), WORD_BITS)
        source = builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer())
        read = builder.load(source, align=1)
        flags = builder.icmp_unsigned("!=", read, ir.Constant(vector, [0] * WORD_BITS))
        return builder.bitcast(flags, ir.IntType(WORD_BITS))

    return types.uint64(row, types.int64), generate


read_bits: Final[Callable[[Row, int], np.uint64]] = _read_bits
"""The 64 bytes of a row from a place on as bits, set where a byte is not 0."""


@inlined
def row_bits(row: Row, start: int) -> np.uint64:
    """The next 64 bytes of a row as bits, or as many as there are; `start` is a multiple of 64."""
    size = row.shape[0]
    if start + WORD_BITS <= size:
        return read_bits(row, start)
    if size >= WORD_BITS:
        return read_bits(row, size - WORD_BITS) >> np.uint64(start + WORD_BITS - size)
    word = ZERO
    for number in range(size):
        if row[number]:
            word |= bit(number)
    return word


@inlined
def set_bit(word: np.uint64, number: int) -> int:
    """Which bit of a word is set after so many others that are."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):  # without a branch, which a random number would mispredict
        below = popcount(word & (bit(width) - ONE))
        beyond = number >= below
        number -= below if beyond else 0
        word >>= np.uint64(width if beyond else 0)
        place += width if beyond else 0
    return place
