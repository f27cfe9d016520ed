"""Data sets: what is written is read back, replays by the rules, and is read a part at a time."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import kemu
from kemu.adapters import parquet
from kemu.bots import arena
from kemu.cli.app import app
from kemu.core.encoding import action_ids
from kemu.core.errors import OptionError, ParseError
from kemu.games import encoding


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["dataset", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_self_play_is_written_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    printed = run("moeraki-kemu", str(file), "random", "-o", "variant=beginner", "--openings", "6", "--seed", "3")
    assert printed == f"6 games in {file}, described in {tmp_path / 'games.md'}\n"
    stored = list(parquet.read_games(file))
    assert [each.record.options["starter"] for each in stored] == [0, 1] * 3
    for record, shares, reason in stored:
        game = kemu.game(record.game, **record.options)
        *_, last = kemu.replay(game, record.actions)
        outcome = game.outcome(last)
        assert outcome
        assert (outcome.reason, outcome.shares(2)) == (reason, shares)
        assert record.players == ("random", "random")
    assert len({each.record.actions for each in stored}) == 6


def test_arena_games_and_files_of_results_give_the_same_set(tmp_path: Path) -> None:
    played, kept, results = tmp_path / "played.parquet", tmp_path / "kept.parquet", tmp_path / "results.jsonl"
    run("mu-torere", str(played), "random", "1", "--openings", "2")
    setting = arena.Setting("mu-torere", {"flank": "always", "arms": 8, "repetition": True}, ("random", "1"), 2)
    assert len(list(arena.results(setting, results))) == 4
    run("mu-torere", str(kept), "--results", str(results))
    assert pq.read_table(played).equals(pq.read_table(kept))
    assert json.loads(pq.read_schema(kept).metadata[b"kemu.setting"])["entrants"] == ["random", "1"]


def test_decisions_are_what_each_seat_saw_and_did(tmp_path: Path) -> None:
    file = tmp_path / "mauw.parquet"
    run("mauw", str(file), "random", "-o", "players=3", "--openings", "1")
    (stored,) = parquet.read_games(file)
    game = kemu.game("mauw", players=3)
    numbers = encoding(game)
    decisions = iter(parquet.read_decisions(file))
    for state, text in zip(kemu.replay(game, stored.record.actions), stored.record.actions, strict=False):
        seat = game.turn(state)
        if seat is None or seat < 0:
            continue
        decision = next(decisions)
        assert decision.seat == seat
        assert decision.observation.tobytes() == numbers.observation(game.view(state, seat), seat)
        assert decision.action == action_ids(numbers, seat)[game.parse(text)]
        assert decision.share == stored.shares[seat]
    assert next(decisions, None) is None


def test_a_file_is_read_a_part_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 2)
    file = tmp_path / "games.parquet"
    run("mu-torere", str(file), "random", "--openings", "7")
    assert pq.ParquetFile(file).num_row_groups == 4
    made: list[int] = []
    honest = parquet._game

    def counting(row: dict[str, Any]) -> parquet.StoredGame:
        made.append(row["number"])
        return honest(row)

    monkeypatch.setattr(parquet, "_game", counting)
    games = parquet.read_games(file)
    next(games)
    assert made == [0]
    assert len(list(games)) == 6


def test_the_schema_and_the_card_describe_every_column(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    run("mu-torere", str(file), "random", "--openings", "1")
    card = (tmp_path / "games.md").read_text(encoding="utf-8")
    assert "1 games of Mū tōrere between the bots random" in card
    for field in pq.read_schema(file):
        assert f"| `{field.name}` | {field.type} |" in card


def test_wrong_files_and_arguments_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), other)
    with pytest.raises(ParseError, match="other columns"):
        next(parquet.read_games(other))
    other.write_text("no Parquet")
    with pytest.raises(ParseError, match="not a Parquet file"):
        next(parquet.read_games(other))
    with pytest.raises(OptionError, match="Name the bots"):
        run("mauw", str(other))
    with pytest.raises(ParseError, match="not a file of results"):
        run("mauw", str(other), "--results", str(other))
    results = tmp_path / "results.jsonl"
    setting = arena.Setting("mu-torere", {}, ("random", "1"), 1)
    next(arena.results(setting, results))
    with pytest.raises(OptionError, match="holds games of mu-torere, not of mauw"):
        run("mauw", str(other), "--results", str(results))


def test_an_old_file_is_kept_and_a_new_one_says_what_made_it(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    words = ["dataset", "mu-torere", str(file), "5", "--openings", "2"]
    assert CliRunner().invoke(app, words).exit_code == 0
    before = file.read_bytes()
    refused = CliRunner().invoke(app, words)
    assert "exists already; name another file" in str(refused.exception)
    assert file.read_bytes() == before
    table = pq.read_table(file)
    assert table.schema.metadata[b"kemu.version"].decode() == kemu.__version__
    assert len(table.schema.metadata[b"kemu.engines"]) == 32
    for row in table.to_pylist():
        assert len(row["values"]) == len(row["nodes"]) == len(row["actions"])
        assert any(value is not None for value in row["values"])
    assert f"Made by Kemu {kemu.__version__}" in file.with_suffix(".md").read_text(encoding="utf-8")
