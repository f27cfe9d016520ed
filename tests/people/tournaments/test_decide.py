"""Decisions on commands: who may do what when, and what follows when somebody leaves, is late, or does not answer."""

import pytest

from kemu.core.errors import KemuError
from kemu.people.tournaments import commands as c
from kemu.people.tournaments.decide import TournamentRules
from kemu.people.tournaments.rounds import REMINDER_MS, games_to_make, next_due
from kemu.people.tournaments.standings import pairing_worth, standings
from kemu.people.tournaments.values import FULL_POINTS, RoundPairing
from kemu.play.terms import DAY_MS, HOUR_MS, DayClock

from .club import COMPUTER, Club, terms

WIN, LOSS = (FULL_POINTS, 0), (0, FULL_POINTS)


def pairing(club: Club, board: int = 0) -> RoundPairing:
    assert club.tournament.current is not None
    return club.tournament.current.pairings[board]


def points(club: Club) -> dict[str, int]:
    return {row.entrant: row.points for row in standings(club.tournament)}


def test_only_the_organiser_begins_ends_and_removes() -> None:
    club = Club(terms("swiss"), 2)
    for kind, fields in ((c.Start, {}), (c.End, {}), (c.Remove, {"player": "p1"})):
        with pytest.raises(KemuError, match="organiser") as refused:
            club.ask("p0", kind, **fields)
        assert refused.value.code == "not-yours"
    club.ask("host", c.Remove, player="p1")
    assert [entrant.id for entrant in club.tournament.entrants] == ["p0"]
    with pytest.raises(c.TournamentClosed, match="few"):
        club.ask("host", c.Start)
    club.ask("host", c.End)
    assert club.tournament.stage == "cancelled"
    for ask in (c.End, c.Start):
        with pytest.raises(c.TournamentClosed):
            club.ask("host", ask)
    with pytest.raises(c.TournamentClosed):
        club.enter("late")
    with pytest.raises(c.TournamentClosed):
        club.ask("p0", c.Withdraw)


def test_a_tournament_takes_as_many_as_it_says_and_each_once() -> None:
    club = Club(terms("swiss", most=2), 2)
    club.enter("p0")
    assert club.tournament.version == 2
    with pytest.raises(c.TournamentFull):
        club.enter("p2")
    with pytest.raises(c.NotTakingPart):
        club.ask("p2", c.Withdraw)


def test_it_begins_by_itself_at_its_time_or_is_cancelled() -> None:
    club = Club(terms("swiss", starts=5_000), 2)
    assert next_due(club.tournament) == 5_000
    assert club.do(c.Tick()) is None
    club.wait()
    assert (club.tournament.stage, club.now) == ("running", 5_000)
    lonely = Club(terms("swiss", starts=5_000), 1)
    lonely.wait()
    assert lonely.tournament.stage == "cancelled"
    assert next_due(lonely.tournament) is None


def test_who_leaves_loses_the_open_games_and_the_other_is_paired_again() -> None:
    club = Club(terms("swiss", rounds=2), 4)
    club.ask("host", c.Start)
    first, second = pairing(club).players
    club.make()
    club.score(pairing(club).games[0].match, WIN)
    club.ask(first, c.Withdraw)
    club.ask(first, c.Withdraw)
    assert [game.phase for game in pairing(club).games] == ["ended", "forfeit"]
    assert points(club)[second] == FULL_POINTS
    club.play_round()
    assert not any(first in each.players for each in club.tournament.rounds[1].pairings)
    assert club.tournament.rounds[1].byes
    with pytest.raises(c.TournamentClosed):
        club.enter(first)


def test_a_result_that_comes_twice_or_too_late_changes_nothing() -> None:
    club = Club(terms("swiss", rounds=1), 2)
    club.ask("host", c.Start)
    game = pairing(club).games[0]
    assert club.make() == [game.match]
    club.score(game.match, WIN)
    before = club.tournament
    for result in (c.NoteResult(game.match, LOSS), c.NoteResult("other", WIN), c.NoteMade((game.match,))):
        assert club.do(result) is None
    assert club.tournament == before


