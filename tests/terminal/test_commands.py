"""The commands, through pipes."""

import json
import re
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import jsonschema
import pytest

import kemu
from kemu.analysis.puzzles.puzzle import shipped_puzzles
from kemu.cli import main
from kemu.core.game import Outcome
from kemu.core.record import Record
from kemu.engines.certificates import read_certificate, shipped
from kemu.studies.documents import encode_study
from kemu.studies.tree import Chapter, Study
from kemu.terminal.match import load
from kemu.terminal.puzzles import Notebook
from tests.terminal.conftest import Run


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"kemu {kemu.__version__}\n"


def test_help_names_every_command(run: Run) -> None:
    text = run("--help").stdout
    for command in (
        "games",
        "play",
        "replay",
        "review",
        "solve",
        "verify",
        "perft",
        "golden",
        "schema",
        "arena",
        "analyse",
        "train",
        "bench",
    ):
        assert f"\n  {command} " in text


def test_games_lists_each_with_its_options(run: Run) -> None:
    text = run("games").stdout
    assert all(key in text for key in kemu.game_keys())
    entries = json.loads(run("games", "--json").stdout)
    assert [entry["key"] for entry in entries] == list(kemu.game_keys())


def test_solve_prints_the_census(run: Run) -> None:
    done = run("solve", "mu-torere")
    assert "1180, in 86 classes" in done.stdout
    assert "wins 208, loses 128, draws 844" in done.stdout
    assert "draw for the first player" in done.stdout
    assert "and round again" in done.stdout


def test_solve_in_json_with_short_options(run: Run) -> None:
    census = json.loads(run("solve", "mu-torere", "-o", "flank=never", "--json").stdout)
    assert census["start"] == {"result": "win", "plies": 1}
    assert census["wins"] == 320
    assert census["line"] == ["2-0"]
    assert json.loads(run("solve", "mu-torere", "-o", "arms=6", "--json").stdout)["states"] == 268


def test_perft_counts_and_splits(run: Run) -> None:
    assert run("perft", "mu-torere", "4").stdout == "6\n"
    assert run("perft", "mu-torere", "4", "--split").stdout.splitlines() == ["1-0      3", "4-0      3", "6"]
    position = '{"points": "BBBBWWWW.", "turn": 1}'
    assert run("perft", "mu-torere", "1", "--position", position).stdout == "2\n"


