"""Tables of Mū tōrere: what the solver finds is accepted, and no value can be changed."""

from pathlib import Path

import pytest

from kemu.core.errors import OptionError
from kemu.engines.certificates import shipped
from kemu.engines.mu_torere.certificate import goal_leaves, prove_leaf, write_table
from kemu.engines.mu_torere.solver import solve
from kemu.engines.mu_torere.verify import read_table
from kemu.games.mu_torere.rules import MuTorere
from tests.certificates.damage import changed
from tests.certificates.verifiers import accepts_in_c, accepts_in_python, run_as_script

SHIPPED = shipped("mu-torere")


@pytest.mark.parametrize("flank", ["always", "opening"])
@pytest.mark.parametrize("arms", [4, 6, 8, 10])
def test_both_accept_what_the_solver_finds(arms: int, flank: str, program: Path) -> None:
    text = write_table(arms, flank)
    assert accepts_in_python(text)
    assert accepts_in_c(text, program)


def test_the_table_has_the_published_number_of_states() -> None:
    found = read_table(write_table(8, "always").splitlines())
    assert len(found) == 86
    assert found["BBBBWWWW.", 0, 0] == ("D", 0)


def test_no_value_can_be_changed(program: Path) -> None:
    text = write_table(6, "always")
    for row in text.splitlines()[6:-1]:
        value = row.split()[-1]
        for other in ("D", "W1", "W3", "L0", "L2", "W-1", "L", "X1", "D0"):
            if other != value:
                wrong = changed(text, row, row[: -len(value)] + other)
                assert not accepts_in_python(wrong), (row, other)
                assert not accepts_in_c(wrong, program), (row, other)


def test_what_is_damaged_is_refused_by_both(program: Path) -> None:
    text = write_table(8, "opening")
    rows = text.splitlines()[6:-1]
    wrong = [changed(text, row + "\n", "") for row in rows]
    wrong += [
        changed(text, rows[3], rows[3] + "\n" + rows[3]),
        changed(text, "flank opening", "flank always"),
        changed(text, "flank opening", "flank never"),
        changed(text, "arms 8", "arms 10"),
        changed(text, "arms 8", "arms 7"),
        changed(text, "claim table", "claim hold"),
        changed(text, "mu-torere", "moeraki-kemu"),
        changed(text, "end\n", ""),
        text + "x\n",
        changed(text, "BBBBWWWW. 0 0", "WWWWBBBB. 0 0"),
        changed(text, "BBBBWWWW. 0 0", "BBBBWWWW. 0 9"),
        changed(text, "BBBBWWWW. 0 0", "BBBBWWWW. 2 0"),
        text[: len(text) // 2],
    ]
    for damaged in wrong:
        assert not accepts_in_python(damaged)
        assert not accepts_in_c(damaged, program)


@pytest.mark.parametrize("path", SHIPPED[:6], ids=lambda path: path.name)
def test_what_is_shipped_is_accepted_by_the_program_alone(path: Path) -> None:
    done = run_as_script(path, "mu-torere")
    assert done.returncode == 0, done.stderr


def test_the_table_of_classes_is_that_of_all_states() -> None:
    for flank in ("always", "opening"):
        solution = solve(MuTorere(arms=8, flank=flank))
        table = read_table(write_table(8, flank).splitlines())
        assert len(table) == solution.census().state_classes
        result, plies = solution.value(solution.game.initial())
        assert table["BBBBWWWW.", 0, 0] == (result[0].upper(), plies or 0)


def test_more_arms_than_the_rules_offer(program: Path) -> None:
    (leaf,) = goal_leaves("18 always")
    text = prove_leaf(f"18 always {leaf}")
    assert text is not None
    assert accepts_in_c(text, program)
    assert "\nBBBBBBBBBWWWWWWWWW. 0 0 D\n" in text


@pytest.mark.parametrize("goal", ["", "18", "18 never", "17 always", "22 opening", "x always"])
def test_what_is_no_goal_is_refused(goal: str) -> None:
    with pytest.raises(OptionError, match="18 always"):
        goal_leaves(goal)