def test_late_entrants_need_leave_and_rounds_that_come() -> None:
    closed = Club(terms("swiss", rounds=3, late=False), 4)
    closed.ask("host", c.Start)
    with pytest.raises(c.TournamentClosed, match="any more"):
        closed.enter("late")
    closed.ask("p1", c.Withdraw)
    closed.enter("p1")  # who was there before may come back
    club = Club(terms("swiss", rounds=2), 3)
    club.ask("host", c.Start)
    club.enter("late")
    late = club.tournament.entrant("late")
    assert late is not None
    assert late.since == 2
    club.play_round()
    assert not club.tournament.rounds[1].byes
    with pytest.raises(c.TournamentClosed):
        club.enter("too-late")


def test_the_second_game_comes_after_the_first_but_by_correspondence_with_it() -> None:
    club = Club(terms("round-robin"), 2)
    club.ask("host", c.Start)
    assert [game.match for _, game in games_to_make(club.tournament, club.now)] == ["m1"]
    assert next_due(club.tournament) == 0
    club.make()
    assert next_due(club.tournament) is None
    club.score("m1", WIN)
    assert club.make() == ["m2"]
    slow = Club(terms("round-robin", clock=DayClock(2)), 2)
    slow.ask("host", c.Start)
    assert slow.make() == ["m1", "m2"]


def test_there_is_a_pause_between_rounds() -> None:
    club = Club(terms("swiss", rounds=2, pause=30), 4)
    club.ask("host", c.Start)
    for match in ("m1", "m3", "m2", "m4"):
        club.make()
        club.score(match)
    assert len(club.tournament.rounds) == 1
    assert next_due(club.tournament) == club.now + 30_000
    club.wait()
    assert len(club.tournament.rounds) == 2
    club.ask("host", c.End)
    assert club.tournament.stage == "finished"


