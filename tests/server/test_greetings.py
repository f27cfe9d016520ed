"""Greetings at a match: who hears them, who may say them, and that nothing of them is kept."""

from kemu.people.greetings import GREETINGS_PER_MINUTE
from tests.server.live_server import Client, LiveServer, Socket
from tests.server.test_fair_play import account
from tests.server.test_people import block


def two(one: Client, other: Client) -> tuple[str, Socket, Socket]:
    """A match of these two and its sockets."""
    match = one.new_match("me", "open")["id"]
    other.post(f"/api/matches/{match}/join", {}, 200)
    sockets = one.open(match), other.open(match)
    for socket in sockets:
        socket.until(type="full")
    return match, *sockets


def test_a_greeting_reaches_the_others_at_the_table_and_is_not_kept(server: LiveServer) -> None:
    hine, tama, ana = (server.guest(f"{name} greets") for name in ("Hine", "Tama", "Ana"))
    match, hers, his = two(hine, tama)
    watching = ana.open(match)
    watching.until(type="full")
    assert hers.do(do="greet", phrase="kia-ora")["phrase"] == "kia-ora"
    heard = his.until(type="greeting")
    assert heard == {"type": "greeting", "seat": 0, "phrase": "kia-ora"}
    assert watching.do(do="greet", phrase="kia-ora")["code"] == "not-yours"
    assert hers.do(do="greet", phrase="You fool")["code"] == "parse-error"
    assert not any('"greeting"' in text for text in watching.received)
    assert hers.do(do="resign")["type"] == "event"
    assert "kia-ora" not in str(hine.get(f"/api/matches/{match}/record"))


def test_nobody_hears_greetings_who_turned_them_off_or_is_kept_apart(server: LiveServer) -> None:
    hine, tama = account(server, "Hine who is quiet"), account(server, "Tama who talks")
    _, hers, his = two(hine, tama)
    hine.ask("PUT", "/api/me/choices", {"hidden": False, "quiet": True}, 200)
    assert his.do(do="greet", phrase="good-luck")["type"] == "greeting"
    assert hers.do(do="greet", phrase="good-luck")["code"] == "no-greetings"
    hine.ask("PUT", "/api/me/choices", {"hidden": False, "quiet": False}, 200)
    block(hine, tama)
    his.do(do="greet", phrase="sorry")
    hers.do(do="ping")
    assert not any('"greeting"' in text for text in hers.received)


def test_greetings_are_limited(server: LiveServer) -> None:
    hine, tama = server.guest("Hine says much"), server.guest("Tama hears much")
    _, hers, _ = two(hine, tama)
    for _ in range(GREETINGS_PER_MINUTE):
        assert hers.do(do="greet", phrase="thank-you")["type"] == "greeting"
    assert hers.do(do="greet", phrase="thank-you")["code"] == "too-many"
