"""The reports of commands: replays, reviews, arenas, solved games and the bots of a game."""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeAlias

from kemu.analysis.grades import Grade, GradedAction, ProofGrade, Review
from kemu.analysis.review import review_steps
from kemu.bots import solution
from kemu.bots.arena import Played, Players, Setting, jobs, results
from kemu.bots.engines import capability
from kemu.bots.ratings import SequentialTest, ratings, score_interval, sequential
from kemu.bots.registry import BotCard, bot_cards, bot_elo, bots, default_bot, is_measured, level_title
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import SPECTATOR, AnyGame
from kemu.core.parts import is_installed
from kemu.core.record import Record, replay
from kemu.engines.analysis import Budget
from kemu.engines.capabilities import Solver
from kemu.games import text
from kemu.terminal.match import load
from kemu.terminal.screen import PlainScreen, open_screen, outcome_sentence, seat_name, with_log

BARS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 72
"""The most columns of a sparkline."""

NEARLY_ALWAYS, MOSTLY = 0.9, 0.5
"""From these chances on something is seen, or missed only sometimes; what is noticed less is missed often."""

PROOFS: Final = {
    ProofGrade.KEPT_WIN: "won",
    ProofGrade.KEPT_DRAW: "drawn",
    ProofGrade.GAVE_WIN: "had a proved win and gave it away",
    ProofGrade.MISSED_WIN: "had a proved win; none is proved any more",
    ProofGrade.THREW_DRAW: "had a proved draw and lost it",
    ProofGrade.ALLOWED_LOSS: "lost from here on, by proof",
    ProofGrade.LOST_ANYWAY: "was lost anyway",
}

TEST_EVERY: Final = 8
"""A sequential test is made again after this many games."""

Groups: TypeAlias = Sequence[Sequence[Played]]
"""The games of each opening, all of them played."""

Advance: TypeAlias = Callable[[str, float, float | None], None]
"""Shows how far a command has come: what it does, how much is done, and of how much if that is known."""


