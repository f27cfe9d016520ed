"""Checks a certificate about Moeraki-Kemu, standard library only: python verify.py FILE (docs/certificates.md)."""

import gzip
import sys

Item = tuple[int, list[int]]  # hollows as bits, and the sets of them that the other may end up with
GRID = [(x, y) for y in range(-5, 6) for x in range(-5, 6)]
HOLLOWS = [(x, y) for x, y in GRID if (x + y) % 2 == 0 and abs(x) + abs(y) <= 8]
BIT = {point: 1 << number for number, point in enumerate(HOLLOWS)}
NAME = {"abcdefghijk"[x + 5] + str(y + 6): bit for (x, y), bit in BIT.items()}
BOARD = sum(BIT.values())
AROUND = [sum(BIT.get(p, 0) for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))) for x, y in GRID if (x + y) % 2]
AREAS = [corners for corners in AROUND if corners.bit_count() >= 3]
TURNED = [[(s * x, t * y) for x, y in HOLLOWS] for s in (1, -1) for t in (1, -1)]
TURNED += [[(y, x) for x, y in points] for points in TURNED]
SYMMETRIES = [dict(zip(BIT.values(), [BIT[point] for point in points], strict=True)) for points in TURNED]
KEYS = ["kemu-certificate", "game", "variant", "ball", "prover", "other", "turn", "claim", "proof"]


def need(holds: object, why: str) -> None:
    if not holds:
        raise ValueError(why)


def winning_lines(ball: int) -> list[int]:
    lines = [corners for corners in AREAS if corners.bit_count() == 4 and not corners & ball]
    for sign, c in [(sign, c) for sign in (1, -1) for c in range(-8, 9, 2)]:
        line = [bit for (x, y), bit in BIT.items() if x + sign * y == c]  # bits grow along the line
        lines += [sum(b for b in line if b < ball), sum(b for b in line if b > ball)] if ball in line else [sum(line)]
    return lines + [sum(bit for point, bit in BIT.items() if point[axis] == n) for axis in (0, 1) for n in (-5, 5)]


