"""Matches between bots: who plays whom, from which openings, in which seats; and the games themselves."""

import json
import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import AnyGame, Outcome, options
from kemu.games import game, series
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start


@dataclass(frozen=True)
class Setting:
    """Everything that decides which games are played; a file of results is taken up only by the same setting."""

    game: str
    options: dict[str, Any]
    entrants: tuple[str, ...]
    openings: int  # groups of games for each pair of entrants
    opening: int = 0  # random actions at the start of each game, the same for a whole group
    seed: int = 0
    neighbours: bool = False  # only entrants named one after the other meet


@dataclass(frozen=True)
class Job:
    """One game to play."""

    number: int
    group: int
    pair: tuple[str, str]
    seats: tuple[str, ...]
    options: dict[str, Any]


@dataclass(frozen=True)
class Played:
    """One game that was played; shares of the victory by seat."""

    number: int
    group: int
    pair: tuple[str, str]
    seats: tuple[str, ...]
    shares: tuple[float, ...]
    reason: str
    actions: tuple[str, ...]


def jobs(setting: Setting) -> Iterator[Job]:
    """All games: each pair of a round robin or of neighbours, from each opening, in every seat, with every starter.

    At a table of more than two, one of the pair meets several of the other; then the other way round.
    """
    chosen = game(setting.game, **setting.options)
    _check(setting, chosen)
    pairs = pairwise(setting.entrants) if setting.neighbours else combinations(setting.entrants, 2)
    meetings = list(pairs)
    numbers = iter(range(10**9))
    groups = iter(range(10**9))
    for _ in range(setting.openings):
        for pair in meetings:
            group = next(groups)
            for started in series(setting.game).starters(chosen):
                for seats in _seatings(pair, chosen.seats):
                    yield Job(next(numbers), group, pair, seats, options(started))


def dataset_jobs(setting: Setting) -> Iterator[Job]:
    """The games of an arena, or of a single entrant against itself: one for each opening, each starter in turn."""
    if len(setting.entrants) != 1:
        yield from jobs(setting)
        return
    chosen, name = game(setting.game, **setting.options), setting.entrants[0]
    starters = series(setting.game).starters(chosen)
    bot(name, chosen)
    for number in range(setting.openings):
        started = options(starters[number % len(starters)])
        yield Job(number, number, (name, name), (name,) * chosen.seats, started)


def _check(setting: Setting, chosen: AnyGame) -> None:
    """There are at least two entrants, each is named once, and all are bots of this game."""
    if len(setting.entrants) < 2:
        raise OptionError("An arena needs at least two entrants.")
    for name in setting.entrants:
        if setting.entrants.count(name) > 1:
            raise OptionError(
                f"'{name}' is named twice; an entrant of a level can have another budget, such as 8@nodes=500."
            )
        bot(name, chosen)


def _seatings(pair: tuple[str, str], seats: int) -> Iterator[tuple[str, ...]]:
    ways = (pair, pair[::-1]) if seats > 2 else (pair,)
    for one, others in ways:
        for place in range(seats):
            yield (*[others] * place, one, *[others] * (seats - 1 - place))


def play(setting: Setting, job: Job) -> Played:
    """Play one game; the same job always gives the same game, as far as its bots are repeatable."""
    chosen, dealer = game(setting.game, **job.options), Dealer(_seed(setting, job.group, "cards"))
    match = LocalMatch(start(chosen, bots_as_players(job.seats), dealer), dealer)
    players = [bot(name, chosen, _seed(setting, job.number, seat)) for seat, name in enumerate(job.seats)]
    open_randomly(match, random.Random(_seed(setting, job.group, "opening")), setting.opening)
    outcome = play_out(match, players)
    shares, actions = outcome.shares(chosen.seats), match.table.record().actions
    return Played(job.number, job.group, job.pair, job.seats, shares, outcome.reason, actions)


def _seed(setting: Setting, *parts: object) -> int:
    return random.Random(f"{setting.seed}/{'/'.join(map(str, parts))}").getrandbits(48)


def play_out(match: LocalMatch, players: Sequence[Bot]) -> Outcome:
    """Let bots play a match to its end, one for each seat."""
    while (seat := match.table.turn) is not None:
        match.act_by(players[seat])
    outcome = match.table.outcome
    assert outcome, "nobody is to act, so it has ended"
    return outcome


def open_randomly(match: LocalMatch, dice: random.Random, plies: int) -> None:
    """Some random actions that do not end the game."""
    for _ in range(plies):
        state, chosen = match.table.state, match.table.game
        calm = [action for action in chosen.actions(state) if chosen.outcome(chosen.apply(state, action)) is None]
        if not calm:
            return
        match.act(dice.choice(calm))


Players = Callable[[Callable[[Job], Played], Iterable[Job]], Iterable[Played]]
"""Calls a function for jobs, perhaps in other processes, and gives each game as it is finished."""


def results(setting: Setting, file: Path | None, players: Players = map) -> Generator[Played, None, None]:
    """Yield every game of a setting as it is finished; those that the file holds already are not played again."""
    done = _read(setting, file) if file and file.exists() else []
    yield from done
    keeper = _Keeper(file, setting, done) if file else None
    known = {played.number for played in done}
    for played in players(partial(play, setting), (job for job in jobs(setting) if job.number not in known)):
        if keeper:
            keeper.keep(played)
        yield played


def read_results(file: Path) -> tuple[Setting, Sequence[Played]]:
    """The setting and the games of a file of results, or ParseError."""
    first = file.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    try:
        setting = Setting(**{name: _frozen(value) for name, value in json.loads(first).items()})
    except (ValueError, TypeError, AttributeError):
        raise ParseError(f"{file} is not a file of results.") from None
    return setting, _read(setting, file)


class _Keeper:
    """A file of results: the setting in the first line, then a line for each game."""

    def __init__(self, file: Path, setting: Setting, done: Sequence[Played]) -> None:
        # Written anew, so that a line that a crash cut off is gone.
        beside = file.with_name(f".{file.name}")
        entries = [asdict(setting), *map(asdict, done)]
        beside.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        beside.replace(file)
        self._file = file

    def keep(self, played: Played) -> None:
        """Add a game."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(played)) + "\n")


def _read(setting: Setting, file: Path) -> Sequence[Played]:
    """The games of a file; a last line that was cut off is left out and its game played again."""
    # Bytes that are no text make it a file of another setting.
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    if lines == [""]:
        return []
    if lines[0] != json.dumps(asdict(setting)):
        raise ParseError(f"{file} holds results of another setting; name another file.")
    try:
        entries = [json.loads(line) for line in lines[1:-1]]
        return [Played(**{name: _frozen(value) for name, value in entry.items()}) for entry in entries]
    except (ValueError, TypeError, AttributeError):
        raise ParseError(f"{file} is not a file of results.") from None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
