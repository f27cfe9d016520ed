"""The verifiers accept what is proved and refuse certificates that are damaged in any way."""

import ast
import random
import sys
from pathlib import Path

import pytest

from kemu.engines import certificates
from kemu.engines.moeraki.certify.verify import Proof
from kemu.games import game_keys, manifest
from tests.certificates import damage
from tests.certificates.verifiers import accepts_in_c, accepts_in_python, run_as_script

SHIPPED = certificates.shipped("moeraki-kemu")


def shipped(name: str) -> str:
    return certificates.read_certificate(SHIPPED[0].with_name(f"moeraki-kemu-{name}.txt.gz"))


TREE = shipped("beginner-g7-second")
LINE = "prover \nother \nturn other"

DAMAGED = {
    **{f"head: {why}": text for why, text in damage.damaged_heads(damage.PAIRING)},
    **{f"pairing: {why}": text for why, text in damage.damaged_pairings(damage.PAIRING)},
    **{f"region: {why}": text for why, text in damage.damaged_regions(damage.REGION)},
    **{f"tree: {why}": text for why, text in damage.damaged_trees(TREE)},
    "win: another stone": damage.changed(damage.WIN, "\na3", "\na5"),
    "win: no stone": damage.changed(damage.WIN, "\na3", "\n"),
    "win: a pair of stones": damage.changed(damage.WIN, "\na3", "\na3-a5"),
    "win: a pairing proves no win": damage.changed(damage.PAIRING, "claim hold", "claim win"),
    "win: more than needed": damage.changed(damage.WIN, "\na3", "\na3 a5"),
    "win: the line is taken": damage.changed(damage.WIN, "k7", "a3"),
    "win: the game is over": damage.changed(damage.WIN, "c1 b2\nother k5 k7", "c1 b2 a3\nother k5 k7 g1"),
}


GOOD = {"pairing": damage.PAIRING, "region": damage.REGION, "win": damage.WIN, "tree": TREE}


@pytest.mark.parametrize("name", GOOD)
def test_both_accept_what_is_proved(name: str, program: Path) -> None:
    assert accepts_in_python(GOOD[name])
    assert accepts_in_c(GOOD[name], program)


@pytest.mark.parametrize("why", DAMAGED)
def test_the_first_refuses_what_is_damaged(why: str) -> None:
    assert not accepts_in_python(DAMAGED[why])


def test_the_second_refuses_what_is_damaged(program: Path) -> None:
    assert [why for why, text in DAMAGED.items() if accepts_in_c(text, program)] == []


def test_two_threats_win_only_if_the_other_completes_no_line_first(program: Path) -> None:
    """The prover threatens a3 and c11, and the other is to lay a stone."""
    stones = "prover c1 b2 a9 b10\nother i11 k7 k5 e3\nturn other\nclaim win\nproof\nend\n"
    won = damage.WIN.partition("prover")[0] + stones
    lost = damage.changed(won, "k7", "j10")  # with i11 it threatens k9
    assert accepts_in_python(won)
    assert accepts_in_c(won, program)
    assert not accepts_in_python(lost)
    assert not accepts_in_c(lost, program)


def test_a_pairing_that_is_no_longer_a_pairing_after_a_stone_is_refused() -> None:
    assert not accepts_in_python(damage.changed(damage.PAIRING, LINE, "prover\nother b4\nturn prover"))
    assert accepts_in_python(damage.changed(damage.PAIRING, LINE, "prover\nother\nturn prover"))


def test_replies_are_left_out_only_where_the_position_is_symmetric() -> None:
    """With the ball on g7 the replies below the diagonal stand for those above it; with the ball on g5 nothing does."""
    assert not accepts_in_python(damage.changed(TREE, "ball g7", "ball f6"))
    assert not accepts_in_python(damage.changed(TREE, "ball g7", "ball g5"))
    lonely = "prover\nother\nturn other\nclaim hold\nproof\n( a3 a5 { } )\nend\n"
    begin = TREE.partition("prover")[0]
    with pytest.raises(ValueError, match="line is open"):
        Proof((begin + lonely).splitlines())


def test_a_reply_left_out_is_named() -> None:
    first = TREE.index("( ") + 2
    reply = TREE[first : TREE.index(" ", first)]
    end = TREE.index("} ", first) + 2
    with pytest.raises(ValueError, match="a reply is missing"):
        Proof((TREE[:first] + TREE[end:]).splitlines())
    assert reply


def test_margins_are_exact_and_of_the_basic_game_only(program: Path) -> None:
    bound = shipped("basic-f6-second")
    claim = next(line for line in bound.splitlines() if line.startswith("claim margin "))
    most = int(claim.split()[-1])
    assert accepts_in_python(bound)
    assert accepts_in_c(bound, program)
    for wrong in (
        f"claim margin {most - 1}",
        f"claim margin {most}.0",
        f"claim margin 0{most}",
        "claim margin",
        "claim win",
    ):
        text = damage.changed(bound, claim, wrong)
        assert not accepts_in_python(text), wrong
        assert not accepts_in_c(text, program), wrong
    for variant in ("beginner", "master"):
        text = damage.changed(bound, "variant basic", f"variant {variant}")
        assert not accepts_in_python(text)
        assert not accepts_in_c(text, program)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_is_shipped_is_accepted_by_the_program_alone(path: Path) -> None:
    done = run_as_script(path)
    assert done.returncode == 0, done.stderr
    assert "accepted" in done.stdout


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(SHIPPED[0].read_bytes()[:100])
    assert run_as_script(path).returncode != 0


@pytest.mark.no_cover  # 150 verifications; the other tests measure the verifier
def test_both_agree_on_what_chance_does_to_a_tree(program: Path) -> None:
    source = random.Random("tokens")
    begin, _, proof = TREE.partition("proof\n")
    tokens = proof.split()
    for _ in range(150):
        one, two = source.randrange(len(tokens)), source.randrange(len(tokens))
        mixed = [*tokens]
        mixed[one] = tokens[two]
        text = f"{begin}proof\n{' '.join(mixed)}\n"
        assert accepts_in_python(text) == accepts_in_c(text, program), (one, two)


@pytest.mark.parametrize("key", [key for key in game_keys() if manifest(key).verifier])
def test_a_verifier_is_short_and_stands_alone(key: str) -> None:
    source = Path(certificates.verifier(key).__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 200
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
