"""The counts of every table; a failure prints the split by first action."""

from pathlib import Path

import pytest

import kemu
from kemu.core.perft import perft, split
from tests.perft.tables import CountedPosition, read_table

pytestmark = pytest.mark.no_cover  # the rules are measured where each sentence of them is tested

TABLES = sorted(Path(__file__).parent.glob("*.perft"))
ENTRIES = [(table.stem, entry) for table in TABLES for entry in read_table(table.read_text(encoding="utf-8"))]


def test_every_game_has_a_table() -> None:
    assert {table.stem for table in TABLES} == set(kemu.game_keys())


@pytest.mark.parametrize(("key", "entry"), ENTRIES, ids=[f"{key}-{entry.name}" for key, entry in ENTRIES])
def test_counts(key: str, entry: CountedPosition) -> None:
    game = kemu.game(key, **entry.options)
    state = entry.state(game)
    assert entry.counts, "an entry without counts guards nothing"
    for depth, count in entry.counts:
        found = perft(game, state, depth)
        if found != count:
            parts = "\n".join(f"{text:8} {part}" for text, part in split(game, state, depth).items())
            pytest.fail(f"{entry.name}, depth {depth}: {found}, not {count}; guards {entry.guards}\n{parts}")
