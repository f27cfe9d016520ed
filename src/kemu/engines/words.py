"""Words of 64 bits in compiled code: instructions, single bits, random words, and rows of bytes; imports numba."""

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled, inlined, instruction, ir, no_refcount, types

ONE = np.uint64(1)
ZERO = np.uint64(0)


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
    """Return the position of the set bit with a given rank in a word."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):  # without a branch, which a random number would mispredict
        below = popcount(word & (bit(width) - ONE))
        beyond = number >= below
        number -= below if beyond else 0
        word >>= np.uint64(width if beyond else 0)
        place += width if beyond else 0
    return place
