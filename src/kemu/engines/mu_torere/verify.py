"""Checks a table of Mū tōrere, standard library only: python verify.py FILE (docs/certificates.md)."""

import gzip
import sys

State = tuple[str, int, int]  # kewai and pūtahi, side to move, plies played as far as they matter
KEYS = ["kemu-certificate", "game", "arms", "flank", "claim", "proof"]


def need(holds: object, why: str) -> None:
    """Refuse the certificate unless something holds."""
    if not holds:
        raise ValueError(why)


def least(points: str) -> str:
    """The first in order of all rotations and reflections of a board."""
    kewai, putahi = points[:-1], points[-1]
    ways = [way[turn:] + way[:turn] for way in (kewai, kewai[::-1]) for turn in range(len(kewai))]
    return min(ways) + putahi


def following(state: State, opening: bool) -> list[State]:
    """The states after each move."""
    points, turn, ply = state
    arms, man, enemy, gap = len(points) - 1, "BW"[turn], "WB"[turn], points.index(".")
    beside = {at: ((at - 1) % arms, (at + 1) % arms) for at in range(arms)}
    flanked = [at for at in range(arms) if any(points[near] == enemy for near in beside[at])]
    sources = (flanked if not opening or ply < 4 else [*range(arms)]) if gap == arms else [*beside[gap], arms]
    moved = []
    for source in {at for at in sources if points[at] == man}:
        after = [*points]
        after[source], after[gap] = ".", man
        moved.append((least("".join(after)), 1 - turn, min(ply + 1, 4) if opening else 0))
    return moved


def check(state: State, table: dict[State, tuple[str, int]], opening: bool) -> None:
    """A lost state has won ones only after it, a won one a lost one, a drawn one a drawn one and none that is lost."""
    value, plies = table[state]
    after = following(state, opening)
    need(all(one in table for one in after), f"a state after {state} is missing")
    lost = [table[one][1] for one in after if table[one][0] == "L"]
    won = [table[one][1] for one in after if table[one][0] == "W"]
    if value == "D":
        right = not lost and len(won) < len(after)
    elif value == "W":
        right = bool(lost) and plies == 1 + min(lost)
    else:
        right = len(won) == len(after) and plies == max([1 + distance for distance in won], default=0)
    need(right, f"{state} is not {value} in {plies}")


def verify(text: list[str]) -> int:
    """The states of a certificate that proves its claim; ValueError or LookupError if it does not."""
    return len(read_table(text))


def read_table(text: list[str]) -> dict[State, tuple[str, int]]:
    """The table that a certificate holds, with values D, W, L and plies; ValueError or LookupError if it is wrong."""
    need([line.split()[:1] for line in text[:6]] == [[key] for key in KEYS], "the head of the file is wrong")
    version, game, arms, flank, claim, rest = (line.split()[1:] for line in text[:6])
    need([version, game, claim, rest] == [["1"], ["mu-torere"], ["table"], []], "another format, game or claim")
    need(arms in ([str(number)] for number in range(4, 21, 2)), "no such number of arms")
    need(flank in (["always"], ["opening"]), "no such flanking rule")
    half, opening, table = int(arms[0]) // 2, flank == ["opening"], dict[State, tuple[str, int]]()
    need(text[6:] and text[-1] == "end", "the end is missing or something follows it")
    for line in text[6:-1]:
        points, turn, ply, value = line.split()
        need(sorted(points) == sorted("B" * half + "W" * half + ".") and points == least(points), f"{points}: no board")
        need(turn in ("0", "1") and ply in ("01234" if opening else "0") and len(ply) == 1, f"{line}: no state")
        state, plies = (points, int(turn), int(ply)), int(value[1:] or "0")
        known = value == "D" or value in (f"W{plies}", f"L{plies}")
        need(known and plies >= 0 and state not in table, f"{line}: no value, or the state comes twice")
        table[state] = value[0], plies
    need((least("B" * half + "W" * half + "."), 0, 0) in table, "the start is missing")
    for state in table:
        check(state, table, opening)
    return table


if __name__ == "__main__":
    with gzip.open(sys.argv[1], "rt") if sys.argv[1].endswith(".gz") else open(sys.argv[1]) as file:
        text = file.read().splitlines()
    print("; ".join(text[2:5]), "accepted", verify(text), sep="; ")