@contextmanager
def progress_bar(first: str) -> Iterator[Advance]:
    """Show a progress bar on standard error if that is a terminal; what is given moves it. Without Rich, numbers."""
    if not is_installed("terminal"):
        yield _print_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.0f}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(first, total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


def _print_progress(what: str, done: float, total: float | None) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{what} {done:.0f}{'' if total is None else f' of {total:.0f}'} ")


# kemu bots.


def bot_lines(game: AnyGame) -> Iterator[str]:
    """Yield lines about the bots of a game, from the weakest to the strongest."""
    cards = {card.bot: card for card in bot_cards(game)}
    for name in bots(game):
        against = f"Elo {bot_elo(name, game) or 0:+.0f} against {level_title(default_bot(game))}"
        strength = against if is_measured(game) else "strength not measured"
        yield f"{name:7} {strength if name not in cards else f'{cards[name].audience}; {strength}'}"
        if name in cards:
            yield from (f"{'':7}   {line}" for line in _about(cards[name], capability(game, Solver) is not None))


def _about(card: BotCard, solved: bool) -> Iterator[str]:
    yield f"thinks: {_thinking(card, solved)}"
    for how, least, most in (("often", 0.0, MOSTLY), ("sometimes", MOSTLY, NEARLY_ALWAYS)):
        motifs = [motif.replace("-", " ") for motif, chance in card.notices.items() if least <= chance < most]
        if motifs:
            yield f"{how} misses: {', '.join(motifs)}"
    shares = ", ".join(f"{share:.0%} against level {other}" for other, share in card.scores.items())
    if shares:
        yield f"scores: {shares}"


def _thinking(card: BotCard, solved: bool) -> str:
    if solved:
        found = "knows every position" if card.depth is None else f"looks {card.depth} moves ahead"
    elif card.ms is not None:
        found = f"searches for {card.ms / 1000:g} s"
    else:
        found = "at a glance" if card.nodes is None else f"searches {card.nodes:,} positions"
    return f"{found}, {card.quick:.0%} of its choices at a glance" if 0 < card.quick < 1 else found


# kemu solve.


def print_census(game: AnyGame, as_json: bool) -> None:
    """Solve a game and print its census and the line of perfect play; raises OptionError if it cannot be solved."""
    with progress_bar("solving") as advance:
        solved: Any = solution(game, lambda what, done: advance(what, done, None))
    census = solved.census()
    line = [game.format(move) for move in solved.line(game.initial())]
    if as_json:
        numbers = vars(census) | {"start": census.start._asdict(), "line": line}
        sys.stdout.write(json.dumps({"game": game.key, "options": vars(game)} | numbers) + "\n")
        return
    result, plies = census.start
    start = result if plies is None else f"{result} in {plies} plies"
    rows = [
        ("states", f"{census.states}, in {census.state_classes} classes up to rotation and reflection"),
        ("boards", f"{census.boards}, in {census.board_classes} classes"),
        ("side to move", f"wins {census.wins}, loses {census.losses}, draws {census.draws}"),
        *[(f"{distance} plies left", str(count)) for distance, count in census.by_distance.items()],
        ("the start", f"{start} for the first player"),
        ("perfect play", " ".join(line) + (" and round again" if plies is None else "")),
    ]
    sys.stdout.write("".join(f"{name + ':':16} {text}\n" for name, text in rows))


# kemu replay.


def load_states(file: Path, at: int | None) -> tuple[Record, AnyGame, Sequence[Any]]:
    """Return a record, its game and its states; raises KemuError, and OptionError if there is no state `at`."""
    record, chosen = load(file)
    states = list(replay(chosen, record.actions))
    if at is not None and not 0 <= at < len(states):
        raise OptionError(f"--at is from 0 to {len(states) - 1} in this record, not {at}.")
    return record, chosen, states


def replay_file(file: Path, as_json: bool, at: int | None) -> None:
    """Print a record as text or JSON lines: all of it, or the position after `at` actions; raises KemuError."""
    record, chosen, states = load_states(file, at)
    numbers = range(len(states)) if at is None else (at,)
    if as_json:
        for number in numbers:
            sys.stdout.write(json.dumps(_step(chosen, record, states, number)) + "\n")
    else:
        _show(chosen, record, states, numbers, open_screen())


def _show(chosen: AnyGame, record: Record, states: Sequence[Any], numbers: Sequence[int], screen: PlainScreen) -> None:
    """Show the actions in their order, with the board at both ends."""
    shown = text(chosen.key)
    for number in numbers:
        if number:
            actor = chosen.turn(states[number - 1])
            screen.say(f"{number}. {seat_name(shown, chosen, actor)}: {record.actions[number - 1]}")
        if number in (numbers[0], numbers[-1]):
            screen.show(shown, chosen, with_log(chosen.view(states[number], SPECTATOR), record.actions[:number]))
    outcome = record.result or chosen.outcome(states[-1])
    if outcome and numbers[-1] == len(states) - 1:
        screen.say(outcome_sentence(outcome, lambda seat: seat_name(shown, chosen, seat)))


def _step(chosen: AnyGame, record: Record, states: Sequence[Any], number: int) -> Document:
    state = states[number]
    outcome = (record.result if number == len(states) - 1 else None) or chosen.outcome(state)
    return {
        "at": number,
        "action": record.actions[number - 1] if number else None,
        "position": chosen.encode(state),
        "turn": None if outcome else chosen.turn(state),
        "outcome": outcome and outcome.encode(),
    }


# kemu review.


def review_file(file: Path, as_json: bool, nodes: int | None) -> None:
    """Review a record, with `nodes` for each position, and print a table or one JSON object; raises KemuError."""
    record, chosen = load(file)
    with progress_bar("first") as advance:
        for step in review_steps(record, Budget(nodes=nodes) if nodes else None):
            advance(step.phase, step.done, step.total)
    assert step.review is not None, "the last step has the whole review"
    if as_json:
        sys.stdout.write(json.dumps(step.review.encode(), ensure_ascii=False) + "\n")
        return
    names = [seat_name(text(chosen.key), chosen, seat) for seat in range(chosen.seats)]
    if record.players:
        names = [f"{seat} ({name})" for seat, name in zip(names, record.players, strict=True)]
    open_screen().say(*_review_lines(step.review, names))


def _review_lines(review: Review, names: Sequence[str]) -> Iterator[str]:
    """Yield the report: how the game went, what each seat did, and the table of actions."""
    wide = max(len(name) for name in names)
    shown = names[:1] if len(names) == 2 and all(abs(sum(each) - 1) < 1e-3 for each in review.expected) else names
    for seat, name in enumerate(shown):
        yield f"{name:{wide}}  {_sparkline([scores[seat] for scores in review.expected])}"
    yield ""
    for each in review.seats:
        numbers = {**each.grades, "missed, hard to see": each.hard}
        counted = ", ".join(f"{number} {grade}" for grade, number in numbers.items() if number)
        accuracy = "no choice" if each.accuracy is None else f"accuracy {each.accuracy:.0f} %"
        yield f"{names[each.seat]:{wide}}  {accuracy}{f': {counted}' if counted else ''}"
    yield ""
    yield f"{'#':>4}  {'seat':{wide}}  {'action':8}  {'score':>5}  {'loss':>4}  {'grade':10}  {'best':8}  proof"
    for action in review.actions:
        mark = "*" if action.ply in review.turning_points else " "
        yield f"{action.ply + 1:>4}{mark} {names[action.seat]:{wide}}  {_row(action)}".rstrip()
    if review.turning_points:
        yield from ("", "* decided the game at the level at which it was played")


def _row(action: GradedAction) -> str:
    loss = "" if action.loss is None else f"{action.loss:.0f}"
    best = action.line[0] if action.line and action.line[0] != action.action and action.grade != Grade.BEST else ""
    score = f"{100 * action.before:.0f} %"
    grade = "hard" if action.hard else action.grade or ""
    return f"{action.action:8}  {score:>5}  {loss:>4}  {grade:10}  {best:8}  {_proof_words(action)}"


def _proof_words(action: GradedAction) -> str:
    """Say in words what is proved of an action."""
    if action.proof is None:
        return ""
    fallen = action.proof in (ProofGrade.THREW_DRAW, ProofGrade.ALLOWED_LOSS)
    verdict = action.proved_after if fallen else action.proved_before
    return PROOFS[action.proof] + (f" (in {verdict.actions})" if verdict is not None and verdict.actions else "")


def _sparkline(scores: Sequence[float]) -> str:
    """Draw scores from 0 to 1 as a row of bars; a long row is thinned out evenly."""
    step = max(1.0, len(scores) / WIDTH)
    chosen = [scores[int(number * step)] for number in range(min(len(scores), WIDTH))]
    return "".join(BARS[min(len(BARS) - 1, int(score * len(BARS)))] for score in chosen)


# kemu arena.


def run_arena(
    setting: Setting, file: Path | None, players: Players, sprt: tuple[float, float] | None, as_json: bool
) -> Document:
    """Play, print the report and return it; a test between the first two entrants ends it as soon as it is decided.

    Raises OptionError if the two advantages of the test are not in order.
    """
    if sprt and not sprt[0] < sprt[1]:
        raise OptionError("A sequential test needs two advantages in Elo, the smaller one first.")
    groups: dict[int, list[Played]] = defaultdict(list)
    total = sum(1 for _ in jobs(setting))
    with progress_bar("playing") as advance:
        for done, played in enumerate(results(setting, file, players), start=1):
            groups[played.group].append(played)
            advance("playing", done, total)
            if sprt and done % TEST_EVERY == 0 and _test(setting, _whole(groups), sprt).decided:
                break
    report = _arena_report(setting, _whole(groups), sprt)
    sys.stdout.write(json.dumps(report) + "\n" if as_json else _arena_table(report))
    return report


def _whole(groups: dict[int, list[Played]]) -> Groups:
    """Return the groups of which all games were played, in order."""
    longest = max((len(group) for group in groups.values()), default=0)
    return [groups[number] for number in sorted(groups) if len(groups[number]) == longest]


def _scores(pair: Sequence[str], groups: Groups) -> list[float]:
    """Return for each group of a pair the mean share that the first of it won when it sat alone or face to face."""
    return [
        fmean(game.shares[game.seats.index(pair[0])] for game in group if game.seats.count(pair[0]) == 1)
        for group in groups
        if tuple(group[0].pair) == tuple(pair)
    ]


def _test(setting: Setting, groups: Groups, sprt: tuple[float, float]) -> SequentialTest:
    return sequential(_scores(setting.entrants[:2], groups), *sprt)


def _arena_report(setting: Setting, groups: Groups, sprt: tuple[float, float] | None) -> Document:
    table = [[tuple(zip(game.seats, game.shares, strict=True)) for game in group] for group in groups]
    rated = ratings(table) if table else {}
    pairs = []
    for pair in sorted({tuple(group[0].pair) for group in groups}):
        share, low, high = score_interval(_scores(pair, groups))
        games = [game for group in groups if tuple(group[0].pair) == pair for game in group]
        reasons = Counter(game.reason for game in games)
        pairs.append({"pair": pair, "games": len(games), "share": share, "low": low, "high": high, "reasons": reasons})
    report: Document = {
        "setting": vars(setting),
        "elo": {name: vars(rating) for name, rating in sorted(rated.items(), key=lambda item: -item[1].elo)},
        "pairs": pairs,
    }
    if sprt:
        report["test"] = vars(_test(setting, groups, sprt))
    return report


def _arena_table(report: Document) -> str:
    lines = ["entrant            Elo   95 %"]
    for name, rating in report["elo"].items():
        lines.append(f"{name:16} {rating['elo']:+6.0f}   {rating['low']:+.0f} to {rating['high']:+.0f}")
    lines += ["", "first against second             games   first wins, 95 %"]
    for pair in report["pairs"]:
        against = " against ".join(pair["pair"])
        lines.append(f"{against:32} {pair['games']:5}   {pair['share']:.1%} ({pair['low']:.1%} to {pair['high']:.1%})")
    if "test" in report:
        test = report["test"]
        low, high = test["bounds"]
        lines += ["", f"test: {test['decided'] or 'open'}, ratio {test['ratio']:.2f} between {low:.2f} and {high:.2f}"]
    return "\n".join(lines) + "\n"