class Proof:
    """A walk through a proof; `mine` are the stones of the prover, `theirs` those of the other."""

    def __init__(self, text: list[str]) -> None:
        need([line.split()[:1] for line in text[:9]] == [[key] for key in KEYS], "the head of the file is wrong")
        version, game, variant, ball, prover, other, turn, claim, rest = (line.split()[1:] for line in text[:9])
        need([version, game, rest, len(ball)] == [["1"], ["moeraki-kemu"], [], 1], "another format or game")
        self.tokens, self.at, self.nodes, stones = [*ball, *prover, *other], 0, 0, [0, 0]
        self.ball = self.take(sum(BIT[x, y] for x, y in HOLLOWS if abs(x) + abs(y) <= 2))
        for side in [0] * len(prover) + [1] * len(other):
            stones[side] |= self.take(BOARD & ~(self.ball | stones[0] | stones[1]))
        self.lines, replies = winning_lines(self.ball), turn == ["other"]
        ahead = (stones[0].bit_count() - stones[1].bit_count()) * (1 if replies else -1)
        need(turn in (["other"], ["prover"]) and ahead in (0, 1), "no game comes to this position")
        need(all(line & ~side for line in self.lines for side in stones), "the game is over")
        tie = 0 if replies == (ahead == 0) else -1  # goes to who placed the ball and lays the second stone
        known = {f"basic margin {most}": most for most in range(-104, 105)} | {"basic win": tie, "basic hold": 999}
        known |= {"beginner win": -999, "beginner hold": 999, "master win": -999, "master hold": 999}
        need(" ".join(variant + claim) in known, "no such claim in this variant")
        # The most half tiles that the other may lead by.
        self.most, self.tokens, self.at = known[" ".join(variant + claim)], " ".join(text[9:]).split(), 0
        (self.other if replies else self.prover)(*stones)
        need(self.tokens[self.at :] == ["end"], f"token {self.at}: the end is missing or something follows it")

    def skip(self, token: str) -> None:
        need(self.tokens[self.at] == token, f"token {self.at}: {self.tokens[self.at]} instead of {token}")
        self.at += 1

    def take(self, among: int, most: int = 1) -> int:
        """The hollow that the next token names, or the pair."""
        names = self.tokens[self.at].split("-")
        cells = sum({NAME.get(name, 0) & among for name in names})
        need(cells.bit_count() == len(names) <= most, f"token {self.at}: {self.tokens[self.at]} cannot be taken")
        self.at += 1
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
        need(not self.holes(theirs, empty), f"token {self.at}: the other completes a line")
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
            need(len(ends) == 1, f"token {start}: the rest is none, or ends in two places")
        elif rest:
            same = [s for s in SYMMETRIES if all(c & b == 0 or c & s[b] for c in (mine, theirs, self.ball) for b in s)]
            missing = any(all(symmetry[bit] & empty for symmetry in same) for bit in rest)
            need(not missing, f"token {self.at}: a reply is missing")
        return self.skip(")")

    def leaf(self, mine: int, theirs: int, empty: int) -> None:
        """A full board, or a strategy: the prover answers every stone in the item where it was laid."""
        items = self.items(empty) if empty else []
        for line in [line for line in self.lines if not line & mine]:
            need(any(all(line & i & ~got for got in sets) for i, sets in items), f"token {self.at}: a line is open")
        if self.most < 999:
            whole = sum(item[0] for item in items) == empty
            need(whole and self.worst(items, theirs) <= self.most, f"token {self.at}: the other may lead by more")

    def items(self, among: int) -> list[Item]:
        items: list[Item] = []
        self.skip("{")
        while self.tokens[self.at] != "}":
            items.append(self.region(among) if self.tokens[self.at] == "(" else self.pair(among))
            among &= ~items[-1][0]
        self.skip("}")
        return items

    def pair(self, among: int) -> Item:
        cells = self.take(among, 2)
        return cells, [bit for bit in BIT.values() if bit & cells]

    def region(self, among: int) -> Item:
        """For each hollow of it that the other may take first: the prover's answer, and items for the rest of it."""
        begun, sets, wholes = 0, set[int](), set[int]()
        self.skip("(")
        while self.tokens[self.at] != ")":
            begun |= (reply := self.take(among & ~begun))
            answer = self.take(among & ~reply)
            items, got = self.items(among & ~(reply | answer)), [reply]
            for _, choices in items:
                got = [one | more for one in got for more in choices]
            wholes.add(reply | answer | sum(item[0] for item in items))
            sets.update(got)
        self.skip(")")
        need(wholes == {begun}, f"token {self.at}: a region lacks a reply")
        return begun, sorted(sets)

    def worst(self, items: list[Item], theirs: int) -> int:
        """The greatest lead of the other in half tiles over all ways, item by item, by the sets that still matter."""
        ways, areas, done = {theirs: 0}, AREAS, BOARD & ~sum(item[0] for item in items)
        for cells, sets in [(0, [0]), *items]:
            done, new = done | cells, dict[int, int]()
            ready, areas = [area for area in areas if not area & ~done], [area for area in areas if area & ~done]
            live = sum(bit for bit in BIT.values() if any(bit & area for area in areas))
            for held, lead in [(way | got, lead) for way, lead in ways.items() for got in sets]:
                for area in ready:
                    ahead = 2 * (area & held).bit_count() - (area & ~self.ball).bit_count()
                    lead += ((ahead > 0) - (ahead < 0)) * (1 if ahead in (1, -1) and area.bit_count() == 3 else 2)
                new[held & live] = max(lead, new.get(held & live, -999))
            ways = new
        return max(ways.values())


if __name__ == "__main__":
    with gzip.open(sys.argv[1], "rt") if sys.argv[1].endswith(".gz") else open(sys.argv[1]) as file:
        text = file.read().splitlines()
    print("; ".join(text[2:8]), "accepted", Proof(text).nodes, sep="; ")
