"""Greetings: only between two who want them, who are not managed and whom no block keeps apart."""

from kemu.people.greetings import Greeter, greets


def test_both_must_want_greetings() -> None:
    assert greets(Greeter(), Greeter())
    for one, other in ((Greeter(quiet=True), Greeter()), (Greeter(managed=True), Greeter())):
        assert not greets(one, other)
        assert not greets(other, one)
    assert not greets(Greeter(), Greeter(), apart=True)
