"""A rating means something: no advice by any way, no series without the other, no win for nothing."""

import inspect
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest
from litestar.handlers import HTTPRouteHandler
from msgspec.structs import replace

from kemu.core.game import Outcome
from kemu.games import game
from kemu.people.ratings import GameRating
from kemu.play import commands, errors
from kemu.play.commands import Abort, Act, CheckClock, Decline, Join, Offer, Resign, SeatCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import AFTER_THE_END, LONGEST_MATCH, OFFER_PAUSE_MS, decide
from kemu.play.local import NO_CLOCK
from kemu.play.table import Table, new_table, next_match
from kemu.play.terms import GameClock, Player, Series, Terms
from kemu.server.app import ROUTES
from kemu.server.finished import match_tallies
from kemu.server.live import analysis
from kemu.server.ratings import new_ratings
from kemu.server.runtime import AnalysisAsker
from kemu.work.tasks import ANALYSE, LinesQuestion
from tests.server.live_server import Client, LiveServer
from tests.server.test_fair_play import account

HINE, TAMA, ANA = Player("h", "Hine"), Player("t", "Tama"), Player("a", "Ana")
CLOCK = GameClock(600)

ADVICE = {
    "/api/matches/{match:str}/hint": ("POST", None),
    "/api/matches/{match:str}/threats": ("GET", None),
    "/api/matches/{match:str}/rescue": ("GET", None),
    "/api/matches/{match:str}/review": ("GET", None),
    "/api/reviews": ("POST", {"record": {"kemu": 1, "game": "mu-torere", "actions": ["1-0"]}}),
    "/api/reviews/retry": (
        "POST",
        {"record": {"kemu": 1, "game": "mu-torere", "actions": ["1-0"]}, "ply": 0, "action": "4-0"},
    ),
    "/api/analysis/graph": ("POST", {"game": "mu-torere"}),
    "/api/explorer": ("POST", {"game": "mu-torere"}),
    "/api/explorer/proved": ("POST", {"game": "mu-torere"}),
}
"""Every address at which an engine or the explorer tells of a position, and a request for it."""


def test_every_route_that_reaches_an_engine_is_listed_here() -> None:
    reaching = ("analyses", "bots.choose", "pool", "explorer")
    found = {
        path
        for module in ROUTES
        for handler in vars(module).values()
        if isinstance(handler, HTTPRouteHandler)
        for path in handler.paths
        if module.__name__.endswith(".analysis")
    }
    assert found == set(ADVICE)
    for module in ROUTES:
        if not module.__name__.endswith(".analysis"):
            source = inspect.getsource(module)
            assert not any(f"services.{name}" in source for name in reaching), module.__name__


def finished(client: Client) -> str:
    """A match that was played and lost at one screen."""
    match = client.new_match("me", "me")["id"]
    socket = client.open(match)
    socket.until(type="full")
    socket.do(do="resign")
    return str(match)


def test_nothing_that_reaches_an_engine_answers_who_plays_a_rated_match(server: LiveServer) -> None:
    hine, tama = account(server, "Hine of every route"), account(server, "Tama of every route")
    over, copy = finished(hine), hine.new_match("me", {"kind": "bot", "bot": "1"})["id"]
    rated = hine.new_match("me", "open", rated=True)["id"]
    tama.post(f"/api/matches/{rated}/join", {})
    for path, (method, body) in ADVICE.items():
        match = copy if path.endswith(("hint", "threats")) else over
        address = path.replace("{match:str}", match) + ("?seat=0" if path.endswith("rescue") else "")
        assert hine.ask(method, address, body, 409)["code"] == "match-running", path


class TwoAnswers:
    """A pool whose tasks have two answers."""

    async def stream(self, *question: object) -> AsyncGenerator[int, None]:
        """Yield the answers."""
        yield 1
        yield 2


def test_an_analysis_that_began_before_a_rated_match_ends_with_its_start(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "CHECK_SECONDS", -1.0)
    hine, tama = account(server, "Hine who analyses"), account(server, "Tama who waits")
    analyses: Any = analysis.Analyses(cast(Any, TwoAnswers()), server.parts.runtime)
    asker = AnalysisAsker(hine.get("/api/me")["id"], "here")
    answers = analyses.stream(ANALYSE, LinesQuestion("mu-torere"), asker)
    assert server.run(anext(answers)) == 1
    match = hine.new_match("me", "open", rated=True)["id"]
    tama.post(f"/api/matches/{match}/join", {})
    with pytest.raises(errors.MatchRunning):
        server.run(anext(answers))


def started(*players: Player, rated: bool = True, key: str = "mu-torere", series: int = 1, **options: object) -> Table:
    """A match that has begun."""
    rules = game(key, **options)
    lengths = Series(series, 1, (0,) * rules.seats)
    clock = CLOCK if rated else NO_CLOCK
    terms = Terms("m", key, dict(options), "h", 0, clock=clock, rated=rated, series=lengths)
    return decide(new_table(terms, rules), Join(tuple(enumerate(players))), 0, Dealer(1)).document


def play(table: Table, turns: int) -> Table:
    """The match after some actions, whichever come first."""
    for number in range(turns):
        assert table.turn is not None
        player, action = table.players[table.turn], table.game.actions(table.state)[0]
        assert player is not None
        act = Act(f"a{number}", table.version, table.game.format(action))
        table = decide(table, SeatCommand(table.turn, player.id, act), 0, Dealer(1)).document
    return table


