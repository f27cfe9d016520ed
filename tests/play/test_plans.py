"""Conditional moves and forced moves: what applies when, and that a plan dies with the line that it was made for."""

import pytest

from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE
from kemu.games import game
from kemu.play.commands import Accept, Act, Entry, Join, Offer, Resign, SeatCommand, TableCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.errors import MatchOver
from kemu.play.plans import (
    LONGEST_LINE,
    MOST_LINES,
    NoPlan,
    Plan,
    check_plannable,
    forced_action,
    make_plan,
    planned_action,
    remaining_lines,
)
from kemu.play.table import Table, new_table
from kemu.play.terms import BankClock, ClockTerms, DayClock, GameClock, Player, Series, Terms

HINE, TAMA = Player("h", "Hine"), Player("t", "Tama")
BANK = BankClock(240, 36)


def table_of(*actions: str, key: str = "mu-torere", clock: ClockTerms = BANK, **options: object) -> Table:
    """A match of two after these actions."""
    rules = game(key, **options)
    terms = Terms("m", key, {}, "h", 0, clock, series=Series(1, 1, (0, 0)))
    table = done(new_table(terms, rules), Join(((None, HINE), (None, TAMA))))
    for action in actions:
        table = act(table, action)
    return table


def done(table: Table, command: TableCommand) -> Table:
    """The table after a command."""
    decision: tuple[Entry, Table] = decide(table, command, 0, Dealer(1))
    return decision[1]


def act(table: Table, action: str) -> Table:
    """The table after an action of the seat whose turn it is."""
    seat = table.turn
    assert seat is not None
    player = table.players[seat]
    assert player is not None
    return done(table, SeatCommand(seat, player.id, Act(f"a{table.version}", table.version, action)))


def choices(table: Table) -> list[str]:
    """The actions of the seat to act."""
    return [table.game.format(action) for action in table.game.actions(table.state)]


def plan_of(table: Table, seat: int, *lines: list[str]) -> Plan:
    """A plan of open cards."""
    return make_plan(table, seat, lines, hidden=False)


@pytest.fixture
def start() -> Table:
    """A match in which seat 0 is to act, and the opponent's replies are planned by seat 1."""
    return table_of()


def test_moves_are_planned_in_running_correspondence_matches_only() -> None:
    check_plannable(table_of())
    check_plannable(table_of(clock=DayClock(1)))
    with pytest.raises(NoPlan, match="correspondence"):
        check_plannable(table_of(clock=GameClock(60)))
    with pytest.raises(MatchOver):
        check_plannable(done(table_of(), SeatCommand(0, "h", Resign("r"))))


def test_an_answer_is_played_when_the_expected_move_comes_and_the_rest_stays(start: Table) -> None:
    first = choices(start)[0]
    answer = choices(act(start, first))[0]
    then = choices(act(act(start, first), answer))[0]
    last = choices(act(act(act(start, first), answer), then))[0]
    plan = plan_of(start, 1, [first, answer, then, last])
    assert planned_action(start, plan) is None  # it is the other's turn
    table = act(start, first)
    assert planned_action(table, plan) == answer
    table = act(table, answer)
    assert remaining_lines(table, plan) == ((then, last),)
    assert planned_action(table, plan) is None
    table = act(table, then)
    assert planned_action(table, plan) == last
    table = act(table, last)
    assert remaining_lines(table, plan) == ()
    assert planned_action(table, plan) is None


def test_any_other_move_leaves_the_plan(start: Table) -> None:
    first, other = choices(start)[:2]
    answer = choices(act(start, first))[0]
    plan = plan_of(start, 1, [first, answer])
    assert remaining_lines(start, plan) == ((first, answer),)
    assert remaining_lines(act(start, other), plan) == ()
    assert planned_action(act(start, other), plan) is None


