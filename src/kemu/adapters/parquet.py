"""Games as a Parquet file with a card that describes it (extra `dataset`): written as they are played, read lazily.

A row is a game, of which the actions are the whole: everything else, such as positions and observations, follows from
them by the rules, and `read_decisions` makes it while it reads.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import kemu
from kemu.bots.arena import Played, Setting, dataset_jobs
from kemu.core.encoding import action_ids
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import CHANCE, Seat
from kemu.core.parts import imports_of_parts
from kemu.core.record import Record, replay
from kemu.engines.code_cache import source_hash
from kemu.games import encoding, manifest
from kemu.games import game as make_game

with imports_of_parts():
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray

    from kemu.adapters.logged_state import observe

_TEXTS: Final = pa.list_(pa.field("element", pa.string()))  # "element" is the name that Parquet itself gives
FIELDS: Final = {
    "number": (pa.int64(), "the number of the game in its set"),
    "game": (pa.string(), "the key of the game"),
    "options": (pa.string(), "the options of the game as JSON"),
    "players": (_TEXTS, "the bot of each seat"),
    "actions": (_TEXTS, "every action in order, chance included, in the notation of the game"),
    "shares": (pa.list_(pa.field("element", pa.float64())), "the part of the victory that each seat got"),
    "reason": (pa.string(), "why the game ended"),
    "values": (
        pa.list_(pa.field("element", pa.float64())),
        "for each action the value that a search gave it, from -1 to 1 for its seat; null without a search",
    ),
    "nodes": (
        pa.list_(pa.field("element", pa.int64())),
        "for each action the positions or playouts of its search; null without one",
    ),
}
SCHEMA: Final = pa.schema(
    [pa.field(name, kind, nullable=False, metadata={"description": text}) for name, (kind, text) in FIELDS.items()]
)
ROW_GROUP: Final = 256
"""How many games are written, and read, at a time."""


class StoredGame(NamedTuple):
    """One game of a data set."""

    record: Record
    shares: tuple[float, ...]
    reason: str


class ObservedDecision(NamedTuple):
    """One choice of a seat: what it saw, what it did, and what the game brought it in the end."""

    seat: Seat
    observation: NDArray[np.uint8]
    action: int
    share: float


def write_games(file: Path, setting: Setting, games: Iterable[Played]) -> int:
    """Write games as they come, and then the card; returns how many there were. Raises OptionError for an old file."""
    for path in (file, file.with_suffix(".md")):
        if path.exists():
            raise OptionError(f"{path} exists already; name another file.")
    reasons: Counter[str] = Counter()
    metadata = {"kemu.setting": json.dumps(asdict(setting)), **made_by()}
    options = {job.number: json.dumps(job.options) for job in dataset_jobs(setting)}
    source = iter(games)
    with pq.ParquetWriter(file, SCHEMA.with_metadata(metadata), compression="zstd") as writer:
        while part := list(islice(source, ROW_GROUP)):
            reasons.update(played.reason for played in part)
            own = {"game": setting.game}
            rows = [
                vars(each) | own | {"options": options[each.number], "players": each.seats} | _searched(each)
                for each in part
            ]
            writer.write_table(pa.Table.from_pylist(rows, SCHEMA))  # only the fields of the schema
    file.with_suffix(".md").write_text(card(file.name, setting, reasons), encoding="utf-8")
    return reasons.total()


def made_by() -> dict[str, str]:
    """Return the version of Kemu and a hash of the sources of its engines, by which a data set can be made again."""
    return {"kemu.version": kemu.__version__, "kemu.engines": source_hash()}


def read_games(file: Path) -> Iterator[StoredGame]:
    """Return the games of a file one after the other, of which only some are in memory; raises ParseError."""
    try:
        with pq.ParquetFile(file) as opened:
            if not opened.schema_arrow.equals(SCHEMA):  # metadata aside
                raise ParseError(f"{file} has other columns than a data set of Kemu.")
            for rows in opened.iter_batches(ROW_GROUP):
                yield from map(_game, rows.to_pylist())
    except pa.ArrowInvalid:
        raise ParseError(f"{file} is not a Parquet file.") from None


def read_decisions(file: Path) -> Iterator[ObservedDecision]:
    """Return every choice of every game, with its observation, made by the rules while it is read; raises KemuError."""
    for stored in read_games(file):
        rules = make_game(stored.record.game, **stored.record.options)
        numbers = encoding(rules)
        states = replay(rules, stored.record.actions)
        for state, text in zip(states, stored.record.actions, strict=False):
            seat = rules.turn(state)
            if seat is not None and seat != CHANCE:
                observation = observe(numbers, rules.view(state, seat), seat)
                action = action_ids(numbers, seat)[rules.parse(text)]
                yield ObservedDecision(seat, observation, action, stored.shares[seat])


def card(name: str, setting: Setting, reasons: Counter[str]) -> str:
    """Return the description of a data set in Markdown."""
    title = manifest(setting.game).title
    columns = "\n".join(f"| `{field}` | {kind} | {text} |" for field, (kind, text) in FIELDS.items())
    ends = "\n".join(f"| {reason} | {count} |" for reason, count in sorted(reasons.items()))
    return f"""# {name}

{reasons.total()} games of {title} between the bots {", ".join(setting.entrants)}, played by Kemu.

- Made by Kemu {kemu.__version__}, engines {source_hash()[:12]}.
- Options: `{json.dumps(setting.options)}`
- Random actions at the start of each game: {setting.opening}; seed: {setting.seed}
- Read it with `kemu.adapters.parquet.read_games`, or with any reader of Parquet.
- The games are made by programs: no person's data is in it.
- Bots with a budget in milliseconds do not play the same twice; all others do, by the seed.

| column | type | meaning |
|---|---|---|
{columns}

| end | games |
|---|---|
{ends}
"""


def _searched(played: Played) -> dict[str, list[float | int | None]]:
    """Return the columns of what searches found; games of older files of results have none."""
    blank = [None] * len(played.actions)
    return {"values": list(played.values or blank), "nodes": list(played.nodes or blank)}


def _game(row: dict[str, Any]) -> StoredGame:
    record = Record(row["game"], json.loads(row["options"]), tuple(row["actions"]), tuple(row["players"]))
    return StoredGame(record, tuple(row["shares"]), row["reason"])