def test_a_series_goes_on_to_its_victories() -> None:
    club = Club(terms("round-robin", wins=3), 2)
    club.ask("host", c.Start)
    first, second = pairing(club).players
    draw = (FULL_POINTS // 2, FULL_POINTS // 2)
    for number, result in enumerate((WIN, draw, WIN, LOSS, WIN), start=1):
        assert len(pairing(club).games) == number
        assert points(club) == {first: 0, second: 0}
        [match] = club.make()
        club.do(c.NoteResult(match, result, (first, second)))
    assert club.tournament.stage == "finished"
    assert points(club) == {first: FULL_POINTS, second: 0}
    assert pairing_worth(club.tournament) == FULL_POINTS


def test_a_series_of_draws_is_shared() -> None:
    club = Club(terms("round-robin", wins=2), 2)
    club.ask("host", c.Start)
    for _ in range(6):
        [match] = club.make()
        club.score(match, (FULL_POINTS // 2, FULL_POINTS // 2))
    assert club.tournament.stage == "finished"
    assert set(points(club).values()) == {FULL_POINTS // 2}


# By appointment.


def appointed(**changed: object) -> Club:
    club = Club(terms("round-robin", appointments=True, days=7, **changed), 2)
    club.ask("host", c.Start)
    return club


def test_players_agree_on_a_time_are_reminded_and_then_play() -> None:
    club = appointed()
    when = club.now + DAY_MS
    assert club.make() == []
    club.ask("p0", c.ProposeTime, board=0, at=when)
    for player, at in (("p0", when), ("p1", when + 1)):
        with pytest.raises(c.BadTime):
            club.ask(player, c.AgreeTime, board=0, at=at)
    club.ask("p1", c.AgreeTime, board=0, at=when)
    with pytest.raises(c.BadTime):
        club.ask("p1", c.AgreeTime, board=0, at=when)
    assert next_due(club.tournament) == when - REMINDER_MS
    club.wait()
    appointment = pairing(club).appointment
    assert appointment is not None
    assert appointment.reminded
    assert club.make() == []
    club.wait()
    assert club.now == when
    assert club.make() == ["m1"]
    with pytest.raises(c.TournamentClosed, match="begun"):
        club.ask("p0", c.DropTime, board=0)
    club.play()
    assert club.tournament.stage == "finished"


def test_a_time_is_declined_or_cannot_be() -> None:
    club = appointed()
    with pytest.raises(c.BadTime):
        club.ask("p0", c.DropTime, board=0)
    for at in (club.now, club.now + 7 * DAY_MS + 1):
        with pytest.raises(c.BadTime, match="future"):
            club.ask("p0", c.ProposeTime, board=0, at=at)
    club.ask("p0", c.ProposeTime, board=0, at=club.now + HOUR_MS)
    club.ask("p1", c.DropTime, board=0)
    assert pairing(club).appointment is None
    for player, board in (("host", 0), ("p0", 1)):
        with pytest.raises(c.NotTakingPart):
            club.ask(player, c.DropTime, board=board)
    with pytest.raises(c.TournamentClosed):
        Club(terms("swiss"), 2).ask("p0", c.DropTime, board=0)


@pytest.mark.parametrize(("proposes", "expected"), [(None, FULL_POINTS), ("p0", 2 * FULL_POINTS)])
def test_without_a_time_a_pairing_falls_to_who_proposed_one(proposes: str | None, expected: int) -> None:
    club = appointed()
    if proposes:
        club.ask(proposes, c.ProposeTime, board=0, at=club.now + HOUR_MS)
    club.wait()
    assert club.tournament.stage == "finished"
    assert points(club) == {"p0": expected, "p1": 2 * FULL_POINTS - expected}


def test_a_computer_agrees_to_every_time() -> None:
    club = Club(terms("round-robin", appointments=True, days=7, computer=COMPUTER), 1)
    club.ask("host", c.Start)
    club.ask("p0", c.ProposeTime, board=0, at=club.now + HOUR_MS)
    club.play()
    assert club.tournament.stage == "finished"


# Leagues and tables.


def test_games_that_are_open_at_the_end_of_a_season_are_drawn() -> None:
    club = Club(terms("league", days=30, clock=DayClock(3), rounds=2), 4)
    club.ask("host", c.Start)
    assert len(club.make()) == 12
    club.score("m1", WIN)
    assert next_due(club.tournament) == club.now + 30 * DAY_MS
    club.wait()
    assert len(club.tournament.rounds) == 2
    assert club.tournament.rounds[0].closed == club.now
    club.ask("host", c.End)
    assert club.tournament.stage == "finished"


def test_an_endless_league_enters_everybody_again() -> None:
    club = Club(terms("league", days=30, clock=DayClock(3), division=4, computer=COMPUTER), 3)
    club.ask("host", c.Start)
    assert "bot:1" in club.tournament.rounds[0].divisions[0]
    club.enter("new")
    club.play_round()
    assert club.tournament.rounds[1].divisions == (("p0", "p1", "p2", "new"),) or set(
        club.tournament.rounds[1].divisions[0]
    ) == {"p0", "p1", "p2", "new"}
    club.ask("new", c.Withdraw)
    club.play_round()
    assert "bot:1" in club.tournament.rounds[2].divisions[0]


def test_who_leaves_a_league_early_counts_for_nobody() -> None:
    club = Club(terms("league", days=30, clock=DayClock(3), rounds=1), 5)
    club.ask("host", c.Start)
    club.make()
    first = pairing(club)
    for game in first.games:
        club.score(game.match, tuple(FULL_POINTS * (seat == first.players[0]) for seat in game.seats))
    assert points(club)[first.players[0]] == 2 * FULL_POINTS
    club.ask(first.players[1], c.Withdraw)
    assert set(points(club).values()) == {0}


def test_a_table_goes_on_when_somebody_leaves() -> None:
    club = Club(terms("tables", rounds=1, computer=COMPUTER), 5)
    club.ask("host", c.Start)
    assert [len(each.players) for each in club.tournament.rounds[0].pairings] == [5]
    club.make()
    club.ask("p0", c.Withdraw)
    assert pairing(club).games[0].points is None
    club.play()
    assert club.tournament.stage == "finished"


def test_rules_for_a_runner_say_what_is_overdue_and_who_sent_a_command() -> None:
    rules, club = TournamentRules(str), Club(terms("swiss", starts=5_000), 2)
    assert rules.overdue(club.tournament, 4_999) is None
    assert rules.overdue(club.tournament, 5_000) == c.Tick()
    assert rules.sender(c.PersonCommand("p0", c.Withdraw("x"))) == ("p0", "x")
    assert rules.sender(c.Tick()) is None
    entry, after = rules.decide(club.tournament, c.Tick(), 5_000)
    assert rules.evolve(club.tournament, entry) == after
