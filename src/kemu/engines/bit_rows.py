"""The bits of a word as a row of bytes, and back, by vector instructions; importing this imports numba."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ONE, ZERO, bit, inlined, instruction, ir, popcount, types

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
