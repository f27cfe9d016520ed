"""The dealer deals at exactly the odds."""

from collections import Counter
from fractions import Fraction

from kemu.play.dealer import Dealer

ODDS = (("a", Fraction(1, 2)), ("b", Fraction(1, 3)), ("c", Fraction(1, 6)))


def test_a_seed_deals_the_same_again() -> None:
    one, two = Dealer(7), Dealer(7)
    assert [one.deal(ODDS) for _ in range(50)] == [two.deal(ODDS) for _ in range(50)]


def test_frequencies_follow_the_odds() -> None:
    dealer, deals = Dealer(1), 12_000
    counts = Counter(dealer.deal(ODDS) for _ in range(deals))
    # Chi-square with two degrees of freedom: 13.8 is passed by chance once in a thousand; the seed is fixed.
    chi = sum((counts[card] - deals * chance) ** 2 / (deals * chance) for card, chance in ODDS)
    assert chi < Fraction(138, 10)


def test_without_a_seed_the_system_deals() -> None:
    assert {Dealer().deal(ODDS) for _ in range(200)} == {"a", "b", "c"}


def test_what_is_certain_is_dealt() -> None:
    assert Dealer().deal([("only", Fraction(1))]) == "only"
