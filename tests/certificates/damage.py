"""Good certificates, and every way to damage them that the verifiers must notice."""

from collections.abc import Iterator

PAIRS = (
    "b4-c3 b6-c5 b8-c7 a9-b10 b2-c1 c9-d10 d2-e3 d4-e5 d8-e7 e9-f10 f2-f4 g3-h2 g5-h4 g9-h8 g11-h10 g7-h6 i1-j2 i3-j4 "
    "i5-j6 i7-j8 i9-j10 d6-f8 i11-k9 a3-a5 k3-k5 e1-g1 c11-e11"
)


def head(ball: str, prover: str, other: str, turn: str, claim: str) -> str:
    """The head of a certificate; the claim with its variant, such as "basic margin 9"."""
    variant, _, claim = claim.partition(" ")
    return (
        f"kemu-certificate 1\ngame moeraki-kemu\nvariant {variant}\nball {ball}\nprover {prover}\nother {other}\n"
        f"turn {turn}\nclaim {claim}\nproof\n"
    )


PAIRING = f"{head('f6', '', '', 'other', 'beginner hold')}{{ {PAIRS} }}\nend\n"
"""The beginner's game with the ball on f6."""

BLOCK = "( b4 c3 { b6-c5 } c3 b4 { b6-c5 } b6 c5 { b4-c3 } c5 b6 { b4-c3 } )"
REGION = PAIRING.replace("b4-c3 b6-c5", BLOCK)
"""The same, with two of the pairs as a region of four hollows."""

WIN = f"{head('f6', 'c1 b2', 'k5 k7', 'prover', 'beginner win')}a3\nend\n"
"""A diagonal of three hollows completed at once."""


def changed(text: str, old: str, new: str) -> str:
    """A text with the first of a part replaced; AssertionError if it has no such part."""
    assert old in text, f"{old!r} is not in the certificate"
    return text.replace(old, new, 1)


def damaged_heads(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong, and the certificate so damaged: its head and its ends."""
    yield "another version", changed(text, "kemu-certificate 1", "kemu-certificate 2")
    yield "another format", changed(text, "kemu-certificate", "certificate")
    yield "another game", changed(text, "game moeraki-kemu", "game mauw")
    yield "no such variant", changed(text, "variant beginner", "variant expert")
    yield "a claim of the basic game", changed(text, "claim hold", "claim margin 9")
    yield "no such claim", changed(text, "claim hold", "claim draw")
    yield "a claim with a number", changed(text, "claim hold", "claim hold 3")
    yield "a win is claimed", changed(text, "claim hold", "claim win")
    yield "the ball where it cannot lie", changed(text, "ball f6", "ball a3")
    yield "the ball on no hollow", changed(text, "ball f6", "ball f7")
    yield "two balls", changed(text, "ball f6", "ball f6 g7")
    yield "no ball", changed(text, "ball f6", "ball")
    yield "another ball", changed(text, "ball f6", "ball d6")
    yield "nobody is to move", changed(text, "turn other", "turn nobody")
    yield "a stone too many", changed(text, "other \n", "other a3\n")
    yield "two stones too many", changed(text, "prover \n", "prover a3 a5\n")
    yield "a stone twice", changed(changed(text, "prover \n", "prover a3\n"), "other \n", "other a3\n")
    yield "a stone on the ball", changed(text, "prover \n", "prover f6\n")
    yield "a stone on no hollow", changed(text, "prover \n", "prover a11\n")
    yield "keys in another order", changed(changed(text, "prover", "x"), "x \nother ", "other \nprover ")
    yield "a key too many", changed(text, "proof\n", "starter 0\nproof\n")
    yield "no end", changed(text, "end\n", "")
    yield "something after the end", text + "x\n"
    yield "the certificate twice", text + text
    yield "something before it", "\n" + text
    yield "nothing", ""
    for part in (0.1, 0.5, 0.9):
        yield f"cut off after {part:.0%}", text[: int(len(text) * part)]


def damaged_pairings(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong, and a certificate that is one pairing so damaged."""
    for pair in PAIRS.split():
        yield f"{pair} dropped", changed(text, f" {pair}", "")
    yield "pairs that overlap", changed(text, "b4-c3", "b4-c5")
    yield "a pair twice", changed(text, "b4-c3", "b4-c3 b4-c3")
    yield "a hollow with itself", changed(text, "b4-c3", "b4-b4")
    yield "three in a pair", changed(text, "b4-c3", "b4-c3-b10")
    yield "a pair with the ball", changed(text, "f2-f4", "f2-f6")
    yield "a pair with an area", changed(text, "f2-f4", "f2-f7")
    yield "two pairs exchanged", changed(changed(text, "b4-c3", "b4-c5"), "b6-c5", "b6-c3")
    yield "no name", changed(text, "b4-c3", "b4-")
    yield "a leading zero", changed(text, "b4-c3", "b04-c3")
    yield "an open brace", changed(text, "}", "")
    yield "no brace", changed(text, "{", "")
    yield "a bracket", changed(text, "{", "(")
    yield "a stone first where the other is to move", changed(text, "{", "a9 {")
    yield "a hole in the position", changed(changed(text, "prover \n", "prover a3\n"), "other \n", "other b4\n")


def damaged_regions(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong, and a certificate with a region of four hollows so damaged."""
    yield "a reply left out", changed(text, "c5 b6 { b4-c3 } ", "")
    yield "an answer exchanged", changed(text, "( b4 c3 { b6-c5 }", "( b4 b6 { c3-c5 }")
    yield "an answer to itself", changed(text, "( b4 c3 ", "( b4 b4 ")
    yield "a reply twice", changed(text, "c3 b4 { b6-c5 }", "b4 c3 { b6-c5 }")
    yield "a region without its rest", changed(text, "( b4 c3 { b6-c5 }", "( b4 c3 { }")
    yield "a rest of half", changed(text, "( b4 c3 { b6-c5 }", "( b4 c3 { b6 }")
    yield "a rest that overlaps", changed(text, "( b4 c3 { b6-c5 }", "( b4 c3 { b6-b4 }")
    yield "a hollow of another pair", changed(text, "( b4 c3 { b6-c5 }", "( b4 c3 { b6-c5 d2-e3 }")
    yield "an empty region", changed(text, BLOCK, "( )")
    yield "no bracket", changed(text, "{ b4-c3 } )", "{ b4-c3 }")


def damaged_trees(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong, and a certificate that is a tree so damaged, token by token."""
    begin, _, proof = text.partition("proof\n")
    tokens = proof.split()
    for place in range(0, len(tokens), max(1, len(tokens) // 60)):
        yield f"without token {place}", f"{begin}proof\n{' '.join(tokens[:place] + tokens[place + 1 :])}\n"
        yield f"token {place} twice", f"{begin}proof\n{' '.join(tokens[: place + 1] + tokens[place:])}\n"
