"""Rows of bytes made of words and read as words, against plain Python."""

import random

import numpy as np
import pytest

from kemu.engines.compiled import compiled
from kemu.engines.words import NO_BIT, bit_writer, row_bits, set_bit

SOURCE = random.Random(1)


@compiled
def read(row: np.ndarray[tuple[int], np.dtype[np.bool_]], start: int) -> np.uint64:
    return row_bits(row, start)


@compiled
def select(word: np.uint64, number: int) -> int:
    return set_bit(word, number)


@pytest.mark.parametrize("size", [1, 31, 57, 64, 121, 209])
def test_a_row_says_in_how_many_words_each_bit_is_set_and_nothing_beside_it_changes(size: int) -> None:
    order = [SOURCE.randrange(NO_BIT + 1) for _ in range(size)]
    write = bit_writer(order)

    @compiled
    def write_row(row: np.ndarray[tuple[int], np.dtype[np.uint8]], first: np.uint64, second: np.uint64) -> None:
        write(row, 3, first, second)

    for _ in range(20):
        first, second = SOURCE.getrandbits(64), SOURCE.getrandbits(64)
        row = np.full(size + 6, 7, np.uint8)
        write_row(row, np.uint64(first), np.uint64(second))
        bits = [0 if number == NO_BIT else (first >> number & 1) + (second >> number & 1) for number in order]
        assert row.tolist() == [7, 7, 7, *bits, 7, 7, 7]


@pytest.mark.parametrize("size", [1, 7, 8, 32, 63, 64, 65, 67, 276])
def test_flags_are_read_as_words_up_to_the_end_of_their_row(size: int) -> None:
    flags = np.array([SOURCE.random() < 0.5 for _ in range(size)])
    for start in range(0, size, 64):
        wanted = sum(1 << number for number, flag in enumerate(flags[start : start + 64]) if flag)
        assert int(read(flags, start)) == wanted


def test_each_set_bit_is_found_by_its_number() -> None:
    for _ in range(50):
        word = SOURCE.getrandbits(64) & SOURCE.getrandbits(64)
        numbers = [number for number in range(64) if word >> number & 1]
        assert [select(np.uint64(word), number) for number in range(len(numbers))] == numbers
