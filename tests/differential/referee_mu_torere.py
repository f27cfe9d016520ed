"""A second implementation of Mū tōrere, written from the rules text alone and as plainly as can be."""

from collections import Counter
from fractions import Fraction
from typing import Any


class MuTorereReferee:
    """Holds what lies on every point and every position that ever was; works out the rest anew each time."""

    def __init__(self, flank: str = "always", arms: int = 8, repetition: bool = True) -> None:
        self.flank = flank
        self.arms = arms
        self.repetition = repetition
        half = arms // 2
        self.points = {0: "."}
        for kewai in range(1, arms + 1):
            self.points[kewai] = "B" if kewai <= half else "W"
        self.plies = 0
        self.history = [self._occurrence()]
        self.met: Counter[str] = Counter()

    def _occurrence(self) -> tuple[str, int]:
        return "".join(self.points[point] for point in [*range(1, self.arms + 1), 0]), self.plies % 2

    def _neighbours(self, kewai: int) -> list[int]:
        before = self.arms if kewai == 1 else kewai - 1
        after = 1 if kewai == self.arms else kewai + 1
        return [before, after]

    def _moves(self) -> set[str]:
        mine, enemy = ("B", "W") if self.plies % 2 == 0 else ("W", "B")
        moves = set()
        for kewai in range(1, self.arms + 1):
            # 1. From the pūtahi to the empty kewai.
            if self.points[0] == mine and self.points[kewai] == ".":
                moves.add(f"0-{kewai}")
            if self.points[kewai] != mine:
                continue
            # 2. From a kewai to a neighbouring empty kewai.
            for neighbour in self._neighbours(kewai):
                if self.points[neighbour] == ".":
                    moves.add(f"{kewai}-{neighbour}")
            # 3. From a kewai to the empty pūtahi, where the flanking rule allows it.
            if self.points[0] == ".":
                flanked = any(self.points[neighbour] == enemy for neighbour in self._neighbours(kewai))
                if flanked or not self._flanking_rule_holds():
                    moves.add(f"{kewai}-0")
        return moves

    def _flanking_rule_holds(self) -> bool:
        next_ply = self.plies + 1
        return self.flank == "always" or (self.flank == "opening" and next_ply in (1, 2, 3, 4))

    def outcome(self) -> tuple[tuple[int, ...], str, tuple[Fraction, ...] | None] | None:
        """The winner who blocked, or the draw of the third occurrence."""
        if not self._moves():
            return (1 - self.plies % 2,), "blocked", None
        if self.repetition and self.history.count(self._occurrence()) >= 3:
            return (), "repetition", None
        return None

    def turn(self) -> int | None:
        """Black on even plies, White on odd ones."""
        return self.plies % 2 if self.outcome() is None else None

    def legal(self) -> set[str]:
        """Every move while the game goes on."""
        return self._moves() if self.outcome() is None else set()

    def odds(self) -> dict[str, Fraction]:
        """There is no chance in this game."""
        return {}

    def play(self, text: str) -> None:
        """Move one man."""
        assert text in self.legal()
        start, end = (int(number) for number in text.split("-"))
        if end == 0 and all(
            self.points[neighbour] in ("B.", "W.")[self.plies % 2] for neighbour in self._neighbours(start)
        ):
            self.met["unflanked entry"] += 1
        self.points[end] = self.points[start]
        self.points[start] = "."
        self.plies += 1
        self.history.append(self._occurrence())
        result = self.outcome()
        if result is not None:
            self.met[result[1]] += 1

    def document(self) -> dict[str, Any] | None:
        """The position; of the plies only the first four matter."""
        points, turn = self._occurrence()
        document: dict[str, Any] = {"points": points, "turn": turn}
        if self.flank == "opening":
            document["ply"] = min(self.plies, 4)
        return document
