"""`kemu arena` and `kemu analyse`, run as a person or a program would."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.terminal.conftest import Run

if sys.platform != "win32":
    import pexpect


def test_an_arena_rates_its_entrants(run: Run, tmp_path: Path) -> None:
    plot = tmp_path / "elo.svg"
    words = ["arena", "mu-torere", "perfect", "random", "--openings", "8", "--workers", "1"]
    done = run(*words, "--plot", str(plot))
    assert done.returncode == 0, done.stderr
    table = done.stdout.splitlines()
    assert table[1].startswith("perfect")
    assert "perfect against random              16 " in done.stdout
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    report = json.loads(run(*words, "--json").stdout)
    assert report["setting"]["entrants"] == ["perfect", "random"]
    assert report["elo"]["perfect"]["low"] <= report["elo"]["perfect"]["elo"] <= report["elo"]["perfect"]["high"]
    (pair,) = report["pairs"]
    assert pair["games"] == 16
    assert sum(pair["reasons"].values()) == 16
    assert pair["share"] > 0.5


def test_a_sequential_test_stops_early(run: Run) -> None:
    words = ["arena", "moeraki-kemu", "reflex", "random", "--openings", "100", "--workers", "1", "--json"]
    report = json.loads(run(*words, "--sprt", "0", "100").stdout)
    assert report["test"]["decided"] == "stronger"
    assert report["pairs"][0]["games"] < 200


def test_the_table_of_a_sequential_test_ends_with_its_verdict(run: Run) -> None:
    words = ["arena", "mu-torere", "perfect", "random", "--openings", "4", "--workers", "1", "--sprt", "0", "1"]
    assert run(*words).stdout.splitlines()[-1].startswith("test: open, ratio ")


@pytest.mark.parametrize(("choice", "pairs"), [([], 3), (["--neighbours"], 2)])
def test_all_pairs_meet_or_only_neighbours(run: Run, choice: list[str], pairs: int) -> None:
    words = ["arena", "mu-torere", "perfect", "1", "random", "--openings", "2", "--workers", "1", "--json", *choice]
    report = json.loads(run(*words).stdout)
    assert [pair["games"] for pair in report["pairs"]] == [4] * pairs
    assert set(report["elo"]) == {"perfect", "1", "random"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_an_arena_shows_its_progress_on_a_terminal(home: Path) -> None:
    words = ["-m", "kemu", "arena", "mu-torere", "perfect", "random", "--openings", "2", "--workers", "1"]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", dimensions=(24, 80), timeout=300, use_poll=True)
    child.expect("playing")
    child.expect("perfect against random")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_an_arena_says_what_is_wrong_with_an_entrant(run: Run) -> None:
    done = run("arena", "mu-torere", "genius", "random")
    assert done.returncode == 2
    assert done.stderr.startswith("kemu: mu-torere has no bot 'genius'; its bots are random, 1, 2,")


def test_analyse_answers_each_line_and_survives_nonsense(run: Run) -> None:
    typed = '{"id": 1, "game": "mu-torere"}\n\nnonsense\n{"id": "b", "game": "mu-torere", "level": 8}\n'
    done = run("analyse", typed=typed)
    assert done.returncode == 0, done.stderr
    first, bad, last = map(json.loads, done.stdout.splitlines())
    assert first["id"] == 1
    assert first["lines"][0]["proven"] == "draw"
    assert (bad["id"], bad["error"]["code"]) == (None, "parse-error")
    assert (last["id"], last["lines"]) == ("b", [])


def test_bench_runs_what_is_asked_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("", encoding="utf-8")
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(
            f"if __name__ == '__main__':\n    print('{name} works')\n", encoding="utf-8"
        )
    assert run("bench", "--folder", str(tmp_path)).stdout == "== one\none works\n== two\ntwo works\n"
    assert run("bench", "two", "--folder", str(tmp_path)).stdout == "== two\ntwo works\n"
    missing = run("bench", "three", "--folder", str(tmp_path))
    assert missing.returncode == 2
    assert missing.stderr == "kemu: There is no benchmark 'three'; the benchmarks are one, two.\n"
    assert "There are no benchmarks in" in run("bench", "--folder", str(tmp_path / "nowhere")).stderr
    (tmp_path / "one.py").write_text("if __name__ == '__main__':\n    raise SystemExit(3)\n", encoding="utf-8")
    assert "The benchmark 'one' failed" in run("bench", "one", "--folder", str(tmp_path)).stderr


def test_tables_for_papers(run: Run, tmp_path: Path) -> None:
    words = ("arena", "mu-torere", "1", "8", "--openings", "2", "--workers", "1", "--table")
    for name, line in (
        ("table.md", "| 1 | 8 | 4 | 0.0 % | 0.0 % | 65.8 % |"),
        ("table.tex", r"1 & 8 & 4 & 0.0 \% & 0.0 \% & 65.8 \% \\"),
        ("table.csv", "1,8,4,0.0,0.0,0.65"),
    ):
        assert run(*words, str(tmp_path / name)).returncode == 0
        assert line in (tmp_path / name).read_text(encoding="utf-8")
    assert "A table is a file that ends with .md, .tex, .csv" in run(*words, "table.doc").stderr
