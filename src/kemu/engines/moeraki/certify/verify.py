"""Checks a certificate about Moeraki-Kemu, standard library only: python verify.py FILE (docs/certificates.md)."""

import gzip
import sys
from itertools import product
from math import prod

Item = tuple[int, list[int]]  # hollows as bits, and the sets of them that the other may end up with
GRID = [(x, y) for y in range(-5, 6) for x in range(-5, 6)]
HOLLOWS = [(x, y) for x, y in GRID if (x + y) % 2 == 0 and abs(x) + abs(y) <= 8]
BIT: dict[tuple[int, ...], int] = {point: 1 << number for number, point in enumerate(HOLLOWS)}
NAME = {"abcdefghijk"[x + 5] + str(y + 6): BIT[x, y] for x, y in HOLLOWS}
BOARD, CENTRE = sum(BIT.values()), sum(BIT[x, y] for x, y in HOLLOWS if abs(x) + abs(y) <= 2)
AROUND = [sum(BIT.get(p, 0) for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))) for x, y in GRID if (x + y) % 2]
AREAS = [corners for corners in AROUND if corners.bit_count() >= 3]
SIDES = [sum(BIT[point] for point in HOLLOWS if point[axis] == n) for axis in (0, 1) for n in (-5, 5)]
DIAGONALS = [sum(BIT[x, y] for x, y in HOLLOWS if x + s * y == c) for s in (1, -1) for c in range(-8, 9, 2)]
MOST_SETS = 1 << 20  # that one item or one leaf may have: more would fill the memory before they are refused
SYMMETRIES = [{BIT[x, y]: BIT[(s * x, t * y)[::u]] for x, y in HOLLOWS} for s, t, u in product((1, -1), repeat=3)]
KEYS = ["kemu-certificate", "game", "variant", "ball", "prover", "other", "turn", "claim", "proof"]
ANY_LEAD = 999  # more half tiles than there are


def verify(text: list[str]) -> int:
    """The nodes of a certificate that proves its claim; ValueError, LookupError or RecursionError if it does not."""
    return Proof(text).nodes


def lines_with_ball(ball: int) -> list[int]:
    """All lines that win; the ball is in no area, and divides a diagonal."""
    lines = [area for area in AREAS if area.bit_count() == 4 and not area & ball] + SIDES
    for line in DIAGONALS:  # bits grow along a diagonal: those before the ball are the lower ones
        lines += [line & (ball - 1), line & -2 * ball] if line & ball else [line]
    return lines


