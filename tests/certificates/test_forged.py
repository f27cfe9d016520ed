"""Certificates forged by hand, each false in one way: both verifiers refuse them, and none breaks down."""

import gzip
from pathlib import Path

import pytest

from kemu.engines import certificates
from kemu.engines.certificates import CertificateRefused, check, read_certificate, shipped, verifier
from tests.certificates import damage
from tests.certificates.damage import changed
from tests.certificates.verifiers import accepts_in_c, accepts_in_python

TEXTS = {path.name.removesuffix(".txt.gz"): read_certificate(path) for path in shipped("moeraki-kemu")}
F6, H6 = TEXTS["moeraki-kemu-beginner-f6-second"], TEXTS["moeraki-kemu-beginner-h6-second"]
TREE, BOUND = TEXTS["moeraki-kemu-beginner-g7-second"], TEXTS["moeraki-kemu-basic-f6-second"]
BOUND_TREE = TEXTS["moeraki-kemu-basic-g7-second"]
TABLE = read_certificate(shipped("mu-torere")[0])
CLAIM = next(line for line in BOUND.splitlines() if line.startswith("claim"))


def with_proof(proof: str, text: str = F6) -> str:
    """A certificate with another proof."""
    return f"{text.partition('proof')[0]}proof\n{proof}\nend\n"


FORGED = {
    **{
        f"the pairs of f6 with the ball on {ball}": changed(F6, "ball f6", f"ball {ball}")
        for ball in ("h6", "g7", "d6")
    },
    **{
        f"the pairs of h6 with the ball on {ball}": changed(H6, "ball h6", f"ball {ball}")
        for ball in ("f6", "d6", "g5")
    },
    "the tree of g7 with the ball on e7": changed(TREE, "ball g7", "ball e7"),
    "a pairing that holds without stones only, later": changed(
        changed(F6, "prover\n", "prover a3\n"), "other\n", "other a5\n"
    ),
    **{
        f"a margin of {number}": changed(BOUND, CLAIM, f"claim margin {number}")
        for number in ("7", "-8", "105", "-105", "1e1", "+8", "8.0", "08", "99999999999999999999", "0x8", "8 8", "")
    },
    "a bound of the master's game": changed(BOUND, "variant basic", "variant master"),
    "a bound that is a win": changed(BOUND, CLAIM, "claim win"),
    "a lower bound with a tree": changed(BOUND_TREE, "claim margin 17", "claim margin 16"),
    "a variant twice": changed(F6, "variant beginner\n", "variant beginner\nvariant beginner\n"),
    "two variants": changed(F6, "variant beginner\n", "variant beginner master\n"),
    "the variant in the claim": changed(changed(BOUND, "variant basic", "variant"), CLAIM, "claim basic margin 8"),
    "a ball twice": changed(F6, "ball f6\n", "ball f6\nball f6\n"),
    "no variant": changed(F6, "variant beginner\n", ""),
    "another key": changed(F6, "variant", "Variant"),
    "bytes after the end": F6 + "\x00",
    "a zero byte in a name": changed(F6, "proof", "pro\x00of"),
    "words after the end": F6 + "end\n",
    "a stone that is laid again": with_proof("( * b4 b4 { } )"),
    "a reply where the answer lies": with_proof("( a3 a5 ( a5 a7 { } ) )"),
    "the tree again instead of a leaf": with_proof(f"( * {TREE.partition('proof')[2].partition('end')[0].strip()} )"),
    "brackets only": with_proof("( " * 50_000 + ") " * 50_000),
    "braces only": with_proof("{ " * 50_000 + "} " * 50_000),
    "regions within regions": with_proof("{ " + "( a3 a5 { " * 20_000 + "} ) " * 20_000 + "}"),
    "stars within stars": with_proof("( * a3 " * 20_000 + ") " * 20_000),
    "the ball in a region": with_proof("{ ( f6 b4 { } b4 f6 { } ) }"),
    "a region whose answer lies elsewhere": with_proof("{ ( b4 c3 { } c3 d2 { } ) }"),
    "a region and a pair that overlap": with_proof("{ b4-c3 ( b4 c5 { } c5 b4 { } ) }"),
    "a region in which one reply counts twice": with_proof("{ ( b4 c3 { } b4 c3 { } ) }"),
    "no strategy": with_proof("{ }"),
    "nothing to prove with": with_proof(""),
    "an area instead of a hollow": changed(F6, "{", "{ f7"),
    "a point outside": changed(F6, "{", "{ a1"),
    "digits of another script": changed(F6, "b4-", "b\u0664-"),
    "more stones than there are": changed(F6, "prover\n", "prover " + "a3 " * 60 + "\n"),
    "arms that are no number": changed(TABLE, "arms 4", "arms four"),
    "too many arms": changed(TABLE, "arms 4", "arms 22"),
    "arms that overflow": changed(TABLE, "arms 4", "arms 4294967300"),
    "a distance that overflows": changed(TABLE, "BBWW. 0 0 D", "BBWW. 0 0 W4294967297"),
    "a table of nothing": f"{TABLE.partition('proof')[0]}proof\nend\n",
    "a row too short": changed(TABLE, "end\n", "BBWW. 0\nend\n"),
    "a row with a long board": changed(TABLE, "end\n", f"{'B' * 400} 0 0 D\nend\n"),
    "the table of another game": changed(TABLE, "game mu-torere", "game mauw"),
}


@pytest.mark.parametrize("why", FORGED)
def test_the_first_refuses(why: str) -> None:
    assert not accepts_in_python(FORGED[why])


def test_the_second_refuses(program: Path) -> None:
    assert [why for why, text in FORGED.items() if accepts_in_c(text, program)] == []


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    whole = shipped("moeraki-kemu")[0].read_bytes()
    for name, data in {"cut": whole[:90], "followed": whole + b"more", "other": b"\xff\xfe"}.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(CertificateRefused):
            read_certificate(path)


def test_a_file_that_grows_when_it_is_unpacked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "MOST_BYTES", 1000)
    for name, data in {"packed": gzip.compress(b"a" * 100_000), "plain": b"a" * 1001}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(CertificateRefused, match="longer than"):
            read_certificate(tmp_path / name)


def test_a_file_with_control_characters_is_refused(tmp_path: Path) -> None:
    (tmp_path / "steers").write_bytes(b"kemu-certificate 1\ngame \x1b]0;mine\x07\n")
    with pytest.raises(CertificateRefused, match="control"):
        read_certificate(tmp_path / "steers")


def test_too_many_sets_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    text = read_certificate(shipped("moeraki-kemu")[0])
    monkeypatch.setattr(verifier("moeraki-kemu"), "MOST_SETS", 1)
    with pytest.raises(CertificateRefused, match="too many sets"):
        check(text)


def test_a_win_by_the_marae_needs_a_lead(program: Path) -> None:
    """On a full board of the basic game the tiles decide, and nobody may claim both."""
    text = changed(damage.PAIRING, "variant beginner", "variant basic")
    assert accepts_in_python(text)
    assert not accepts_in_python(changed(text, "claim hold", "claim win"))
    assert not accepts_in_c(changed(text, "claim hold", "claim win"), program)