def take(table: Table, seat: int, command: commands.AnyCommand, away: tuple[int, ...] = (), now: int = 0) -> Table:
    """The match after a command, while some seats are away."""
    player = table.players[seat]
    assert player is not None
    return decide(table, SeatCommand(seat, player.id, command, dict.fromkeys(away, 0)), now, Dealer(1)).document


def test_a_series_goes_on_only_with_everybody() -> None:
    lost = take(play(started(HINE, TAMA, series=3), 2), 1, Resign("r"))
    assert take(lost, 0, Offer("o", "rematch")).next
    alone = take(lost, 0, Offer("o", "rematch"), away=(1,))
    assert alone.next is None
    assert take(alone, 1, Offer("o", "rematch"), away=(0,)).next, "both have agreed"


def test_anybody_may_end_a_series() -> None:
    lost = take(play(started(HINE, TAMA, series=3), 2), 1, Resign("r"))
    ended = take(lost, 1, Decline("d", "rematch"))
    assert take(ended, 0, Offer("o", "rematch")).next is None
    off = take(started(HINE, TAMA, series=3), 1, Abort("a"))
    assert take(off, 0, Offer("o", "rematch")).next is None


def test_who_never_came_to_a_rated_match_has_not_lost_it() -> None:
    first = started(HINE, TAMA)
    assert decide(first, CheckClock(), 10**9, Dealer(1)).document.status == "aborted"
    second = play(first, 1)
    assert decide(second, CheckClock(), 10**9, Dealer(1)).document.status == "aborted"
    third = play(first, 2)
    assert decide(third, CheckClock(), 10**9, Dealer(1)).document.outcome == Outcome((1,), "time")


def ratings(table: Table, met: int = 0, known: tuple[GameRating, ...] = ()) -> dict[str, float]:
    """The ratings after a match."""
    return {row.player: row.rating for row in new_ratings({row.player: row for row in known}, table, met)}


def test_a_match_in_which_not_everybody_acted_moves_nobody_up() -> None:
    assert ratings(take(started(HINE, TAMA), 1, Resign("r"))) == {}
    assert ratings(take(play(started(HINE, TAMA), 1), 1, Resign("r"))) == {}
    dealt = ratings(take(started(HINE, TAMA, key="mauw"), 1, Resign("r")))
    assert dealt["h"] == 1500 > dealt["t"], "who saw the cards and left has lost"


def test_a_pair_counts_less_and_less_and_a_new_account_moves_others_little() -> None:
    over = take(play(started(HINE, TAMA), 2), 1, Resign("r"))
    gains = [ratings(over, met)["h"] - 1500 for met in range(4)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0
    known = ratings(over, 0, (GameRating("t", "mu-torere", "rapid", matches=20),))["h"] - 1500
    assert known > 4 * gains[0]


def test_with_three_players_the_others_play_on_and_who_left_is_last() -> None:
    table = play(started(HINE, TAMA, ANA, key="mauw", players=3), 6)
    left = take(table, 1, Resign("r"))
    assert left.status == "running"
    assert left.gave_up == {1: TAMA}
    stand_in = left.players[1]
    assert stand_in is not None
    assert stand_in.kind == "bot"
    won = replace(left, outcome=Outcome((2,), "lives"))
    means = ratings(won)
    assert means["a"] > means["h"] > means["t"]
    last = take(left, 2, Resign("s"))
    assert last.outcome == Outcome((0,), "resignation"), "the stand-in wins nothing"


def test_a_match_has_a_longest_length() -> None:
    table = replace(play(started(HINE, TAMA, rated=False, repetition=False), 4), version=LONGEST_MATCH - 1)
    ended = play(table, 1)
    assert ended.outcome == Outcome((), "length")
    with pytest.raises(errors.MatchOver):
        take(replace(ended, version=LONGEST_MATCH + AFTER_THE_END), 0, Offer("o", "rematch"))


def test_a_declined_offer_is_not_repeated_at_once() -> None:
    table = play(started(HINE, TAMA), 2)
    declined = take(take(table, 0, Offer("o", "draw")), 1, Decline("d", "draw"))
    with pytest.raises(errors.NoOffer, match="moment ago"):
        take(declined, 0, Offer("p", "draw"), now=OFFER_PAUSE_MS - 1)
    assert take(declined, 1, Offer("p", "draw")).offers, "the other may offer"
    assert take(declined, 0, Offer("p", "draw"), now=OFFER_PAUSE_MS).offers


def test_a_rated_match_has_a_clock(server: LiveServer) -> None:
    hine = account(server, "Hine without a clock")
    body = {"game": "mu-torere", "seats": [{"kind": "me"}, {"kind": "open"}], "rated": True}
    assert hine.post("/api/matches", body, 400)["code"] == "bad-option"
    old = replace(started(HINE, TAMA), outcome=Outcome((0,), "time"))
    old = replace(old, terms=replace(old.terms, clock=NO_CLOCK))
    following, _ = next_match(old, "n", lambda rules, state, outcome: (rules, (0, 1)), 0)
    assert not following.terms.rated


def test_somebody_alone_at_a_screen_adds_nothing_to_the_public_explorer() -> None:
    over = take(play(started(HINE, TAMA, rated=False), 2), 1, Resign("r"))
    public = replace(over, terms=replace(over.terms, public=True))
    assert {row.scope for row in match_tallies(public)} == {"h", "public", "t"}
    assert {row.scope for row in match_tallies(replace(public, players=(HINE, HINE)))} == {"h"}