class Proof:
    """A walk through a proof; `mine` are the stones of the prover, `theirs` those of the other."""

    def __init__(self, text: list[str]) -> None:
        self.at = self.nodes = 0
        head = self.head(text)
        self.tokens = [*head["ball"], *head["prover"], *head["other"]]
        self.ball = self.take(CENTRE)
        mine = self.stones(len(head["prover"]), self.ball)
        theirs = self.stones(len(head["other"]), self.ball | mine)
        self.lines = lines_with_ball(self.ball)
        self.most = self.greatest_lead(head, self.tie(head["turn"], mine, theirs))
        self.tokens, self.at = " ".join(text[len(KEYS) :]).split(), 0
        if head["turn"] == ["other"]:
            self.other(mine, theirs)
        else:
            self.prover(mine, theirs)
        self.need(self.tokens[self.at :] == ["end"], "the end is missing or something follows it")

    def head(self, text: list[str]) -> dict[str, list[str]]:
        """The values of the head, by their keys."""
        lines = [line.split() for line in text[: len(KEYS)]]
        self.need([line[:1] for line in lines] == [[key] for key in KEYS], "the head of the file is wrong")
        head = {line[0]: line[1:] for line in lines}
        known = head["kemu-certificate"] == ["1"] and head["game"] == ["moeraki-kemu"] and head["proof"] == []
        self.need(known and len(head["ball"]) == 1, "another format or game")
        return head

    def stones(self, count: int, taken: int) -> int:
        """The hollows that the next tokens name, each of them still empty."""
        stones = 0
        for _ in range(count):
            stones |= self.take(BOARD & ~(taken | stones))
        return stones

    def tie(self, turn: list[str], mine: int, theirs: int) -> int:
        """The greatest lead of the other with which the prover wins: ties go to the side that placed the ball."""
        replies = turn == ["other"]
        ahead = (mine.bit_count() - theirs.bit_count()) * (1 if replies else -1)
        self.need(turn in (["other"], ["prover"]) and ahead in (0, 1), "no game comes to this position")
        self.need(all(line & ~side for line in self.lines for side in (mine, theirs)), "the game is over")
        prover_placed_ball = replies == (ahead == 0)  # who placed it lays the second stone
        return 0 if prover_placed_ball else -1

    def greatest_lead(self, head: dict[str, list[str]], tie: int) -> int:
        """The half tiles by which the other may lead on the full board, by the claim."""
        variant, claim = head["variant"], " ".join(head["claim"])
        leads = {"hold": ANY_LEAD, "win": -ANY_LEAD}
        if variant == ["basic"]:
            leads |= {"win": tie, **{f"margin {lead}": lead for lead in range(-104, 105)}}
        self.need(variant in (["beginner"], ["basic"], ["master"]) and claim in leads, "no such claim")
        return leads[claim]

    def need(self, holds: object, why: str) -> None:
        if not holds:
            raise ValueError(f"token {self.at}: {why}")

    def skip(self, token: str) -> None:
        self.need(self.tokens[self.at] == token, f"{self.tokens[self.at]} instead of {token}")
        self.at += 1

    def take(self, among: int, most: int = 1) -> int:
        """The hollow that the next token names, or the pair."""
        names, self.at = self.tokens[self.at].split("-"), self.at + 1
        cells = sum({NAME.get(name, 0) & among for name in names})
        self.need(cells.bit_count() == len(names) <= most, f"{names} cannot be taken")
        return cells

    def holes(self, stones: int, empty: int) -> int:
        return sum({hole for line in self.lines if not (hole := line & ~stones) & (hole - 1)}) & empty

    def prover(self, mine: int, theirs: int) -> None:
        """The prover lays a stone, or follows a strategy from here on."""
        self.nodes += 1
        empty = BOARD & ~(mine | theirs | self.ball)
        if not empty or self.tokens[self.at] == "{":
            return self.leaf(mine, theirs, empty)
        stone = self.take(empty)
        return None if self.holes(mine, stone) else self.other(mine | stone, theirs)

    def other(self, mine: int, theirs: int) -> None:
        """The other lays a stone; where the prover threatens to complete a line, all but its hole loses at once."""
        empty = BOARD & ~(mine | theirs | self.ball)
        self.need(not self.holes(theirs, empty), "the other completes a line")
        if threats := self.holes(mine, empty):
            return None if threats & (threats - 1) else self.prover(mine, theirs | threats)
        if not empty or self.tokens[self.at] == "{":
            return self.leaf(mine, theirs, empty)
        self.skip("(")
        while self.tokens[self.at] in NAME:
            empty &= ~(reply := self.take(empty))
            self.prover(mine, theirs | reply)
        rest, start, ends = [bit for bit in BIT.values() if bit & empty], self.at + 1, set()
        if self.tokens[self.at] == "*":
            for reply in rest:
                self.at = start
                self.prover(mine, theirs | reply)
                ends.add(self.at)
            self.need(len(ends) == 1, "the rest is none, or ends in two places")
        else:
            same = [s for s in SYMMETRIES if all(c & b == 0 or c & s[b] for c in (mine, theirs, self.ball) for b in s)]
            self.need(all(any(not turn[bit] & empty for turn in same) for bit in rest), "a reply is missing")
        return self.skip(")")

    def leaf(self, mine: int, theirs: int, empty: int) -> None:
        """A full board, or a strategy: the prover answers every stone in the item where it was laid."""
        items = self.items(empty) if empty else []
        for line in [line for line in self.lines if not line & mine]:
            self.need(any(all(line & i & ~got for got in sets) for i, sets in items), "a line is open")
        whole = sum(item[0] for item in items) == empty
        self.need(
            self.most == ANY_LEAD or (whole and self.worst(items, theirs) <= self.most), "the other may lead by more"
        )

    def items(self, among: int) -> list[Item]:
        items: list[Item] = []
        self.skip("{")
        while self.tokens[self.at] != "}":
            items.append(self.item(among))
            among &= ~items[-1][0]
        self.skip("}")
        return items

    def item(self, among: int) -> Item:
        """A hollow, a pair, or a region: for each of its hollows the prover's answer, and items for the rest of it."""
        if self.tokens[self.at] != "(":
            cells = self.take(among, 2)
            return cells, [bit for bit in BIT.values() if bit & cells]
        begun, sets, wholes = 0, set[int](), set[int]()
        self.skip("(")
        while self.tokens[self.at] != ")":
            begun |= (reply := self.take(among & ~begun))
            answer = self.take(among & ~reply)
            items = self.items(among & ~(reply | answer))
            wholes.add(reply | answer | sum(item[0] for item in items))
            self.need(prod(len(item[1]) for item in items) <= MOST_SETS, "too many sets")
            sets.update(sum(got, reply) for got in product(*(item[1] for item in items)))
        self.skip(")")
        self.need(wholes == {begun}, "a region lacks a reply")
        return begun, sorted(sets)

    def worst(self, items: list[Item], theirs: int) -> int:
        """The greatest lead of the other in half tiles over all ways, item by item, by the sets that still matter."""
        ways, areas, done = {theirs: 0}, AREAS, BOARD & ~sum(item[0] for item in items)
        for cells, sets in [(0, [0]), *items]:
            self.need(len(ways) * len(sets) <= MOST_SETS, "too many sets")
            before, ways, done = ways, {}, done | cells
            ready, areas = [area for area in areas if not area & ~done], [area for area in areas if area & ~done]
            live = sum(bit for bit in BIT.values() if any(bit & area for area in areas))
            for held, lead in [(way | got, lead) for way, lead in before.items() for got in sets]:
                for area in ready:
                    ahead = 2 * (area & held).bit_count() - (area & ~self.ball).bit_count()
                    lead += ((ahead > 0) - (ahead < 0)) * (1 if ahead in (1, -1) and area.bit_count() == 3 else 2)
                ways[held & live] = max(lead, ways.get(held & live, -ANY_LEAD))
        return max(ways.values())


if __name__ == "__main__":
    with gzip.open(sys.argv[1], "rt") if sys.argv[1].endswith(".gz") else open(sys.argv[1]) as file:
        text = file.read().splitlines()
    print("; ".join(text[2:8]), "accepted", verify(text), sep="; ")