def test_schema_is_the_schema(run: Run) -> None:
    schema = json.loads(run("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(Record("mu-torere", {}, ("1-0",)).encode(), schema)


def test_studies_have_a_schema_too(run: Run) -> None:
    schema = json.loads(run("schema", "study").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    study = Study("Opening", (Chapter("One", "mu-torere").add([], "1-0"),))
    jsonschema.validate(encode_study(study), schema)


def test_golden_finds_a_change_and_writes_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mu-torere" / "one.txt"
    file.parent.mkdir()
    file.write_text("about: one\ngame: mu-torere\noptions: {}\nactions: 1-0\n", encoding="utf-8")
    found = run("golden", str(tmp_path))
    assert found.returncode == 1
    assert "changed: " in found.stdout
    assert run("golden", str(tmp_path), "--write").returncode == 0
    assert run("golden", str(tmp_path)).stdout == "1 playthroughs, 0 changed\n"


def test_golden_names_the_file_it_cannot_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mu-torere" / "one.txt"
    file.parent.mkdir()
    for content in (b"hello\n", b"\xff\n"):
        file.write_bytes(content)
        found = run("golden", str(tmp_path), "--write")
        assert found.returncode == 2
        assert found.stderr.startswith(f"kemu: {file}: ")
        assert found.stderr.count("\n") == 1
        assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("kemu per", "perft"),
        ("kemu perft mu", "mu-torere"),
        ("kemu play mo", "moeraki-kemu"),
        ("kemu perft mu-torere --option f", "flank="),
        ("kemu perft nonsense --option f", ""),
    ],
)
def test_completion(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, offered: str) -> None:
    monkeypatch.setenv("_KEMU_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert run().stdout.strip().removeprefix("plain,") == offered


def test_a_reader_that_leaves_early_gets_no_traceback(home: Path) -> None:
    words = [sys.executable, "-m", "kemu", "schema"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_kemu_alone_serves_at_the_usual_port(run: Run) -> None:
    with ExitStack() as stack:
        with suppress(OSError):  # something else may listen there already
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        done = run()
    assert done.returncode == 2
    assert done.stderr.startswith("kemu: Kemu cannot listen at 127.0.0.1, port 8000: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["perft", "chess", "1"], f"kemu: There is no game 'chess'; the games are {', '.join(kemu.game_keys())}."),
        (["perft", "mu-torere", "1", "-o", "arms=7"], "kemu: arms is an even number from 4 to 16, not 7."),
        (["perft", "mu-torere", "1", "-o", "arms"], "kemu: An option is NAME=VALUE, not 'arms'."),
        (["perft", "mu-torere", "1", "--position", "{"], "kemu: Not JSON at line 1, column 2: "),
        (["perft", "mu-torere", "1", "--position", "[" * 50_000], "kemu: This JSON is nested too deeply."),
        (["perft", "mu-torere", "1", "-o", f"arms={'9' * 5000}"], "kemu: arms is an even number from 4 to 16, not "),
        (
            ["solve", "mu-torere", "-o", "flank=x"],
            "kemu: flank is 'always', 'opening' or, for study, 'never', not \"x\".",
        ),
        (["play", "mu-torere", "-s", "genius"], "kemu: mu-torere has no bot 'genius'; its bots are "),
        (
            ["play", "mu-torere", "-s", "human", "-s", "human", "-s", "human"],
            "kemu: mu-torere has 2 seats here, not 3.",
        ),
        (["play", "mu-torere", "--series", "Uira"], "kemu: A series of mu-torere is a number of games to win, not "),
        (
            ["play", "moeraki-kemu", "--series", "Tui"],
            "kemu: A series of moeraki-kemu is Uira, Kiwi, Moa, Ika Moana or ",
        ),
        (
            ["play", "mu-torere", "--series", "9999999"],
            "kemu: The length of a series is a whole number from 1 to 100, ",
        ),
        (
            ["play", "mu-torere", "--series", "3", "--save", "x"],
            "kemu: A series keeps each game in a file of its own; ",
        ),
        (["arena", "mu-torere", "1", "2", "--sprt", "9", "9"], "kemu: A sequential test needs two advantages in Elo, "),
        (["train", "mu-torere", "--folder", "x"], "kemu: Nothing is learned for mu-torere; games with a learner are "),
        (["train", "chess", "--folder", "x"], "kemu: There is no game 'chess'"),
        (["import", "nowhere.jsonl"], "kemu: nowhere.jsonl: No such file or directory."),
        (["export", "matches.jsonl", "--database", "nowhere"], "kemu: A database is sqlite:///path or postgresql://"),
        (["golden", "nowhere"], "kemu: There is no playthrough in nowhere."),
        (["replay", "nowhere.json"], "kemu: nowhere.json: No such file or directory."),
    ],
)
def test_bad_words_get_one_sentence_and_code_2(run: Run, words: list[str], sentence: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


GOOD = {"kemu": 1, "game": "mu-torere", "options": {}, "actions": ["1-0", "8-1"]}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (json.dumps(GOOD)[:40], "Not JSON at line 1, column"),
        ("x" * 100_000_000, "A record has at most"),
        (json.dumps(GOOD | {"actions": 5}), "'actions' must be a list, not 5."),
        (json.dumps(GOOD | {"actions": ["1-0", "3-0", "8-1"]}), 'Action 2, "3-0": White has no man on 3.'),
        (json.dumps(GOOD | {"game": "chess"}), "There is no game 'chess'"),
        (json.dumps(GOOD | {"options": {"arms": "many"}}), "arms is an even number"),
        (json.dumps(GOOD | {"result": {"winners": [7], "reason": "x"}}), "mu-torere has 2 seats here"),
        (json.dumps(GOOD | {"players": ["Ann", "Ben", "Cy"]}), "mu-torere has 2 seats here"),
        (json.dumps(GOOD | {"actions": ["\x1b[31m" * 99]}), 'Action 1, "\\u001b[31m'),
        (json.dumps(GOOD | {"actions": ["\ud800"]}), "This JSON holds half of a character."),
    ],
    ids=[
        *("truncated", "100 MB", "types", "illegal", "unknown game", "bad option", "winners", "players"),
        *("hostile text", "half of a character"),
    ],
)
def test_a_broken_record_gets_one_sentence_with_its_place(run: Run, tmp_path: Path, text: str, place: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text, encoding="utf-8")
    for words in (["replay", str(file)], ["play", "--load", str(file)]):
        done = run(*words)
        assert done.returncode == 2
        assert done.stderr.startswith(f"kemu: {file}: {place}")
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr
    assert file.read_text(encoding="utf-8") == text


def test_replay_shows_the_actions_and_the_board(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    lines = run("replay", str(file)).stdout.splitlines()
    assert "1. Black: 1-0" in lines
    assert lines[-1] == "Empty is 8."
    assert run("replay", str(file), "--at", "1").stdout.splitlines()[-1] == "Empty is 1."
    steps = [json.loads(line) for line in run("replay", str(file), "--json").stdout.splitlines()]
    assert [step["action"] for step in steps] == [None, "1-0", "8-1"]
    assert steps[-1]["position"]["points"] == "WBBBWWW.B"
    assert [step["turn"] for step in steps] == [0, 1, 0]
    assert json.loads(run("replay", str(file), "--json", "--at", "0").stdout)["at"] == 0
    assert "--at is from 0 to 2 in this record, not 3." in run("replay", str(file), "--at", "3").stderr


def test_replay_ends_with_the_result_of_the_players(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "resigned.json"
    file.write_text(json.dumps(GOOD | {"result": {"winners": [1], "reason": "resignation"}}), encoding="utf-8")
    assert json.loads(run("replay", str(file), "--json", "--at", "2").stdout)["outcome"]["reason"] == "resignation"
    assert run("replay", str(file)).stdout.splitlines()[-1] == "White wins: resignation."


@pytest.mark.no_cover  # every certificate is verified twice
def test_solve_tells_what_is_proved_of_a_game_that_is_not_solved(run: Run) -> None:
    text = run("solve", "moeraki-kemu").stdout
    for ball in ("f6", "h6", "g7"):
        assert f"variant beginner, ball {ball}, turn other, claim hold" in text
        assert f"variant basic, ball {ball}, turn other, claim margin" in text
    entries = [json.loads(line) for line in run("solve", "moeraki-kemu", "--json").stdout.splitlines()]
    assert {entry["claim"]["variant"] for entry in entries} == {"beginner", "basic"}
    assert run("solve", "mauw").returncode == 2


def test_verify_accepts_what_is_shipped_and_refuses_what_is_cut_off(run: Run, tmp_path: Path) -> None:
    whole = shipped("moeraki-kemu")[0]
    cut = tmp_path / "cut.txt"
    cut.write_text(read_certificate(whole).replace("end\n", ""), encoding="ascii")
    done = run("verify", str(whole), str(cut))
    assert done.returncode == 1
    assert "accepted" in done.stdout.splitlines()[0]
    assert "refused" in done.stdout.splitlines()[1]


def test_a_goal_is_worked_on_until_it_is_proved(run: Run, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'leaves.db'}"
    words = ("solve", "mu-torere", "--goal", "6 always", "--database", database, "--folder", str(tmp_path))
    done = run(*words)
    assert "proved 1, not proved 0, open 0" in done.stderr
    assert "arms 6, flank always" in done.stdout
    assert run("verify", str(tmp_path / "mu-torere-6-always.txt")).returncode == 0
    assert run(*words).stderr == ""
    assert "not 'six'" in run("solve", "mu-torere", "--goal", "six", "--database", database).stderr


def test_review_prints_a_table_and_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    actions = ("4-0", "5-4", "0-5", "4-0", "3-4", "0-3", "1-0", "8-1", "0-8", "1-0", "8-1", "7-8")
    file.write_text(Record("mu-torere", {}, actions, ("Hine", "Tama")).to_text())
    text = run("review", str(file)).stdout
    assert text.startswith("Black (Hine)  ▅▅▅▅███▅▅▅▅▁▁\n")
    assert re.search(r"7\* Black \(Hine\) +1-0 +100 % +50 +hard +2-0 +had a proved win and gave it away \(in 2\)", text)
    found = json.loads(run("review", str(file), "--json", "--nodes", "5").stdout)
    assert found["complete"]
    assert [each["ply"] for each in found["actions"] if each["grade"] == "blunder"] == [10]
    assert [each["ply"] for each in found["actions"] if each["hard"]] == [3, 6]
    assert "kemu: nowhere.json: No such file" in run("review", "nowhere.json").stderr


def test_a_picture_of_a_record_shows_any_step_and_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "game.json", tmp_path / "star.svg"
    file.write_text(Record("mu-torere", {}, ("1-0", "8-1")).to_text())
    assert run("picture", str(file), "--at", "1", "--out", str(out)).stdout == ""
    assert out.read_text(encoding="utf-8") == run("picture", "mu-torere", "--actions", "1-0").stdout
    assert run("picture", str(file)).stdout == run("picture", "mu-torere", "--actions", "1-0 8-1").stdout
    assert "--at is from 0 to 2 in this record, not 3." in run("picture", str(file), "--at", "3").stderr
    assert "--at is for a record" in run("picture", "mu-torere", "--at", "1").stderr
    assert "A record has its own options" in run("picture", str(file), "--actions", "1-0").stderr
    assert "No such file or directory." in run("picture", str(file), "--out", str(tmp_path / "no" / "star.svg")).stderr


def test_a_puzzle_is_solved_in_the_terminal_and_the_notebook_is_kept(run: Run, home: Path) -> None:
    puzzle = next(each for each in shipped_puzzles("mu-torere").values() if len(each.found.steps) > 1)
    typed = "".join(f"{step.action}\n" for step in puzzle.found.steps)
    done = run("puzzle", "mu-torere", puzzle.id, typed=typed)
    assert done.returncode == 0
    assert f"Puzzle {puzzle.id}" in done.stdout
    assert "Solved!" in done.stdout
    notebook = Notebook.from_text((home / "puzzles.json").read_text(encoding="utf-8"))
    assert notebook.training("mu-torere").standing.solved == 1
    wrong = run("puzzle", "mu-torere", puzzle.id, typed=f"{next(iter(puzzle.found.steps[0].refutations))}\n")
    assert f"The solution: {' '.join(puzzle.line)}" in wrong.stdout


def test_shipped_puzzles_are_checked_by_a_command(run: Run) -> None:
    done = run("puzzles", "check", "mu-torere", "--count", "3")
    assert done.stdout == "3 of 3 puzzles are sound\n"


def test_a_record_of_a_stranger_does_not_steer_the_terminal(tmp_path: Path) -> None:
    players = ("\x1b[2J\x1b]0;mine\x07Hine", "Tama\u202e")
    record = Record("mu-torere", {}, ("1-0",), players, Outcome((0,), "resignation\r\nBlack wins"))
    (tmp_path / "game.json").write_text(record.to_text(), encoding="utf-8")
    loaded, _ = load(tmp_path / "game.json")
    assert loaded.players == ("\ufffd[2J\ufffd]0;mine\ufffdHine", "Tama\ufffd")
    assert loaded.result == Outcome((0,), "resignation\ufffd\ufffdBlack wins")
    assert loaded.actions == record.actions


def test_an_error_does_not_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"kemu": 1, "game": "\x1b]0;mine\x07", "options": {}, "actions": []}
    (tmp_path / "game.json").write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["kemu", "replay", str(tmp_path / "game.json")])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err
    assert said.count("\ufffd") == 2
    assert said.strip().isprintable()


def test_an_operator_looks_after_accounts_on_the_database(run: Run, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'kemu.sqlite'}"
    assert run("admin", "find", "h", "--database", database).stdout == ""
    assert run("admin", "reports", "--database", database).stdout == ""
    assert run("admin", "pairs", "--database", database).stdout == ""
    assert "0 guests" in run("prune", "--database", database).stdout
    for command in ("show", "ban", "unban", "reset-password", "settle"):
        assert 'No account has the name "Hine"' in run("admin", command, "Hine", "--database", database).stderr