def test_a_plan_made_on_the_own_turn_never_plays_the_own_first_move(start: Table) -> None:
    mine = choices(start)[0]
    theirs = choices(act(start, mine))[0]
    again = choices(act(act(start, mine), theirs))[0]
    plan = plan_of(start, 0, [mine, theirs, again])
    assert planned_action(start, plan) is None
    table = act(start, mine)
    assert planned_action(table, plan) is None
    assert planned_action(act(table, theirs), plan) == again


def test_one_seat_has_one_answer_and_the_other_many(start: Table) -> None:
    first, other = choices(start)[:2]
    answer = choices(act(start, first))[0]
    plan = plan_of(start, 1, [first, answer], [other, choices(act(start, other))[0]], [])
    assert len(plan.lines) == 2
    assert planned_action(act(start, other), plan) == plan.lines[1][1]
    assert plan_of(start, 1, [first, answer], [first, answer]).lines == ((first, answer),)


def test_a_contradiction_is_refused() -> None:
    table = table_of(key="moeraki-kemu")
    first, other = choices(table)[:2]
    theirs = choices(act(table, first))[0]
    with pytest.raises(NoPlan, match="Line 2 answers with"):
        plan_of(table, 0, [first, theirs], [other])


def test_what_the_rules_refuse_is_located(start: Table) -> None:
    first = choices(start)[0]
    with pytest.raises(ParseError, match=r'^Line 1, "what'):
        plan_of(start, 1, ["what?"])
    with pytest.raises(IllegalAction, match=r"^Line 2, "):
        plan_of(start, 1, [first], [first, first])


def test_a_plan_has_limits(start: Table) -> None:
    with pytest.raises(NoPlan, match="at most"):
        plan_of(start, 1, *([["x"]] * (MOST_LINES + 1)))
    with pytest.raises(NoPlan, match="at most"):
        plan_of(start, 1, ["x"] * (LONGEST_LINE + 1))


def test_where_cards_are_hidden_nothing_is_tried_out() -> None:
    table = table_of(key="mauw", players=2)
    with pytest.raises(NoPlan, match="everybody sees everything"):
        make_plan(table, 0, [["anything"]], hidden=True)
    assert make_plan(table, 0, [], hidden=True).lines == ()


def test_no_line_goes_on_where_the_cards_decide() -> None:
    table = table_of(key="mauw", players=2)
    state, line = table.state, []
    while table.game.turn(state) != CHANCE:
        action = table.game.actions(state)[0]
        line.append(table.game.format(action))
        state = table.game.apply(state, action)
    seat = table.turn
    assert seat is not None
    with pytest.raises(NoPlan, match="where the cards decide"):
        make_plan(table, seat, [[*line, "x"]], hidden=False)


def test_a_move_taken_back_below_the_plan_ends_it(start: Table) -> None:
    first = choices(start)[0]
    table = act(start, first)
    mine = choices(table)[0]
    theirs = choices(act(table, mine))[0]
    plan = plan_of(table, 1, [mine, theirs])
    table = done(table, SeatCommand(0, "h", Offer("o", "takeback")))
    table = done(table, SeatCommand(1, "t", Accept("p", "takeback")))
    assert remaining_lines(table, plan) == ()
    other = next(action for action in choices(table) if action != first)
    assert remaining_lines(act(table, other), plan) == ()  # as many plies, another position


def test_a_match_that_is_over_has_left_every_plan(start: Table) -> None:
    plan = plan_of(start, 1, [choices(start)[0]])
    assert remaining_lines(done(start, SeatCommand(0, "h", Resign("r"))), plan) == ()


def test_a_forced_move_is_the_only_one_on_the_own_turn() -> None:
    table = table_of()
    while len(choices(table)) > 1:
        table = act(table, choices(table)[0])
    seat = table.turn
    assert seat is not None
    assert forced_action(table, seat) == choices(table)[0]
    assert forced_action(table, 1 - seat) is None
    assert forced_action(table_of(key="moeraki-kemu"), 0) is None
